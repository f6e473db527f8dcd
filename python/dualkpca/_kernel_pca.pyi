"""Types of the estimator. _kernel_pca.py documents it."""
from collections.abc import Callable
from os import PathLike
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix, spmatrix
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from typing_extensions import Self

_Floats = NDArray[np.floating[Any]]
_Rows = Union[ArrayLike, spmatrix]

class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    # Attributes of a fitted estimator
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]  # only if the columns had names
    eigenvalues_: _Floats
    eigenvectors_: _Floats
    explained_variance_ratio_: NDArray[np.float64]
    support_: NDArray[np.int64]
    gamma_: float
    n_iter_: int
    solver_: str
    status_: Literal["converged", "iteration_limit", "time_limit", "stopped"]
    converged_: bool
    eta_: float
    eta_kind_: Literal["estimated", "certified", "stationary"]
    history_: NDArray[np.float64]
    t2_limit_: float  # not with a precomputed kernel or a function, nor with limits "none"
    spe_limit_: float  # as t2_limit_
    dual_coef_: _Floats  # only with fit_inverse_transform and preimage "sklearn"
    X_transformed_fit_: _Floats  # as dual_coef_

    def __init__(
        self,
        n_components: int | float | None = None,
        *,
        kernel: Literal[
            "linear",
            "poly",
            "rbf",
            "sigmoid",
            "cosine",
            "laplace",
            "laplacian",
            "matern32",
            "matern52",
            "precomputed",
        ]
        | Callable[..., Any] = "linear",
        gamma: float | Literal["auto", "scale", "median"] | None = None,
        degree: int = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: Literal["auto", "dense", "arpack", "randomized"] = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | Literal["auto"] = "auto",
        remove_zero_eig: bool = False,
        random_state: int | np.random.RandomState | None = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        loss: Literal["square", "huber", "epsilon_insensitive"] = "square",
        norm: Literal["rows", "entries", "frobenius"] = "rows",
        kappa: float | None = None,
        kappa_ratio: float | None = None,
        epsilon: float | None = None,
        sparsity: float | None = None,
        center: bool = True,
        accuracy: Literal["estimated", "certified"] = "estimated",
        memory: str | int | None = None,
        precision: Literal["auto", "float32", "float64"] = "auto",
        solver: Literal[
            "auto", "krylov", "nystrom", "lbfgs", "panoc", "dca", "dense", "lanczos", "rsvd"
        ] = "auto",
        scale: Literal["none", "standard", "robust", "minmax"] = "none",
        lags: int = 0,
        landmarks: int | None = None,
        time_limit: float | None = None,
        preimage: Literal["sklearn", "auto", "ridge", "fixed_point", "distance", "linear"] = "sklearn",
        limits: Literal["none", "auto", "cv", "training", "chi2", "weighted_chi2"] = "training",
        level: float = 0.99,
        verbose: int = 0,
    ) -> None: ...
    def fit(self, X: _Rows, y: object = None) -> Self: ...
    def fit_transform(self, X: _Rows, y: object = None) -> _Floats: ...
    def transform(self, X: _Rows) -> _Floats: ...
    def inverse_transform(self, X: _Rows) -> _Floats: ...
    def denoise(self, X: ArrayLike, noise: float | Literal["auto"] = "auto") -> _Floats: ...
    def monitor(self, X: _Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def score_samples(self, X: _Rows) -> NDArray[np.float64]: ...
    def is_outlier(self, X: _Rows) -> NDArray[np.bool_]: ...
    def contributions(self, X: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    @property
    def dual_variables_(self) -> NDArray[np.float64]: ...
    @property
    def row_weights_(self) -> NDArray[np.float64]: ...  # only after a robust or sparse fit
    @property
    def t2_(self) -> NDArray[np.float64]: ...  # not with a precomputed kernel or a function
    @property
    def spe_(self) -> NDArray[np.float64]: ...  # as t2_
    @property
    def report_(self) -> dict[str, Any]: ...
    @property
    def X_fit_(self) -> _Floats | csr_matrix: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self: ...
