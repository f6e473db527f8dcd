"""The results are those of scikit-learn's KernelPCA, signs included."""
import numpy as np
import pytest
from sklearn import decomposition
from sklearn.datasets import load_digits, make_s_curve
from sklearn.manifold import Isomap
from sklearn.metrics.pairwise import laplacian_kernel, pairwise_kernels, rbf_kernel

from dualkpca import KernelPCA

POSITIVE = ["linear", "poly", "rbf", "cosine"]


def rows(n, d=6, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, d)) @ random.normal(size=(d, d)) / d + 0.2


NEW = rows(9, seed=1)


def both(X, *args, **options):
    """Fits scikit-learn's estimator and dualkpca's. scikit-learn uses a dense decomposition, with which every solver is
    compared."""
    theirs = decomposition.KernelPCA(*args, **options | {"eigen_solver": "dense"}).fit(X)
    return theirs, KernelPCA(*args, **options).fit(X)


def assert_same(theirs, ours, new, tol=1e-13):
    """Compares eigenvalues, vectors and scores of new rows. The accuracy of a vector depends on the gap around its
    eigenvalue."""
    values = theirs.eigenvalues_
    assert ours.eigenvalues_.shape == values.shape
    np.testing.assert_allclose(ours.eigenvalues_, values, rtol=0, atol=tol * values[0])
    steps = -np.diff(np.append(values, 0)) / values[0]  # gap to the next eigenvalue: 0 if that was not computed
    gaps = np.minimum(steps, np.insert(steps[:-1], 0, np.inf))
    known = gaps > 1e-6
    assert known[0]
    errors = np.abs(ours.eigenvectors_ - theirs.eigenvectors_).max(axis=0)
    assert np.all(errors[known] <= tol / gaps[known])
    errors = np.abs(ours.transform(new) - theirs.transform(new)).max(axis=0) / np.sqrt(values[0])
    assert np.all(errors[known] <= tol / gaps[known])


@pytest.mark.parametrize("n_components", [1, 3, 20, None])
@pytest.mark.parametrize("n", [5, 60, 700])
@pytest.mark.parametrize("kernel", POSITIVE)
def test_every_positive_kernel(kernel, n, n_components):
    if n == 700 and n_components is None and kernel == "poly":
        pytest.skip("rbf has as many components, and a decomposition of all takes a second")
    assert_same(*both(rows(n), n_components, kernel=kernel), NEW)


@pytest.mark.parametrize("n_components", [1, 3])
@pytest.mark.parametrize("n", [5, 60, 700])
def test_the_positive_end_of_the_sigmoid_kernel(n, n_components):
    assert_same(*both(rows(n), n_components, kernel="sigmoid", gamma=0.05), NEW, 1e-12)


@pytest.mark.parametrize("options", [
    {"kernel": "rbf", "gamma": 1.3},
    {"kernel": "rbf", "gamma": 0.0},  # a kernel matrix of ones is zero after centring
    {"kernel": "poly", "gamma": 0.7, "degree": 2, "coef0": 0},
    {"kernel": "poly", "degree": 1, "coef0": 5.5},
    pytest.param({"kernel": "poly", "degree": 0}, marks=pytest.mark.xfail(strict=True, reason="degree 0 is refused")),
    {"kernel": "sigmoid", "coef0": 0, "gamma": 0.01},
], ids=str)
def test_parameters_of_kernels(options):
    theirs, ours = both(rows(60), 2, **options)
    if theirs.eigenvalues_[0] == 0:
        np.testing.assert_array_equal(ours.eigenvalues_, 0)
        np.testing.assert_array_equal(ours.transform(NEW), 0)
    else:
        assert_same(theirs, ours, NEW, 1e-12)


@pytest.mark.parametrize("eigen_solver", ["auto", "dense", "arpack", "randomized"])
@pytest.mark.parametrize("kernel", POSITIVE)
@pytest.mark.parametrize("n", [60, 700])
def test_every_eigen_solver(eigen_solver, kernel, n):
    assert_same(*both(rows(n), 3, kernel=kernel, eigen_solver=eigen_solver), NEW, 1e-12)


@pytest.mark.parametrize("solver", ["krylov", "lbfgs", "dense", "lanczos", "rsvd"])
def test_every_solver(solver):
    theirs = decomposition.KernelPCA(4, kernel="rbf", eigen_solver="dense").fit(rows(300))
    assert_same(theirs, KernelPCA(4, kernel="rbf", solver=solver).fit(rows(300)), NEW, 1e-11)


@pytest.mark.parametrize("n", [40, 700])
def test_precomputed(n):
    X = rows(n)
    assert_same(*both(laplacian_kernel(X), 4, kernel="precomputed"), laplacian_kernel(NEW, X))


@pytest.mark.parametrize("kernel", [lambda a, b: np.exp(-np.abs(a - b).sum()), laplacian_kernel], ids=["pair", "block"])
def test_callables(kernel):
    """scikit-learn gets the matrix: it takes no functions of blocks."""
    X = rows(50)
    theirs = decomposition.KernelPCA(4, kernel="precomputed", eigen_solver="dense")
    gamma = 1.0 if kernel is not laplacian_kernel else None
    theirs.fit(laplacian_kernel(X, gamma=gamma))
    ours = KernelPCA(4, kernel=kernel).fit(X)
    theirs_new, ours_new = theirs.transform(laplacian_kernel(NEW, X, gamma=gamma)), ours.transform(NEW)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-12)
    np.testing.assert_allclose(ours_new, theirs_new, atol=1e-12)


