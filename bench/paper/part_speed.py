"""Training time on a ready Gram matrix: tab:speedup:high, tab:speedup:low and tab:speedup:rbf."""
import re
import statistics
import sys

import numpy as np

import charts
import ours
import paper_sets
import process
import timed_solvers
from claims import Claim, share, unmeasured
from model_file import read_arrays
from ready_gram import LARGEST_FLOAT64, ReadyGram
from record import shown, table

TITLE = "Training time"
COLUMNS = ["set", "data", "n", "d", "kernel", "gamma", "s", "delta", "solver", "numbers", "setting", "runs", "seconds",
           "sd", "products", "eta", "met", "gram seconds", "conversion", "from X", "note"]
KEYS = ["set", "kernel", "delta", "solver", "numbers"]
QUICK = {"sets": ["generated"], "kernels": ["laplace:median", "rbf:0.5"], "components": [4], "repeats": 2}
FULL = {"sets": list(paper_sets.SIZES), "kernels": ["laplace:paper", "rbf:0.5", "laplace:median", "rbf:median"],
        "components": [20], "repeats": 5}
DELTAS = [1e-2, 1e-4]
QUICK_ROWS = 400
PEERS = {"Lanczos": timed_solvers.lanczos, "RSVD": timed_solvers.rsvd,
         "RSVD, fewest powers": timed_solvers.rsvd_fewest, "L-BFGS as released": timed_solvers.released_lbfgs}
OURS = {"our lbfgs": "lbfgs", "our auto": "auto"}
WHOLE = "LAPACK, all eigenvalues"
SOLVERS = [WHOLE, *PEERS, *OURS]
NARROW = ["Lanczos, float32", "RSVD, float32", "RSVD, fewest powers, float32"]
FROM_ROWS = 2
LARGE_REPEATS = 2  # a run takes minutes there

# What the paper prints: seconds of SVD, Lanczos, RSVD and its own, and the factor RSVD / its own.
PUBLISHED = {("laplace", 1e-2): {"Synth 1": (96.73, 0.85, 1.97, 0.53, 3.72),
                                 "Protein": (868.64, 3.46, 6.70, 1.07, 6.25),
                                 "RCV1": (None, 6.04, 12.50, 2.12, 5.90),
                                 "CIFAR-10": (None, 48.10, 123.89, 13.51, 9.17)},
             ("laplace", 1e-4): {"Synth 1": (96.73, 4.78, 1.97, 0.56, 3.52),
                                 "Protein": (868.64, 3.51, 6.95, 1.07, 6.59),
                                 "RCV1": (None, 19.72, 12.75, 3.78, 3.38),
                                 "CIFAR-10": (None, 48.15, 122.58, 29.26, 4.19)},
             ("rbf", 1e-2): {"Synth 1": (87.33, 1.05, 3.04, 0.56, 5.41), "Protein": (979.84, 3.86, 10.61, 1.08, 9.81),
                             "RCV1": (None, 21.03, 19.69, 3.76, 5.23), "CIFAR-10": (None, 47.94, 197.99, 13.47, 14.70)}}
TABLES = {("laplace", 1e-2): "tab:speedup:high", ("laplace", 1e-4): "tab:speedup:low",
          ("rbf", 1e-2): "tab:speedup:rbf"}


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
    """Solvers whose rows are not there yet. The time of the whole decomposition does not depend on the kernel."""
    chosen = [solver for solver in SOLVERS + NARROW if solver in (options.solvers or SOLVERS + NARROW)]
    if paper_sets.SIZES.get(name, 0) > LARGEST_FLOAT64:
        chosen = [solver for solver in chosen if solver not in NARROW]  # they have float32 already
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
    found = fit_on_ready(options, ready, s, delta, solver, repeats)
    return solver, delta, found, from_rows(options, rows, ready, s, delta) if solver == "our auto" else None


def fit_on_ready(options, ready, s, delta, solver, repeats):
    """[(fit, its H)] with as many seeds; empty if one fails."""
    found = []
    for seed in range(repeats):
        fit = ours.fit(ready.path, options.work, options, s=s, tol=delta, kernel="precomputed", centred=False,
                       solver=OURS[solver], more=["--seed", seed])
        if fit.status != "ok":
            print(f"  {solver}: {fit.status}", file=sys.stderr)
            return []
        found.append((fit, read_arrays(fit.model, ["dual_variables"])["dual_variables"]))
    return found


def solution(fit):
    """Seconds; what is left of the total is reading the matrix and bringing it into our tiles."""
    return fit.stage("solve") + fit.stage("finish")


