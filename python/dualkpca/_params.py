"""Translation of the parameters of the estimator to those of the library, and back.

The library has the list of its parameters (`fit_fields`). A fit fails if one of them is neither translated here nor a
parameter of the estimator.
"""
import os
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from dualkpca._core import fit_fields

# Solver of the library for each eigen_solver. arpack means "iterate to tol", for which the library chooses the solver.
SOLVER_OF = {"auto": "auto", "dense": "dense", "arpack": "auto", "randomized": "rsvd"}
SMALLEST = np.finfo(np.float64).tiny  # replaces 0 where the library needs a positive number
FEW_ROWS = 500  # largest number of rows for which float32 saves nothing
FIELDS = tuple(fit_fields())
LIBRARY_ONLY = ("oversampling", "gram", "folds")  # parameters that the estimator leaves at their defaults
# Fields of a model file that belong to the fit that made it, so the estimator of the file does not take them.
NOT_KEPT = ("power_iterations", "memory", "threads")


def library_keywords(estimator, X):
    """Returns the parameters of a fit under the names of the library's fields. None means the default."""
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
    """Returns the parameters of an estimator for the fields of a model."""
    keywords = {name: value for name, value in fields.items() if name not in LIBRARY_ONLY + NOT_KEPT}
    keywords["random_state"] = keywords.pop("seed")
    for name in ("time_limit", "landmarks"):
        keywords[name] = keywords[name] or None
    return keywords


def preimage_keywords(estimator):
    """Returns the parameters of the inverse transform under the names of the library's fields."""
    if estimator.preimage == "sklearn":
        return {"compatibility": "sklearn", "alpha": max(float(estimator.alpha), SMALLEST)}
    return {"method": estimator.preimage, "seed": seed(estimator)}


def is_precomputed(estimator):
    return isinstance(estimator.kernel, str) and estimator.kernel == "precomputed"


def wanted_components(estimator, n_samples, n_features):
    if estimator.n_components is None and estimator.loss != "square":
        return min(2, max(1, n_samples))  # the default of the command; all components would take too long
    if estimator.n_components is None:
        # These two kernels have at most n_features components; the others can have as many as there are rows.
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
    # A named solver saves nothing if most of the components are needed.
    return "auto" if many and estimator.loss == "square" else SOLVER_OF[estimator.eigen_solver]


def power_iterations(estimator, n_samples):
    """Returns the number of power iterations, for "randomized" that of scikit-learn; None means until tol is met."""
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
        return "none"  # all components leave no residual, so SPE is zero
    return estimator.limits


def wanted_precision(estimator, X):
    if estimator.precision != "auto" or estimator.tol > 0:
        return estimator.precision
    return "float32" if X.dtype == np.float32 and X.shape[0] > FEW_ROWS else "float64"


def seed(estimator):
    if estimator.random_state is None:
        return 0  # fits are reproducible by default
    if isinstance(estimator.random_state, Integral):
        return int(estimator.random_state)
    return int(check_random_state(estimator.random_state).randint(2**31 - 1))


def threads(estimator):
    """Returns the number of threads for n_jobs: -1 is all processors, -2 all but one; None leaves it to OpenMP (0)."""
    n_jobs = estimator.n_jobs
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning: give a positive number, a negative number or None")
    processors = len(os.sched_getaffinity(0))
    return min(n_jobs, 4 * processors) if n_jobs > 0 else max(1, processors + 1 + n_jobs)
