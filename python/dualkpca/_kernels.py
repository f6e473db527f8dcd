"""Kernels that are Python functions, and kernel matrices that are not symmetric."""
import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels

BLOCK_VALUES = 4_000_000  # number of values in a block of a kernel matrix: 32 MB


def dense(values):
    """Returns the values of a kernel function as a dense array; for sparse rows they may be a sparse matrix."""
    return np.asarray(values.toarray() if sparse.issparse(values) else values, dtype=np.float64)


def takes_blocks(kernel, X, params):
    """Returns True if kernel(A, B) of two blocks of rows gives the matrix of all pairs, which is far faster.

    The test calls the kernel with blocks of two and three rows, which most functions of a pair of rows cannot even add.
    If the calls with pairs work as well and give other values, the function is one of pairs, as in scikit-learn.
    """
    if X.shape[0] < 3:
        return False
    A, B = X[:2], X[:3]
    try:
        block = dense(kernel(A, B, **params))
    except Exception:  # a function of pairs may raise anything for blocks
        return False
    if block.shape != (2, 3):
        return False
    try:
        pairs = np.array([[kernel(a, b, **params) for b in B] for a in A], dtype=np.float64)
    except Exception:
        return True
    return pairs.shape == block.shape and np.allclose(block, pairs, equal_nan=True)


class CallableKernel:
    """Kernel that is a Python function of a pair of rows or of two blocks of rows."""

    def __init__(self, kernel, params, X, n_jobs):
        self.kernel = kernel
        self.params = params or {}
        self.n_jobs = n_jobs
        self.takes_blocks = takes_blocks(kernel, X, self.params)

    def matrix(self, X, Y=None):
        """Returns the kernel values between the rows of X and those of Y, which is X by default."""
        if not self.takes_blocks:
            return pairwise_kernels(X, Y, metric=self.kernel, n_jobs=self.n_jobs, **self.params)
        Y = X if Y is None else Y
        K = np.empty((X.shape[0], Y.shape[0]))
        for rows in blocks(X.shape[0], Y.shape[0]):
            K[rows] = dense(self.kernel(X[rows], Y, **self.params))
        return K


def blocks(n_rows, n_columns):
    """Returns slices that divide the rows of a matrix into parts of at most BLOCK_VALUES values (or one row)."""
    step = max(1, BLOCK_VALUES // max(1, n_columns))
    return (slice(first, min(first + step, n_rows)) for first in range(0, n_rows, step))


def is_symmetric(K):
    """Returns True if K is symmetric up to rounding."""
    largest = np.abs(K).max()
    return all(np.abs(K[rows] - K[:, rows].T).max() <= 1e-8 * largest for rows in blocks(*K.shape))


class AsymmetricCentring:
    """Centring of asymmetric kernel matrices, which scikit-learn accepts. Their row and column means differ."""

    def __init__(self, K, center):
        self.columns = K.mean(axis=0) if center else np.zeros(K.shape[0])
        self.mean = self.columns.mean()
        self.center = center

    def __call__(self, K):
        if not self.center:
            return K
        return K - self.columns - K.mean(axis=1)[:, np.newaxis] + self.mean


def evaluates_kernel(method):
    """Returns the check of a method that needs k(x, x). The library has no k(x, x) for precomputed or callable kernels."""

    def check(estimator):
        if callable(estimator.kernel) or estimator.kernel == "precomputed":
            raise AttributeError(f"{method}() needs a kernel that the library evaluates, not a given matrix or a function")
        return True

    return check