def from_rows(options, rows, ready, s, delta):
    """The mean of the command's own total, reading and evaluating G included."""
    fits = [ours.fit(rows.file(), options.work, options, s=s, tol=delta, kernel=ready.kernel, gamma=ready.gamma,
                     centred=False, more=["--seed", seed]) for seed in range(FROM_ROWS)]
    return statistics.fmean(fit.stage("total") for fit in fits) if all(fit.status == "ok" for fit in fits) else None


def add_ours(record, problem, truth, found, from_x):
    if not found:
        record.add(**problem, note="failed", met=False)
        return
    seconds = [solution(fit) for fit, _ in found]
    converted = statistics.fmean(fit.stage("total") for fit, _ in found) - statistics.fmean(seconds)
    etas = [float(truth.eta_of_dual(H)) for _, H in found]
    used = found[0][0].report["solver"]
    record.add(**problem, setting=used if problem["solver"] == "our auto" else f"tol={problem['delta']:g}",
               runs=len(found), seconds=statistics.fmean(seconds), eta=max(etas),
               sd=statistics.stdev(seconds) if len(seconds) > 1 else 0.0, met=max(etas) <= problem["delta"],
               products=statistics.fmean(fit.report["products"] for fit, _ in found), conversion=converted,
               **{"from X": from_x})


def add_peer(record, problem, timed, budget):
    if timed is None:
        record.add(**problem, note=f"no setting meets delta within {budget:g} s", met=False)
        return
    record.add(**problem, setting=timed.setting, runs=len(timed.seconds), seconds=timed.mean, sd=timed.deviation,
               products=timed.products, eta=float(max(timed.etas)), met=bool(max(timed.etas) <= problem["delta"]),
               **{"from X": timed.mean + problem["gram seconds"]})


def measure_whole(options, ready, problem, record):
    """Once: to machine precision, so that one run serves every delta."""
    problem = problem | {"solver": WHOLE, "numbers": "float64", "delta": 0.0}
    if ready.dtype != np.float64:
        record.add(**problem, note="the float64 matrix does not fit the memory", met=False)
        return
    script = paper_sets.__file__.replace("paper_sets", "whole_decomposition")
    run = process.run([sys.executable, script, ready.path], options.threads, options.timeout)
    if run.status == "ok":
        seconds = float(run.stdout)
        record.add(**problem, setting="dsyevd", runs=1, seconds=seconds, eta=0.0, met=True,
                   **{"from X": seconds + problem["gram seconds"]})
    else:
        record.add(**problem, note=run.status, met=False)


def cell(rows, name, kernel, delta, solver):
    """The row of one measurement, or None."""
    deltas = (0, 0.0) if solver == WHOLE else (delta,)
    for row in rows:
        if (row["set"], row["kernel"], row["solver"]) == (name, kernel, solver) and row["delta"] in deltas:
            return row
    return None


def seconds_of(rows, *where):
    row = cell(rows, *where)
    return row["seconds"] if row and row.get("met") else None


def kernels_of(rows):
    return list(dict.fromkeys(row["kernel"] for row in rows))


def sets_of(rows, kernel):
    order = [*paper_sets.SIZES, "generated"]
    return [name for name in order if any(row["set"] == name and row["kernel"] == kernel for row in rows)]


def section(rows):
    s = " and ".join(str(s) for s in sorted({row["s"] for row in rows}))
    text = f"""Seconds on a ready G, uncentred as in the paper, {s} components, until the true eta is below delta; the
mean of the runs in the CSV. A peer has the loosest of some settings that meets delta, found beforehand and not counted: tolerances
from 0.3 down to 1e-6 and 0 for ARPACK with scipy's default basis, oversamples 5, 10, 20, 40, ... for RSVD, power
iterations 0 to 8, 10, 14, 20 for "fewest powers", which is RSVD with 10 oversamples and fairer to it than the seven
power iterations of scikit-learn. A finer choice could make a peer somewhat faster. The released L-BFGS has an oracle
that tells it when to stop; ours gets `--tol delta` and has to find out by itself; `auto` chose the solver in the
column "setting" of the CSV, which is not L-BFGS. G is float64 for the peers and float32 in our tiles; above 30000 rows
a float64 G does not fit, and the peers get a float32 one. Reading the matrix from its file and bringing it into tiles
is not in our seconds and is shown as "conversion", for the peers G is in memory. "from X" starts at the rows: for the
peers numpy's evaluation of G is added, ours is the command's own total, reading included. A peer may have had less time
than the half hour of the paper: the cell says so. An empty cell was not run.

"""
    for delta in DELTAS:
        for kernel in kernels_of(rows):
            text += one_table(rows, kernel, delta)
    return text + narrow_table(rows) + slowest(rows) + identities(rows) + block_cost(rows)


