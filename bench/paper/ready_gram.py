"""The uncentred Gram matrix as a file, made block by block: at 60000 rows it fills the memory in float32 alone."""
import time

import numpy as np
import scipy.sparse

import kernels

BLOCK = 2000
LARGEST_FLOAT64 = 30000  # rows; with more, a float64 matrix does not fit this machine


class ReadyGram:
    """G of `rows` in the file `path`; `seconds` is the time that numpy needed to evaluate it."""

    def __init__(self, rows, kernel, path):
        self.kernel, self.rule = kernel.split(":")
        self.gamma = kernels.width(rows.X, self.kernel, self.rule)
        self.path, self.n = path, rows.n
        self.dtype = np.dtype(np.float64 if rows.n <= LARGEST_FLOAT64 else np.float32)
        self.seconds = self.fill(rows.X)

    def fill(self, X):
        G = np.lib.format.open_memmap(self.path, mode="w+", dtype=self.dtype, shape=(self.n, self.n))
        X = X.astype(self.dtype) if scipy.sparse.issparse(X) else np.ascontiguousarray(X, dtype=self.dtype)
        norms = (X.multiply(X).sum(axis=1).A1 if scipy.sparse.issparse(X) else np.einsum("ij,ij->i", X, X))
        seconds = 0.0
        for first in range(0, self.n, BLOCK):
            last = min(first + BLOCK, self.n)
            start = time.perf_counter()
            block = X[first:last] @ X.T
            block = block.toarray() if scipy.sparse.issparse(block) else block
            self.evaluate(block, norms[first:last], norms, first)
            seconds += time.perf_counter() - start
            # Entries that mirror each other may differ by rounding, so the lower one is used for both.
            G[first:last, :last] = block[:, :last]
            G[:first, first:last] = block[:, :first].T
            own = block[:, first:last]
            G[first:last, first:last] = np.tril(own) + np.tril(own, -1).T
        G.flush()
        return seconds

    def evaluate(self, block, left, right, first):
        """Turns inner products into entries of G, in place."""
        block *= -2
        block += left[:, None]
        block += right
        np.maximum(block, 0, out=block)
        block[np.arange(block.shape[0]), first + np.arange(block.shape[0])] = 0
        if self.kernel == "laplace":
            np.sqrt(block, out=block)
        block *= -self.gamma
        np.exp(block, out=block)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        """Deletes the file, even if a run is stopped: it may be larger than all others together."""
        self.path.unlink(missing_ok=True)

    def load(self):
        return np.load(self.path)
