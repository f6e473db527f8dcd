"""One fit of mlpy's KPCA in a process of its own: mlpy_worker.py X.npy OUT.npy GAMMA COMPONENTS.

Writes the scores to OUT and prints the seconds of the fit, without start and reading, and the eigenvalues.
"""
import sys
import time
import warnings

import mlpy
import numpy as np


def main():
    data, output, gamma, s = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("ignore")  # mlpy takes roots of eigenvalues that rounding made negative
    X = np.load(data)
    start = time.perf_counter()
    pca = mlpy.KPCA(mlpy.KernelGaussian(np.sqrt(0.5 / gamma)))
    pca.learn(X)
    scores = pca.transform(X, k=s)
    print(time.perf_counter() - start, *pca.evals()[:s].tolist())
    np.save(output, scores)


main()
