"""The paper's solver as released: scipy's L-BFGS-B on d(H) from a normal start, stopped by an oracle for eta.

The oracle checks every evaluated point, also inside a line search, and so stops as early as possible.
"""
import dataclasses
import time

import numpy as np
from scipy.optimize import minimize

import dual
from eigensolvers import OutOfTime, Product

OPTIONS = {"maxcor": 10, "gtol": 0, "ftol": 0, "maxiter": 10000, "maxfun": 10000}


class Reached(Exception):
    """The smallest delta is met."""


@dataclasses.dataclass
class Met:
    """The first point whose eta is at most some delta."""
    seconds: float
    eta: float
    products: int
    columns: int


def run(G, s, largest, deltas, seed, timeout):
    """Returns {delta: Met} of one run that passes all deltas; deltas not met in time are left out."""
    n, met, product = G.shape[0], {}, Product(G, timeout)

    def value_and_gradient(flat):
        H = flat.reshape(n, s)
        value, gradient = dual.value_and_gradient(H, product(H))
        eta = dual.eta(value, largest)
        for delta in deltas:
            if eta <= delta and delta not in met:
                met[delta] = Met(time.perf_counter() - start, eta, product.products, product.columns)
        if len(met) == len(deltas):
            raise Reached
        return value, gradient.ravel()

    H0 = np.random.default_rng(seed).standard_normal(n * s)
    start = time.perf_counter()
    try:
        minimize(value_and_gradient, H0, jac=True, method="L-BFGS-B", options=OPTIONS)
    except (Reached, OutOfTime):
        pass
    return met
