"""fig:msekappa: the error on contaminated iris against kappa, at the highest noise level of tab:huber.

All kappas and the square loss have the same draws. The paper names no s, so 2 and 4 are measured, with the scorings of
part huber. The narrower kernel is measured too: with it the square loss comes near the level of the paper's tables.
"""
import numpy as np

import charts
import claims as verdicts
import robust_iris as iris
from table import markdown, shown

TITLE = "The effect of kappa (fig:msekappa)"
COLUMNS = ["kernel", "s", "scoring", "norm", "ratio", "tau", "mse", "sd", "median", "smallest", "largest", "draws",
           "square", "difference", "difference error", "unconverged"]
KEYS = ["kernel", "s", "scoring", "norm", "ratio"]
TAU = 100
FULL = {"components": [2, 4], "draws": 50, "widths": ["rbf:0.5", "rbf:1"],
        "ratios": [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]}
QUICK = {"components": [2], "draws": 2, "widths": ["rbf:0.5"], "ratios": [0.05, 0.6, 1.0]}
NORMS = ["rows", "entries"]
MAIN = {"kernel": "rbf:0.5", "scoring": "paper"}
LABEL = "fig:msekappa"
EQUAL_CLAIM = "at kappa_max the error is that of the square loss"
SMALL_CLAIM = "the error grows quickly where kappa is small"
BALANCED_CLAIM = "a balanced kappa errs less than the square loss"
EQUAL = 1e-3  # relative difference of the same point found by two solvers

INTRODUCTION = """The rows are those of contaminated iris at tau = {tau}, and kappa is given as a share of kappa_max.
All errors are means of {draws} draws, the same for every kappa.
`clear less` and `clear more` are the shares at which the error is clearly less or more than that of the square loss.
Clearly means by over two standard errors of the paired difference, which are in brackets.
The best kappa was chosen on these draws, so its gain is the most that a choice could give.
The scorings are those of tab:huber.
With `paper` the scores G H shrink with kappa, and the inverse transform is sensitive to their size.
With `alike` they have the same size at every kappa.
The chart shows the kernel {kernel}, with bands of two standard errors of the difference to the square loss.

"""


def measure(options, record):
    X = options.datasets.whole("iris")
    for kernel in options.widths:
        for s in options.components:
            measure_ratios(options, record, X, {"kernel": kernel, "s": s})


def measure_ratios(options, record, X, problem):
    """Measures every kappa on the same draws; the square loss is fitted once for all."""
    wanted = [(norm, ratio) for norm in NORMS for ratio in options.ratios
              if not all(record.has(**problem, scoring=scoring, norm=norm, ratio=ratio, draws=options.draws)
                         for scoring in iris.SCORINGS)]
    if not wanted:
        return
    draws = [iris.Draw(problem["kernel"], X, TAU, seed) for seed in range(options.draws)]
    square = errors_of(draws, [iris.fit(draw.kernel, draw.train, problem["s"]) for draw in draws])
    for norm, ratio in wanted:
        models = [iris.huber(draw.kernel, draw.train, problem["s"], norm, ratio) for draw in draws]
        errors = errors_of(draws, models)
        for scoring in iris.SCORINGS:
            mean, error = iris.paired(errors[scoring] - square[scoring])
            record.add(**problem, scoring=scoring, norm=norm, ratio=ratio, tau=TAU, **iris.moments(errors[scoring]),
                       square=float(square[scoring].mean()), difference=mean, **{"difference error": error},
                       unconverged=sum(not model.converged_ for model in models))


def errors_of(draws, models):
    return {scoring: np.array([draw.error(model.dual_variables_, scoring) for draw, model in zip(draws, models)])
            for scoring in iris.SCORINGS}


# Reading the rows


def select(rows, **key):
    return sorted((row for row in rows if all(row.get(name) == value for name, value in key.items())),
                  key=lambda row: row["ratio"])


def groups(rows, **key):
    """The curves of the figure: every kernel, s, scoring and norm that was measured, in ascending kappa."""
    names = ["kernel", "s", "scoring", "norm"]
    found = dict.fromkeys(tuple(row[name] for name in names) for row in select(rows, **key))
    return {group: select(rows, **dict(zip(names, group))) for group in sorted(found)}


def is_less(row):
    return iris.sign(row) < 0


def is_more(row):
    return iris.sign(row) > 0


def best(line):
    return min(line, key=lambda row: row["mse"])


# The page


def section(rows):
    draws = max(row["draws"] for row in rows)
    columns = ["kernel", "scoring", "s", "norm", "square", "smallest kappa", "its error", "best kappa", "its error",
               "best minus square", "clear less", "clear more"]
    lines = [line_of(group, line) for group, line in groups(rows).items()]
    return INTRODUCTION.format(tau=TAU, draws=draws, kernel=MAIN["kernel"]) + markdown(columns, lines) + "\n" + words(rows)


def line_of(group, line):
    kernel, s, scoring, norm = group
    least, found = line[0], best(line)
    return [kernel, iris.scoring_name(scoring), s, norm, line[0]["square"], least["ratio"], least["mse"], found["ratio"],
            found["mse"], gain_of(found), ratios(filter(is_less, line)), ratios(filter(is_more, line))]


def gain_of(row):
    sign = "+" if row["difference"] > 0 else ""
    return f"{sign}{shown(row['difference'])} ({shown(row['difference error'])})"


