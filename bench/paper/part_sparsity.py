"""fig:sparsity:block and fig:sparsity:coordinate: zeros that the loss epsilon_insensitive makes, and their cost.

All s have the same epsilons, so that they can be compared at each of them: shares of the largest size (length of a row,
or an entry) of the square-loss solution with the fewest components. epsilon = 0 is the square loss, which is fitted
under its own name; the smallest epsilon above it shows that there is no jump.
"""
import math

import numpy as np

import charts
import sparse_problem
from claims import Claim, share, unmeasured
from sparse_problem import deviation, mean, ratio_text
from table import markdown

TITLE = "Sparsity: epsilon and the number of components"
KEYS = ["kernel", "norm", "s", "share"]
COLUMNS = ["kernel", "gamma", "n", "norm", "s", "share", "epsilon", "sparsity", "sparsity sd", "ratio", "ratio sd",
           "excess", "explained", "kept", "components left", "converged", "draws"]
FULL = {"n": 1000, "kernels": sparse_problem.KERNELS, "components": [5, 10, 15, 20], "draws": 5, "shares": None}
QUICK = {"n": 150, "kernels": sparse_problem.KERNELS, "components": [3], "draws": 1, "shares": [0, 0.1, 0.6]}

# Rows of scores have similar lengths with the median's width, and very different ones if G is almost the identity.
LOGARITHMIC = [0, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.4, 0.8, 0.95]
SHARES = {("rbf:0.5", "rows"): LOGARITHMIC, ("rbf:0.5", "entries"): LOGARITHMIC,
          ("rbf:median", "rows"): [0, 0.001, 0.2, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05],
          ("rbf:median", "entries"): [0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]}
FIGURES = {"rows": "fig:sparsity:block", "entries": "fig:sparsity:coordinate"}
LOSSES = {"rows": "l_eps^2", "entries": "l_eps^inf"}
WHAT = {"rows": "zero rows of H", "entries": "zero entries of H"}
TARGETS = [0.2, 0.4, 0.6, 0.8]
ROUNDING = 1e-8  # rounding and tolerance: ratios nearer to 1 are not drawn
PAPER_SPARSITY, PAPER_RATIO, PAPER_S = 0.4, 1.1, 5
PAPER_TABLE = {"rows": 1.09440, "entries": 1.06308}  # ratios of tab:epsilon:cmp at that sparsity

INTRODUCTION = """The rows are standard normal with n = {n} and d = {d}, features are not centred, and figures are means of {draws} draws.
The paper says only that its kernel is Gaussian, so two kernels are measured.
`rbf:0.5` is exp(-|x - y|^2/2), with which G is almost the identity.
`rbf:median` has gamma = 1/median |x - y|^2.
The error is tr G - |Y|_F^2, where Y has the scores of the orthonormal directions.
The ratio is this error divided by that of the square loss from LAPACK.
`explained` is the share of tr G that the square loss explains, so no ratio can exceed 1/(1 - explained).
`kept` is the share of that explained part that the sparse components explain.
`ratio` and `kept` are interpolated between the epsilons, at the share of zeros in their heading.
"""


def measure(options, record):
    for kernel in options.kernels:
        draws = sparse_problem.problems(kernel, options.n, options.draws)
        for s in options.components:
            for norm in sparse_problem.NORMS:
                for part in options.shares or SHARES.get((kernel, norm), SHARES["rbf:median", norm]):
                    key = {"kernel": kernel, "n": options.n, "norm": norm, "s": s, "share": part,
                           "draws": options.draws}
                    if not record.has(**key):
                        found = [measure_one(one, s, norm, part, min(options.components), options.threads)
                                 for one in draws]
                        record.add(**key, gamma=mean(one.gamma for one in draws), **summary(found))


def measure_one(problem, s, norm, part, least, threads):
    """Measures one draw. If epsilon leaves nothing of H, the error is tr G, and all of H is zero."""
    epsilon = part * float(sparse_problem.sizes(problem.square_solution(least), norm).max())
    loss = {"loss": "epsilon_insensitive", "norm": norm, "epsilon": epsilon} if epsilon > 0 else {"loss": "square"}
    model = sparse_problem.fit(problem, s, threads, **loss)
    H = np.zeros((problem.X.shape[0], s)) if model is None else model.dual_variables_
    square, error = problem.square_error(s), sparse_problem.span_error(problem.G, H)
    return {"epsilon": epsilon, "sparsity": sparse_problem.zero_share(H, norm), "ratio": error / square,
            "explained": 1 - square / problem.trace, "kept": (problem.trace - error) / (problem.trace - square),
            "left": int(np.linalg.matrix_rank(H)), "converged": model is None or bool(model.converged_)}


