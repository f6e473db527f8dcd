"""Solvers of other projects on a Gram matrix in memory, with counted products, seconds and a time limit."""
import dataclasses
import time

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.utils.extmath import _randomized_eigsh


class OutOfTime(Exception):
    pass


class Product:
    """Multiplies G by a block and counts the products, until the time is up."""

    def __init__(self, G, timeout):
        self.G, self.deadline = G, time.perf_counter() + timeout
        self.products = self.columns = 0

    def __call__(self, X):
        if time.perf_counter() > self.deadline:
            raise OutOfTime
        self.products += 1
        self.columns += 1 if X.ndim == 1 else X.shape[1]
        return self.G @ X.astype(self.G.dtype, copy=False)


@dataclasses.dataclass
class Solved:
    vectors: np.ndarray
    seconds: float
    products: int
    columns: int


def arpack(G, s, tolerance, timeout, first=None, which="LA"):
    """Runs scipy's eigsh: ARPACK's implicitly restarted Lanczos, from the vector `first` or a random one."""
    product = Product(G, timeout)
    operator = LinearOperator(G.shape, matvec=product, dtype=G.dtype)
    start = time.perf_counter()
    _, vectors = eigsh(operator, k=s, which=which, tol=tolerance, v0=first)
    return Solved(vectors, time.perf_counter() - start, product.products, product.columns)


def arpack_values(G, s, tolerance):
    """Returns the s largest eigenvalues, from a fixed start and with a basis wide enough for small tolerances."""
    n = G.shape[0]
    operator = LinearOperator(G.shape, matvec=lambda x: G @ x.ravel().astype(G.dtype, copy=False), dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(n)
    return eigsh(operator, k=s, which="LA", tol=tolerance, ncv=min(n, 4 * s + 20), v0=start, return_eigenvectors=False)


def randomized(G, s, timeout=float("inf"), n_oversamples=10, n_iter="auto", seed=0):
    """Runs scikit-learn's randomized eigensolver; "auto" is its own number of power iterations."""
    start = time.perf_counter()
    _, vectors = _randomized_eigsh(G, n_components=s, n_oversamples=n_oversamples, n_iter=n_iter, random_state=seed)
    seconds = time.perf_counter() - start
    if seconds > timeout:
        raise OutOfTime
    powers = (7 if s < 0.1 * G.shape[0] else 4) if n_iter == "auto" else n_iter
    products = 2 * powers + 2
    return Solved(vectors, seconds, products, products * (s + n_oversamples))
