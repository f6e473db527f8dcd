"""From the rows to the components: dualkpca, scikit-learn's KernelPCA and R's kernlab, time and memory of the process.

dualkpca is timed as a whole process with I/O, the others by their fit alone: the ratio is the least favourable to
dualkpca.
"""
import numpy as np

import charts
import estimators
import kernels
import ours
from reference import Reference
from table import Table

NORMAL = {"sets": ["usps-shifted", "fashion"], "sizes": [15000], "components": [20], "tols": [1e-2, 1e-4],
          "widths": ["float64", "float32"]}
QUICK = {"sets": ["generated"], "sizes": [300], "components": [4], "tols": [1e-2], "widths": ["float32"]}
PROBLEM = ["set", "n", "d", "s", "delta"]
COLUMNS = [*PROBLEM, "program", "setting", "seconds", "ratio", "process seconds", "fit seconds", "peak MiB",
           "memory ratio", "true eta", "reported eta", "met"]


def run(options, datasets):
    table = Table(options.output, "whole", COLUMNS)
    for rows in datasets.chosen(options):
        measure_rows(options, rows, table)
    # Ratios are to dualkpca with the default solver, which comes first.
    table.add_ratios(PROBLEM, {"ratio": lambda row: row["seconds"], "memory ratio": lambda row: row["peak MiB"]})
    charts.time_and_memory(options.output, "whole", "From rows to components", [row for row in table.rows if row["met"]],
                           "{set}, {n} x {d}, s = {s}, true eta < {delta:g}", "{program}, {setting}",
                           memory="peak memory of the process")
    return table


def measure_rows(options, rows, table):
    gamma = kernels.width(rows.X, "rbf", "median")
    G = kernels.gram(rows.X, "rbf", gamma)
    for s in options.components:
        reference = Reference(G, s, options.work, f"{rows.name} rbf:median")
        for delta in options.tols:
            problem = {"set": rows.name, "n": rows.n, "d": rows.d, "s": s, "delta": delta}
            measure_ours(options, rows, gamma, reference, problem, table)
            measure_sklearn(options, rows, gamma, reference, problem, table)
            measure_kernlab(options, rows, gamma, reference, problem, table)


def measure_ours(options, rows, gamma, reference, problem, table):
    delta = problem["delta"]
    for solver, accuracy in ours.variants():
        found = ours.best_fit(options.repeats, lambda one: one.run.seconds, rows.file(), options.work, options,
                              s=reference.s, tol=delta, kernel="rbf", gamma=gamma, solver=solver, accuracy=accuracy,
                              scores=True)
        label = f"dualkpca {solver}, {accuracy}"
        if found.status != "ok":
            table.add(**problem, program=label, setting=found.status, met=False)
            continue
        eta = reference.eta_of_model(found.model, found.scores)
        setting = f"tol={delta:g}" + (f" ({found.report['solver']})" if solver == "auto" else "")
        add(table, problem, label, setting, found.run.seconds, found.run.seconds, found.stage("total"),
            found.run.peak_bytes, eta, found.report["eta"])


def add(table, problem, program, setting, seconds, process_seconds, fit_seconds, peak, eta, reported=""):
    table.add(**problem, program=program, setting=setting, seconds=seconds,
              **{"process seconds": process_seconds, "fit seconds": fit_seconds, "peak MiB": peak / 2**20,
                 "true eta": eta, "reported eta": reported}, met=bool(eta <= problem["delta"]))


def measure_sklearn(options, rows, gamma, reference, problem, table):
    def one(dtype, settings):
        return lambda: estimators.sklearn_fit(rows, dtype, gamma, reference.s, options, options.work, **settings)

    for dtype in options.widths:
        arpack = [{"eigen_solver": "arpack", "tol": tol} for tol in estimators.TOLERANCES]
        powers = [{"eigen_solver": "randomized", "iterated_power": power} for power in estimators.POWERS]
        lists = {"arpack defaults": [{"eigen_solver": "arpack"}], "arpack": arpack,
                 "randomized defaults": [{"eigen_solver": "randomized"}], "randomized": powers}
        if rows.n <= options.dense_limit:
            lists["defaults"] = [{"eigen_solver": "auto"}]
        for label, settings in lists.items():
            fits = [one(dtype, setting) for setting in settings]
            measure_estimator(options, reference, problem, table, f"sklearn {label}, {dtype}", fits)


def measure_kernlab(options, rows, gamma, reference, problem, table):
    missing = estimators.kernlab_missing()
    if rows.n > options.dense_limit:
        missing = f"not run: n > {options.dense_limit}"
    if missing:
        table.add(**problem, program="kernlab kpca", setting=missing, met=False)
        return
    fit = [lambda: estimators.kernlab_fit(rows, gamma, reference.s, options, options.work)]
    measure_estimator(options, reference, problem, table, "kernlab kpca", fit)


def measure_estimator(options, reference, problem, table, label, fits):
    """Adds the fastest of several runs of the first fit that meets delta; of the last fit if none meets it."""
    for fit in fits:
        found = fit()
        if found.status != "ok":
            table.add(**problem, program=label, setting=f"{found.setting}: {found.status}", met=False)
            return
        eta = reference.eta_of_vectors(np.load(found.vectors))
        if eta <= problem["delta"]:
            break
    for _ in range(options.repeats - 1):
        again = fit()
        found = again if again.status == "ok" and again.seconds < found.seconds else found
    add(table, problem, label, found.setting, found.seconds, found.process_seconds, found.seconds, found.peak_bytes,
        eta)
