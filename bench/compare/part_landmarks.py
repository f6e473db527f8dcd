"""Many rows in few dimensions: `auto` may use landmarks and no product with G at all.

The whole set shows the cost. A part of it, small enough to compute the true eta, shows how good the reported eta is.
"""
import kernels
import model_file
import ours
from datasets import standardise
from reference import Reference
from table import Table

NORMAL = {"sets": ["http", "cover"], "sizes": [10000, 0], "components": [10], "tols": [1e-2]}
QUICK = {"sets": ["generated"], "sizes": [400], "components": [4]}
COLUMNS = ["set", "n", "d", "s", "tol", "accuracy", "solver", "rows kept", "kernel columns", "products", "eta", "kind",
           "true eta", "process seconds", "total seconds", "peak MiB", "status"]


def run(options, datasets):
    """Measures every set and size; the size 0 is the whole set."""
    table = Table(options.output, "landmarks", COLUMNS)
    for name in options.sets:
        for n in options.sizes:
            rows = datasets.rows(name, n or None, options.seed, standardised=False)
            for s in options.components:
                for tol in options.tols:
                    for accuracy in ours.accuracies():
                        measure(options, rows, s, tol, accuracy, table)
    return table


def measure(options, rows, s, tol, accuracy, table):
    problem = {"set": rows.name, "n": rows.n, "d": rows.d, "s": s, "tol": tol, "accuracy": accuracy}
    small = rows.n <= options.truth_limit
    found = ours.best_fit(options.repeats, lambda one: one.run.seconds, rows.file(), options.work, options, s=s,
                          tol=tol, kernel="rbf", gamma="median", accuracy=accuracy, more=["--scale", "standard"],
                          scores=small)
    if found.status != "ok":
        table.add(**problem, status=found.status)
        return
    report = found.report
    table.add(**problem, solver=report["solver"], products=report["products"], eta=report["eta"],
              kind=report["eta_kind"], status=report["status"],
              **{"rows kept": model_file.row_count(found.model), "kernel columns": report["kernel_columns"],
                 "true eta": true_eta(options, rows, s, found) if small else float("nan"),
                 "process seconds": found.run.seconds, "total seconds": found.stage("total"),
                 "peak MiB": found.run.peak_bytes / 2**20})


def true_eta(options, rows, s, found):
    G = kernels.gram(standardise(rows.X), "rbf", found.report["gamma"])
    return Reference(G, s, options.work, f"{rows.name} standardised rbf").eta_of_model(found.model, found.scores)
