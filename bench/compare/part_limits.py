"""How often clean rows that a fit has not seen are above its limits of T2 and SPE, for every kind of limits.

Only inliers are used: half of them are fitted and half are tested, in several random halves. A limit that holds its
level is exceeded by 1 - level of the rows. Labels serve only to leave out the outliers.
"""
import pathlib
import statistics

import numpy as np

import ours
import process
from datasets import Rows
from table import Table

NORMAL = {"sets": ["cardio", "satellite", "shuttle"], "sizes": [4000], "components": [5, 20]}
QUICK = {"sets": ["generated-outliers"], "sizes": [300], "components": [2]}
KINDS = ["cv", "training", "chi2", "weighted_chi2"]
LEVEL, HALVES, QUICK_HALVES = 0.99, 5, 2


def run(options, datasets):
    columns = ["set", "s", "limits", "fitted", "tested", "T2 above %", "SPE above %", "either %", "limits seconds",
               "fit seconds"]
    table = Table(options.output, "limits", columns)
    for name in options.sets:
        whole = datasets.rows(name, None, options.seed, standardised=False)
        clean = whole.X[datasets.labels(name, None, options.seed) == 0]
        for n in options.sizes:
            for s in options.components:
                for kind in KINDS:
                    measure(options, name, clean[:n], s, kind, table)
    return table


def measure(options, name, X, s, kind, table):
    half, found = X.shape[0] // 2, []
    for seed in range(QUICK_HALVES if options.quick else HALVES):
        order = np.random.default_rng(seed).permutation(X.shape[0])
        found.append(rates(options, Rows(name + "-fitted", X[order[:half]], options.work),
                           Rows(name + "-tested", X[order[half:]], options.work), s, kind))
    columns = ["T2 above %", "SPE above %", "either %", "limits seconds", "fit seconds"]
    table.add(set=name, s=s, limits=kind, fitted=half, tested=X.shape[0] - half,
              **{column: statistics.fmean(row[k] for row in found) for k, column in enumerate(columns)})


def rates(options, fitted, tested, s, kind):
    fit = ours.fit(fitted.file(np.float64), options.work, options, s=s, tol=1e-5, kernel="rbf", gamma="median",
                   more=["--scale", "standard", "--limits", kind, "--level", LEVEL])
    if fit.status != "ok":
        raise RuntimeError(fit.status)
    output = pathlib.Path(options.work) / "statistics.npy"
    words = [ours.command(), "score", fit.model, tested.file(np.float64), "-o", output, "--quiet", "--threads",
             options.threads]
    scored = process.run(words, options.threads, options.timeout, options.memory_limit)
    if scored.status != "ok":
        raise RuntimeError(scored.status)
    values, limits = np.load(output), fit.report["limits"]
    t2, spe = values[:, 0] > limits["t2"], values[:, 1] > limits["spe"]
    seconds = fit.stage("limits")
    return [100 * t2.mean(), 100 * spe.mean(), 100 * values[:, 2].mean(), seconds, fit.stage("total") - seconds]
