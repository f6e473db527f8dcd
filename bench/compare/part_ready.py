"""Time to a true eta of at most delta on a ready Gram matrix: dualkpca and other solvers.

Every other solver gets the loosest setting that meets delta, found beforehand, and only the run with that setting counts.
dualkpca gets --tol delta and has to decide by itself when to stop.
"""
import numpy as np

import charts
import kernels
import ours
import peers
from reference import Reference
from table import Table

NORMAL = {"sets": ["fashion", "protein"], "sizes": [15000], "components": [20], "kernels": ["rbf:median"],
          "tols": [1e-2, 1e-4], "widths": ["float64", "float32"]}
QUICK = {"sets": ["generated"], "sizes": [400], "components": [4]}
PROBLEM = ["set", "kernel", "n", "s", "delta"]
COLUMNS = [*PROBLEM, "solver", "setting", "seconds", "ratio", "conversion", "ratio with conversion", "products",
           "columns", "true eta", "reported eta", "met"]
SPECTRA_TOLERANCES = [0.9, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5]


def run(options, datasets):
    table = Table(options.output, "ready", COLUMNS)
    for rows in datasets.chosen(options):
        for kernel in options.kernels:
            measure_matrix(options, rows, kernel, table)
    # Ratios are to dualkpca with the default solver, which comes first.
    table.add_ratios(PROBLEM, {"ratio": lambda row: row["seconds"],
                               "ratio with conversion": lambda row: row["seconds"] + row.get("conversion", 0.0)})
    draw(options, table)
    return table


def measure_matrix(options, rows, kernel, table):
    name, rule = kernel.split(":")
    G = kernels.gram(rows.X, name, kernels.width(rows.X, name, rule), centred=not options.uncentred)
    path = options.work / "G.npy"
    np.save(path, G)
    matrices = {width: G.astype(width, copy=False) for width in options.widths}
    for s in options.components:
        reference = Reference(G, s, options.work, f"{rows.name} {kernel}")
        for delta in options.tols:
            problem = {"set": rows.name, "kernel": kernel, "n": rows.n, "s": s, "delta": delta}
            measure_ours(options, path, reference, problem, table)
            measure_spectra(options, path, reference, problem, table)
            measure_peers(options, matrices, reference, problem, table)
    path.unlink()


def fit(options, path, repeats, **settings):
    """Fits the ready matrix as it is, without centring."""
    return ours.best_fit(repeats, lambda one: one.solution, path, options.work, options, kernel="precomputed",
                         centred=False, scores=True, **settings)


def describe(found, eta):
    report = found.report
    return {"seconds": found.solution, "conversion": found.stage("total") - found.solution,
            "products": report["products"], "columns": report["product_columns"], "true eta": eta,
            "reported eta": report["eta"]}


def measure_ours(options, path, reference, problem, table):
    delta = problem["delta"]
    for solver, accuracy in ours.variants():
        label = {"solver": f"dualkpca {solver}, {accuracy}"}
        found = fit(options, path, options.repeats, s=reference.s, tol=delta, solver=solver, accuracy=accuracy)
        if found.status != "ok":
            table.add(**problem, **label, setting=found.status, met=False)
            continue
        eta = reference.eta_of_model(found.model, found.scores)
        setting = f"tol={delta:g}" + (f" ({found.report['solver']})" if solver == "auto" else "")
        table.add(**problem, **label, setting=setting, **describe(found, eta), met=bool(eta <= delta))


def measure_spectra(options, path, reference, problem, table):
    """Measures the Lanczos solver of Spectra on the float32 tiles of dualkpca."""
    label = {"solver": "Spectra (IRLM), float32 tiles"}
    delta = problem["delta"]
    for tol in SPECTRA_TOLERANCES:
        found = fit(options, path, 1, s=reference.s, tol=tol, solver="lanczos")
        eta = reference.eta_of_model(found.model, found.scores) if found.status == "ok" else None
        if found.status == "timeout":
            break
        if eta is not None and eta <= delta:
            found = fit(options, path, options.repeats, s=reference.s, tol=tol, solver="lanczos")
            table.add(**problem, **label, setting=f"tol={tol:g}", **describe(found, eta), met=True)
            return
    table.add(**problem, **label, setting="none meets delta", met=False)


def measure_peers(options, matrices, reference, problem, table):
    for width, G in matrices.items():
        common = (G, reference, problem["delta"], options.repeats, options.timeout)
        add_found(table, problem, f"paper's L-BFGS-B, {width}", peers.paper(*common))
        add_found(table, problem, f"scipy eigsh (ARPACK), {width}", peers.lanczos(*common))
        add_found(table, problem, f"sklearn randomized, {width}", peers.randomized(*common))
        add_found(table, problem, f"sklearn randomized defaults, {width}", peers.randomized(*common, n_iter="auto"))


def add_found(table, problem, solver, found):
    if found is None:
        table.add(**problem, solver=solver, setting="none meets delta", met=False)
        return
    table.add(**problem, solver=solver, setting=found.setting, seconds=found.seconds, products=found.products,
              columns=found.columns, **{"true eta": found.eta}, met=bool(found.eta <= problem["delta"]))


def draw(options, table):
    met = [row for row in table.rows if row["met"]]
    panels = charts.grouped(met, "seconds", "{set}, {kernel}, n = {n}, s = {s}, true eta < {delta:g}",
                            "{solver}, {setting}")
    charts.bars(options.output / "ready.svg", "Solving on a ready Gram matrix", "seconds", charts.fastest_first(panels))
