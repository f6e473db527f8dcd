"""Kernels that are Python functions, and kernel matrices that are not symmetric."""
import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels

BLOCK_VALUES = 4_000_000  # of a block of a kernel matrix: 32 MB


def dense(values):
    """An array, also of what a function gives for sparse rows."""
    return np.asarray(values.toarray() if sparse.issparse(values) else values, dtype=np.float64)


def takes_blocks(kernel, X, params):
    """True if kernel(A, B) of two blocks of rows gives the matrix of all pairs, which is then far faster.

    Asked of two rows and three: most functions of a pair of rows cannot even add those. If both ways of calling work,
    they must agree; where they do not, the function is one of pairs, as in scikit-learn.
    """
    if X.shape[0] < 3:
        return False
    A, B = X[:2], X[:3]
    try:
        block = dense(kernel(A, B, **params))
    except Exception:  # whatever the function says of arguments it is not made for
        return False
    if block.shape != (2, 3):
        return False
    try:
        pairs = np.array([[kernel(a, b, **params) for b in B] for a in A], dtype=np.float64)
    except Exception:
        return True
    return pairs.shape == block.shape and np.allclose(block, pairs, equal_nan=True)


class CallableKernel:
    """k(x, y) as a Python function: of a pair of rows, or of two blocks of rows."""

    def __init__(self, kernel, params, X, n_jobs):
        self.kernel = kernel
        self.params = params or {}
        self.n_jobs = n_jobs
        self.takes_blocks = takes_blocks(kernel, X, self.params)

    def matrix(self, X, Y=None):
        """All values between the rows of X and those of Y, or of X."""
        if not self.takes_blocks:
            return pairwise_kernels(X, Y, metric=self.kernel, n_jobs=self.n_jobs, **self.params)
        Y = X if Y is None else Y
        K = np.empty((X.shape[0], Y.shape[0]))
        for rows in blocks(X.shape[0], Y.shape[0]):
            K[rows] = dense(self.kernel(X[rows], Y, **self.params))
        return K


def blocks(n_rows, n_columns):
    """Slices of rows of a matrix, so that each part is of moderate size."""
    step = max(1, BLOCK_VALUES // max(1, n_columns))
    return (slice(first, min(first + step, n_rows)) for first in range(0, n_rows, step))


def is_symmetric(K):
    """Up to rounding."""
    largest = np.abs(K).max()
    return all(np.abs(K[rows] - K[:, rows].T).max() <= 1e-8 * largest for rows in blocks(*K.shape))


class AsymmetricCentring:
    """scikit-learn takes kernel matrices that are not symmetric, for which row and column means differ."""

    def __init__(self, K, center):
        self.columns = K.mean(axis=0) if center else np.zeros(K.shape[0])
        self.mean = self.columns.mean()
        self.center = center

    def __call__(self, K):
        if not self.center:
            return K
        return K - self.columns - K.mean(axis=1)[:, np.newaxis] + self.mean


def evaluates_kernel(method):
    """For methods that need k(x, x), which neither a given matrix nor a function of pairs tells the library."""

    def check(estimator):
        if callable(estimator.kernel) or estimator.kernel == "precomputed":
            raise AttributeError(f"{method}() needs a kernel that the library evaluates, not a given matrix or a function")
        return True

    return check
