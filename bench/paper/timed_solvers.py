"""The solvers that the paper compares, timed on a ready G until the true eta is below each of several deltas.

Each runs with the loosest setting that meets delta; what the search for the setting costs is not counted. A setting
that serves two deltas is run once for both.
"""
import copy
import dataclasses
import statistics
import time

import numpy as np
from scipy.optimize import minimize
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.utils.extmath import _randomized_eigsh

from peers import OutOfTime, Product, dual

TOLERANCES = [0.3, 0.1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 0]
OVERSAMPLES = [5, 10, 20, 40, 80, 160, 320, 640, 1280]
POWERS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 20]
BLOCK = 4000


@dataclasses.dataclass
class Timed:
    """Runs with one setting."""
    setting: str
    seconds: list
    etas: list
    products: float

    @property
    def mean(self):
        return statistics.fmean(self.seconds)

    @property
    def deviation(self):
        return statistics.stdev(self.seconds) if len(self.seconds) > 1 else 0.0


class Truth:
    """A ready G in memory and the sum of its s largest eigenvalues."""

    def __init__(self, G, s):
        self.G, self.s = G, s
        tolerance = 1e-10 if G.dtype == np.float64 else 1e-5
        start = np.random.default_rng(0).standard_normal(G.shape[0])
        operator = LinearOperator(G.shape, matvec=lambda x: G @ x.ravel().astype(G.dtype), dtype=np.float64)
        values = eigsh(operator, k=s, which="LA", tol=tolerance, ncv=min(G.shape[0], 4 * s + 20), v0=start,
                       return_eigenvectors=False)
        self.values = np.sort(values)[::-1]
        self.largest = float(values.sum())

    def fewer(self, s):
        """The same G with fewer components."""
        other = copy.copy(self)
        other.s, other.largest = s, float(self.values[:s].sum())
        return other

    def product(self, H):
        """In float64 whatever G is, a block of rows at a time."""
        if self.G.dtype == np.float64:
            return self.G @ H
        return np.concatenate([self.G[k:k + BLOCK].astype(np.float64) @ H for k in range(0, len(self.G), BLOCK)])

    def narrowed(self):
        """The same truth for solvers that get G in float32."""
        other = copy.copy(self)
        other.G = self.G.astype(np.float32)
        return other

    def eta_of_vectors(self, U):
        Q, _ = np.linalg.qr(np.asarray(U, dtype=np.float64))
        return 1 - np.vdot(Q, self.product(Q)) / self.largest

    def eta_of_dual(self, H):
        values = np.linalg.eigvalsh(H.T @ self.product(H))
        value = 0.5 * np.vdot(H, H) - np.sqrt(np.maximum(values, 0)).sum()
        return 1 - 2 * abs(min(value, 0.0)) / self.largest


def loosest(settings, attempt, deltas, repeats, budget):
    """{delta: Timed}: attempt(setting, seed) gives (seconds, eta, products); delta has to be met with every seed.

    After `budget` seconds no further setting is tried, and of one that serves no further run is made.
    """
    found, spent = {}, 0.0
    try:
        for setting in settings:
            runs = [attempt(setting, 0)]
            spent += runs[0][0]
            if runs[0][1] <= max(delta for delta in deltas if delta not in found):
                while len(runs) < repeats and spent < budget:
                    runs.append(attempt(setting, len(runs)))
                    spent += runs[-1][0]
                timed = Timed(str(setting), *map(list, list(zip(*runs))[:2]), statistics.fmean(run[2] for run in runs))
                found |= {delta: timed for delta in deltas if delta not in found and max(timed.etas) <= delta}
            if len(found) == len(deltas) or spent > budget:
                break
    except OutOfTime:
        pass
    return found


def lanczos(truth, deltas, repeats, timeout):
    """scipy's eigsh: ARPACK's implicitly restarted Lanczos; a tolerance of 0 is the released script's."""
    def attempt(tolerance, seed):
        product = Product(truth.G, timeout)
        operator = LinearOperator(truth.G.shape, matvec=product, dtype=truth.G.dtype)
        first = np.random.default_rng(seed).standard_normal(truth.G.shape[0]).astype(truth.G.dtype)
        start = time.perf_counter()
        _, vectors = eigsh(operator, k=truth.s, which="LA", tol=tolerance, v0=first)
        return time.perf_counter() - start, truth.eta_of_vectors(vectors), product.products

    # Below the rounding of float32 it would never end.
    reachable = [tolerance for tolerance in TOLERANCES if truth.G.dtype == np.float64 or tolerance >= 1e-6]
    return loosest(reachable, attempt, deltas, repeats, timeout)


def randomized(truth, deltas, repeats, timeout, settings, arguments):
    def attempt(setting, seed):
        given = {"n_oversamples": 10, "n_iter": "auto"} | arguments(setting)
        start = time.perf_counter()
        _, vectors = _randomized_eigsh(truth.G, n_components=truth.s, random_state=seed, **given)
        seconds = time.perf_counter() - start
        if seconds > timeout:
            raise OutOfTime
        powers = (7 if truth.s < 0.1 * truth.G.shape[0] else 4) if given["n_iter"] == "auto" else given["n_iter"]
        return seconds, truth.eta_of_vectors(vectors), 2 * powers + 2

    return loosest(settings, attempt, deltas, repeats, timeout)


def rsvd(truth, deltas, repeats, timeout):
    """As in the paper: scikit-learn's, with its number of power iterations, oversamples raised until delta is met."""
    settings = [count for count in OVERSAMPLES if truth.s + count <= truth.G.shape[0]]
    return randomized(truth, deltas, repeats, timeout, settings, lambda count: {"n_oversamples": count})


def rsvd_fewest(truth, deltas, repeats, timeout):
    """Fairer to it than the paper: 10 oversamples and the fewest power iterations that meet delta."""
    return randomized(truth, deltas, repeats, timeout, POWERS, lambda powers: {"n_iter": powers})


class Reached(Exception):
    """The smallest delta is met."""


def released_lbfgs(truth, deltas, repeats, timeout):
    """The paper's solver as released: scipy's L-BFGS-B on d(H) from a normal start, stopped by an oracle for eta.

    One run passes all deltas; the clock is read when the oracle sees each of them met.
    """
    n, s = truth.G.shape[0], truth.s
    runs = {delta: [] for delta in deltas}
    began = time.perf_counter()
    for seed in range(repeats):
        if seed > 0 and time.perf_counter() - began > timeout:
            break
        product = Product(truth.G, timeout)
        start = time.perf_counter()

        def value_and_gradient(flat):
            H = flat.reshape(n, s)
            value, gradient = dual(H, product(H))
            eta = 1 - 2 * abs(min(value, 0.0)) / truth.largest
            for delta in deltas:
                if eta <= delta and len(runs[delta]) == seed:
                    runs[delta].append((time.perf_counter() - start, eta, product.products))
            if all(len(met) > seed for met in runs.values()):
                raise Reached
            return value, gradient.ravel()

        H0 = np.random.default_rng(seed).standard_normal(n * s)
        start = time.perf_counter()
        try:
            minimize(value_and_gradient, H0, jac=True, method="L-BFGS-B",
                     options={"maxcor": 10, "gtol": 0, "ftol": 0, "maxiter": 10000, "maxfun": 10000})
        except Reached:
            continue
        except OutOfTime:
            pass
        break
    return {delta: Timed("oracle", *map(list, list(zip(*met))[:2]), statistics.fmean(run[2] for run in met))
            for delta, met in runs.items() if met}
