"""The solvers that the paper compares, timed on a ready G until the true eta is below each of several deltas.

Each runs with the loosest setting that meets delta; the search for the setting is not counted. A setting that serves
two deltas is run once for both.
"""
import copy
import dataclasses
import statistics
import time

import numpy as np

import dual
import eigensolvers
import released_lbfgs as released
from eigensolvers import OutOfTime

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

    @classmethod
    def of(cls, setting, runs):
        """Combines runs, each (seconds, eta, products)."""
        seconds, etas, products = zip(*runs)
        return cls(str(setting), list(seconds), list(etas), statistics.fmean(products))

    @property
    def mean(self):
        return statistics.fmean(self.seconds)

    @property
    def columns(self):
        """The columns of a table."""
        return {"setting": self.setting, "runs": len(self.seconds), "seconds": self.mean,
                "sd": statistics.stdev(self.seconds) if len(self.seconds) > 1 else 0.0, "products": self.products,
                "eta": float(max(self.etas))}


class Truth:
    """A ready G in memory and the sum of its s largest eigenvalues."""

    def __init__(self, G, s):
        self.G, self.s = G, s
        values = eigensolvers.arpack_values(G, s, 1e-10 if G.dtype == np.float64 else 1e-5)
        self.values = np.sort(values)[::-1]
        self.largest = float(values.sum())

    def fewer(self, s):
        """The same G with fewer components."""
        other = copy.copy(self)
        other.s, other.largest = s, float(self.values[:s].sum())
        return other

    def product(self, H):
        """GH in float64, whatever G is, computed a block of rows at a time."""
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
        return dual.eta(dual.value(H, self.product(H)), self.largest)


def loosest(settings, attempt, deltas, repeats, budget):
    """{delta: Timed} of the loosest settings that meet each delta with every seed.

    attempt(setting, seed) returns (seconds, eta, products). After `budget` seconds no further setting is tried, and a
    setting that serves is not run again.
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
                timed = Timed.of(setting, runs)
                found |= {delta: timed for delta in deltas if delta not in found and max(timed.etas) <= delta}
            if len(found) == len(deltas) or spent > budget:
                break
    except OutOfTime:
        pass
    return found


def lanczos(truth, deltas, repeats, timeout):
    """scipy's eigsh; the released script has a tolerance of 0."""
    def attempt(tolerance, seed):
        first = np.random.default_rng(seed).standard_normal(truth.G.shape[0]).astype(truth.G.dtype)
        return judged(truth, eigensolvers.arpack(truth.G, truth.s, tolerance, timeout, first))

    # With a tolerance below the rounding of float32 it would never end.
    reachable = [tolerance for tolerance in TOLERANCES if truth.G.dtype == np.float64 or tolerance >= 1e-6]
    return loosest(reachable, attempt, deltas, repeats, timeout)


def judged(truth, solved):
    return solved.seconds, truth.eta_of_vectors(solved.vectors), solved.products


def rsvd(truth, deltas, repeats, timeout):
    """scikit-learn's RSVD as in the paper: its number of power iterations, oversamples raised until delta is met."""
    def attempt(count, seed):
        return judged(truth, eigensolvers.randomized(truth.G, truth.s, timeout, n_oversamples=count, seed=seed))

    settings = [count for count in OVERSAMPLES if truth.s + count <= truth.G.shape[0]]
    return loosest(settings, attempt, deltas, repeats, timeout)


def rsvd_fewest(truth, deltas, repeats, timeout):
    """RSVD with 10 oversamples and the fewest power iterations that meet delta: fairer to it than the paper."""
    def attempt(powers, seed):
        return judged(truth, eigensolvers.randomized(truth.G, truth.s, timeout, n_iter=powers, seed=seed))

    return loosest(POWERS, attempt, deltas, repeats, timeout)


def released_lbfgs(truth, deltas, repeats, timeout):
    """The paper's solver as released. One run passes all deltas; a run that misses one is the last."""
    runs = {delta: [] for delta in deltas}
    began = time.perf_counter()
    for seed in range(repeats):
        if seed > 0 and time.perf_counter() - began > timeout:
            break
        met = released.run(truth.G, truth.s, truth.largest, deltas, seed, timeout)
        for delta, point in met.items():
            runs[delta].append((point.seconds, point.eta, point.products))
        if len(met) < len(deltas):
            break
    return {delta: Timed.of("oracle", found) for delta, found in runs.items() if found}


PEERS = {"Lanczos": lanczos, "RSVD": rsvd, "RSVD, fewest powers": rsvd_fewest, "L-BFGS as released": released_lbfgs}
