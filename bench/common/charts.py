"""Charts as SVG files. Without matplotlib no chart is drawn, and a note says so."""
import math
import sys

# Okabe and Ito's colours, which can be distinguished with any colour vision.
OURS, OTHERS = "#0072b2", "#b0b0b0"
COLOURS = [OURS, "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000"]
MARKS = "os^Dv*P"


def pyplot():
    try:
        import matplotlib
    except ImportError:
        print("no charts are drawn: python3-matplotlib is not installed; run scripts/install-deps", file=sys.stderr)
        return None
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "dualkpca", "svg.fonttype": "none", "font.size": 10,
                                "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot as plt
    return plt


def save(plt, figure, path):
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)


def grouped(rows, column, title, label):
    """Returns {title: entries} for fastest_first(), from the rows that have the column. Title and label are formats of a
    row; labels of dualkpca begin with its name."""
    panels = {}
    for row in rows:
        if column in row:
            name = label.format(**row)
            panels.setdefault(title.format(**row), []).append((name, row[column], name.startswith("dualkpca")))
    return panels


def time_and_memory(folder, part, words, rows, title, label, memory="peak memory"):
    """Draws PART-time.svg and PART-memory.svg: the columns `seconds` and `peak MiB` of the rows, ascending."""
    for column, unit, kind, what in (("seconds", "seconds", "time", "time"), ("peak MiB", "MiB", "memory", memory)):
        bars(folder / f"{part}-{kind}.svg", f"{words}: {what}", unit,
             fastest_first(grouped(rows, column, title, label)))


def fastest_first(panels):
    """Returns {title: entries} as panels of bars() with ascending values."""
    return [(title, sorted(entries, key=lambda entry: entry[1])) for title, entries in panels.items()]


def bars(path, title, unit, panels):
    """Draws horizontal bars from zero; panels: [(title, [(label, value, is it dualkpca), ...]), ...]."""
    plt = pyplot()
    panels = [(name, [entry for entry in entries if math.isfinite(entry[1])]) for name, entries in panels]
    panels = [(name, entries) for name, entries in panels if entries]
    if plt is None or not panels:
        return
    heights = [len(entries) + 1.5 for _, entries in panels]
    figure, axes = plt.subplots(len(panels), 1, squeeze=False, figsize=(8, 0.3 * sum(heights) + 0.8),
                                gridspec_kw={"height_ratios": heights}, layout="constrained")
    for axis, (name, entries) in zip(axes[:, 0], panels):
        values = [value for _, value, _ in entries]
        axis.barh(range(len(entries)), values, color=[OURS if own else OTHERS for _, _, own in entries])
        for k, value in enumerate(values):
            axis.text(value, k, f" {value:.3g}", va="center")
        axis.set_yticks(range(len(entries)), [label for label, _, _ in entries])
        axis.tick_params(axis="y", length=0)
        axis.invert_yaxis()
        axis.set_xlim(0, 1.12 * max(values) or 1)
        axis.set_title(name, loc="left", fontsize=10)
    axes[-1, 0].set_xlabel(unit)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    save(plt, figure, path)


def lines(path, title, xlabel, ylabel, series, logarithmic=True, pairs=False):
    """Draws lines; series: {label: [(x, y), ...]}, dualkpca first; with pairs, every second line is dashed."""
    plt = pyplot()
    series = {label: [point for point in points if math.isfinite(point[1])] for label, points in series.items()}
    series = {label: points for label, points in series.items() if points}
    if plt is None or not series:
        return
    figure, axis = plt.subplots(figsize=(9, 5), layout="constrained")
    for k, (label, points) in enumerate(series.items()):
        look = k // 2 if pairs else k
        axis.plot(*zip(*sorted(points)), color=COLOURS[look % len(COLOURS)], marker=MARKS[look % len(MARKS)],
                  label=label, linestyle="--" if pairs and k % 2 else "-",
                  linewidth=2.5 if k == 0 and not pairs else 1.5)
    if logarithmic:
        logarithmic_axes(plt, axis, sorted({x for points in series.values() for x, _ in points}))
    else:
        axis.ticklabel_format(useOffset=False)
    axis.grid(True, color="#e6e6e6")
    axis.set_xlabel(xlabel)
    axis.set_ylabel(ylabel)
    axis.set_title(title, loc="left", fontsize=12)
    axis.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    save(plt, figure, path)


def logarithmic_axes(plt, axis, ticks):
    """Sets logarithmic axes with a tick at every x, labelled by plain numbers."""
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xticks(ticks, [f"{x:g}" for x in ticks])
    axis.set_xticks([], minor=True)
    axis.yaxis.set_major_locator(plt.LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(plt.FuncFormatter(lambda y, _: f"{y:g}"))
    axis.yaxis.set_minor_formatter(plt.NullFormatter())
