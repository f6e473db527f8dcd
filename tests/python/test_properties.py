"""Properties that hold for every matrix of rows, tested on matrices that hypothesis generates."""
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from dualkpca import KernelPCA

TRIALS = settings(deadline=None, derandomize=True, max_examples=15, database=None,
                  suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
KERNELS = ["linear", "poly", "rbf", "cosine", "laplace", "laplacian", "matern32", "matern52"]


@st.composite
def problems(draw, least_rows=4, most_rows=60, losses=("square",)):
    """Draws rows with well separated eigenvalues, a few new rows, and an estimator with one thread, the fastest for small
    work."""
    n, d = draw(st.integers(least_rows, most_rows)), draw(st.integers(1, 7))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scales = 10.0 ** draw(st.integers(-2, 2)) * 0.6 ** np.arange(d)
    X = random.normal(size=(n, d)) * scales + draw(st.sampled_from([0.0, 1.0])) * scales
    new = random.normal(size=(draw(st.integers(1, 9)), d)) * scales
    loss = draw(st.sampled_from(losses))
    estimator = KernelPCA(draw(st.integers(1, min(3, n - 1))), kernel=draw(st.sampled_from(KERNELS)), gamma="scale",
                          center=draw(st.booleans()), loss=loss, n_jobs=1)
    return X, new, estimator


ALL_LOSSES = ("square", "huber", "epsilon_insensitive")


def scale_of(estimator):
    return np.sqrt(estimator.eigenvalues_[0]) + 1e-300


@TRIALS
@given(problems(losses=ALL_LOSSES))
def test_fit_transform_is_fit_then_transform(problem):
    X, _, estimator = problem
    scores = estimator.fit_transform(X)
    np.testing.assert_allclose(estimator.fit(X).transform(X), scores, atol=1e-8 * scale_of(estimator))


@TRIALS
@given(problems(losses=ALL_LOSSES))
def test_a_second_fit_is_the_first_bit_for_bit(problem):
    X, new, estimator = problem
    first = estimator.fit(X).transform(new)
    values = estimator.eigenvalues_
    np.testing.assert_array_equal(estimator.fit(X[::-1]).fit(X).transform(new), first)
    np.testing.assert_array_equal(estimator.eigenvalues_, values)


@TRIALS
@given(problems(losses=ALL_LOSSES), st.randoms(use_true_random=False))
def test_rows_come_in_any_order_to_transform(problem, random):
    X, new, estimator = problem
    estimator.fit(X)
    order = random.sample(range(len(new)), len(new))
    np.testing.assert_allclose(estimator.transform(new[order]), estimator.transform(new)[order], rtol=0,
                               atol=1e-13 * scale_of(estimator))


@TRIALS
@given(problems(), st.randoms(use_true_random=False))
def test_rows_come_in_any_order_to_fit(problem, random):
    """Checks that scores are the same, up to the sign, where the eigenvalue is well separated."""
    X, new, estimator = problem
    expected = estimator.fit(X).transform(new)
    values = estimator.eigenvalues_
    order = random.sample(range(len(X)), len(X))
    found = estimator.fit(X[order]).transform(new)
    np.testing.assert_allclose(estimator.eigenvalues_, values, atol=1e-12 * values[0])
    first = values[0] > (values[1] * (1 + 1e-3) if len(values) > 1 else 0)
    if first and len(values) > 1:
        np.testing.assert_allclose(np.abs(found[:, 0]), np.abs(expected[:, 0]), atol=1e-9 * scale_of(estimator))


@TRIALS
@given(problems(losses=ALL_LOSSES), st.integers(1, 5))
def test_rows_come_in_pieces_of_any_size_to_transform(problem, size):
    X, new, estimator = problem
    estimator.fit(X)
    pieces = [estimator.transform(new[first : first + size]) for first in range(0, len(new), size)]
    np.testing.assert_allclose(np.vstack(pieces), estimator.transform(new), rtol=0, atol=1e-13 * scale_of(estimator))


@TRIALS
@given(problems())
def test_float32_and_float64_agree(problem):
    """The rows are the same numbers; the result has the precision of float32, and its type."""
    X, new, estimator = problem
    X, new = X.astype(np.float32), new.astype(np.float32)
    wide = estimator.fit(X.astype(np.float64))
    values, expected = wide.eigenvalues_, wide.transform(new.astype(np.float64))
    narrow = estimator.fit(X)
    assert narrow.transform(new).dtype == narrow.fit_transform(X).dtype == narrow.eigenvalues_.dtype == np.float32
    np.testing.assert_allclose(narrow.eigenvalues_, values, atol=1e-6 * values[0])
    if len(values) > 1 and values[0] > 1.01 * values[1]:
        np.testing.assert_allclose(narrow.transform(new)[:, 0], expected[:, 0], atol=1e-5 * scale_of(wide))


@pytest.mark.parametrize("n, dtype, precision", [(100, "f4", "float64"), (600, "f4", "float32"), (600, "f8", "float64")])
def test_arithmetic_is_in_the_type_of_the_rows_where_it_saves_something(n, dtype, precision):
    rows = np.random.default_rng(0).normal(size=(n, 4)).astype(dtype)
    assert KernelPCA(2, kernel="rbf").fit(rows).report_["precision"] == precision


@TRIALS
@given(problems(), st.floats(0.0, 0.9))
def test_dense_and_sparse_rows_agree(problem, empty):
    X, new, estimator = problem
    random = np.random.default_rng(0)
    X, new = X * (random.uniform(size=X.shape) > empty), new * (random.uniform(size=new.shape) > empty)
    X[0] = 1.0
    expected = estimator.fit(X).transform(new)
    values, scale = estimator.eigenvalues_, scale_of(estimator)
    estimator.fit(sparse.csr_matrix(X))
    np.testing.assert_allclose(estimator.eigenvalues_, values, atol=1e-12 * values[0])
    if len(values) > 1 and values[0] > 1.01 * values[1]:
        for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, np.asarray):
            np.testing.assert_allclose(estimator.transform(form(new))[:, 0], expected[:, 0], atol=1e-10 * scale)


