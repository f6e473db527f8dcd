"""Kernels that are Python functions: of a pair of rows, as in scikit-learn, or of two blocks of rows."""
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import decomposition
from sklearn.metrics.pairwise import chi2_kernel, laplacian_kernel, linear_kernel, pairwise_kernels, rbf_kernel

from dualkpca import KernelPCA

X = np.random.default_rng(0).uniform(size=(30, 4))
NEW = np.random.default_rng(1).uniform(size=(7, 4))


def of_pairs(x, y, width=1.0):
    return np.exp(-np.abs(x - y).sum() / width)


def min_kernel(A, B):
    """Returns a number for a pair of rows, and something meaningless for two blocks: it must never be called with blocks."""
    return np.minimum(A, B).sum()


def of_blocks(A, B):
    return np.exp(-((A[:, np.newaxis] - B) ** 2).sum(axis=2))


def assert_is_the_matrix(model, K, K_new):
    theirs = decomposition.KernelPCA(3, kernel="precomputed", eigen_solver="dense").fit(K)
    np.testing.assert_allclose(model.eigenvalues_, theirs.eigenvalues_, rtol=1e-11)
    np.testing.assert_allclose(model.transform(NEW), theirs.transform(K_new), atol=1e-11)


@pytest.mark.parametrize("kernel", [of_pairs, min_kernel, lambda x, y: float(x @ y), lambda x, y: [x @ y][0]],
                         ids=["function", "minimum", "lambda", "numpy scalar"])
def test_functions_of_pairs_are_scikit_learns(kernel):
    theirs = decomposition.KernelPCA(3, kernel=kernel).fit(X)
    ours = KernelPCA(3, kernel=kernel).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(ours.transform(NEW), theirs.transform(NEW), atol=1e-10)


@pytest.mark.parametrize("kernel", [chi2_kernel, rbf_kernel, laplacian_kernel, linear_kernel, of_blocks,
                                    lambda A, B: (A @ B.T + 1) ** 2], ids=["chi2", "rbf", "laplacian", "linear", "own", "lambda"])
def test_functions_of_blocks(kernel):
    assert_is_the_matrix(KernelPCA(3, kernel=kernel).fit(X), kernel(X, X), kernel(NEW, X))


def test_parameters_of_the_kernel():
    assert_is_the_matrix(KernelPCA(3, kernel=of_pairs, kernel_params={"width": 3.0}).fit(X),
                         laplacian_kernel(X, gamma=1 / 3), laplacian_kernel(NEW, X, gamma=1 / 3))
    assert_is_the_matrix(KernelPCA(3, kernel=chi2_kernel, kernel_params={"gamma": 0.4}).fit(X),
                         chi2_kernel(X, gamma=0.4), chi2_kernel(NEW, X, gamma=0.4))
    with pytest.raises(TypeError, match="depth"):
        KernelPCA(3, kernel=of_pairs, kernel_params={"depth": 3.0}).fit(X)


def test_parameters_of_named_kernels_do_not_reach_functions():
    seen = []

    def kernel(x, y, **params):
        seen.append(params)
        return x @ y

    KernelPCA(2, kernel=kernel, gamma=0.3, degree=2, coef0=5).fit(X)
    assert seen and all(params == {} for params in seen)


def test_a_function_of_blocks_is_called_few_times():
    calls = []

    def counted(A, B):
        calls.append((len(A), len(B)) if np.ndim(A) == 2 else "a pair")
        return rbf_kernel(A, B)

    rows = np.random.default_rng(0).normal(size=(500, 3))
    model = KernelPCA(2, kernel=counted).fit(rows)
    assert len(calls) <= 12
    calls.clear()
    model.transform(rows)
    assert len(calls) <= 2


def test_a_function_of_pairs_gets_rows():
    shapes = set()

    def kernel(x, y):
        shapes.add((np.shape(x), np.shape(y)))
        return float(x.dot(y))

    KernelPCA(2, kernel=kernel).fit(X).transform(NEW)
    assert ((4,), (4,)) in shapes


def test_a_function_that_says_other_things_of_blocks_is_one_of_pairs():
    def kernel(x, y):
        return x @ y.T / x.size

    theirs = decomposition.KernelPCA(3, kernel=kernel).fit(X)
    ours = KernelPCA(3, kernel=kernel).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)


def test_two_rows_and_one():
    for rows in (X[:2], X[:1]):
        ours = KernelPCA(1, kernel=of_pairs).fit(rows)
        theirs = decomposition.KernelPCA(1, kernel=of_pairs).fit(rows)
        np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, atol=1e-15)


def test_the_size_of_blocks_does_not_matter(monkeypatch):
    expected = KernelPCA(3, kernel=rbf_kernel).fit(X).transform(NEW)
    monkeypatch.setattr("dualkpca._kernels.BLOCK_VALUES", 100)  # three rows of 30
    np.testing.assert_allclose(KernelPCA(3, kernel=rbf_kernel).fit(X).transform(NEW), expected, atol=1e-12)


def test_a_function_of_pairs_that_is_not_symmetric():
    """scikit-learn asks for half of the pairs of training rows."""
    def kernel(x, y):
        return x @ y + x[0] * y[1]

    theirs = decomposition.KernelPCA(3, kernel=kernel).fit(X)
    ours = KernelPCA(3, kernel=kernel).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(ours.transform(NEW), theirs.transform(NEW), atol=1e-10)


