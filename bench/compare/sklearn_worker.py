"""One fit of a KernelPCA class as a process: sklearn_worker.py X.npy OUT.npy '{"n_components": ...}' [MODULE].

The class is from scikit-learn, or from MODULE. Writes the eigenvectors to OUT and prints the seconds of the fit alone,
without start and reading, and the eigenvalues.
"""
import importlib
import json
import sys
import time

import numpy as np
import scipy.sparse


def main():
    data, output, settings = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    X = scipy.sparse.load_npz(data) if data.endswith(".npz") else np.load(data)
    module = importlib.import_module(sys.argv[4] if len(sys.argv) > 4 else "sklearn.decomposition")
    pca = module.KernelPCA(**settings)
    start = time.perf_counter()
    pca.fit(X)
    print(time.perf_counter() - start, *pca.eigenvalues_.tolist())
    np.save(output, pca.eigenvectors_)


main()
