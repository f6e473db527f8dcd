"""Parts of the plots of dualkpca.plot."""
import numpy as np

from dualkpca._plot_data import above

# The colours of Okabe and Ito are distinguishable with any colour vision. Marks differ as well, for grey prints.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000"]
MARKS = "os^DvP<X>p"  # 10 marks and 7 colours have no common divisor, so there are 70 pairs
BLUE, RED, GREY, PALE = "#0072b2", "#d55e00", "#999999", "#e6e6e6"
MANY_POINTS = 5000  # more points than this are rasterised within a vector graphic
MANY_BARS = 100  # more bars than this are drawn as one outline
SPREAD = 200  # ratio to the median above which an axis is logarithmic; for the ratio to the limit, a tenth of it
OFFSETS = [(8, 0), (0, 8), (7, 7), (7, -7), (-7, 7), (-8, 0), (0, -8), (-7, -7)]  # offsets of a number from its point
LIMIT_LINE = {"color": RED, "linestyle": "--", "linewidth": 1.4, "zorder": 2.5}


def pyplot():
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: install python3-matplotlib, or dualkpca with the extra 'plot' "
                          "(pip install 'dualkpca[plot]')") from error
    return plt


def axes_or_new(ax):
    plt = pyplot()
    return plt.subplots(layout="constrained")[1] if ax is None else ax


def pair_or_new(ax, rows=1, columns=1, **options):
    plt = pyplot()
    if ax is None:
        return tuple(plt.subplots(rows, columns, layout="constrained", **options)[1])
    pair = tuple(np.ravel(np.asarray(ax, dtype=object)))
    if len(pair) != 2:
        raise ValueError("ax: a pair of axes is needed, for T2 and for SPE")
    return pair


def tidy(ax, grid):
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(True, axis=grid, color=PALE, linewidth=0.8)
    ax.set_axisbelow(True)


def without_content(ax, text):
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes)
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def whole_numbers(axis, count=None):
    from matplotlib.ticker import MaxNLocator
    if count is not None and count <= 10:
        axis.set_ticks(range(1, count + 1))
    else:
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))


def are_classes(labels):
    if labels.dtype.kind not in "iuf":
        return True
    whole = labels.dtype.kind in "iu" or bool(np.all(np.isfinite(labels)) and np.all(labels == np.round(labels)))
    return whole and np.unique(labels).size <= 12


def points_style(count):
    return {"s": 30 if count <= 500 else 18 if count <= MANY_POINTS else 6, "rasterized": count > MANY_POINTS,
            "linewidths": 0, "zorder": 2}


def scatter(ax, x, y):
    ax.scatter(x, y, color=BLUE, alpha=0.7, **points_style(len(x)))


def scatter_numbers(ax, x, y, numbers, title):
    """Draws points coloured by numbers, with a colour bar. Points whose number is not finite are crosses."""
    style = points_style(len(x))
    known = np.isfinite(numbers)
    if not known.all():
        ax.scatter(x[~known], y[~known], color=GREY, marker="x", **style | {"linewidths": 1})
    points = ax.scatter(x[known], y[known], c=numbers[known], cmap="viridis", **style)
    ax.figure.colorbar(points, ax=ax, label="label" if title is None else str(title))


def scatter_classes(ax, x, y, labels):
    names, which = np.unique(labels.astype(str) if labels.dtype.kind == "O" else labels, return_inverse=True)
    if len(names) > len(COLOURS) * len(MARKS):
        raise ValueError(f"labels has {len(names)} classes; at most {len(COLOURS) * len(MARKS)} can be distinguished")
    for k, name in enumerate(names):
        ax.scatter(x[which == k], y[which == k], color=COLOURS[k % len(COLOURS)], marker=MARKS[k % len(MARKS)],
                   alpha=0.8, label=str(name), **points_style(len(x)))


def scatter_sides(ax, x, y, far_out, far_off):
    """Draws points with colours and marks by the limits that they are above."""
    sides = {"within them": (~far_out & ~far_off, BLUE, "o"), "above T2": (far_out & ~far_off, COLOURS[1], "D"),
             "above SPE": (~far_out & far_off, COLOURS[3], "^"), "above both": (far_out & far_off, RED, "s")}
    for name, (rows, colour, mark) in sides.items():
        if rows.any():
            style = points_style(len(x)) | ({} if mark == "o" else {"s": 36 if len(x) <= 500 else 22, "zorder": 3})
            ax.scatter(x[rows], y[rows], color=colour, marker=mark, alpha=0.7 if mark == "o" else 1,
                       label=f"{name}: {np.count_nonzero(rows)}", **style)


def place_legend(ax, own_figure, title, n_points):
    """Places the legend beside the axes if they are alone in the figure, else within them."""
    columns = 1 + (len(ax.get_legend_handles_labels()[1]) - 1) // 20
    if own_figure:
        look = {"frameon": False, "loc": "upper left", "bbox_to_anchor": (1, 1)}
    else:
        look = {"framealpha": 0.8, "loc": "best" if n_points <= MANY_POINTS else "upper right", "fontsize": "small"}
    equal_marks(ax.legend(ncol=columns, title=title, **look))


