"""Outliers found by the loss huber and by the square loss: AUROC of a row's distance from the span of the components.

The squared distance is g_ii - |y_i|^2, g the diagonal of the centred Gram matrix in float64, y_i the scores of the fit.
Labels serve only to compute the AUROC: no fit and no setting sees them.
"""
import statistics

import numpy as np
from scipy.stats import rankdata

import kernels
import ours
from table import Table

NORMAL = {"sets": ["cardio", "mammography", "satellite", "shuttle", "thyroid", "wdbc"], "sizes": [5000],
          "components": [5], "kernels": ["linear", "rbf:median"], "tols": [1e-5], "ratios": [0.5, 0.2, 0.1, 0.05]}
QUICK = {"sets": ["generated-outliers"], "sizes": [300], "components": [2]}
SQUARE = "square"


def run(options, datasets):
    settings = [SQUARE, *(f"huber {ratio:g}" for ratio in options.ratios)]
    columns = ["set", "kernel", "n", "d", "s", "outliers", "gamma", *(f"AUROC {name}" for name in settings),
               *(f"products {name}" for name in settings), "clipped", "status"]
    table = Table(options.output, "robust", columns)
    for name in options.sets:
        for n in options.sizes:
            rows, labels = datasets.rows(name, n, options.seed), datasets.labels(name, n, options.seed)
            for s in options.components:
                for kernel in options.kernels:
                    measure(options, rows, labels, s, kernel, table)
    add_summary(options, table)
    return table


def measure(options, rows, labels, s, kernel, table):
    name, _, rule = kernel.partition(":")
    row = {"set": rows.name, "kernel": kernel, "n": rows.n, "d": rows.d, "s": s, "outliers": int(labels.sum())}
    diagonal, statuses, clipped = None, [], []
    for ratio in [None, *options.ratios]:
        setting, more = SQUARE, []
        if ratio:
            setting, more = f"huber {ratio:g}", ["--loss", "huber", "--norm", "rows", "--kappa-ratio", ratio]
        found = ours.fit(rows.file(np.float64), options.work, options, s=s, tol=options.tols[0], kernel=name,
                         gamma=rule or None, more=more, scores=True)
        if found.status != "ok":
            statuses.append(found.status)
            continue
        if diagonal is None:
            row["gamma"] = found.report["gamma"] if rule else float("nan")
            diagonal = np.diagonal(kernels.gram(rows.X, name, row["gamma"])).copy()
        row[f"AUROC {setting}"] = auroc(distances(diagonal, np.load(found.scores)), labels)
        row[f"products {setting}"] = found.report["products"]
        statuses.append(found.report["status"])
        if ratio:
            clipped.append(found.report["weighted_rows"])
    table.add(**row, clipped=" ".join(map(str, clipped)), status=" ".join(sorted(set(statuses))))


def distances(diagonal, scores):
    """Returns the squared distances of the rows from the span of the components in feature space."""
    return diagonal - np.square(scores).sum(axis=1)


def auroc(values, labels):
    """Returns how often an outlier has a larger value than another row; equal values count half."""
    positive = np.asarray(labels) == 1
    count, others = int(positive.sum()), int((~positive).sum())
    return float((rankdata(values)[positive].sum() - count * (count + 1) / 2) / (count * others))


def add_summary(options, table):
    """Adds for each kernel medians over the sets, and the mean gain of the loss over the square loss."""
    columns = [column for column in table.columns if column.startswith(("AUROC", "products"))]
    base = f"AUROC {SQUARE}"
    for kernel in options.kernels:
        rows = [row for row in table.rows if row["kernel"] == kernel and all(column in row for column in columns)]
        if not rows:
            continue
        table.add(set="median", kernel=kernel,
                  **{column: float(statistics.median(row[column] for row in rows)) for column in columns})
        table.add(set="mean gain", kernel=kernel, **{column: statistics.fmean(row[column] - row[base] for row in rows)
                                                     for column in columns if column.startswith("AUROC")})
