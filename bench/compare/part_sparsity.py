"""Cost and gain of zeros: the loss epsilon_insensitive at rising shares of zeros against the square loss.

The set `normal` is the paper's: uncentred, as in its scripts. The error is the part of tr G that the components leave,
and the ratio is to that of the square loss. The scores and the report of a centred sparse model refer to a centre on few
rows. Scores minus their mean refer to the exact centre, as does the tr G that numpy computes.
"""
import dataclasses

import numpy as np

import charts
import kernels
import ours
from table import Table


@dataclasses.dataclass
class Problem:
    n: int
    kernels: list
    components: list
    centred: bool


# The paper's kernel exp(-|x - y|^2/2) makes G almost the identity with 20 columns, so the median width runs too.
PROBLEMS = {"normal": Problem(1000, ["rbf:median", "rbf:0.5"], [5, 10, 15, 20], False),
            "usps": Problem(2000, ["rbf:median"], [5, 20], True)}
NORMAL = {"sets": ["normal", "usps"], "tols": [1e-5], "shares": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]}
QUICK = {"sets": ["normal", "generated"], "sizes": [150], "kernels": ["rbf:median"], "components": [3],
         "shares": [0.3, 0.8]}
NORMS = ["rows", "entries"]
NEW_ROWS, QUICK_NEW_ROWS = 20000, 500
ALLOWED = 0.01  # largest distance from the target
COLUMNS = ["set", "n", "kernel", "gamma", "centred", "s", "norm", "target", "sparsity", "epsilon", "support size",
           "stored rows", "components left", "error ratio", "model bytes", "transform seconds", "products",
           "fit seconds", "status", "met"]


def run(options, datasets):
    table = Table(options.output, "sparsity", COLUMNS)
    for name in options.sets:
        usual = PROBLEMS.get(name, Problem(2000, ["rbf:median"], [5], True))
        for n in options.sizes or [usual.n]:
            rows = datasets.rows(name, n, options.seed)
            new = new_rows(rows, QUICK_NEW_ROWS if options.quick else NEW_ROWS, options.work, options.seed)
            for kernel in options.kernels or usual.kernels:
                for s in options.components or usual.components:
                    measure(options, rows, new, kernel, s, usual.centred, table)
    draw(options, table)
    return table


def new_rows(rows, count, work, seed):
    """Writes a file of rows drawn with replacement, each moved a little."""
    random = np.random.default_rng(seed)
    X = rows.X[random.integers(rows.n, size=count)]
    path = work / f"{rows.name}-new-{count}.npy"
    np.save(path, (X + 1e-3 * rows.X.std() * random.normal(size=X.shape)).astype(np.float32))
    return path


def measure(options, rows, new, kernel, s, centred, table):
    name, rule = kernel.split(":")
    gamma = kernels.width(rows.X, name, rule)
    trace = float(np.trace(kernels.gram(rows.X, name, gamma, centred)))
    problem = {"set": rows.name, "n": rows.n, "kernel": kernel, "gamma": gamma, "centred": centred, "s": s}

    def fit(more):
        return ours.fit(rows.file(np.float64), options.work, options, s=s, tol=options.tols[0], kernel=name,
                        gamma=gamma, centred=centred, more=more, scores=True)

    found = fit([])
    base = error(np.load(found.scores), trace, centred) if found.status == "ok" else float("nan")
    add(options, table, problem | {"norm": "square loss"}, found, new, base, base)
    for norm in NORMS:
        for share in options.shares:
            found = fit(["--loss", "epsilon_insensitive", "--norm", norm, "--sparsity", share])
            left = error(np.load(found.scores), trace, centred) if found.status == "ok" else float("nan")
            add(options, table, problem | {"norm": norm, "target": share}, found, new, left, base)


def error(scores, trace, centred):
    """Returns the part of tr G that the components leave, at the exact centre whatever the centre of the model."""
    return trace - float(np.square(scores - scores.mean(axis=0) if centred else scores).sum())


def add(options, table, problem, found, new, left, base):
    if found.status != "ok":
        table.add(**problem, status=found.status)
        return
    report = found.report
    runs = [ours.transform(found.model, new, options.work, options) for _ in range(options.repeats)]
    sparsity = 0.0 if report["sparsity"] is None else report["sparsity"]
    epsilon = 0.0 if report["epsilon"] is None else report["epsilon"]
    table.add(**problem, sparsity=sparsity, epsilon=epsilon, products=report["products"], status=report["status"],
              **{"support size": report["support_size"], "stored rows": report["stored_rows"],
                 "components left": sum(value > 0 for value in report["eigenvalues"]), "error ratio": left / base,
                 "model bytes": report["model_bytes"], "transform seconds": min(one.seconds for one in runs),
                 "fit seconds": found.stage("total")},
              **({"met": abs(sparsity - problem["target"]) <= ALLOWED + 1e-9} if "target" in problem else {}))


def draw(options, table):
    """Draws a chart for each set and kernel; a colour for each s, dashed for entries."""
    series = {}
    for row in table.rows:
        if "error ratio" in row and "target" in row:
            lines = series.setdefault((row["set"], row["n"], row["kernel"]), {})
            lines.setdefault(f"s = {row['s']}, {row['norm']}", []).append((row["sparsity"], row["error ratio"]))
    for (name, n, kernel), lines in series.items():
        charts.lines(options.output / f"sparsity-{name}-{n}-{kernel.replace(':', '-')}.svg",
                     f"{name}, {n} rows, {kernel}: error against the share of zeros", "share of zeros reached",
                     "error / error of the square loss", lines, logarithmic=False, pairs=True)
