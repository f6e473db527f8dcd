"""fig:spectrum: the cost of a slower decay of the spectrum, G = 0.01 (X + X') + U D U' with D_ii = exp(-c i).

As printed, with normal X, the first term has eigenvalues of both signs up to 0.028 sqrt(n), which exceed those of D. G
is then not a Gram matrix, and the dual has no meaning. `printed` is that matrix, for solvers that accept any symmetric
one. `definite` has X / sqrt(n), and a multiple of the identity added that makes the smallest eigenvalue zero.
"""
import statistics

import numpy as np

import charts
import dual
import eigensolvers
import methods
import timed_solvers
from claims import Claim, unmeasured
from own_fits import display_name
from table import markdown, shown

TITLE = "A spectrum that decays more slowly (fig:spectrum)"
COLUMNS = ["matrix", "n", "s", "delta", "c", "solver", "draws", "cost", "sd", "unit", "eta"]
KEYS = ["matrix", "c", "solver"]
QUICK = {"rows": 150, "decays": [0.05, 0.5], "components": [5], "draws": 1}
FULL = {"rows": 2000, "decays": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0], "components": [20], "draws": 3}
DELTA = 1e-4
SHIFT = 1e-6
UNITS = {"RSVD": "oversamples", "RSVD, power iterations": "power iterations", "Lanczos": "products",
         "L-BFGS as released": "products", "our lbfgs": "products", "our krylov": "products"}
DEFINITE = list(UNITS)
PRINTED = ["RSVD", "Lanczos"]
FLAT = 1.5  # "a similar number of iterations" means at most this many times the fewest

INTRODUCTION = """The tables give the cost of a true eta below 1e-4 for G = 0.01 (X + X') + U D U' with D_ii = exp(-c i).
A larger c means a faster decay.
The columns "extra" have the cost beyond that at the c where the solver needs least, as the figure has it.
For the peers the cost is the smallest count that reaches this eta.
The solvers of dualkpca stop by themselves, and an eta above 1e-4 is in brackets.

- RSVD: oversamples, with scikit-learn's seven power iterations.
- RSVD, power iterations: power iterations, with 10 oversamples.
- Lanczos: products of G with one vector.
- L-BFGS and the solvers of dualkpca: products of G with a block.

The paper gives neither n nor s.
As printed, with normal X, G has eigenvalues of both signs, and its noise is larger than D.
So two matrices are measured:

- `definite` has X divided by sqrt(n) and is shifted until no eigenvalue is negative.
- `printed` is the matrix as it stands, for the baselines alone, with eigenvalues counted by modulus.

From a certain c on, the s-th value of D is below the noise, whose largest eigenvalue is 0.028 in `definite`.
The components are then noise, with eigenvalues close together, and every solver has more work, whatever the decay.
The claims are judged where D is above the noise.
"A similar number" is taken as at most 1.5 times the fewest.
An evaluation of the function counts as an iteration of L-BFGS.

"""


def measure(options, record):
    s = options.components[0]
    for matrix, solvers in (("definite", DEFINITE), ("printed", PRINTED)):
        for c in options.decays:
            todo = [solver for solver in solvers if not record.has(matrix=matrix, c=c, solver=solver)]
            if todo:
                measure_decay(options, matrix, c, s, todo, record)


def measure_decay(options, matrix, c, s, todo, record):
    found = {solver: [] for solver in todo}
    for draw in range(options.draws):
        problem = Problem(build(matrix, options.rows, c, draw), s)
        for solver in todo:
            found[solver].append(cost(problem, solver, options.timeout))
    for solver, runs in found.items():
        costs, etas = zip(*runs)
        record.add(matrix=matrix, n=options.rows, s=s, delta=DELTA, c=c, solver=solver, draws=len(runs),
                   cost=statistics.fmean(costs), sd=statistics.stdev(costs) if len(costs) > 1 else 0.0,
                   unit=UNITS[solver], eta=float(max(etas)))


def build(matrix, n, c, seed):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, n))
    U, _ = np.linalg.qr(random.standard_normal((n, n)))
    noise = 0.01 * (X + X.T) / (np.sqrt(n) if matrix == "definite" else 1)
    G = noise + (U * np.exp(-c * np.arange(1, n + 1))) @ U.T
    if matrix == "definite":
        G[np.diag_indices(n)] += SHIFT - np.linalg.eigvalsh(G)[0]
    return (G + G.T) / 2


class Problem:
    """G and the s eigenvalues of largest modulus, which for a definite G are the largest."""

    def __init__(self, G, s):
        self.G, self.s = G, s
        values = np.sort(np.abs(np.linalg.eigvalsh(G)))
        self.largest = float(values[-s:].sum())

    def eta_of_vectors(self, U):
        """Ritz values within the span, by modulus: for a definite G the same as Rayleigh quotients."""
        Q, _ = np.linalg.qr(U)
        return float(1 - np.abs(np.linalg.eigvalsh(Q.T @ (self.G @ Q))).sum() / self.largest)

    def eta_of_dual(self, H):
        return float(1 - 2 * abs(dual.value(H, self.G @ H)) / self.largest)


def cost(problem, solver, timeout):
    """(cost in the solver's unit, eta)"""
    if solver == "RSVD":
        return least(lambda count: randomized(problem, count, "auto"), problem.G.shape[0] - problem.s)
    if solver == "RSVD, power iterations":
        return least(lambda powers: randomized(problem, 10, powers), 4096)
    if solver == "Lanczos":
        return lanczos(problem)
    if solver == "L-BFGS as released":
        timed = timed_solvers.released_lbfgs(problem, [DELTA], 1, timeout).get(DELTA)
        return (timed.products, timed.etas[0]) if timed else (float("nan"), 1.0)
    return own(problem, solver.removeprefix("our "))


