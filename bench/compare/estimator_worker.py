"""Fits of one KernelPCA class in a process of its own: estimator_worker.py CLASS X.npy '{"n_components": ...}' SECONDS.

CLASS is dualkpca or sklearn. Repeats fit and transform of 100 rows for SECONDS and prints as JSON the best time of each,
the memory that the fit added to the largest resident set, and the eigenvalues.
"""
import importlib
import json
import resource
import sys
import time

import numpy as np


def best(call, seconds):
    """Returns the best time of several runs. The first run also loads libraries and starts threads."""
    runs, start = [], time.perf_counter()
    while len(runs) < 2 or (time.perf_counter() - start < seconds and len(runs) < 1000):
        begin = time.perf_counter()
        call()
        runs.append(time.perf_counter() - begin)
        if runs[-1] > seconds:
            break
    return min(runs)


def resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main():
    name, data, settings, seconds = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), float(sys.argv[4])
    module = "dualkpca" if name == "dualkpca" else "sklearn.decomposition"
    X = np.load(data)
    pca = getattr(importlib.import_module(module), "KernelPCA")(**settings)
    before = resident()
    fit = best(lambda: pca.fit(X), seconds)
    added = resident() - before
    transform = best(lambda: pca.transform(X[:100]), min(1.0, seconds))
    print(json.dumps({"fit": fit, "transform": transform, "bytes": added, "eigenvalues": pca.eigenvalues_.tolist()}))


main()