@pytest.mark.parametrize("kernel", POSITIVE)
@pytest.mark.parametrize("n, n_components, alpha", [(60, 3, 1.0), (60, 3, 1e-3), (700, 5, 0.1), (60, None, 1.0)])
def test_inverse_transform(kernel, n, n_components, alpha):
    X = rows(n)
    theirs, ours = both(X, n_components, kernel=kernel, gamma=0.4, alpha=alpha, fit_inverse_transform=True)
    scores = theirs.transform(NEW)
    expected = theirs.inverse_transform(scores)
    np.testing.assert_allclose(ours.inverse_transform(scores), expected, atol=1e-9)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(NEW)), expected, atol=1e-8)


def test_inverse_transform_with_the_gamma_of_the_rows():
    """The value of gamma=None in the space of scores: in scikit-learn before 1.5, one over the number of scores."""
    X = rows(60)
    theirs = decomposition.KernelPCA(3, kernel="rbf", gamma=1 / X.shape[1], fit_inverse_transform=True).fit(X)
    ours = KernelPCA(3, kernel="rbf", fit_inverse_transform=True).fit(X)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-9)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(NEW)),
                               theirs.inverse_transform(theirs.transform(NEW)), atol=1e-9)


def indefinite(n, negative=-3.0, seed=0):
    """Returns a centred matrix with five positive eigenvalues, as many negative ones, and noise."""
    random = np.random.default_rng(seed)
    Q = np.linalg.qr(np.hstack([np.ones((n, 1)), random.normal(size=(n, 10))]))[0][:, 1:]
    return Q * np.append([20, 15, 10, 8, 6.0], negative * np.arange(1, 6)) @ Q.T


@pytest.mark.parametrize("n, eigen_solver", [
    (100, "auto"), (100, "dense"), (100, "arpack"),
    (800, "auto"), (800, "dense"), (800, "arpack"),
])
@pytest.mark.parametrize("negative", [-0.5, -3, -40])
def test_the_positive_end_of_a_matrix_that_is_not_positive(n, negative, eigen_solver):
    K = indefinite(n, negative)
    K = (K + K.T) / 2
    theirs, ours = both(K, 3, kernel="precomputed", eigen_solver=eigen_solver)
    assert_same(theirs, ours, K[:9], 1e-11)


def test_significant_negative_eigenvalues_are_refused_as_theirs():
    K = indefinite(12, -3)
    for KPCA in (decomposition.KernelPCA, KernelPCA):
        with pytest.raises(ValueError, match="There are significant negative eigenvalues"):
            KPCA(8, kernel="precomputed", eigen_solver="dense").fit((K + K.T) / 2)


@pytest.mark.parametrize("n", [120, 800])
def test_isomap(n, monkeypatch):
    """The matrix that Isomap makes of its distances is not positive semi-definite."""
    X, _ = make_s_curve(n, noise=0.05, random_state=0)
    theirs = Isomap(n_neighbors=8, n_components=2, eigen_solver="dense").fit(X)
    monkeypatch.setattr("sklearn.manifold._isomap.KernelPCA", KernelPCA)
    ours = Isomap(n_neighbors=8, n_components=2).fit(X)
    assert isinstance(ours.kernel_pca_, KernelPCA)
    np.testing.assert_allclose(ours.embedding_, theirs.embedding_, atol=1e-9)
    np.testing.assert_allclose(ours.transform(X[:20] + 0.01), theirs.transform(X[:20] + 0.01), atol=1e-9)
    assert ours.reconstruction_error() == pytest.approx(theirs.reconstruction_error(), rel=1e-9)


def test_digits():
    X = load_digits().data[:900] / 16
    assert_same(*both(X, 10, kernel="rbf", gamma=0.05), X[:50] + 0.1, 1e-12)


@pytest.mark.parametrize("width", [3, None])
def test_zero_eigenvalues(width):
    """Every row occurs twice, or all rows are equal."""
    X = np.repeat(rows(4), 3, axis=0)
    for data in (X, np.ones((6, 2))):
        theirs, ours = both(data, width, kernel="rbf", remove_zero_eig=True)
        assert ours.eigenvalues_.shape == theirs.eigenvalues_.shape
        assert ours.transform(data).shape == theirs.transform(data).shape
        np.testing.assert_allclose(ours.transform(data), theirs.transform(data), atol=1e-12)


def test_gamma_that_was_used():
    X = rows(60)
    ours = KernelPCA(2, kernel="rbf").fit(X)
    assert ours.gamma_ == 1 / X.shape[1]
    named = KernelPCA(2, kernel="rbf", gamma="median").fit(X)
    expected = rbf_kernel(X, gamma=named.gamma_)
    expected -= expected.mean(axis=0) + expected.mean(axis=1, keepdims=True) - expected.mean()
    np.testing.assert_allclose(named.eigenvalues_, np.linalg.eigvalsh(expected)[:-3:-1], rtol=1e-12)


@pytest.mark.parametrize("kernel", POSITIVE)
def test_without_centring(kernel):
    X = rows(80)
    ours = KernelPCA(3, kernel=kernel, center=False).fit(X)
    values, vectors = np.linalg.eigh(pairwise_kernels(X, metric=kernel))
    np.testing.assert_allclose(ours.eigenvalues_, values[:-4:-1], rtol=1e-11)
    found = ours.transform(NEW)
    expected = pairwise_kernels(NEW, X, metric=kernel) @ vectors[:, :-4:-1] / np.sqrt(values[:-4:-1])
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-10)