def summary(found):
    """Means over the draws. excess is ratio - 1, which has more digits; kept is a share of the square loss's part."""
    def column(name):
        return [one[name] for one in found]

    return {"epsilon": mean(column("epsilon")), "sparsity": mean(column("sparsity")),
            "sparsity sd": deviation(column("sparsity")), "ratio": mean(column("ratio")),
            "ratio sd": deviation(column("ratio")), "excess": mean(column("ratio")) - 1,
            "explained": mean(column("explained")), "kept": mean(column("kept")),
            "components left": mean(column("left")), "converged": mean(column("converged"))}


def lines(rows, norm=None, kernel=None):
    """{(kernel, norm, s): rows by rising epsilon}."""
    found = {}
    for row in sorted(rows, key=lambda row: (row["kernel"], row["s"], row["epsilon"])):
        if norm in (None, row["norm"]) and kernel in (None, row["kernel"]):
            found.setdefault((row["kernel"], row["norm"], row["s"]), []).append(row)
    return found


def at_sparsity(line, target, column):
    """Value of a column where the curve first reaches the target, interpolated; NaN beyond its end."""
    reached = np.maximum.accumulate([row["sparsity"] for row in line])
    if target > reached[-1]:
        return float("nan")
    k = int(np.argmax(reached >= target))
    if k == 0:
        return float(line[0][column])
    way = (target - reached[k - 1]) / (reached[k] - reached[k - 1])
    return float(line[k - 1][column] + way * (line[k][column] - line[k - 1][column]))


def draw(rows, folder):
    """Draws a file for each kernel and norm with the paper's pair of figures: error ratio and sparsity against epsilon.

    The ratio is drawn less 1 on a logarithmic axis: on a plain one the last epsilons would hide all others.
    """
    plt = charts.pyplot()
    if plt is None:
        return
    for kernel in dict.fromkeys(row["kernel"] for row in rows):
        for norm in sparse_problem.NORMS:
            found = lines(rows, norm, kernel)
            if found:
                name = f"sparsity-{FIGURES[norm].split(':')[-1]}-{kernel.replace(':', '-')}.svg"
                draw_pair(plt, folder / name, kernel, norm, found)


def draw_pair(plt, path, kernel, norm, found):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    draw_lines(axes[0], found, "excess", "ratio sd", "error / error of the square loss, less 1")
    axes[0].set_yscale("log")
    draw_lines(axes[1], found, "sparsity", "sparsity sd", f"share of {WHAT[norm]}")
    draws = max(line[0]["draws"] for line in found.values())
    figure.suptitle(f"{LOSSES[norm]}, kernel {kernel}: mean of {draws} draws and one standard deviation",
                    x=0.01, ha="left", fontsize=12)
    axes[1].legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    charts.save(plt, figure, path)


def draw_lines(axis, found, column, spread_column, label):
    for k, ((_, _, s), line) in enumerate(found.items()):
        line = [row for row in line if column != "excess" or row["excess"] > ROUNDING]
        epsilon, value, spread = (np.array([row[name] for row in line]) for name in ("epsilon", column, spread_column))
        axis.plot(epsilon, value, color=charts.COLOURS[k], marker=charts.MARKS[k], markersize=4, label=f"s = {s}")
        axis.fill_between(epsilon, np.maximum(value - spread, value / 10), value + spread, color=charts.COLOURS[k],
                          alpha=0.2, linewidth=0)
    scale_epsilons(axis, sorted({row["epsilon"] for line in found.values() for row in line if row["epsilon"] > 0}))
    axis.grid(True, color="#e6e6e6")
    axis.set_xlabel("epsilon")
    axis.set_ylabel(label)


def scale_epsilons(axis, positive):
    """Makes the axis logarithmic, with a place for 0, if the epsilons span powers of ten."""
    if positive and positive[-1] > 5000 * positive[0]:
        powers = range(math.ceil(math.log10(positive[0])), math.ceil(math.log10(positive[-1])) + 1)
        axis.set_xscale("symlog", linthresh=positive[0])
        axis.set_xticks([0] + [10.0 ** power for power in powers], ["0"] + [f"1e{power}" for power in powers])


def section(rows):
    text = INTRODUCTION.format(n=rows[0]["n"], d=sparse_problem.COLUMNS_OF_X, draws=rows[0]["draws"]) + "\n"
    head = ["kernel", "loss", "s", "explained"] + [f"ratio at {target:.0%}" for target in TARGETS] + \
           [f"kept at {PAPER_SPARSITY:.0%}", "fits that converged"]
    cells = []
    for (kernel, norm, s), line in lines(rows).items():
        ratios = [ratio_text(at_sparsity(line, target, "excess")) for target in TARGETS]
        cells.append([kernel, LOSSES[norm], s, float(line[0]["explained"]), *ratios,
                      f"{at_sparsity(line, PAPER_SPARSITY, 'kept'):.5f}".replace("nan", ""),
                      f"{mean(row['converged'] for row in line):.1%}"])
    return text + markdown(head, cells)


def claims(rows):
    return [claim for norm in sparse_problem.NORMS for claim in claims_of(norm, rows)]


