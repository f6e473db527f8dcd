"""Other solvers on a ready Gram matrix, each with the loosest setting whose result has a true eta of at most delta."""
import dataclasses
import time

import numpy as np
from scipy.optimize import minimize
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.utils.extmath import _randomized_eigsh

TOLERANCES = [1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-8, 0]
POWERS = list(range(0, 31))


@dataclasses.dataclass
class Found:
    setting: str
    seconds: float
    eta: float
    products: int
    columns: int


class OutOfTime(Exception):
    pass


class Product:
    """G times a block, counted, until the time is up."""

    def __init__(self, G, timeout):
        self.G, self.deadline = G, time.perf_counter() + timeout
        self.products = self.columns = 0

    def __call__(self, X):
        if time.perf_counter() > self.deadline:
            raise OutOfTime
        self.products += 1
        self.columns += 1 if X.ndim == 1 else X.shape[1]
        return self.G @ X.astype(self.G.dtype, copy=False)


def loosest(settings, attempt, delta, repeats):
    """The first setting that meets delta, and the fastest of several runs with it. None if there is none in time."""
    try:
        for setting in settings:
            found = attempt(setting)
            if found.eta <= delta:
                return min([found] + [attempt(setting) for _ in range(repeats - 1)], key=lambda one: one.seconds)
    except OutOfTime:
        pass
    return None


def lanczos(G, reference, delta, repeats, timeout):
    """scipy's eigsh: ARPACK's implicitly restarted Lanczos."""
    def attempt(tolerance):
        product = Product(G, timeout)
        operator = LinearOperator(G.shape, matvec=product, dtype=G.dtype)
        start = time.perf_counter()
        _, vectors = eigsh(operator, k=reference.s, which="LA", tol=tolerance)
        seconds = time.perf_counter() - start
        eta = reference.eta_of_vectors(vectors)
        return Found(f"tol={tolerance:g}", seconds, eta, product.products, product.columns)

    return loosest(TOLERANCES, attempt, delta, repeats)


def randomized(G, reference, delta, repeats, timeout, n_iter=None):
    """scikit-learn's randomized eigensolver; n_iter="auto" is its default, None the smallest that meets delta."""
    def attempt(power):
        start = time.perf_counter()
        _, vectors = _randomized_eigsh(G, n_components=reference.s, n_oversamples=10, n_iter=power, random_state=0)
        seconds = time.perf_counter() - start
        if seconds > timeout:
            raise OutOfTime
        iterations = (7 if reference.s < 0.1 * G.shape[0] else 4) if power == "auto" else power
        products = 2 * iterations + 2
        eta = reference.eta_of_vectors(vectors)
        return Found(f"n_iter={power}", seconds, eta, products, products * (reference.s + 10))

    if n_iter is not None:
        return loosest([n_iter], attempt, 1, repeats)
    return loosest(POWERS, attempt, delta, repeats)


class Reached(Exception):
    """The solution is good enough."""


def paper(G, reference, delta, repeats, timeout):
    """The paper's solver as released: L-BFGS-B on d(H) from a random start, told by an oracle when eta < delta.

    The oracle looks at every point that is evaluated, also inside a line search: as early as can be.
    """
    n, s = G.shape[0], reference.s

    def attempt(seed):
        product = Product(G, timeout)
        eta = float("inf")

        def value_and_gradient(flat):
            nonlocal eta
            H = flat.reshape(n, s)
            value, gradient = dual(H, product(H))
            eta = 1 - 2 * abs(min(value, 0.0)) / reference.largest
            if eta <= delta:
                raise Reached
            return value, gradient.ravel()

        H0 = np.random.default_rng(seed).standard_normal(n * s)
        start = time.perf_counter()
        try:
            minimize(value_and_gradient, H0, jac=True, method="L-BFGS-B",
                     options={"maxcor": 10, "gtol": 0, "ftol": 0, "maxiter": 10000, "maxfun": 10000})
        except Reached:
            pass
        return Found("oracle", time.perf_counter() - start, eta, product.products, product.columns)

    return loosest([0], attempt, delta, repeats)


def dual(H, GH):
    """d(H) = 1/2 |H|^2 - Tr sqrt(H'GH) and its gradient H - GH (H'GH)^{-1/2}, from one product."""
    GH = GH.astype(np.float64, copy=False)
    values, vectors = np.linalg.eigh(H.T @ GH)
    roots = np.sqrt(np.maximum(values, 0))
    inverse = np.where(values > 1e-12 * values[-1], 1 / np.maximum(roots, 1e-300), 0)
    gradient = H - GH @ ((vectors * inverse) @ vectors.T)
    return 0.5 * np.vdot(H, H) - roots.sum(), gradient
