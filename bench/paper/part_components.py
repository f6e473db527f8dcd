"""fig:r: the effect of s on the training time, random data with n = 15000."""
import numpy as np

import charts
import datasets
import own_fits
import timed_solvers
from claims import Claim, share, unmeasured
from own_fits import OURS
from ready_gram import ReadyGram
from speed_rows import span
from table import markdown

TITLE = "More components (fig:r)"
COLUMNS = ["n", "d", "kernel", "gamma", "s", "delta", "solver", "setting", "runs", "seconds", "sd", "products", "eta",
           "met", "note"]
KEYS = ["s", "solver"]
QUICK = {"rows": 400, "components": [2, 8], "repeats": 1}
FULL = {"rows": 15000, "components": [5, 10, 20, 50, 100, 200], "repeats": 3}
COLUMNS_OF_X, KERNEL, DELTA = 100, "laplace:median", 1e-2
PEERS = {name: timed_solvers.PEERS[name] for name in ("RSVD", "L-BFGS as released")}
SOLVERS = [*PEERS, *OURS]
INTRODUCTION = """The table gives seconds on a ready, uncentred G until the true eta is below {delta:g}.
The data are {n} rows of {d} standard normal columns, and the kernel is {kernel}; the paper says only "random data".
Settings and precisions are those of the tables of training time.

"""


def measure(options, record):
    todo = [s for s in options.components if not all(record.has(s=s, solver=solver) for solver in SOLVERS)]
    if not todo:
        return
    X = np.random.default_rng(11).standard_normal((options.rows, COLUMNS_OF_X))
    rows = datasets.Rows("random", X, options.work)
    with ReadyGram(rows, KERNEL, options.work / "G.npy") as ready:
        measure_ready(options, rows, ready, todo, record)


def measure_ready(options, rows, ready, todo, record):
    fits = {(s, solver): own_fits.fit_on_ready(options, ready, s, DELTA, solver, options.repeats)
            for s in todo for solver in OURS}
    truth = timed_solvers.Truth(ready.load(), max(todo))
    for s in todo:
        problem = {"n": rows.n, "d": rows.d, "kernel": KERNEL, "gamma": ready.gamma, "s": s, "delta": DELTA}
        for solver, run in PEERS.items():
            found = run(truth.fewer(s), [DELTA], options.repeats, options.budget)
            add(record, problem | {"solver": solver}, found.get(DELTA),
                f"no setting meets delta within {options.budget:g} s")
        for solver in OURS:
            found = fits[s, solver]
            add(record, problem | {"solver": solver}, found and own_fits.timed(truth.fewer(s), found), "failed")


def add(record, problem, timed, failure):
    """Adds the row of one solver; timed is a Timed, or nothing after a `failure`."""
    if timed:
        columns = timed.columns
        record.add(**problem, **columns, met=columns["eta"] <= DELTA)
    else:
        record.add(**problem, note=failure, met=False)


def seconds_of(rows, s, solver):
    return next((row["seconds"] for row in rows if row["s"] == s and row["solver"] == solver and row["met"]), None)


def section(rows):
    text = INTRODUCTION.format(**rows[0])
    body = [[s, *(seconds_of(rows, s, solver) for solver in SOLVERS)] for s in sorted({row["s"] for row in rows})]
    return text + markdown(["s", *map(own_fits.display_name, SOLVERS)], body)


def claims(rows):
    words = ["higher s leads to longer training times", "L-BFGS is faster than RSVD at every s"]
    if not rows:
        return [unmeasured("fig:r", text) for text in words]
    sizes = sorted({row["s"] for row in rows})
    grows = {solver: [seconds_of(rows, s, solver) for s in (sizes[0], sizes[-1])] for solver in SOLVERS}
    known = {solver: pair for solver, pair in grows.items() if None not in pair}
    found = [Claim("fig:r", words[0], share(b > a for a, b in known.values()),
                   f"seconds at s = {sizes[0]} and at s = {sizes[-1]}: "
                   + ", ".join(f"{own_fits.display_name(solver)} {a:.2g} and {b:.2g}"
                               for solver, (a, b) in known.items()))]
    for solver in ("L-BFGS as released", "our lbfgs", "our auto"):
        pairs = [(seconds_of(rows, s, solver), seconds_of(rows, s, "RSVD")) for s in sizes]
        ratios = [theirs / own for own, theirs in pairs if own and theirs]
        claim = "beyond the paper, faster than RSVD at every s" if solver == "our auto" else words[1]
        found.append(Claim("fig:r", f"{claim}: {own_fits.display_name(solver)}", share(ratio > 1 for ratio in ratios),
                           f"RSVD takes {span(ratios)} times as long"))
    return found


def draw(rows, folder):
    series = {solver: [(row["s"], row["seconds"]) for row in rows if row["solver"] == solver and row["met"]]
              for solver in reversed(SOLVERS)}
    charts.lines(folder / "components.svg", f"Seconds until eta < {DELTA:g}", "s", "seconds", series)
