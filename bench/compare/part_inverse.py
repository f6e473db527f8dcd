"""Inverse transform when some training rows are contaminated: the paper's experiment on iris.

A fifth of the rows is for testing and is left clean. Of the others 8 % are multiplied by a number drawn from
N(0, tau^2), one for each row. The error is the mean square of inverse(transform(x)) - x over the entries of the test
rows. Rows are not centred and not scaled, as in the paper, which states neither s nor the width of its Laplace kernel.
"""
import numpy as np

import ours
from contamination import contaminated
from table import Table

NORMAL = {"sets": ["iris"], "kernels": ["rbf:0.5", "laplace:1"], "taus": [10, 50, 100], "components": [2, 4],
          "tols": [1e-5], "draws": 50}
QUICK = {"kernels": ["rbf:0.5"], "taus": [100], "components": [2], "draws": 2}
# The paper's shares of kappa_max.
FITS = {"square": [], "huber rows": ["--loss", "huber", "--norm", "rows", "--kappa-ratio", 0.8],
        "huber entries": ["--loss", "huber", "--norm", "entries", "--kappa-ratio", 0.6]}
WEIGHTS = ["none", "huber", "huber_spe", "dual", "density"]
MAPS = {name: ["--preimage-compat", name] for name in ("paper", "sklearn")} | {
    f"ridge {weights}": ["--preimage", "ridge", "--preimage-weights", weights] for weights in WEIGHTS}
ONLY_HUBER = "ridge dual"


def run(options, datasets):
    columns = ["set", "kernel", "tau", "s", "fit", "draws", *MAPS, *(f"sd {name}" for name in MAPS), "best", "clear",
               "status"]
    table = Table(options.output, "inverse", columns)
    single = Table(options.output, "inverse-draws", ["set", "kernel", "tau", "s", "draw", "fit", *MAPS, "status"])
    for name in options.sets:
        X = datasets.whole(name)
        for kernel in options.kernels:
            for tau in options.taus:
                for s in options.components:
                    problem = {"set": name, "kernel": kernel, "tau": tau, "s": s}
                    rows = [row for draw in range(options.draws)
                            for row in measure(options, X, problem, options.seed + draw, single)]
                    add_means(table, problem, rows)
    return table


def measure(options, X, problem, seed, single):
    """Returns a row for each fit; one model serves all inverse transforms."""
    train, test = contaminated(X, problem["tau"], seed)
    np.save(options.work / "inverse-train.npy", train)
    np.save(options.work / "inverse-test.npy", test)
    kernel, gamma = problem["kernel"].split(":")
    rows = []
    for name, more in FITS.items():
        fit = ours.fit(options.work / "inverse-train.npy", options.work, options, s=problem["s"], tol=options.tols[0],
                       kernel=kernel, gamma=float(gamma), centred=False, more=more)
        row = problem | {"draw": seed, "fit": name, "status": fit.status}
        if fit.status == "ok":
            row["status"] = fit.report["status"]
            row |= errors(options, fit.model, test, more)
        rows.append(single.add(**row))
    return rows


def errors(options, model, test, is_huber):
    scores, output = options.work / "inverse-scores.npy", options.work / "inverse-rows.npy"
    ours.apply("transform", model, options.work / "inverse-test.npy", scores, options, ["--quiet"])
    found = {}
    for name, more in MAPS.items():
        if name == ONLY_HUBER and not is_huber:
            continue
        run = ours.apply("inverse", model, scores, output, options, ["--quiet", *more])
        if run.status != "ok":
            found["status"] = run.status
            continue
        found[name] = float(np.square(np.load(output) - test).mean())
    return found


def add_means(table, problem, rows):
    """Adds the means over the draws for every fit, then the gain of huber over the square loss on the same draws."""
    errors = {name: {way: np.array([row[way] for row in rows if row["fit"] == name and way in row]) for way in MAPS}
              for name in FITS}
    for name in FITS:
        statuses = sorted({row["status"] for row in rows if row["fit"] == name})
        values = {way: found for way, found in errors[name].items() if found.size}
        table.add(**problem, fit=name, **moments(values), **ordering(values), status=" ".join(statuses))
    for name in list(FITS)[1:]:
        gains = {way: errors["square"][way] - found for way, found in errors[name].items()
                 if 0 < found.size == errors["square"][way].size}
        table.add(**problem, fit=f"square - {name}", **moments(gains), clear=clear_gains(gains))


def moments(values):
    """Returns mean and standard deviation over the draws."""
    return ({"draws": max((found.size for found in values.values()), default=0)}
            | {way: float(found.mean()) for way, found in values.items()}
            | {f"sd {way}": float(found.std(ddof=1)) for way, found in values.items() if found.size > 1})


def ordering(values):
    """Returns the inverse transform with the least mean, and how many others it beats by two standard errors."""
    if not values:
        return {}
    best = min(values, key=lambda way: values[way].mean())
    beaten = [way for way in values if way != best and values[way].size == values[best].size
              and is_clear(values[way] - values[best])]
    return {"best": best, "clear": f"of {len(beaten)} in {len(values) - 1}"}


def is_clear(differences):
    """Returns whether the mean is beyond two of its standard errors."""
    return abs(differences.mean()) > 2 * differences.std(ddof=1) / np.sqrt(differences.size)


def clear_gains(gains):
    """Lists where huber has clearly less error (+) or more (-) than the square loss."""
    return " ".join(("+" if found.mean() > 0 else "-") + way.replace("ridge ", "") for way, found in gains.items()
                    if is_clear(found))
