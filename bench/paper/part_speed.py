"""Training time on a ready Gram matrix: tab:speedup:high, tab:speedup:low and tab:speedup:rbf."""
import pathlib
import re
import statistics
import sys

import numpy as np

import charts
import ours
import own_fits
import paper_sets
import process
import timed_solvers
from own_fits import OURS
from ready_gram import LARGEST_FLOAT64, ReadyGram
from speed_claims import claims  # noqa: F401
from speed_page import section  # noqa: F401
from speed_rows import DELTAS, NARROW, SOLVERS, WHOLE, kernels_of, seconds_of, sets_of
from timed_solvers import PEERS

TITLE = "Training time"
COLUMNS = ["set", "data", "n", "d", "kernel", "gamma", "s", "delta", "solver", "numbers", "setting", "runs", "seconds",
           "sd", "products", "eta", "met", "gram seconds", "conversion", "from X", "note"]
KEYS = ["set", "kernel", "delta", "solver", "numbers"]
QUICK = {"sets": ["generated"], "kernels": ["laplace:median", "rbf:0.5"], "components": [4], "repeats": 2}
FULL = {"sets": list(paper_sets.SIZES), "kernels": ["laplace:paper", "rbf:0.5", "laplace:median", "rbf:median"],
        "components": [20], "repeats": 5}
QUICK_ROWS = 400
FROM_ROWS = 2
LARGE_REPEATS = 2  # runs on more rows than LARGEST_FLOAT64: each takes minutes


def measure(options, record):
    require_known(options)
    for name in options.sets:
        loaded = None
        for kernel in options.kernels:
            if wanted(options, record, name, kernel):
                loaded = loaded or paper_sets.load(name, options.datasets, QUICK_ROWS if options.quick else None)
                measure_matrix(options, loaded, kernel, record)


def require_known(options):
    for what, given, known in (("set", options.sets, [*paper_sets.SIZES, "generated"]),
                               ("solver", options.solvers or [], SOLVERS + NARROW)):
        for name in set(given) - set(known):
            sys.exit(f"paper: unknown {what} '{name}'; there are {', '.join(known)}")
    for kernel in options.kernels:
        if not re.fullmatch(r"(laplace|rbf):(paper|median|[0-9.e+-]+)", kernel):
            sys.exit(f"paper: unknown kernel '{kernel}'; it is laplace or rbf with :paper, :median or a number")


def wanted(options, record, name, kernel):
    """Solvers without rows so far. The time of the whole decomposition does not depend on the kernel."""
    chosen = [solver for solver in SOLVERS + NARROW if solver in (options.solvers or SOLVERS + NARROW)]
    if paper_sets.SIZES.get(name, 0) > LARGEST_FLOAT64:
        chosen = [solver for solver in chosen if solver not in NARROW]  # all have a float32 G already
    return [solver for solver in chosen if not (record.has(set=name, solver=WHOLE) if solver == WHOLE else
                                                record.has(set=name, kernel=kernel, solver=solver))]


def measure_matrix(options, loaded, kernel, record):
    todo = wanted(options, record, loaded.name, kernel)
    rows = loaded.rows
    repeats = options.repeats if rows.n <= LARGEST_FLOAT64 else min(options.repeats, LARGE_REPEATS)
    with ReadyGram(rows, kernel, options.work / "G.npy") as ready:
        measure_ready(options, loaded, kernel, ready, todo, repeats, record)


def measure_ready(options, loaded, kernel, ready, todo, repeats, record):
    rows, s = loaded.rows, options.components[0]
    problem = {"set": loaded.name, "data": loaded.data, "n": rows.n, "d": rows.d, "kernel": kernel,
               "gamma": ready.gamma, "s": s, "gram seconds": ready.seconds}
    fits = [fit_ours(options, rows, ready, s, delta, solver, repeats) for solver in todo if solver in OURS
            for delta in DELTAS]
    if WHOLE in todo:
        measure_whole(options, ready, problem, record)
    if todo != [WHOLE]:
        truth = timed_solvers.Truth(ready.load(), s)
        measure_peers(options, truth, [solver for solver in todo if solver in PEERS], "", repeats, problem, record)
        for solver, delta, found, from_x in fits:
            add_ours(record, problem | {"delta": delta, "solver": solver, "numbers": "float32"}, truth, found, from_x)
        narrow = [solver.removesuffix(", float32") for solver in todo if solver in NARROW]
        if narrow:
            measure_peers(options, truth.narrowed(), narrow, ", float32", repeats, problem, record)