def ratios(line):
    """Shares in words: a range by its two ends and its number of shares."""
    found = [f"{row['ratio']:g}" for row in line]
    return "none" if not found else found[0] if len(found) == 1 else f"{found[0]} to {found[-1]} ({len(found)})"


def words(rows):
    text = "The verdicts on the claims follow, with the cases that they rest on.\n"
    text += f"The kernel is {MAIN['kernel']}, and the scoring is `{MAIN['scoring']}` unless another is named.\n\n"
    for claim in claims(rows):
        text += f"- The claim that {claim.words}: {claim.verdict}.\n"
        text += "".join(f"  - {case}\n" for case in claim.figure.split("; "))
    return text + alike_words(list(groups(rows, kernel=MAIN["kernel"], scoring="alike").items()))


def alike_words(lines):
    """The effect of kappa on the directions."""
    parts = [f"  - {title}: {shown(line[0]['mse'] / line[0]['square'])} times at {line[0]['ratio']:g}, "
             f"{shown(best(line)['mse'] / line[0]['square'])} times at the best share, {best(line)['ratio']:g}\n"
             for title, (_, line) in zip(titles(lines), lines)]
    return "- With scores of the same size (`alike`) the error is a multiple of that of the square loss:\n" \
        + "".join(parts) if parts else ""


def draw(rows, folder):
    """Draws a panel for each scoring and s, with bands around the curves; rows of panels have the same s."""
    plt = charts.pyplot()
    panels = {}
    for (_, s, scoring, norm), line in groups(rows, kernel=MAIN["kernel"]).items():
        panels.setdefault((s, scoring), {})[norm] = line
    if plt is None or not panels:
        return
    sizes = sorted({s for s, _ in panels})
    figure, axes = plt.subplots(len(sizes), len(iris.SCORINGS), figsize=(11, 3.2 * len(sizes)), squeeze=False,
                                layout="constrained")
    for (s, scoring), lines in panels.items():
        draw_panel(axes[sizes.index(s), iris.SCORINGS.index(scoring)], lines, f"s = {s}, scoring {scoring}")
    for axis in axes[-1]:
        axis.set_xlabel("kappa / kappa_max")
    for axis in axes[:, 0]:
        axis.set_ylabel("mean square error")
    axes[0, -1].legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle(f"Contaminated iris, tau = {TAU}, {MAIN['kernel']}", x=0.01, ha="left", fontsize=12)
    charts.save(plt, figure, folder / "kappa.svg")


def draw_panel(axis, lines, title):
    """Draws one panel. Its error axis is logarithmic if errors differ by more than a factor of ten."""
    for k, (norm, line) in enumerate(lines.items()):
        draw_line(axis, line, f"huber {norm}", charts.COLOURS[2 * k], charts.MARKS[k])
    axis.axhline(next(iter(lines.values()))[0]["square"], color=charts.COLOURS[4], linestyle="--", label="square loss")
    errors = [row["mse"] for line in lines.values() for row in line]
    if max(errors) > 10 * min(errors):
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    axis.set_title(title, loc="left", fontsize=10)
    axis.grid(True, color="#e6e6e6")


def draw_line(axis, line, label, colour, mark):
    x, y = [row["ratio"] for row in line], np.array([row["mse"] for row in line])
    band = 2 * np.array([row["difference error"] for row in line])
    axis.fill_between(x, np.maximum(y - band, y / 10), y + band, color=colour, alpha=0.2, linewidth=0)
    axis.plot(x, y, color=colour, marker=mark, label=label)


# Claims


def claims(rows):
    lines = list(groups(rows, **MAIN).items())
    if not lines:
        return [verdicts.unmeasured(LABEL, words) for words in (EQUAL_CLAIM, SMALL_CLAIM, BALANCED_CLAIM)]
    return [equal_claim(lines), small_claim(lines), balanced_claim(lines)]


def titles(lines):
    return [f"s = {s}, {norm}" for (_, s, _, norm), _ in lines]


def equal_claim(lines):
    ends = [line[-1] for _, line in lines if line[-1]["ratio"] == 1]
    off = [abs(row["difference"]) / row["square"] for row in ends]
    figure = f"the relative differences are at most {max(off):.1e} in {len(off)} cases" if off else ""
    return verdicts.Claim(LABEL, EQUAL_CLAIM, verdicts.share(value <= EQUAL for value in off), figure)


def small_claim(lines):
    """Held where the least kappa errs more than the best one and than the square loss, the other end of the curve."""
    held = [is_more(line[0]) and line[0]["mse"] > best(line)["mse"] for _, line in lines]
    figure = "; ".join(f"{title}: {shown(line[0]['mse'])} at {line[0]['ratio']:g} of kappa_max, "
                       f"{shown(best(line)['mse'])} at best, {shown(line[0]['square'])} square"
                       for title, (_, line) in zip(titles(lines), lines))
    return verdicts.Claim(LABEL, SMALL_CLAIM, verdicts.share(held), figure)


def balanced_claim(lines):
    """Held where some kappa strictly between the ends errs clearly less than the square loss."""
    held = [any(is_less(row) for row in line[1:] if row["ratio"] < 1) for _, line in lines]
    figure = "; ".join(f"{title}: difference {gain_of(best(line))} at {best(line)['ratio']:g}"
                       for title, (_, line) in zip(titles(lines), lines))
    return verdicts.Claim(LABEL, BALANCED_CLAIM, verdicts.share(held), figure)
