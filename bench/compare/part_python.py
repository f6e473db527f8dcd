"""dualkpca.KernelPCA and scikit-learn's in Python, with the same arguments: seconds of fit and transform, memory.

Every fit is to working precision (tol 0, float64). With few rows the cost of the call counts, with many rows that of the
algorithm. Where scikit-learn's default would decompose more than `--dense-limit` rows, it gets its faster `arpack`.
"""
import json
import os
import pathlib
import sys

import numpy as np

import process
from ours import python_path
from table import Table

NORMAL = {"sets": ["digits", "fashion"], "sizes": [50, 500, 2000, 10000, 20000], "components": [2, 20],
          "kernels": ["rbf", "linear", "poly"]}
QUICK = {"sets": ["generated"], "sizes": [50, 200], "components": [2]}
WORKER = pathlib.Path(__file__).parent / "estimator_worker.py"
MOST_FOR_ALL = 2000  # the largest number of rows for fits of all components


def run(options, datasets):
    columns = ["set", "n", "arguments", "dualkpca fit s", "sklearn fit s", "times faster",
               "dualkpca transform s", "sklearn transform s", "dualkpca MiB", "sklearn MiB", "eigenvalues differ",
               "sklearn"]
    table = Table(options.output, "python", columns)
    for name in options.sets:
        for n in options.sizes:
            whole = datasets.rows(name, None, options.seed)
            if n > whole.X.shape[0]:
                continue
            rows = datasets.rows(name, n, options.seed)
            for settings in cases(options, n):
                measure(options, name, n, rows, settings, table)
    return table


def cases(options, n):
    if n <= MOST_FOR_ALL and "linear" in options.kernels:
        yield {}  # the defaults: linear, all components
    for s in options.components:
        for kernel in options.kernels:
            if kernel != "poly" or s == options.components[0]:
                yield {"n_components": s, "kernel": kernel}


def peer_settings(options, n, settings):
    """Returns the settings for scikit-learn; its default, LAPACK, is too slow for ten components of many rows."""
    dense = settings.get("n_components", n) >= 10 and n > max(options.dense_limit, MOST_FOR_ALL)
    return settings | ({"eigen_solver": "arpack"} if dense else {})


def measure(options, name, n, rows, settings, table):
    theirs = peer_settings(options, n, settings)
    file = rows.file(np.float64)
    seconds = 0.2 if options.quick else 2.0
    found = {}
    for who, arguments in (("dualkpca", settings), ("sklearn", theirs)):
        words = [sys.executable, WORKER, who, file, json.dumps(arguments), seconds]
        os.environ["PYTHONPATH"] = python_path()
        runs = [process.run(words, options.threads, options.timeout, options.memory_limit)
                for _ in range(options.repeats if n < 5000 else 1)]
        good = [json.loads(run.stdout) for run in runs if run.status == "ok"]
        found[who] = min(good, key=lambda result: result["fit"]) if good else {"status": runs[0].status}
    ours, peer = found["dualkpca"], found["sklearn"]
    if "fit" not in ours:
        raise RuntimeError(ours["status"])
    row = {"set": name, "n": n, "arguments": " ".join(f"{key}={value}" for key, value in settings.items()) or "defaults",
           "dualkpca fit s": ours["fit"], "dualkpca transform s": ours["transform"], "dualkpca MiB": ours["bytes"] / 2**20,
           "sklearn": theirs.get("eigen_solver", "auto")}
    if "fit" not in peer:
        table.add(**row | {"sklearn": peer["status"]})
        return
    a, b = np.array(ours["eigenvalues"]), np.array(peer["eigenvalues"])
    count = min(len(a), len(b))
    table.add(**row, **{"sklearn fit s": peer["fit"], "sklearn transform s": peer["transform"],
                        "sklearn MiB": peer["bytes"] / 2**20, "times faster": peer["fit"] / ours["fit"],
                        "eigenvalues differ": float(np.abs(a[:count] - b[:count]).max() / b[0])})
