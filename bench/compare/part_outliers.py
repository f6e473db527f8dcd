"""Outliers among the training rows: AUROC of T2 and SPE by `dualkpca score` and of four detectors of scikit-learn.

No method sees the labels, and all have their defaults. The AUROC of a random detector is the mean over the draws.
"""
import statistics

import numpy as np
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor
from sklearn.svm import OneClassSVM

import ours
from part_robust import auroc
from table import Table

NORMAL = {"sets": ["cardio", "cover", "http", "mammography", "satellite", "shuttle", "thyroid", "wdbc"],
          "sizes": [5000], "components": [5, 20], "kernels": ["linear", "rbf:median"], "tols": [1e-5], "draws": 3}
QUICK = {"sets": ["generated-outliers"], "sizes": [300], "components": [2]}
LOSSES = {"square": [], "huber": ["--loss", "huber"]}
STATISTICS = ["T2", "SPE"]  # the first columns of the output of `score`
PEERS = ["PCA error", "IsolationForest", "OneClassSVM", "LocalOutlierFactor"]
SAME = 5e-4  # a difference that a table with three digits does not show


def run(options, datasets):
    own = [f"{kernel} {loss} {statistic}" for kernel in options.kernels for loss in LOSSES for statistic in STATISTICS]
    columns = ["set", "n", "d", "outliers", "s", *own, *PEERS, "best", "status"]
    table = Table(options.output, "outliers", columns)
    for name in options.sets:
        for n in options.sizes:
            rows, labels = datasets.rows(name, n, options.seed), datasets.labels(name, n, options.seed)
            peers = {name: auroc_of_peer(name, rows.X, labels, options) for name in PEERS[1:]}
            for s in options.components:
                measure(options, rows, labels, s, peers, table)
    add_summary(table, own + PEERS)
    return table


def measure(options, rows, labels, s, peers, table):
    found, statuses = dict(peers), []
    # As many linear components as the rank leave no residual, and there are no more of them.
    rank = np.linalg.matrix_rank(rows.X - rows.X.mean(axis=0))
    if s < rank:
        found["PCA error"] = auroc(reconstruction_errors(rows.X, s), labels)
    for kernel in options.kernels:
        name, _, rule = kernel.partition(":")
        if name == "linear" and s > rank:
            continue
        for loss, more in LOSSES.items():
            values, status = statistics_of(options, rows, s, name, rule, more)
            statuses.append(status)
            found |= {f"{kernel} {loss} {statistic}": auroc(values[:, k], labels)
                      for k, statistic in enumerate(STATISTICS)
                      if values is not None and (name, statistic, s) != ("linear", "SPE", rank)}
    table.add(set=rows.name, n=rows.n, d=rows.d, outliers=int(labels.sum()), s=s, **found,
              best=", ".join(best_of(found)), status=" ".join(sorted(set(statuses))))


def statistics_of(options, rows, s, kernel, rule, more):
    """Returns the statistics of the training rows (T2, SPE, ...) and the status of the fit."""
    data, output = rows.file(np.float64), options.work / "statistics.npy"
    fit = ours.fit(data, options.work, options, s=s, tol=options.tols[0], kernel=kernel, gamma=rule or None, more=more)
    if fit.status != "ok":
        return None, fit.status
    run = ours.apply("score", fit.model, data, output, options, ["--quiet"])
    return (np.load(output), fit.report["status"]) if run.status == "ok" else (None, run.status)


def reconstruction_errors(X, s):
    pca = PCA(s).fit(X)
    return np.square(X - pca.inverse_transform(pca.transform(X))).sum(axis=1)


def auroc_of_peer(name, X, labels, options):
    """Returns the AUROC of a detector on its own training rows; larger values mean more outlying rows."""
    if name == "LocalOutlierFactor":
        return auroc(-LocalOutlierFactor(n_neighbors=20).fit(X).negative_outlier_factor_, labels)
    if name == "OneClassSVM":
        return auroc(-OneClassSVM(kernel="rbf", gamma="scale").fit(X).score_samples(X), labels)
    forests = [IsolationForest(random_state=options.seed + draw).fit(X) for draw in range(options.draws)]
    return statistics.fmean(auroc(-forest.score_samples(X), labels) for forest in forests)


def best_of(found):
    return [name for name, value in found.items() if value > max(found.values()) - SAME]


def add_summary(table, names):
    """Adds means for each s over the sets with all values, and in how many cases each method is the best."""
    cases = list(table.rows)
    for s in sorted({row["s"] for row in cases}):
        rows = [row for row in cases if row["s"] == s and all(name in row for name in names)]
        if rows:
            table.add(set=f"mean of {len(rows)}", s=s,
                      **{name: statistics.fmean(row[name] for row in rows) for name in names})
    # Methods that tie all count.
    table.add(set=f"best in, of {len(cases)}",
              **{name: sum(name in row["best"].split(", ") for row in cases) for name in names})