def claims_of(norm, rows):
    label, found = FIGURES[norm], lines(rows, norm)
    made = {f"{LOSSES[norm]}: epsilon = 0 recovers the square loss": square_loss,
            f"{LOSSES[norm]}: as epsilon grows, H becomes sparser": sparser,
            f"{LOSSES[norm]}: as epsilon grows, the error grows": worse,
            f"{LOSSES[norm]}: with s = 5, 40 % sparsity for just 10 % more error": bargain,
            f"{LOSSES[norm]}: more components at the same epsilon usually mean slightly fewer zeros": fewer_zeros,
            f"{LOSSES[norm]}: at the same sparsity the ratio is worse with more components": harder}
    return [Claim(label, words, *verdict(found)) if found else unmeasured(label, words)
            for words, verdict in made.items()]


def square_loss(found):
    """Held if the ratio is 1 to working precision at 0, and within a thousandth at the first epsilon above it."""
    def held(line):
        zero = [row for row in line if row["epsilon"] == 0]
        return bool(zero) and abs(zero[0]["excess"]) <= 1e-6 and zero[0]["sparsity"] == 0 and \
            all(row["excess"] <= 1e-3 for row in line[1:2])

    first = [row["excess"] for line in found.values() for row in line[1:2]]
    return share(held(line) for line in found.values()), \
        f"at 0 the ratio is within {largest(abs(line[0]['excess']) for line in found.values()):.0e} of 1, with " \
        f"{largest(line[0]['sparsity'] for line in found.values()):.0%} zeros; " \
        f"at the smallest epsilon it is within {largest(first):.0e}"


def sparser(found):
    return rising(found, "sparsity", lambda line: 1.0, "the whole of H")


def worse(found):
    return rising(found, "excess", lambda line: largest(row["excess"] for row in line), "the largest excess")


def rising(found, column, whole_of, name):
    """Held for curves that never fall by more than a hundredth of `whole_of`: local minima differ by that much."""
    falls = {}
    for key, line in found.items():
        steps = -np.diff([row[column] for row in line])
        falls[key] = max(0.0, float(steps.max(initial=0))) / (whole_of(line) or 1)
    good, deepest = [fall <= 0.01 for fall in falls.values()], largest(falls.values())
    return share(good), f"{sum(good)} of {len(good)} curves never fall by more than 1 % of {name}; the deepest fall is " \
                        f"{deepest:.2%}"


def bargain(found):
    """Verdict per kernel; if G is near the identity, the figure adds that no ratio can be larger."""
    ratios, texts = [], []
    for (kernel, norm, s), line in found.items():
        if s != PAPER_S:
            continue
        ratios.append(1 + at_sparsity(line, PAPER_SPARSITY, "excess"))
        bound = 1 / (1 - line[0]["explained"])
        texts.append(f"{kernel} {ratio_text(ratios[-1] - 1)}")
        if bound < PAPER_RATIO:
            texts[-1] += f" (no ratio can exceed {bound:.4f})"
        paper = f"; the paper's table has {PAPER_TABLE[norm]:.5f}"
    return share(ratio <= PAPER_RATIO for ratio in ratios), "the ratios are: " + ", ".join(texts) + paper if texts else ""


def fewer_zeros(found):
    """Compares neighbouring s at each epsilon where they differ; "usually" means in more than half of the pairs."""
    changes = {}
    for (kernel, norm, s), line in found.items():
        above = [other for name, _, other in found if name == kernel and other > s]
        if above:
            pairs = zip_by_share(line, found[kernel, norm, min(above)])
            changes.setdefault(kernel, []).extend(
                more["sparsity"] - less["sparsity"] for less, more in pairs
                if less["sparsity"] != more["sparsity"] and min(less["sparsity"], more["sparsity"]) < 0.99)
    text = "; ".join(f"{kernel}: fewer zeros in {sum(change < 0 for change in some)} of {len(some)} pairs, "
                     f"on average {100 * mean(some):+.1f} percentage points" for kernel, some in changes.items() if some)
    return share(2 * sum(change < 0 for change in some) > len(some) for some in changes.values() if some), text


def zip_by_share(line, other):
    second = {row["share"]: row for row in other}
    return [(row, second[row["share"]]) for row in line if row["share"] in second]


def harder(found):
    """Compares the most components with the fewest, at shares of zeros that both curves reach."""
    held = {}
    for kernel in dict.fromkeys(kernel for kernel, _, _ in found):
        of_kernel = {s: line for (name, _, s), line in found.items() if name == kernel}
        few, many = of_kernel[min(of_kernel)], of_kernel[max(of_kernel)]
        pairs = [(at_sparsity(few, target / 10, "excess"), at_sparsity(many, target / 10, "excess"))
                 for target in range(1, 10)] if few is not many else []
        held[kernel] = [more > less for less, more in pairs if more == more and less == less]
    text = ", ".join(f"{kernel}: worse at {sum(some)} of {len(some)} shares of zeros" for kernel, some in held.items() if some)
    return share(one for some in held.values() for one in some), text


def largest(values):
    return max(values, default=0.0)