def test_a_function_of_blocks_that_is_not_symmetric():
    """Centring the matrix removes a constant for each row."""
    def kernel(A, B):
        return A @ B.T + A[:, :1]

    model = KernelPCA(3, kernel=kernel).fit(X)
    assert_is_the_matrix(model, kernel(X, X), kernel(NEW, X))
    np.testing.assert_allclose(model.fit_transform(X), model.transform(X), atol=1e-9)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("kernel", ["pairs", "blocks"])
def test_values_that_are_not_finite(kernel, value):
    def pairs(x, y):
        return value if x[0] > 0.9 else x @ y

    def blocks(A, B):
        K = A @ B.T
        K[A[:, 0] > 0.9] = value
        return K

    assert (X[:, 0] > 0.9).any() and not (X[:3, 0] > 0.9).any()
    with pytest.raises(ValueError, match="not finite|nan|inf|NaN"):
        KernelPCA(2, kernel=pairs if kernel == "pairs" else blocks).fit(X)


class OurError(Exception):
    pass


def test_the_exception_of_a_function_is_its_own():
    def pairs(x, y):
        if x[0] > 0.9:
            raise OurError("on purpose")
        return x @ y

    with pytest.raises(OurError, match="on purpose"):
        KernelPCA(2, kernel=pairs).fit(X)

    def always(x, y):
        raise OurError("always")

    with pytest.raises(OurError, match="always"):
        KernelPCA(2, kernel=always).fit(X)

    def in_transform(A, B):
        if len(A) == len(NEW):
            raise OurError("in transform")
        return A @ B.T

    model = KernelPCA(2, kernel=in_transform).fit(X)
    with pytest.raises(OurError, match="in transform"):
        model.transform(NEW)


def test_a_keyboard_interrupt_in_a_function_is_not_swallowed():
    """The exception passes even in the test whether the function takes blocks, where other exceptions mean no."""
    calls = []

    def kernel(x, y):
        calls.append(True)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return x @ y

    with pytest.raises(KeyboardInterrupt):
        KernelPCA(2, kernel=kernel).fit(X)


def test_sparse_rows():
    rows, new = sparse.csr_matrix(X), sparse.csr_matrix(NEW)
    model = KernelPCA(3, kernel=rbf_kernel).fit(rows)
    np.testing.assert_allclose(model.transform(new), KernelPCA(3, kernel=rbf_kernel).fit(X).transform(NEW), atol=1e-12)


def test_functions_that_give_sparse_matrices():
    model = KernelPCA(3, kernel=lambda A, B: A @ B.T).fit(sparse.csr_matrix(X))
    np.testing.assert_allclose(model.transform(sparse.csr_matrix(NEW)), KernelPCA(3).fit(X).transform(NEW), atol=1e-12)


def test_float32_rows():
    scores = KernelPCA(2, kernel=rbf_kernel).fit_transform(X.astype(np.float32))
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, KernelPCA(2, kernel=rbf_kernel).fit_transform(X), atol=1e-5)


def test_inverse_transform():
    """The function then gets rows of scores, as in scikit-learn."""
    theirs = decomposition.KernelPCA(3, kernel=of_pairs, fit_inverse_transform=True, alpha=0.1).fit(X)
    for kernel in (of_pairs, lambda A, B: laplacian_kernel(A, B, gamma=1.0)):
        ours = KernelPCA(3, kernel=kernel, fit_inverse_transform=True, alpha=0.1).fit(X)
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-9)
        np.testing.assert_allclose(ours.inverse_transform(ours.transform(NEW)),
                                   theirs.inverse_transform(theirs.transform(NEW)), atol=1e-9)


def test_a_pickle_of_a_function_with_a_name():
    model = KernelPCA(3, kernel=of_pairs).fit(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform(NEW), model.transform(NEW))


@pytest.mark.parametrize("copy", [True, False])
def test_the_rows_that_are_kept(copy):
    rows = X.copy()
    model = KernelPCA(3, kernel=rbf_kernel, copy_X=copy).fit(rows)
    np.testing.assert_array_equal(model.X_fit_, X)
    expected = model.transform(NEW)
    if copy:
        rows[:] = 0
        np.testing.assert_array_equal(model.transform(NEW), expected)


def test_losses_with_functions():
    """Sparse models are not centred here: the centre of a sparse model with a named kernel is approximated by a few rows."""
    for options in ({"loss": "huber"}, {"loss": "epsilon_insensitive", "epsilon": 0.1, "center": False}):
        named = KernelPCA(2, kernel="rbf", gamma=1.0, n_jobs=1, **options).fit(X)
        given = KernelPCA(2, kernel=of_blocks, n_jobs=1, **options).fit(X)
        np.testing.assert_allclose(given.eigenvalues_, named.eigenvalues_, rtol=1e-8)
        np.testing.assert_allclose(np.abs(given.transform(NEW)), np.abs(named.transform(NEW)), atol=1e-7)


def test_names_of_kernels_are_functions_too():
    for name in ("rbf", "laplacian", "poly"):
        ours = KernelPCA(2, kernel=name, gamma=0.5).fit(X).transform(NEW)

        def kernel(A, B):
            return pairwise_kernels(A, B, metric=name, gamma=0.5)

        np.testing.assert_allclose(KernelPCA(2, kernel=kernel).fit(X).transform(NEW), ours, atol=1e-11)
