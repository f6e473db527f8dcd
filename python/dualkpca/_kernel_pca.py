"""The estimator KernelPCA, with the interface of scikit-learn's KernelPCA on top of the C++ library.

This module has the parameters of the estimator. Its methods are in mixins, one module for each concern.
"""
import inspect

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._param_validation import validate_parameter_constraints

from dualkpca._compat import TagsMixin
from dualkpca._constraints import PARAMETER_CONSTRAINTS
from dualkpca._fitting import FittingMixin
from dualkpca._monitoring import MonitoringMixin
from dualkpca._projection import ProjectionMixin
from dualkpca._results import ResultsMixin
from dualkpca._storage import StorageMixin


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
    """Kernel principal component analysis (kernel PCA): plain, robust or sparse.

    The class has the parameters, attributes and methods of :class:`sklearn.decomposition.KernelPCA` with the same
    meaning, and more. A C++ library does the work. It solves the dual problem of [1]_ with a few products of the
    centred kernel matrix, the Gram matrix. Where a few training rows as landmarks suffice, it needs no Gram matrix.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of components, at most n_samples. A float between 0 and 1 is the share of the variance that the
        components have to explain. None keeps all components with an eigenvalue above zero, or 2 components with a
        `loss` other than 'square'. Give a number where you can: it costs far less than None.
    kernel : {'linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplace', 'laplacian', 'matern32', 'matern52', \
            'precomputed'} or callable, default='linear'
        Kernel k(x, y), the similarity of two rows. With 'precomputed', X is the kernel matrix. A callable takes two
        rows and returns a number, as in scikit-learn, or takes two blocks of rows and returns the matrix of all pairs,
        which is far faster. The class finds out which of the two it is by calling it.
    gamma : float, {'auto', 'scale', 'median'} or None, default=None
        Inverse width of the kernel. None and 'auto' are 1 / n_features. 'median' takes it from the median distance of
        the training rows (for 'rbf', 1 / the median squared distance), and 'scale' from the variance of X. Try 'median'
        first with the kernels of a distance: 'auto' does not depend on the data.
    degree : int, default=3
        Degree of the kernel 'poly'. Other kernels ignore it.
    coef0 : float, default=1
        Constant of the kernels 'poly' and 'sigmoid'. Other kernels ignore it.
    kernel_params : dict or None, default=None
        Keyword arguments of a callable kernel. Other kernels ignore it.
    alpha : float, default=1.0
        Regularisation strength of the inverse transform with ``preimage='sklearn'``. Larger values give smoother
        pre-images. The other values of `preimage` choose it themselves.
    fit_inverse_transform : bool, default=False
        Whether `fit` also learns the inverse transform, which :meth:`inverse_transform` needs.
    eigen_solver : {'auto', 'dense', 'arpack', 'randomized'}, default='auto'
        Solver under its name in scikit-learn. 'dense' is LAPACK. 'randomized' is a randomised SVD with as many power
        iterations as in scikit-learn. 'auto' and 'arpack' choose the solver that reaches `tol` fastest. Change it only
        to compare solvers.
    tol : float, default=0
        Tolerance: the fit stops when the error `eta_` is at most `tol`. With 0 the error is as small as rounding
        allows. A larger value saves time; from 1e-5 on it also halves the memory (see `precision`).
    max_iter : int or None, default=None
        Largest number of iterations. None is 1000. A fit that reaches it warns and keeps the best solution so far.
    iterated_power : int or 'auto', default='auto'
        Number of power iterations of ``eigen_solver='randomized'`` or ``solver='rsvd'``. More are more accurate.
    remove_zero_eig : bool, default=False
        Whether components whose eigenvalue is zero are removed. They always are with ``n_components=None``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random start. None is the same start for every fit, so results are reproducible without it.
    copy_X : bool, default=True
        Whether a model with a callable kernel copies X, which it needs for new rows. With False, X must not change
        after the fit. Models with other kernels hold rows of their own.
    n_jobs : int or None, default=None
        Number of threads. None leaves the number to OpenMP (OMP_NUM_THREADS), -1 is all processors and -2 all but one.
        Set it to 1 if several fits run at the same time in processes.
    loss : {'square', 'huber', 'epsilon_insensitive'}, default='square'
        Loss, which says how the scores of the training rows add up to the objective. 'square' is ordinary kernel PCA.
        'huber' gives rows with large scores less weight, which makes the fit robust against them. 'epsilon_insensitive'
        makes the fit sparse: many rows get dual variables of zero and are not stored. For a small fast model, `landmarks`
        are more accurate.
    norm : {'rows', 'entries', 'frobenius'}, default='rows'
        Size that the loss looks at: that of each row of scores, of each single score, or of all scores together. It has
        no effect with the loss 'square'.
    kappa : float or None, default=None
        Hyperparameter of the loss 'huber': scores larger than kappa are clipped. Its scale depends on the data, so
        `kappa_ratio` is easier to choose. None leaves it to `kappa_ratio`.
    kappa_ratio : float or None, default=None
        kappa as a share of the smallest kappa that clips nothing, 0 < kappa_ratio <= 1. Smaller values clip more rows.
        None is 0.05 if `kappa` is None, too.
    epsilon : float or None, default=None
        Hyperparameter of the loss 'epsilon_insensitive': rows whose scores are at most epsilon get dual variables of
        zero. Its scale depends on the data, so `sparsity` is easier to choose. None leaves it to `sparsity`.
    sparsity : float or None, default=None
        Share of the rows whose dual variables become zero (with norm 'entries': of the entries), 0 < sparsity < 1.
        Larger values give smaller models. None is 0.5 if `epsilon` is None, too.
    center : bool, default=True
        Whether the features are centred. With False the components also describe the mean.
    accuracy : {'estimated', 'certified'}, default='estimated'
        Kind of `eta_`. 'estimated' is usually right within a factor of ten. 'certified' is an upper bound of the error
        with failure probability at most 1e-6, which costs a few products more. It needs the loss 'square'.
    memory : str, int or None, default=None
        Memory budget, as a number of bytes or a text such as '8G'. None is the memory that is available. A fit that
        does not fit the budget raises MemoryError before it starts.
    precision : {'auto', 'float32', 'float64'}, default='auto'
        Precision of the Gram matrix. 'auto' takes float32 if `tol` is at least 1e-5, or if `tol` is 0 and X is float32
        with more than 500 rows. Otherwise it takes float64, which doubles memory and time.
    solver : {'auto', 'krylov', 'nystrom', 'lbfgs', 'panoc', 'dca', 'dense', 'lanczos', 'rsvd'}, default='auto'
        Solver under its name in the library. Any value but 'auto' overrides `eigen_solver`. Take 'nystrom' for a model
        of landmarks, and the others only to compare solvers.
    scale : {'none', 'standard', 'robust', 'minmax'}, default='none'
        Scaling of the columns: to mean 0 and standard deviation 1, to median 0 and interquartile range 1, or to [0, 1].
        The model stores it and applies it to new rows. Use it if the columns have different units.
    lags : int, default=0
        For a time series: number of earlier rows that belong to the sample of a row. n rows are then n - lags samples.
    landmarks : int or None, default=None
        Largest number of landmarks of the solver 'nystrom', or of rows for the centre of a sparse model. None is as
        many as `tol` takes, or a tenth of the rows (between 10 and 100). Smaller values make smaller models.
    time_limit : float or None, default=None
        Number of seconds after which the fit stops, warns and keeps the best solution so far. None is no limit.
    preimage : {'sklearn', 'auto', 'ridge', 'fixed_point', 'distance', 'linear'}, default='sklearn'
        Method of the inverse transform. 'sklearn' gives the numbers of scikit-learn. 'auto' gives pre-images with a
        much smaller error, but takes longer to learn.
    limits : {'training', 'cv', 'auto', 'chi2', 'weighted_chi2', 'none'}, default='training'
        Source of the limits of T2 and SPE (see `t2_` and `spe_`). 'training' takes quantiles of the training rows, and
        its limit of SPE is too low with many components. 'cv' takes quantiles of held-out rows and costs two or
        three more fits, or less than one with more than 10000 rows. Take it where the share of false alarms matters.
    level : float, default=0.99
        Share of rows like the training rows that is below each limit, 0.5 <= level < 1. A higher level means fewer
        false alarms and more missed outliers.
    verbose : int, default=0
        With 1, the memory plan, the progress and a summary are written to standard error. With 0, nothing is.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the centred kernel matrix in decreasing order.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        Eigenvectors of the centred kernel matrix, with unit length, or zero where the eigenvalue is zero. A model file
        that holds only some of the training rows does not contain them.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Share of the variance that each component explains: its eigenvalue over the trace of the centred kernel matrix.
        NaN if negative eigenvalues reduce that trace.
    gamma_ : float
        Value of gamma that the fit used.
    dual_variables_ : ndarray of shape (n_samples, n_components)
        Solution H of the dual problem, with one row for each training row.
    support_ : ndarray of int
        Indices of the training rows whose dual variables are not all zero, or of the landmarks.
    row_weights_ : ndarray of shape (n_samples,)
        Factor by which the loss shrinks the scores of each training row; 1 means that the row counts in full. It is
        available with a `loss` other than 'square'. With a bounded kernel ('rbf', 'laplace', 'laplacian', 'matern32',
        'matern52', 'cosine') the weights are not outlier scores, since a gross outlier is hardly clipped: see `spe_`.
    eta_ : float
        Error of the fit. With the loss 'square', 1e-4 means that the components explain 99.99 % of the variance that
        the best ones explain. With other losses it is the residual of the equations of a critical point.
    eta_kind_ : {'estimated', 'certified', 'stationary'}
        Kind of `eta_`: estimate; upper bound with failure probability at most 1e-6; or residual, for other losses.
    n_iter_ : int
        Number of iterations.
    converged_ : bool
        Whether `eta_` has reached `tol`.
    status_ : {'converged', 'iteration_limit', 'time_limit', 'stopped'}
        Reason why the fit ended.
    solver_ : str
        Solver that the fit used, under its name in the library.
    history_ : ndarray of shape (k, 2)
        Number of the iteration and `eta_` after it, for the iterations where the error is known.
    t2_ : ndarray of shape (n_samples,)
        T2 (Hotelling's T-squared) of the training rows: the squared distance from the centre within the components,
        each in units of its standard deviation. Not available for kernels that are 'precomputed' or callable.
    spe_ : ndarray of shape (n_samples,)
        SPE (squared prediction error) of the training rows: the squared distance in feature space from the components.
        Available where `t2_` is.
    t2_limit_, spe_limit_ : float
        Limits of T2 and SPE. A row above either is an outlier.
    dual_coef_, X_transformed_fit_ : ndarray
        scikit-learn's inverse transform, with ``fit_inverse_transform=True`` and ``preimage='sklearn'``.
    X_fit_ : ndarray or sparse matrix
        Training rows that the model holds: all of them, the landmarks, or the rows of a sparse model.
    report_ : dict
        Everything that the library reports of the fit, as in the JSON file of the command.

    References
    ----------
    .. [1] Tonin, F., Lambert, A., Patrinos, P. and Suykens, J. "Extending Kernel PCA through Dualization: Sparsity,
       Robustness and Fast Algorithms." International Conference on Machine Learning (ICML), 2023.

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
    >>> pca.converged_
    True
    >>> pca.is_outlier([[5.0, 3.4, 1.5, 0.2], [5.0, 3.4, 1.5, 9.0]])  # 9.0 is unlike all training rows
    array([False,  True])
    """

    _parameter_constraints = PARAMETER_CONSTRAINTS

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
        """Validates the parameters that differ from the defaults. Validating all takes longer than a small fit."""
        changed = {name: getattr(self, name) for name, value in DEFAULTS.items() if getattr(self, name) is not value}
        validate_parameter_constraints(self._parameter_constraints, changed, caller_name=type(self).__name__)


DEFAULTS = {
    name: parameter.default
    for name, parameter in inspect.signature(KernelPCA.__init__).parameters.items()
    if name != "self"
}
