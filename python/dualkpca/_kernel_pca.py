"""The estimator: scikit-learn's KernelPCA in names, meaning and habits, the C++ library in what it does.

Here are its parameters. What its methods do is in the mixins, a module for each concern.
"""
import inspect
from numbers import Integral, Real

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._param_validation import Interval, StrOptions, validate_parameter_constraints

from dualkpca._compat import TagsMixin
from dualkpca._fitting import FittingMixin
from dualkpca._monitoring import MonitoringMixin
from dualkpca._params import SOLVER_OF
from dualkpca._projection import ProjectionMixin
from dualkpca._results import ResultsMixin
from dualkpca._storage import StorageMixin

KERNELS = {"linear", "poly", "rbf", "sigmoid", "cosine", "laplace", "laplacian", "matern32", "matern52", "precomputed"}
SOLVERS = {"auto", "krylov", "nystrom", "lbfgs", "panoc", "dca", "dense", "lanczos", "rsvd"}


class KernelPCA(
    FittingMixin,
    ProjectionMixin,
    MonitoringMixin,
    ResultsMixin,
    StorageMixin,
    TagsMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    BaseEstimator,
):
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

    def _validate_changed_params(self):
        """As scikit-learn does, but of what differs from the defaults: checking all takes longer than a small fit."""
        changed = {name: getattr(self, name) for name, value in DEFAULTS.items() if getattr(self, name) is not value}
        validate_parameter_constraints(self._parameter_constraints, changed, caller_name=type(self).__name__)


DEFAULTS = {
    name: parameter.default
    for name, parameter in inspect.signature(KernelPCA.__init__).parameters.items()
    if name != "self"
}