def as_fortran(X):
    return np.asfortranarray(X)


def with_holes(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, 1::3] = X
    return wide[::2, 1::3]


def backwards(X):
    return np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]


def not_aligned(X):
    raw = np.zeros(X.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(np.float64).reshape(X.shape)
    view[:] = X
    return view


def other_byte_order(X):
    return X.astype(">f8")


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def as_lists(X):
    return X.tolist()


@TRIALS
@given(problems())
@pytest.mark.parametrize("form", [as_fortran, with_holes, backwards, not_aligned, other_byte_order, read_only, as_lists])
def test_how_rows_lie_in_memory_does_not_matter(form, problem):
    X, new, estimator = problem
    expected = estimator.fit(X).transform(new)
    found = estimator.fit(form(X)).transform(form(new))
    np.testing.assert_allclose(found, expected, atol=1e-9 * scale_of(estimator))


def test_a_mapped_file_is_read_in_place(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 4))
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    np.testing.assert_array_equal(KernelPCA(2, kernel="rbf").fit_transform(mapped),
                                  KernelPCA(2, kernel="rbf").fit_transform(X))


@TRIALS
@given(problems(losses=ALL_LOSSES))
def test_a_pickle_is_the_model(problem):
    X, new, estimator = problem
    estimator.fit(X)
    copy = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(copy.transform(new), estimator.transform(new))
    assert copy.get_params() == estimator.get_params()
    for name in vars(estimator):
        if name.endswith("_"):
            np.testing.assert_array_equal(getattr(copy, name), getattr(estimator, name), err_msg=name)


@TRIALS
@given(problems(losses=ALL_LOSSES))
def test_a_file_is_the_model(tmp_path, problem):
    X, new, estimator = problem
    estimator.fit(X).save(tmp_path / "m.dkpca")
    np.testing.assert_array_equal(KernelPCA.load(tmp_path / "m.dkpca").transform(new), estimator.transform(new))


@settings(TRIALS, max_examples=5)
@given(problems(least_rows=100, most_rows=700))
def test_one_thread_and_two_agree(problem):
    X, new, estimator = problem
    one = estimator.set_params(n_jobs=1).fit(X).transform(new)
    two = estimator.set_params(n_jobs=2).fit(X).transform(new)
    np.testing.assert_allclose(two, one, atol=1e-9 * scale_of(estimator))


@TRIALS
@given(problems(losses=ALL_LOSSES))
def test_what_is_given_is_not_changed(problem):
    X, new, estimator = problem
    before = X.copy(), new.copy(), estimator.get_params()
    estimator.fit(X).transform(new)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(new, before[1])
    assert estimator.get_params() == before[2]
    expected = estimator.transform(new)
    X[:] = 0
    np.testing.assert_array_equal(estimator.transform(new), expected)