def identities(rows):
    found = dict.fromkeys(f"{case[0]} with {case[1]}" for case in cases(rows) if is_identity(rows, case))
    return (f"\nG is the identity but for rounding, and any vectors solve the problem: {', '.join(found)}. Such rows say "
            "how soon a solver notices, and do not count for the claims.\n") if found else ""


def is_identity(rows, case):
    """Every solver has an error of rounding only, whatever its setting."""
    etas = [row["eta"] for row in rows if (row["set"], row["kernel"], row["delta"]) == case and "eta" in row]
    return bool(etas) and max(etas) < 1e-12


def block_cost(rows):
    """What numpy's BLAS takes for a block, which decides between Lanczos and the released L-BFGS."""
    ratios = []
    for case in cases(rows):
        block, single = (cell(rows, *case, solver) for solver in ("L-BFGS as released", "Lanczos"))
        if block and single and "seconds" in block and "seconds" in single:
            ratios.append(block["seconds"] / block["products"] / (single["seconds"] / single["products"]))
    return (f"\nAn evaluation of the released L-BFGS, a product with a block and what goes with it, takes "
            f"{span(ratios)} times as long as a product of Lanczos with one column.\n") if ratios else ""


def narrow_table(rows):
    """A user may convert G to float32 first: what the peers gain by it."""
    body = [[*case[:2], f"{case[2]:g}", *(text_of(cell(rows, *case, solver)) for solver in NARROW + ["our auto"])]
            for case in cases(rows) if any(cell(rows, *case, solver) for solver in NARROW)]
    if not body:
        return ""
    return ("### The peers with a float32 matrix\n\nSeconds; converting G is not counted.\n\n"
            + table(["set", "kernel", "delta", *NARROW, "our auto"], body) + "\n")


def one_table(rows, kernel, delta):
    family, rule = kernel.split(":")
    label = TABLES.get((family, delta)) if rule in ("paper", "0.5") else None
    title = f"### {kernel}, delta = {delta:g}" + (f" ({label})" if label else "")
    header = ["set", "data", "n", *SOLVERS, "auto's conversion", "RSVD / released", "RSVD / auto", "from X: Lanczos",
              "from X: RSVD", "from X: our auto"]
    body = []
    for name in sets_of(rows, kernel):
        base = next(row for row in rows if row["set"] == name and row["kernel"] == kernel)
        cells = [text_of(cell(rows, name, base_kernel(rows, name, kernel, solver), delta, solver))
                 for solver in SOLVERS]
        cells = bold_fastest(rows, name, kernel, delta, cells)
        body.append([name, base["data"], base["n"], *cells,
                     text_of(cell(rows, name, kernel, delta, "our auto"), "conversion"),
                     *(factor(rows, name, kernel, delta, solver) for solver in ("L-BFGS as released", "our auto")),
                     *(text_of(cell(rows, name, kernel, delta, solver), "from X")
                       for solver in ("Lanczos", "RSVD", "our auto"))])
        published = PUBLISHED.get((family, delta), {}).get(name) if label else None
        if published:
            svd, lanczos, rsvd, own, times = published
            body.append([name, "the paper's", paper_sets.SIZES[name], svd or "-", lanczos, rsvd, "", own, "", "", "",
                         times, "", "", "", ""])
    return f"{title}\n\n{table(header, body)}\n"


def base_kernel(rows, name, kernel, solver):
    """The whole decomposition is measured with one kernel and holds for all."""
    found = [row["kernel"] for row in rows if row["set"] == name and row["solver"] == solver]
    return found[0] if solver == WHOLE and found else kernel


def text_of(row, column="seconds"):
    if row is None:
        return ""
    if column not in row:
        return row.get("note", "-") if column == "seconds" else "-"
    return shown(row[column]) + ("" if row["met"] else " (eta " + shown(row["eta"]) + ")")


def bold_fastest(rows, name, kernel, delta, cells):
    times = [seconds_of(rows, name, base_kernel(rows, name, kernel, solver), delta, solver) for solver in SOLVERS]
    known = [time for time in times if time is not None]
    return [f"**{text}**" if known and time == min(known) else text for time, text in zip(times, cells)]


def factor(rows, name, kernel, delta, solver):
    theirs, own = (seconds_of(rows, name, kernel, delta, one) for one in ("RSVD", solver))
    return theirs / own if theirs and own else ""


