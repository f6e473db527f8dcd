"""One fit of scikit-learn's KernelPCA in a process of its own: sklearn_worker.py X.npy OUT.npy '{"n_components": ...}'.

Writes the eigenvectors to OUT and prints the seconds of the fit alone, without start and reading.
"""
import json
import sys
import time

import numpy as np
import scipy.sparse
from sklearn.decomposition import KernelPCA


def main():
    data, output, settings = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    X = scipy.sparse.load_npz(data) if data.endswith(".npz") else np.load(data)
    pca = KernelPCA(**settings)
    start = time.perf_counter()
    pca.fit(X)
    print(time.perf_counter() - start)
    np.save(output, pca.eigenvectors_)


main()
