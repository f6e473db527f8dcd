"""Time and products of a fit for every loss on the same rows."""
import numpy as np

import kernels
import ours
from table import Table

NORMAL = {"sets": ["fashion"], "sizes": [20000], "components": [20], "tols": [1e-5]}
QUICK = {"sets": ["generated"], "sizes": [300], "components": [4]}
SHARE_OF_MEDIAN, SPARSITY = 0.7, 0.9
COLUMNS = ["set", "n", "d", "s", "loss", "setting", "seconds", "ratio", "products", "product columns", "eta", "kind",
           "status", "sparsity", "support size", "peak MiB"]


def run(options, datasets):
    table = Table(options.output, "losses", COLUMNS)
    for rows in datasets.chosen(options):
        for s in options.components:
            measure(options, rows, s, table)
    return table


def measure(options, rows, s, table):
    gamma = kernels.width(rows.X, "rbf", "median")
    problem = {"set": rows.name, "n": rows.n, "d": rows.d, "s": s}

    def fit(more, **settings):
        return ours.best_fit(options.repeats, lambda one: one.stage("total"), rows.file(), options.work, options, s=s,
                             tol=options.tols[0], kernel="rbf", gamma=gamma, more=more, **settings)

    square = fit([], scores=True)
    if square.status != "ok":
        table.add(**problem, loss="square", status=square.status)
        return
    add(table, problem, "square", "", square, square)
    # The scores are read before the next fit overwrites them.
    epsilon = SHARE_OF_MEDIAN * float(np.median(np.linalg.norm(np.load(square.scores), axis=1)))
    for loss, setting, more in (("huber", "default kappa-ratio", []),
                                ("epsilon_insensitive", f"epsilon {epsilon:.4g}", ["--epsilon", repr(epsilon)]),
                                ("epsilon_insensitive", f"sparsity {SPARSITY:g}", ["--sparsity", SPARSITY])):
        add(table, problem, loss, setting, fit(["--loss", loss, "--norm", "rows", *more]), square)


def add(table, problem, loss, setting, found, square):
    """Adds a row; its ratio is to the fit with the square loss."""
    if found.status != "ok":
        table.add(**problem, loss=loss, setting=setting, status=found.status)
        return
    report = found.report
    table.add(**problem, loss=loss, setting=setting, seconds=found.stage("total"),
              ratio=found.stage("total") / square.stage("total"), products=report["products"], eta=report["eta"],
              kind=report["eta_kind"], status=report["status"],
              sparsity=0.0 if report["sparsity"] is None else report["sparsity"],
              **{"product columns": report["product_columns"], "support size": report["support_size"],
                 "peak MiB": found.run.peak_bytes / 2**20})
