"""Time and peak memory against the number of rows and the number of components, from rows to components.

No program knows the reference here: dualkpca gets --tol, scikit-learn its defaults. The true eta is computed where n
allows it.
"""
import numpy as np

import charts
import estimators
import kernels
import ours
from reference import Reference
from table import Table

NORMAL = {"sets": ["fashion"], "sizes": [1000, 2000, 5000, 10000, 20000, 40000, 60000],
          "components": [5, 10, 20, 50, 100, 200], "tols": [1e-4],
          "widths": ["float64", "float32"]}
QUICK = {"sets": ["generated"], "sizes": [300], "components": [4], "widths": ["float32"]}
COLUMNS = ["set", "against", "n", "d", "s", "program", "seconds", "peak MiB", "true eta", "status"]
FIXED_COMPONENTS, FIXED_SIZE = 20, 5000


def run(options, datasets):
    table = Table(options.output, "scaling", COLUMNS)
    for name in options.sets:
        for n in options.sizes:
            s = min(FIXED_COMPONENTS, max(options.components))
            measure(options, datasets.rows(name, n, options.seed), s, "n", table)
        rows = datasets.rows(name, min(FIXED_SIZE, max(options.sizes)), options.seed)
        for s in options.components:
            measure(options, rows, s, "s", table)
    draw(options, table)
    return table


def measure(options, rows, s, against, table):
    gamma = kernels.width(rows.X, "rbf", "median")
    reference = None
    if rows.n <= options.truth_limit:
        reference = Reference(kernels.gram(rows.X, "rbf", gamma), s, options.work, f"{rows.name} rbf:median")
    problem = {"set": rows.name, "against": against, "n": rows.n, "d": rows.d, "s": s}
    measure_ours(options, rows, gamma, s, reference, problem, table)
    for label, fit in others(options, rows, gamma, s):
        if hopeless(options, table, problem, label):
            table.add(**problem, program=label, status="not run: smaller problems reached a limit")
        else:
            add_best(options, table, problem, label, fit, reference)


def measure_ours(options, rows, gamma, s, reference, problem, table):
    for accuracy in ours.accuracies():
        label = f"dualkpca, {accuracy}"
        found = ours.best_fit(options.repeats, lambda one: one.run.seconds, rows.file(), options.work, options, s=s,
                              tol=options.tols[0], kernel="rbf", gamma=gamma, accuracy=accuracy,
                              scores=reference is not None)
        if found.status != "ok":
            table.add(**problem, program=label, status=found.status)
            continue
        eta = reference.eta_of_model(found.model, found.scores) if reference else float("nan")
        table.add(**problem, program=label, seconds=found.run.seconds, status=found.report["status"],
                  **{"peak MiB": found.run.peak_bytes / 2**20, "true eta": eta})


def others(options, rows, gamma, s):
    """Returns pairs (label, function that fits once)."""
    def sklearn(dtype, solver):
        return lambda: estimators.sklearn_fit(rows, dtype, gamma, s, options, options.work, eigen_solver=solver)

    found = [(f"sklearn {solver}, {width}", sklearn(width, solver)) for solver in ("arpack", "randomized")
             for width in options.widths]
    if rows.n <= options.dense_limit and not estimators.kernlab_missing():
        found.append(("kernlab kpca", lambda: estimators.kernlab_fit(rows, gamma, s, options, options.work)))
    return found


def hopeless(options, table, problem, label):
    """Returns whether a smaller problem of the same kind took too long."""
    return any(row["program"] == label and row["status"] == "timeout" and row["set"] == problem["set"]
               and row["n"] <= problem["n"] and row["s"] <= problem["s"] for row in table.rows)


def add_best(options, table, problem, label, fit, reference):
    fits = [fit()]
    while fits[0].status == "ok" and len(fits) < options.repeats:
        fits.append(fit())
    best = min((one for one in fits if one.status == "ok"), key=lambda one: one.seconds, default=None)
    if best is None:
        table.add(**problem, program=label, status=fits[0].status)
        return
    eta = reference.eta_of_vectors(np.load(best.vectors)) if reference else float("nan")
    table.add(**problem, program=label, seconds=best.seconds, status="ok",
              **{"peak MiB": best.peak_bytes / 2**20, "true eta": eta})


def draw(options, table):
    for name in options.sets:
        for against, axis in (("n", "rows n"), ("s", "components s")):
            for column, unit in (("seconds", "seconds"), ("peak MiB", "peak memory of the process, MiB")):
                series = {}
                for row in table.rows:
                    if row["set"] == name and row["against"] == against and column in row:
                        series.setdefault(row["program"], []).append((row[against], row[column]))
                kind = "time" if column == "seconds" else "memory"
                charts.lines(options.output / f"scaling-{name}-{against}-{kind}.svg",
                             f"{name}: {kind} against {axis}", axis, unit, series)
