"""The estimator: scikit-learn's KernelPCA in names, meaning and habits, the C++ library in what it does."""
import inspect
import json
import os
import sys
import warnings
from numbers import Integral, Real

import numpy as np
from scipy import linalg, sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils._param_validation import Interval, StrOptions, validate_parameter_constraints
from sklearn.utils.validation import check_array, check_is_fitted

from dualkpca._compat import validate_data
from dualkpca._core import Model
from dualkpca._kernels import AsymmetricCentring, CallableKernel, blocks, is_symmetric
from dualkpca._progress import Progress, say

KERNELS = {"linear", "poly", "rbf", "sigmoid", "cosine", "laplace", "laplacian", "matern32", "matern52", "precomputed"}
SOLVERS = {"auto", "krylov", "nystrom", "lbfgs", "panoc", "dca", "dense", "lanczos", "rsvd"}
# eigen_solver; arpack stands for "iterate to tol", which the library does with whatever suits the kernel.
SOLVER_OF = {"auto": "auto", "dense": "dense", "arpack": "auto", "randomized": "rsvd"}
SMALLEST = np.finfo(np.float64).tiny  # stands for 0 where the library wants a positive number
FEW_ROWS = 500  # up to which float32 saves nothing


def evaluates_kernel(method):
    """For methods that need k(x, x), which neither a given matrix nor a function of pairs tells the library."""

    def check(estimator):
        if callable(estimator.kernel) or estimator.kernel == "precomputed":
            raise AttributeError(f"{method}() needs a kernel that the library evaluates, not a given matrix or a function")
        return True

    return check


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Kernel PCA through its dual, plain, robust or sparse.

    scikit-learn's KernelPCA in names and meaning, on a C++ library that solves the dual of Tonin, Lambert, Patrinos and
    Suykens (ICML 2023) by a few products with the Gram matrix, of which half is stored, or none where landmarks do.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of components, at most n_samples; a number between 0 and 1 is the share of the variance that they shall
        explain. None keeps all that are not zero; 2 with a loss other than square.
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplace', 'laplacian', 'matern32', 'matern52', \
            'precomputed'} or callable, default='linear'
        k(x, y). A callable takes two rows and gives a number, as in scikit-learn, or takes two blocks of rows and gives
        the matrix of all pairs, which is far faster; which of the two is found out by asking it.
    gamma : float, {'auto', 'scale', 'median'} or None, default=None
        Width of the kernel. None and 'auto' are 1/n_features; 'median' is 1 / the median squared distance.
    degree : int, default=3
        Of kernel poly.
    coef0 : float, default=1
        Of kernels poly and sigmoid.
    kernel_params : dict or None, default=None
        Keyword arguments of a callable kernel.
    alpha : float, default=1.0
        Ridge of the inverse transform with ``preimage='sklearn'``.
    fit_inverse_transform : bool, default=False
        Learn the way back from scores to rows.
    eigen_solver : {'auto', 'dense', 'arpack', 'randomized'}, default='auto'
        'dense' is LAPACK, 'randomized' a randomized SVD with scikit-learn's number of power iterations. 'auto' and
        'arpack' choose what reaches tol fastest.
    tol : float, default=0
        Stop when the relative error `eta_` is at most this. 0: as small as rounding allows.
    max_iter : int or None, default=None
        Most iterations; None is 1000.
    iterated_power : int or 'auto', default='auto'
        Power iterations of 'randomized'.
    remove_zero_eig : bool, default=False
        Leave out components whose eigenvalue is zero.
    random_state : int, RandomState or None, default=None
        Of the random start. None is the same start every time.
    copy_X : bool, default=True
        Copy the rows that a callable kernel needs later. Other kernels have their own.
    n_jobs : int or None, default=None
        Threads. None leaves it to OpenMP (OMP_NUM_THREADS), -1 is all processors.
    loss : {'square', 'huber', 'epsilon_insensitive'}, default='square'
        'huber' is robust: rows far out count less. 'epsilon_insensitive' is sparse: the model holds few rows.
    norm : {'rows', 'entries', 'frobenius'}, default='rows'
        What the loss clips or shrinks.
    kappa, kappa_ratio : float or None, default=None
        Of 'huber': where rows are clipped, as a size or as a share of the largest. None is a ratio of 0.05.
    epsilon, sparsity : float or None, default=None
        Of 'epsilon_insensitive': sizes up to epsilon become zero, or the share of rows that shall. None is 0.5 of them.
    center : bool, default=True
        Centre the features.
    accuracy : {'estimated', 'certified'}, default='estimated'
        Of `eta_`: 'certified' is a bound with a proof.
    memory : str, int or None, default=None
        Budget such as '8G'; None is what is available. A fit that does not fit says so before it starts.
    precision : {'auto', 'float32', 'float64'}, default='auto'
        Of the Gram matrix. 'auto': float32 if tol >= 1e-5, or if tol is 0 and X is float32 with more than 500 rows.
    solver : {'auto', 'krylov', 'nystrom', 'lbfgs', 'panoc', 'dca', 'dense', 'lanczos', 'rsvd'}, default='auto'
        The library's own names; overrides `eigen_solver`.
    scale : {'none', 'standard', 'robust', 'minmax'}, default='none'
        Scaling of the columns, kept with the model.
    lags : int, default=0
        Of a series: rows before each that belong to its sample. n rows are then n - lags samples.
    landmarks : int or None, default=None
        Most landmarks of solver nystrom, or rows of a sparse model's centre.
    time_limit : float or None, default=None
        Seconds after which the best solution so far is kept.
    preimage : {'sklearn', 'auto', 'ridge', 'fixed_point', 'distance', 'linear'}, default='sklearn'
        The way back. 'sklearn' gives scikit-learn's numbers; 'auto' errs far less.
    limits : {'training', 'cv', 'auto', 'chi2', 'weighted_chi2', 'none'}, default='training'
        Where the limits of T2 and SPE come from: 'cv' is better and takes two or three more fits.
    level : float, default=0.99
        Share of ordinary rows below each limit.
    verbose : int, default=0
        1 writes the memory plan, progress and a summary to stderr.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Of the centred kernel matrix, descending.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        Unit columns; zero where the eigenvalue is. Not of a model file of few rows.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Eigenvalues over the trace of the centred kernel matrix.
    gamma_ : float
        The number used.
    dual_variables_ : ndarray of shape (n_samples, n_components)
        H, the solution of the dual.
    support_ : ndarray of int
        Rows of H that are not zero, or the landmarks.
    row_weights_ : ndarray of shape (n_samples,)
        Of losses other than square: 1 for rows that were left alone.
    eta_, eta_kind_ : float, str
        The error and what it is: 'estimated', 'certified' or 'stationary'.
    n_iter_, converged_, status_, solver_ : int, bool, str, str
        How the fit went.
    history_ : ndarray of shape (k, 2)
        Iterations and eta on the way.
    t2_, spe_ : ndarray of shape (n_samples,)
        T2 and SPE of the training rows.
    t2_limit_, spe_limit_ : float
        Their limits.
    dual_coef_, X_transformed_fit_ : ndarray
        Of the inverse transform with ``preimage='sklearn'``.
    X_fit_ : ndarray or sparse matrix
        The training rows that the model holds.
    report_ : dict
        Everything the library reports, as in the JSON file of the command.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dualkpca import KernelPCA
    >>> X, _ = load_iris(return_X_y=True)
    >>> pca = KernelPCA(n_components=2, kernel="rbf", gamma="median").fit(X)
    >>> pca.transform(X[:3]).shape
    (3, 2)
    >>> pca.explained_variance_ratio_.round(2)
    array([0.58, 0.21])

    Robust, and sparse:

    >>> robust = KernelPCA(n_components=2, kernel="rbf", gamma="median", loss="huber", kappa_ratio=0.5).fit(X)
    >>> bool(robust.row_weights_.min() < 1)
    True
    >>> sparse = KernelPCA(n_components=2, kernel="rbf", gamma="median", loss="epsilon_insensitive", sparsity=0.9).fit(X)
    >>> round(1 - len(sparse.support_) / len(X), 1)
    0.9
    """

    _parameter_constraints = {
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

    def __init__(
        self,
        n_components=None,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        alpha=1.0,
        fit_inverse_transform=False,
        eigen_solver="auto",
        tol=0,
        max_iter=None,
        iterated_power="auto",
        remove_zero_eig=False,
        random_state=None,
        copy_X=True,
        n_jobs=None,
        loss="square",
        norm="rows",
        kappa=None,
        kappa_ratio=None,
        epsilon=None,
        sparsity=None,
        center=True,
        accuracy="estimated",
        memory=None,
        precision="auto",
        solver="auto",
        scale="none",
        lags=0,
        landmarks=None,
        time_limit=None,
        preimage="sklearn",
        limits="training",
        level=0.99,
        verbose=0,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.loss = loss
        self.norm = norm
        self.kappa = kappa
        self.kappa_ratio = kappa_ratio
        self.epsilon = epsilon
        self.sparsity = sparsity
        self.center = center
        self.accuracy = accuracy
        self.memory = memory
        self.precision = precision
        self.solver = solver
        self.scale = scale
        self.lags = lags
        self.landmarks = landmarks
        self.time_limit = time_limit
        self.preimage = preimage
        self.limits = limits
        self.level = level
        self.verbose = verbose

    # Fitting

    def fit(self, X, y=None):
        """Learn the components of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows, or with ``kernel='precomputed'`` the kernel matrix.
        y : Ignored

        Returns
        -------
        self : KernelPCA

        Raises
        ------
        ValueError, MemoryError, KeyboardInterrupt
            Slow convergence is a ConvergenceWarning, and the best solution is kept.
        """
        self._validate_changed_params()
        precomputed = self._is_precomputed()
        if self.fit_inverse_transform and precomputed:
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
        if self.fit_inverse_transform and sparse.issparse(X):
            raise ValueError("fit_inverse_transform: there are no pre-images of sparse rows; give the rows dense")
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        if sparse.issparse(X) and X.shape[1] > np.iinfo(np.int32).max:
            raise ValueError(f"X has {X.shape[1]} columns; of sparse rows there may be {np.iinfo(np.int32).max}")
        kernel = CallableKernel(self.kernel, self.kernel_params, X, self.n_jobs) if callable(self.kernel) else None
        model = Model(self._keywords(X))
        progress = Progress() if self.verbose else None
        try:
            asymmetric, history = self._fit_model(model, kernel.matrix(X) if kernel else X, progress)
            if self.fit_inverse_transform and not kernel:
                self._fit_inverse(model, X, progress)
        finally:
            if progress:
                progress.close()
        self._forget()
        self._model = model
        self._callable = kernel
        self._asymmetric = asymmetric
        self._X_fit = (X.copy() if self.copy_X else X) if kernel else None
        numbers = model.numbers()
        self._take_attributes(X.dtype, numbers)
        self.history_ = joined_history(history, self.n_iter_, self.eta_)
        if self.fit_inverse_transform:
            self._keep_inverse(X)
        self._tell(numbers["message"])
        return self

    def fit_transform(self, X, y=None):
        """Learn the components of X and give the scores of its rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : Ignored

        Returns
        -------
        X_new : ndarray of shape (n_samples, n_components)
        """
        self.fit(X, y)
        return self._model.scores(self._dtype)[:, : self._n_features_out]

    def _validate_changed_params(self):
        """As scikit-learn does, but of what differs from the defaults: checking all takes longer than a small fit."""
        changed = {name: getattr(self, name) for name, value in DEFAULTS.items() if getattr(self, name) is not value}
        validate_parameter_constraints(self._parameter_constraints, changed, caller_name=type(self).__name__)

    def _is_precomputed(self):
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _keywords(self, X):
        """The parameters as the library names them."""
        n_samples = max(0, X.shape[0] - self.lags)
        return {
            "n_components": self._wanted_components(n_samples, X.shape[1] * (self.lags + 1)),
            "kernel": "precomputed" if callable(self.kernel) else self.kernel,
            "gamma": max(float(self.gamma), SMALLEST) if isinstance(self.gamma, Real) else self.gamma,
            "degree": int(self.degree),
            "coef0": float(self.coef0),
            "center": bool(self.center),
            "scale": self.scale,
            "lags": int(self.lags),
            "loss": self.loss,
            "norm": self.norm,
            "kappa": self.kappa,
            "kappa_ratio": self.kappa_ratio,
            "epsilon": self.epsilon,
            "sparsity": self.sparsity,
            "solver": self._wanted_solver(n_samples),
            "tol": float(self.tol),
            "accuracy": self.accuracy,
            "max_iter": self.max_iter,
            "time_limit": self.time_limit,
            "landmarks": self.landmarks,
            "power_iterations": self._power_iterations(n_samples),
            "seed": self._seed(),
            "memory": self.memory,
            "precision": self._wanted_precision(X),
            "threads": self._threads(),
            "limits": self._wanted_limits(),
            "level": float(self.level),
        }

    def _wanted_components(self, n_samples, n_features):
        if self.n_components is None and self.loss != "square":
            return min(2, max(1, n_samples))  # as the command; all of them would take for ever
        if self.n_components is None:
            # Two kernels whose rank is known; the others can have as many components as there are rows.
            few = isinstance(self.kernel, str) and self.kernel in ("linear", "cosine")
            return max(1, min(n_samples, n_features) if few else n_samples)
        if isinstance(self.n_components, Integral):
            return int(min(self.n_components, max(1, n_samples)))
        return float(self.n_components)

    def _wanted_solver(self, n_samples):
        if self.solver != "auto":
            return self.solver
        wanted = self.n_components
        many = wanted is None or (isinstance(wanted, Integral) and 2 * wanted > n_samples)
        # With most of the components there is nothing to be saved.
        return "auto" if many and self.loss == "square" else SOLVER_OF[self.eigen_solver]

    def _power_iterations(self, n_samples):
        """Of randomized, as many as in scikit-learn; solver="rsvd" goes on until tol is met."""
        if self.iterated_power != "auto":
            return int(self.iterated_power)
        if self.solver != "auto" or self.eigen_solver != "randomized" or self.tol > 0:
            return None
        few = isinstance(self.n_components, Integral) and self.n_components < 0.1 * n_samples
        return 7 if few else 4

    def _wanted_limits(self):
        if self._is_precomputed() or callable(self.kernel):
            return "none"
        if self.n_components is None and self.limits == "training":
            return "none"  # nothing is outside of all components
        return self.limits

    def _wanted_precision(self, X):
        if self.precision != "auto" or self.tol > 0:
            return self.precision
        return "float32" if X.dtype == np.float32 and X.shape[0] > FEW_ROWS else "float64"

    def _seed(self):
        if self.random_state is None:
            return 0  # a fit comes out the same every time unless it is asked not to
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _threads(self):
        """n_jobs as scikit-learn counts: -1 is all processors, -2 all but one; None leaves it to OpenMP."""
        if self.n_jobs is None or self.n_jobs == -1:
            return 0
        if self.n_jobs == 0:
            raise ValueError("n_jobs == 0 has no meaning")
        processors = len(os.sched_getaffinity(0))
        return min(self.n_jobs, 4 * processors) if self.n_jobs > 0 else max(1, processors + 1 + self.n_jobs)

    def _fit_model(self, model, X, progress):
        """Fits rows or a kernel matrix. Returns how to centre the latter if it is not symmetric, and the history."""
        if not (self._is_precomputed() or callable(self.kernel)):
            return None, self._fit_rows(model, as_rows(X), progress)
        K = X.toarray() if sparse.issparse(X) else X
        try:
            return None, self._fit_rows(model, K, progress)
        except ValueError:
            if K.shape[0] != K.shape[1] or is_symmetric(K):
                raise
        asymmetric = AsymmetricCentring(K, self.center)
        centred = asymmetric(K)
        if not is_symmetric(centred):
            warn("the kernel matrix is not symmetric, also when centred: the fit is of its symmetric part", UserWarning)
        return asymmetric, self._fit_rows(model, (centred + centred.T) / 2, progress)

    def _fit_rows(self, model, rows, progress):
        if self.verbose:
            say(model.plan(rows))
        return model.fit(rows, progress)

    def _forget(self):
        """What only some fits learn must not stay from an earlier one."""
        for name in ("dual_coef_", "X_transformed_fit_", "t2_limit_", "spe_limit_", "_statistics"):
            self.__dict__.pop(name, None)

    def _take_attributes(self, dtype, numbers):
        """What a fitted model tells, as attributes."""
        eigenvalues = numbers["eigenvalues"]
        count = len(eigenvalues)
        if self.remove_zero_eig or self.n_components is None:
            count = int(np.count_nonzero(eigenvalues > 0))
        self._dtype = np.dtype(dtype).name
        self._width = len(eigenvalues)
        self.eigenvalues_ = eigenvalues[:count].astype(dtype, copy=False)
        self.explained_variance_ratio_ = numbers["explained_variance_ratio"][:count]
        for name in ("eigenvectors_", "_dual_variables"):
            self.__dict__.pop(name, None)
        scores = self._model.scores(self._dtype)
        if len(scores):  # the file of a model of few rows has none
            self.eigenvectors_ = unit_columns(scores[:, :count], self.eigenvalues_)
        if numbers["is_landmark_model"] and len(scores):  # nor these, which are the scores then
            self._dual_variables = self._model.dual_variables()
        self.support_ = self._model.support()
        if isinstance(self.gamma, Real):
            self.gamma_ = self.gamma
        elif numbers["gamma"] is not None:
            self.gamma_ = numbers["gamma"]
        else:
            self.gamma_ = 1 / self.n_features_in_
        self.n_iter_ = max(1, numbers["iterations"])
        self.solver_ = numbers["solver"]
        self.status_ = numbers["status"]
        self.converged_ = numbers["status"] == "converged"
        self.eta_ = numbers["eta"]
        self.eta_kind_ = numbers["eta_kind"]
        if "limits" in numbers:
            self.t2_limit_, self.spe_limit_ = numbers["limits"]

    def _tell(self, message):
        """Warns of a fit that was cut short, and with verbose says how it went."""
        if self.verbose:
            say(self._model.summary())
        given_power = self.solver_ == "rsvd" and (self.iterated_power != "auto" or self.solver == "auto")
        if self.converged_ or (given_power and self.tol == 0):
            return
        text = f"the fit ended with status {self.status_} after {self.n_iter_} iterations, at eta {self.eta_:.2g}"
        if self.tol > 0:
            text += f", above tol {self.tol:g}"
        if message:
            text += f": {message}"
        warn(text, ConvergenceWarning)

    # Projecting

    def transform(self, X):
        """Scores of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        X_new : ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        dtype = X.dtype.name
        if self._callable is None and self._asymmetric is None:
            return self._model.transform(as_rows(X), dtype, self._threads())[:, : self._n_features_out]
        parts = [self._model.transform(self._kernel_values(X[rows]), dtype, self._threads())
                 for rows in blocks(X.shape[0], self._model.numbers()["n_samples"])]
        return np.vstack(parts)[:, : self._n_features_out]

    def _kernel_values(self, X):
        """Between rows and the training rows, of kernels that the library does not evaluate."""
        K = self._callable.matrix(X, self._X_fit) if self._callable else X
        if sparse.issparse(K):
            K = K.toarray()
        return np.ascontiguousarray(self._asymmetric(K) if self._asymmetric else K)

    # Coming back

    def inverse_transform(self, X):
        """Rows of scores.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)

        Returns
        -------
        X_original : ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        if not (self.fit_inverse_transform or self._model.has_inverse()):
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and hence "
                "the inverse transform is not available."
            )
        X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
        X = X.toarray() if sparse.issparse(X) else X
        if self._callable:
            return self._callable.matrix(X, self.X_transformed_fit_) @ self.dual_coef_
        if X.shape[1] not in (self._n_features_out, self._width):
            raise ValueError(f"X has {X.shape[1]} columns; the model has {self._n_features_out} components")
        if X.shape[1] == self._n_features_out < self._width:  # components that are zero were left out
            X = np.hstack([X, np.zeros((X.shape[0], self._width - X.shape[1]), dtype=X.dtype)])
        return self._model.inverse_transform(X, X.dtype.name, self._threads())

    @available_if(evaluates_kernel("denoise"))
    def denoise(self, X, noise="auto"):
        """Rows without what the components do not describe.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        noise : float or 'auto', default='auto'
            Standard deviation of the noise, in units of the scaled columns; 'auto' estimates it from X. The way back
            is then learnt from noisy rows, unless `preimage` names one that has nothing to learn.

        Returns
        -------
        X_clean : ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        if noise != "auto" and not (isinstance(noise, Real) and noise >= 0):
            raise ValueError(f"noise is {noise!r}; it must be 'auto' or a number that is not negative")
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        model = Model.from_model(self._model)
        # scikit-learn's way back has no mean and knows nothing of noise: rows are cleaned with ours.
        method = "auto" if self.preimage == "sklearn" else self.preimage
        takes_noise = self.kernel != "linear" and method in ("auto", "ridge")
        if takes_noise and noise == "auto":
            noise = model.noise_level(X)
        if (takes_noise and noise > 0) or not model.has_inverse() or self.preimage == "sklearn":
            keywords = {"method": method, "noise": float(noise) if takes_noise else 0.0, "seed": self._seed()}
            model.fit_inverse(keywords, self._threads())
        return model.denoise(X, X.dtype.name, self._threads())

    def _preimage_keywords(self):
        if self.preimage == "sklearn":
            return {"compatibility": "sklearn", "alpha": max(float(self.alpha), SMALLEST)}
        return {"method": self.preimage, "seed": self._seed()}

    def _fit_inverse(self, model, X, progress):
        holds_all = len(model.training_row_indices()) == model.numbers()["n_samples"]
        model.fit_inverse(self._preimage_keywords(), self._threads(), None if holds_all else X, progress)

    def _keep_inverse(self, X):
        """scikit-learn's attributes of the way back, where it is scikit-learn's."""
        scores = self._model.scores(self._dtype)[:, : self._n_features_out]
        if self._callable:
            K = self._callable.matrix(scores)
            K.flat[:: len(K) + 1] += self.alpha
            self.dual_coef_ = linalg.solve(K, X, assume_a="pos", overwrite_a=True)
            self.X_transformed_fit_ = scores
        elif self.preimage == "sklearn":
            self.dual_coef_ = self._model.inverse_coefficients().astype(self._dtype, copy=False)
            self.X_transformed_fit_ = scores

    # Monitoring

    @available_if(evaluates_kernel("monitor"))
    def monitor(self, X):
        """T2 and SPE of rows: how far out they are along the components, and how far from them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        t2, spe : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return self._model.monitor(as_rows(X), self._threads())

    @available_if(evaluates_kernel("score_samples"))
    def score_samples(self, X):
        """-SPE: the higher, the more a row is like the training rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        return -self.monitor(X)[1]

    @available_if(evaluates_kernel("is_outlier"))
    def is_outlier(self, X):
        """True where T2 or SPE is above its limit.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        outlier : ndarray of bool of shape (n_samples,)
        """
        check_is_fitted(self)
        if not hasattr(self, "spe_limit_"):
            raise NotFittedError("there are no limits of T2 and SPE: fit with n_components, and limits other than 'none'")
        t2, spe = self.monitor(X)
        return (t2 > self.t2_limit_) | (spe > self.spe_limit_)

    @available_if(evaluates_kernel("contributions"))
    def contributions(self, X):
        """What each column adds to T2 and SPE of rows, beside those of an ordinary row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        t2, spe : ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return self._model.contributions(X, self._threads())

    # What was done

    @property
    def t2_(self):
        """T2 of the training rows."""
        return self._training_statistics()[0]

    @property
    def spe_(self):
        """SPE of the training rows."""
        return self._training_statistics()[1]

    def _training_statistics(self):
        """T2 and SPE of the training rows; an AttributeError where nobody knows them."""
        if "_model" not in self.__dict__:
            raise AttributeError("t2_ and spe_ are known after fit")
        if "_statistics" in self.__dict__:
            return self._statistics
        t2, spe = self._model.training_statistics()
        if self._is_precomputed() or callable(self.kernel) or len(t2) == 0:
            raise AttributeError("t2_ and spe_ are unknown: of a given kernel matrix, or of a model file of few rows")
        return t2, spe

    # A sparse model holds few rows of these, and may be of any number of rows: they are made when they are asked for.

    @property
    def dual_variables_(self):
        """The solution of the dual problem."""
        H = self.__dict__.get("_dual_variables")
        if H is None and "_model" in self.__dict__:
            H = self._model.dual_variables()
        if H is None or not len(H):
            raise AttributeError("dual_variables_ are known after fit, and not to a landmark model from a file")
        return H[:, : self._n_features_out]

    @property
    def row_weights_(self):
        """How much each training row counts in a robust or sparse fit."""
        weights = self._model.row_weights() if "_model" in self.__dict__ else ()
        if not len(weights):
            raise AttributeError("row_weights_ are known after a fit with loss huber or epsilon_insensitive")
        return weights

    @property
    def report_(self):
        """Everything the library reports of the fit."""
        check_is_fitted(self)
        return json.loads(self._model.report_json())

    @property
    def X_fit_(self):
        """The training rows that the model holds."""
        check_is_fitted(self)
        if self._X_fit is not None:
            return self._X_fit
        rows = self._model.training_rows()
        rows = sparse.csr_matrix(rows[:3], shape=rows[3]) if isinstance(rows, tuple) else rows
        return rows.astype(self._dtype, copy=False)

    @property
    def _n_features_out(self):
        return self.eigenvalues_.shape[0]

    # Keeping

    def save(self, path):
        """Write a model file, which the command and C++ programs read.

        Parameters
        ----------
        path : str or path-like
        """
        check_is_fitted(self)
        if self._callable or self._asymmetric:
            raise ValueError("a model file cannot hold a kernel that is a Python function or not symmetric: pickle it")
        self._model.save(os.fspath(path))

    @classmethod
    def load(cls, path):
        """The estimator of a model file, whoever wrote it.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        estimator : KernelPCA
        """
        model = Model.load(os.fspath(path))
        estimator = cls(**model.keywords())
        numbers = model.numbers()
        precomputed = estimator._is_precomputed()
        estimator.n_features_in_ = numbers["n_samples" if precomputed else "n_features"]
        estimator._model = model
        estimator._callable = estimator._asymmetric = estimator._X_fit = None
        estimator._take_attributes(np.float64, numbers)
        if model.has_inverse():
            estimator._take_inverse(model.inverse())
        return estimator

    def _take_inverse(self, inverse):
        """The way back that a model file holds, as parameters and attributes."""
        self.fit_inverse_transform = True
        self.preimage = inverse["method"]
        if inverse["compatibility"] == "sklearn":
            self.preimage = "sklearn"
            self.alpha = inverse["alpha"]
            self.dual_coef_ = self._model.inverse_coefficients()
            self.X_transformed_fit_ = self._model.scores(self._dtype)[:, : self._n_features_out]

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = state["_model"].to_bytes()
            holds_all = len(self._model.training_row_indices()) == self._model.numbers()["n_samples"]
            if not holds_all and hasattr(self, "t2_"):
                state["_statistics"] = self._training_statistics()  # which the bytes of such a model leave out
        return state

    def __setstate__(self, state):
        state = dict(state)
        if "_model" in state:
            state["_model"] = Model.from_bytes(state["_model"])
        if "dual_variables_" in state:  # of version 0.1.0, where these were no properties
            state["_dual_variables"] = state.pop("dual_variables_")
        state.pop("row_weights_", None)
        super().__setstate__(state)

    def _more_tags(self):  # scikit-learn before 1.6
        return {"preserves_dtype": [np.float64, np.float32], "pairwise": self._is_precomputed()}

    def __sklearn_tags__(self):  # and from there on
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._is_precomputed()
        return tags


DEFAULTS = {
    name: parameter.default
    for name, parameter in inspect.signature(KernelPCA.__init__).parameters.items()
    if name != "self"
}


def as_rows(X):
    """An array, or a CSR matrix as the library takes it: with sorted indices and no entry twice."""
    if not sparse.issparse(X):
        return X
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X.data, X.indices, X.indptr, X.shape


def warn(text, category):
    """Warns with the line of whoever called the estimator."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("dualkpca", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def joined_history(history, n_iter, eta):
    """Iterations and eta, with the end of the fit as the last row."""
    history = history[history[:, 0] < n_iter] if len(history) else np.empty((0, 2))
    return np.vstack([history, [[n_iter, eta]]])


def unit_columns(scores, eigenvalues):
    """Eigenvectors of scores; zero where the eigenvalue is."""
    lengths = np.sqrt(eigenvalues)
    return np.divide(scores, lengths, out=np.zeros_like(scores), where=lengths > 0)
