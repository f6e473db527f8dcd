"""The parameters of the estimator as the library names and understands them, and back.

The library has the list of its parameters (`fit_fields`). A fit fails if one of them is neither translated here nor a
parameter of the estimator.
"""
import os
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from dualkpca._core import fit_fields

# eigen_solver; arpack stands for "iterate to tol", which the library does with whatever suits the kernel.
SOLVER_OF = {"auto": "auto", "dense": "dense", "arpack": "auto", "randomized": "rsvd"}
SMALLEST = np.finfo(np.float64).tiny  # stands for 0 where the library wants a positive number
FEW_ROWS = 500  # up to which float32 saves nothing
FIELDS = tuple(fit_fields())
LIBRARY_ONLY = ("oversampling", "gram", "folds")  # the estimator leaves these at their defaults
NOT_KEPT = ("power_iterations", "memory", "threads")  # of a model file: they belong to the fit that made it


def library_keywords(estimator, X):
    """What the library is asked for, by the names of its fields; None is the default."""
    n_samples = max(0, X.shape[0] - estimator.lags)
    gamma = estimator.gamma
    keywords = dict.fromkeys(LIBRARY_ONLY)
    keywords |= {
        "n_components": wanted_components(estimator, n_samples, X.shape[1] * (estimator.lags + 1)),
        "kernel": "precomputed" if callable(estimator.kernel) else estimator.kernel,
        "gamma": max(float(gamma), SMALLEST) if isinstance(gamma, Real) else gamma,
        "degree": int(estimator.degree),
        "coef0": float(estimator.coef0),
        "center": bool(estimator.center),
        "lags": int(estimator.lags),
        "solver": wanted_solver(estimator, n_samples),
        "tol": float(estimator.tol),
        "power_iterations": power_iterations(estimator, n_samples),
        "seed": seed(estimator),
        "precision": wanted_precision(estimator, X),
        "threads": threads(estimator),
        "limits": wanted_limits(estimator),
        "level": float(estimator.level),
    }
    return {name: keywords[name] if name in keywords else getattr(estimator, name) for name in FIELDS}


def estimator_keywords(fields):
    """The parameters of an estimator with the fields of a model."""
    keywords = {name: value for name, value in fields.items() if name not in LIBRARY_ONLY + NOT_KEPT}
    keywords["random_state"] = keywords.pop("seed")
    for name in ("time_limit", "landmarks"):
        keywords[name] = keywords[name] or None
    return keywords


def preimage_keywords(estimator):
    """Likewise of the inverse transform that `preimage` names."""
    if estimator.preimage == "sklearn":
        return {"compatibility": "sklearn", "alpha": max(float(estimator.alpha), SMALLEST)}
    return {"method": estimator.preimage, "seed": seed(estimator)}


def is_precomputed(estimator):
    return isinstance(estimator.kernel, str) and estimator.kernel == "precomputed"


def wanted_components(estimator, n_samples, n_features):
    if estimator.n_components is None and estimator.loss != "square":
        return min(2, max(1, n_samples))  # as the command; all of them would take for ever
    if estimator.n_components is None:
        # Two kernels whose rank is known; the others can have as many components as there are rows.
        few = isinstance(estimator.kernel, str) and estimator.kernel in ("linear", "cosine")
        return max(1, min(n_samples, n_features) if few else n_samples)
    if isinstance(estimator.n_components, Integral):
        return int(min(estimator.n_components, max(1, n_samples)))
    return float(estimator.n_components)


def wanted_solver(estimator, n_samples):
    if estimator.solver != "auto":
        return estimator.solver
    wanted = estimator.n_components
    many = wanted is None or (isinstance(wanted, Integral) and 2 * wanted > n_samples)
    # With most of the components there is nothing to be saved.
    return "auto" if many and estimator.loss == "square" else SOLVER_OF[estimator.eigen_solver]


def power_iterations(estimator, n_samples):
    """Of randomized, as many as in scikit-learn; solver="rsvd" goes on until tol is met."""
    if estimator.iterated_power != "auto":
        return int(estimator.iterated_power)
    if estimator.solver != "auto" or estimator.eigen_solver != "randomized" or estimator.tol > 0:
        return None
    few = isinstance(estimator.n_components, Integral) and estimator.n_components < 0.1 * n_samples
    return 7 if few else 4


def wanted_limits(estimator):
    if is_precomputed(estimator) or callable(estimator.kernel):
        return "none"
    if estimator.n_components is None and estimator.limits == "training":
        return "none"  # nothing is outside of all components
    return estimator.limits


def wanted_precision(estimator, X):
    if estimator.precision != "auto" or estimator.tol > 0:
        return estimator.precision
    return "float32" if X.dtype == np.float32 and X.shape[0] > FEW_ROWS else "float64"


def seed(estimator):
    if estimator.random_state is None:
        return 0  # a fit comes out the same every time unless it is asked not to
    if isinstance(estimator.random_state, Integral):
        return int(estimator.random_state)
    return int(check_random_state(estimator.random_state).randint(2**31 - 1))


def threads(estimator):
    """n_jobs as scikit-learn counts: -1 is all processors, -2 all but one; None leaves it to OpenMP."""
    n_jobs = estimator.n_jobs
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    processors = len(os.sched_getaffinity(0))
    return min(n_jobs, 4 * processors) if n_jobs > 0 else max(1, processors + 1 + n_jobs)