def measure_peers(options, truth, solvers, suffix, repeats, problem, record):
    for solver in solvers:
        found = PEERS[solver](truth, DELTAS, repeats, options.budget)
        for delta in DELTAS:
            where = {"delta": delta, "solver": solver + suffix, "numbers": truth.G.dtype.name}
            add_peer(record, problem | where, found.get(delta), options.budget)


def fit_ours(options, rows, ready, s, delta, solver, repeats):
    found = own_fits.fit_on_ready(options, ready, s, delta, solver, repeats)
    return solver, delta, found, from_rows(options, rows, ready, s, delta) if solver == "our auto" else None


def from_rows(options, rows, ready, s, delta):
    """The mean of the command's own total, with reading the rows and evaluating G."""
    fits = [ours.fit(rows.file(), options.work, options, s=s, tol=delta, kernel=ready.kernel, gamma=ready.gamma,
                     centred=False, more=["--seed", seed]) for seed in range(FROM_ROWS)]
    return statistics.fmean(fit.stage("total") for fit in fits) if all(fit.status == "ok" for fit in fits) else None


def add_ours(record, problem, truth, found, from_x):
    if not found:
        record.add(**problem, note="failed", met=False)
        return
    timed = own_fits.timed(truth, found)
    columns = timed.columns | ({} if problem["solver"] == "our auto" else {"setting": f"tol={problem['delta']:g}"})
    converted = statistics.fmean(fit.stage("total") for fit, _ in found) - timed.mean
    record.add(**problem, **columns, met=columns["eta"] <= problem["delta"], conversion=converted,
               **{"from X": from_x})


def add_peer(record, problem, timed, budget):
    if timed is None:
        record.add(**problem, note=f"no setting meets delta within {budget:g} s", met=False)
        return
    columns = timed.columns
    record.add(**problem, **columns, met=columns["eta"] <= problem["delta"],
               **{"from X": timed.mean + problem["gram seconds"]})


def measure_whole(options, ready, problem, record):
    """Times the whole decomposition once: it has machine precision, so that one run serves every delta."""
    problem = problem | {"solver": WHOLE, "numbers": "float64", "delta": 0.0}
    if ready.dtype != np.float64:
        record.add(**problem, note="the float64 matrix does not fit the memory", met=False)
        return
    script = pathlib.Path(__file__).with_name("whole_decomposition.py")
    run = process.run([sys.executable, script, ready.path], options.threads, options.timeout)
    if run.status == "ok":
        seconds = float(run.stdout)
        record.add(**problem, setting="dsyevd", runs=1, seconds=seconds, eta=0.0, met=True,
                   **{"from X": seconds + problem["gram seconds"]})
    else:
        record.add(**problem, note=run.status, met=False)


def draw(rows, folder):
    """Draws a panel for each matrix, named after the data that were measured."""
    for delta in DELTAS:
        panels = {}
        for kernel in kernels_of(rows):
            for name in sets_of(rows, kernel):
                row = next(row for row in rows if row["set"] == name and row["kernel"] == kernel)
                entries = [(solver, seconds_of(rows, name, kernel, delta, solver), solver in OURS) for solver in SOLVERS
                           if solver != WHOLE]
                title = f"{row['data']}, n = {row['n']}, {kernel}"
                panels[title] = [entry for entry in entries if entry[1] is not None]
        charts.bars(folder / f"speed-{delta:g}.svg", f"Seconds on a ready G until eta < {delta:g}", "seconds",
                    charts.fastest_first(panels))
