"""The types and ranges that the parameters of the estimator accept, in the form of scikit-learn."""
from numbers import Integral, Real

from sklearn.utils._param_validation import Interval, StrOptions

from dualkpca._params import SOLVER_OF

KERNELS = {"linear", "poly", "rbf", "sigmoid", "cosine", "laplace", "laplacian", "matern32", "matern52", "precomputed"}
SOLVERS = {"auto", "krylov", "nystrom", "lbfgs", "panoc", "dca", "dense", "lanczos", "rsvd"}

PARAMETER_CONSTRAINTS = {
    "n_components": [
        Interval(Integral, 1, None, closed="left"),
        Interval(Real, 0, 1, closed="neither"),
        None,
    ],
    "kernel": [StrOptions(KERNELS), callable],
    "gamma": [Interval(Real, 0, None, closed="left"), StrOptions({"auto", "scale", "median"}), None],
    "degree": [Interval(Integral, 1, 100, closed="both")],
    "coef0": [Interval(Real, None, None, closed="neither")],
    "kernel_params": [dict, None],
    "alpha": [Interval(Real, 0, None, closed="left")],
    "fit_inverse_transform": ["boolean"],
    "eigen_solver": [StrOptions(set(SOLVER_OF))],
    "tol": [Interval(Real, 0, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left"), None],
    "iterated_power": [Interval(Integral, 0, None, closed="left"), StrOptions({"auto"})],
    "remove_zero_eig": ["boolean"],
    "random_state": ["random_state"],
    "copy_X": ["boolean"],
    "n_jobs": [None, Integral],
    "loss": [StrOptions({"square", "huber", "epsilon_insensitive"})],
    "norm": [StrOptions({"rows", "entries", "frobenius"})],
    "kappa": [Interval(Real, 0, None, closed="neither"), None],
    "kappa_ratio": [Interval(Real, 0, 1, closed="right"), None],
    "epsilon": [Interval(Real, 0, None, closed="neither"), None],
    "sparsity": [Interval(Real, 0, 1, closed="neither"), None],
    "center": ["boolean"],
    "accuracy": [StrOptions({"estimated", "certified"})],
    "memory": [str, Interval(Integral, 1, None, closed="left"), None],
    "precision": [StrOptions({"auto", "float32", "float64"})],
    "solver": [StrOptions(SOLVERS)],
    "scale": [StrOptions({"none", "standard", "robust", "minmax"})],
    "lags": [Interval(Integral, 0, None, closed="left")],
    "landmarks": [Interval(Integral, 1, None, closed="left"), None],
    "time_limit": [Interval(Real, 0, None, closed="neither"), None],
    "preimage": [StrOptions({"sklearn", "auto", "ridge", "fixed_point", "distance", "linear"})],
    "limits": [StrOptions({"none", "auto", "cv", "training", "chi2", "weighted_chi2"})],
    "level": [Interval(Real, 0.5, 1, closed="left")],
    "verbose": ["verbose"],
}