def legend_above(ax, **content):
    """Draws the legend above the axes, because no corner within them is surely free."""
    content = content or dict(zip(("handles", "labels"), ax.get_legend_handles_labels()))
    if content["labels"]:
        equal_marks(ax.legend(**content, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncol=3,
                              borderaxespad=0.2, columnspacing=1.2, handletextpad=0.5))


def equal_marks(legend):
    """Makes the marks of a legend large enough to show their shape, however small the points are."""
    for mark in legend.findobj(lambda artist: hasattr(artist, "set_sizes")):
        mark.set_sizes([40])


def scale_from_zero(axis, values, limit, power=1):
    """Makes an axis linear from zero, or logarithmic if a few large values would squeeze the others or the limit."""
    highest = max(values.max(initial=0), limit or 0)
    positive = values[values > 0]
    usual = np.median(positive) if positive.size else 0
    is_log = usual > 0 and (highest > SPREAD**power * usual or (limit and highest > (0.1 * SPREAD) ** power * limit))
    lowest = max(0.8 * positive.min(), 1e-6 * highest) if is_log else 0
    getattr(axis.axes, f"set_{axis.axis_name}scale")("log" if is_log else "linear")
    getattr(axis.axes, f"set_{axis.axis_name}lim")(lowest, (2 if is_log else 1.1) * highest or 1)


def draw_chart(ax, ylabel, name, rows, values, limit):
    outliers = above(values, limit)
    style = {"linestyle": "none", "rasterized": len(rows) > MANY_POINTS}
    ax.plot(rows[~outliers], values[~outliers], marker="o", color=BLUE, markersize=3, **style)
    ax.plot(rows[outliers], values[outliers], marker="^", color=RED, markersize=6, **style)
    scale_from_zero(ax.yaxis, values, limit)
    if limit is not None:
        ax.axhline(limit, **LIMIT_LINE)
    ax.set_ylabel(ylabel)
    text = f"{name} of {len(rows)} rows, no limit" if limit is None else \
        f"{name}: {np.count_nonzero(outliers)} of {len(rows)} rows above the limit {limit:.4g}"
    ax.set_title(text, loc="left", fontsize=10)
    whole_numbers(ax.xaxis)
    ax.margins(x=0.02)
    tidy(ax, "y")


def largest(part, most):
    """Returns the columns with the largest contributions, without negligible ones."""
    order = np.argsort(-np.abs(part), kind="stable")[:most]
    return order[np.abs(part[order]) > 1e-3 * np.abs(part).max(initial=0)]


def draw_parts(ax, name, names, values, whole, limit):
    ax.set_xlabel(f"contribution to {name}")
    ax.set_title(f"{name} {whole:.4g}" + ("" if limit is None else f", limit {limit:.4g}"), loc="left", fontsize=10)
    if not names:
        without_content(ax, "no difference from a training row")
        return
    places = np.arange(len(names))
    ax.barh(places, values, color=[RED if value > 0 else BLUE for value in values])
    ax.set_yticks(places, names)
    ax.tick_params(axis="y", length=0)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=5)
    tidy(ax, "x")


def annotate(ax, x, y, rows, chosen):
    """Writes row numbers beside points, on a side that is still free. Points in the same place share one text."""
    from matplotlib.patheffects import withStroke
    size = 9  # size of the font in points; a digit is about 0.6 of it wide
    places = ax.transData.transform(np.column_stack([x[chosen], y[chosen]])) * 72 / ax.figure.dpi
    groups = []
    for k, place in enumerate(places):
        near = next((group for group in groups if np.hypot(*(places[group[0]] - place)) < 4), None)
        groups.append([k]) if near is None else near.append(k)
    taken = []
    for group in groups:
        text = ", ".join(map(str, sorted(rows[chosen[group]])))
        boxes = {offset: text_box(places[group[0]], offset, 0.6 * size * len(text), size) for offset in OFFSETS}
        dx, dy = next((offset for offset in OFFSETS if is_free(boxes[offset], taken)), OFFSETS[0])
        taken.append(boxes[dx, dy])
        at = chosen[group[0]]
        ax.annotate(text, (x[at], y[at]), (dx, dy), textcoords="offset points", fontsize=size, zorder=4,
                    ha="left" if dx > 0 else "right" if dx < 0 else "center",
                    va="bottom" if dy > 0 else "top" if dy < 0 else "center",
                    path_effects=[withStroke(linewidth=2.5, foreground="white")])


def text_box(place, offset, width, height):
    """Returns left, bottom, right and top of a text beside a place."""
    sides = []
    for at, by, size in zip(place, offset, (width, height)):
        first = at + (by if by > 0 else by - size if by < 0 else -size / 2)
        sides.append((first, first + size))
    return sides[0][0], sides[1][0], sides[0][1], sides[1][1]


def is_free(box, taken):
    return not any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
                   for other in taken)