def randomized(problem, oversamples, powers):
    solved = eigensolvers.randomized(problem.G, problem.s, n_oversamples=oversamples, n_iter=powers)
    return problem.eta_of_vectors(solved.vectors)


def least(eta_of, largest):
    """The smallest count whose eta is below delta, found by doubling and halving, and that eta."""
    low, high = -1, 0
    while (eta := eta_of(high)) > DELTA:
        if high == largest:
            return float("nan"), eta
        low, high = high, min(2 * high + 1, largest)
    while high - low > 1:
        middle = (low + high) // 2
        if (now := eta_of(middle)) <= DELTA:
            high, eta = middle, now
        else:
            low = middle
    return high, eta


def lanczos(problem):
    for tolerance in timed_solvers.TOLERANCES:
        first = np.random.default_rng(0).standard_normal(problem.G.shape[0])
        solved = eigensolvers.arpack(problem.G, problem.s, tolerance, float("inf"), first, which="LM")
        eta = problem.eta_of_vectors(solved.vectors)
        if eta <= DELTA:
            break
    return solved.products, eta


def own(problem, solver):
    """Products until a solver of dualkpca stops by itself, and eta."""
    model = methods.estimator().KernelPCA(problem.s, kernel="precomputed", center=False, solver=solver, tol=DELTA,
                                          precision="float64", max_iter=10000)
    model.fit(problem.G)
    return model.report_["products"], problem.eta_of_dual(model.dual_variables_)


def with_extra(rows):
    """Rows with a column `extra`: the cost beyond that at the decay where the solver needs least."""
    least_cost = {}
    for row in rows:
        where = (row["matrix"], row["solver"])
        least_cost[where] = min(least_cost.get(where, row["cost"]), row["cost"])
    return [row | {"extra": row["cost"] - least_cost[row["matrix"], row["solver"]]} for row in rows]


def section(rows):
    rows = with_extra(rows)
    text = INTRODUCTION
    for matrix in dict.fromkeys(row["matrix"] for row in rows):
        chosen = [row for row in rows if row["matrix"] == matrix]
        solvers = list(dict.fromkeys(row["solver"] for row in chosen))
        header = ["c", *(f"{display_name(solver)} ({UNITS[solver]})" for solver in solvers),
                  *(f"extra {display_name(solver)}" for solver in solvers)]
        body = [[f"{c:g}", *(get(chosen, c, solver, "cost") for solver in solvers),
                 *(get(chosen, c, solver, "extra") for solver in solvers)]
                for c in sorted({row["c"] for row in chosen})]
        size = f"n = {chosen[0]['n']}, s = {chosen[0]['s']}, mean of {chosen[0]['draws']}"
        text += f"### `{matrix}`, {size}\n\n{markdown(header, body)}\n"
    return text


def get(rows, c, solver, column):
    row = next((row for row in rows if row["c"] == c and row["solver"] == solver), {})
    above = column == "cost" and row.get("eta", 0) > DELTA
    return f"{shown(row['cost'])} (eta {shown(row['eta'])})" if above else row.get(column)


def above_noise(row):
    """True if the s-th value of D is above the largest eigenvalue of the noise, that of a semicircle law."""
    return np.exp(-row["c"] * row["s"]) > 0.01 * 2 * np.sqrt(2)


def growth(rows, solver):
    """Costs at the slowest decay and at the fastest that is above the noise, and the largest over the least."""
    found = sorted((row["c"], row["cost"]) for row in rows
                   if row["solver"] == solver and row["matrix"] == "definite" and above_noise(row))
    costs = [cost for _, cost in found]
    return costs[0], costs[-1], max(costs) / max(min(costs), 1)


def claims(rows):
    words = ["RSVD needs significantly more oversamples as the decay slows",
             "L-BFGS takes a similar number of iterations whatever the decay"]
    if not any(row["matrix"] == "definite" and above_noise(row) for row in rows):
        return [unmeasured("fig:spectrum", text) for text in words]
    slow, fast, _ = growth(rows, "RSVD")
    buried = [row["cost"] for row in rows if row["solver"] == "RSVD" and row["matrix"] == "definite"
              and not above_noise(row)]
    more = (f"; where noise is among the components, which the claim leaves out, it needs {min(buried):.0f} to "
            f"{max(buried):.0f}") if buried else ""
    found = [Claim("fig:spectrum", words[0], "reproduced" if slow > 2 * fast + 2 else "not reproduced",
                   f"RSVD needs {slow:.0f} oversamples at the slowest decay and {fast:.0f} at the fastest above the noise"
                   + more)]
    for solver in ("L-BFGS as released", "our lbfgs", "our krylov"):
        slow, fast, ratio = growth(rows, solver)
        verdict = "reproduced" if ratio <= FLAT else "not reproduced"
        found.append(Claim("fig:spectrum", f"{words[1]}: {display_name(solver)}", verdict,
                           f"it takes {slow:.0f} products at the slowest decay and {fast:.0f} at the fastest above the "
                           f"noise, at most {ratio:.2g} times the fewest"))
    return found


def draw(rows, folder):
    rows = with_extra(rows)
    for matrix in dict.fromkeys(row["matrix"] for row in rows):
        series = {}
        for row in rows:
            if row["matrix"] == matrix and row["solver"] != "RSVD, power iterations":
                series.setdefault(f"{row['solver']} ({row['unit']})", []).append((row["c"], row["extra"] + 1))
        order = sorted(series, key=lambda name: "our" not in name)
        charts.lines(folder / f"spectrum-{matrix}.svg", f"Extra cost until eta < {DELTA:g}, {matrix} G",
                     "c (larger: faster decay)", "1 + cost beyond the least",
                     {name: series[name] for name in order})