def cases(rows):
    """Every (set, kernel, delta) that our auto has been measured on."""
    return [(row["set"], row["kernel"], row["delta"]) for row in rows if row["solver"] == "our auto"]


def rivals(rows, case):
    """{solver: seconds} of everything but our auto."""
    found = {solver: seconds_of(rows, *case, solver) for solver in SOLVERS + NARROW if solver != "our auto"}
    return {solver: seconds for solver, seconds in found.items() if seconds is not None}


def slowest(rows):
    """Where auto is not the fastest, and where its estimate was too small."""
    losses, missed = [], []
    for case in cases(rows):
        own = cell(rows, *case, "our auto")
        if not own["met"]:
            missed.append(f"{own['data']}, {case[1]}, {case[2]:g}: eta {shown(own.get('eta'))}")
        faster = {solver: seconds for solver, seconds in rivals(rows, case).items()
                  if seconds < own.get("seconds", float("inf"))}
        if faster:
            best = min(faster, key=faster.get)
            losses.append(f"{own['data']}, {case[1]}, {case[2]:g}: {best} {shown(faster[best])} s, auto "
                          f"{shown(own.get('seconds'))} s")
    count = len(cases(rows))
    text = (f"Our `auto` is the fastest in {count - len(losses)} of {count} rows"
            + (f"; not in {'; '.join(losses)}" if losses else "") + ". ")
    return text + (f"Its estimate of eta was too small in {len(missed)}: {'; '.join(missed)}.\n" if missed else
                   "It met delta in all of them.\n")


def paper_cases(rows):
    return [case for case in cases(rows) if case[1] in ("laplace:paper", "rbf:0.5")
            and (case[1].split(":")[0], case[2]) in TABLES and not is_identity(rows, case)]


def compare(rows, chosen, first, second):
    """[seconds of the second / seconds of the first] where both are known."""
    pairs = [(seconds_of(rows, *case, first), seconds_of(rows, *case, second)) for case in chosen]
    return [theirs / own for own, theirs in pairs if own and theirs]


def span(ratios):
    return f"{min(ratios):.2g} to {max(ratios):.2g}" if ratios else "no figure"


def claims(rows):
    found = []
    for (family, delta), label in TABLES.items():
        chosen = [case for case in paper_cases(rows) if case[1].startswith(family) and case[2] == delta]
        found += [fastest(rows, chosen, label, f"L-BFGS is the fastest of all solvers at delta {delta:g}", solver)
                  for solver in ("L-BFGS as released", "our lbfgs")]
        found.append(fastest(rows, chosen, label, f"beyond the paper, at delta {delta:g} faster than both", "our auto"))
    high = [case for case in paper_cases(rows) if case[1] == "laplace:paper" and case[2] == 1e-2]
    ratios = compare(rows, high, "L-BFGS as released", "RSVD")
    found.append(Claim("tab:speedup:high", "L-BFGS is at least 3 times faster than RSVD at delta 0.01",
                       share(ratio >= 3 for ratio in ratios),
                       f"RSVD over the released L-BFGS: {span(ratios)}; over our lbfgs: "
                       f"{span(compare(rows, high, 'our lbfgs', 'RSVD'))}; over our auto: "
                       f"{span(compare(rows, high, 'our auto', 'RSVD'))}; {len(ratios)} of 4 sets"))
    pairs = [[compare(rows, [(name, kernel, delta)], "L-BFGS as released", "RSVD") for delta in DELTAS]
             for name, kernel, _ in high]
    falls = [(a[0], b[0]) for a, b in pairs if a and b]
    found.append(Claim("tab:speedup:low", "the speedup over RSVD is generally smaller at delta 0.0001",
                       share(b < a for a, b in falls),
                       ", ".join(f"{a:.2g} to {b:.2g}" for a, b in falls) + f"; {len(falls)} of 4 sets"))
    return found


def fastest(rows, chosen, label, words, solver):
    """Against Lanczos and RSVD, as in the paper."""
    ratios = {peer: compare(rows, chosen, solver, peer) for peer in ("Lanczos", "RSVD")}
    if not any(ratios.values()):
        return unmeasured(label, f"{words}: {solver}")
    figure = "; ".join(f"{peer} takes {span(values)} times as long ({len(values)} of 4 sets)"
                       for peer, values in ratios.items())
    held = [ratio > 1 for values in ratios.values() for ratio in values]
    return Claim(label, f"{words}: {solver}", share(held), figure)


def draw(rows, folder):
    """A panel for each matrix, named after the data that were measured."""
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
