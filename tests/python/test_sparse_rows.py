"""CSR rows in every form that scipy produces."""
import numpy as np
import pytest
from scipy import sparse

from dualkpca import KernelPCA

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 8)) * (RANDOM.uniform(size=(60, 8)) < 0.4)
NEW = RANDOM.normal(size=(9, 8)) * (RANDOM.uniform(size=(9, 8)) < 0.4)


def shuffled(rows):
    """Returns rows with columns out of order."""
    rows = sparse.csr_matrix(rows)
    for i in range(rows.shape[0]):
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        rows.indices[part], rows.data[part] = rows.indices[part][::-1].copy(), rows.data[part][::-1].copy()
    rows.has_sorted_indices = False
    return rows


def twice(rows):
    """Returns rows with every entry stored as two halves."""
    rows = sparse.csr_matrix(rows)
    return sparse.csr_matrix((np.repeat(rows.data / 2, 2), np.repeat(rows.indices, 2), 2 * rows.indptr), shape=rows.shape)


def with_zeros(rows):
    """Returns rows with stored zeros."""
    full = sparse.csr_matrix(np.ones_like(rows))
    full.data = rows.ravel().copy()
    return full


def wide_indices(rows):
    rows = sparse.csr_matrix(rows)
    rows.indices, rows.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    return rows


FORMS = [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.lil_matrix, sparse.csr_array, shuffled, twice,
         with_zeros, wide_indices]


@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplacian", "cosine"])
@pytest.mark.parametrize("form", FORMS)
def test_the_form_does_not_matter(form, kernel):
    expected = KernelPCA(3, kernel=kernel).fit(X)
    given, new = form(X), form(NEW)
    before = given.copy()
    model = KernelPCA(3, kernel=kernel).fit(given)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(model.transform(new), expected.transform(NEW), atol=1e-9)
    np.testing.assert_allclose(expected.transform(new), expected.transform(NEW), atol=1e-12)
    if hasattr(given, "indices"):  # the matrix is left as it was
        np.testing.assert_array_equal(given.indices, before.indices)
        np.testing.assert_array_equal(given.data, before.data)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, bool])
def test_types_of_values(dtype):
    rows = (X * 3).astype(dtype)
    model = KernelPCA(2, kernel="rbf").fit(sparse.csr_matrix(rows))
    expected = KernelPCA(2, kernel="rbf").fit(rows)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-6)
    assert model.transform(sparse.csr_matrix(rows)).dtype == expected.transform(rows).dtype


def test_rows_without_entries():
    rows = X.copy()
    rows[:20] = 0
    for kernel in ("linear", "rbf", "cosine"):
        found = KernelPCA(2, kernel=kernel).fit(sparse.csr_matrix(rows)).eigenvalues_
        np.testing.assert_allclose(found, KernelPCA(2, kernel=kernel).fit(rows).eigenvalues_, rtol=1e-10)
    nothing = KernelPCA(2, kernel="rbf").fit(sparse.csr_matrix((10, 4)))
    np.testing.assert_array_equal(nothing.eigenvalues_, 0)


def test_many_columns_are_not_made_dense():
    """Ten million columns of a hundred rows would take eight gigabytes if they were dense."""
    columns = 10_000_000
    random = np.random.default_rng(0)
    rows = sparse.csr_matrix((random.normal(size=500), random.integers(columns // 10**6, size=500) * 10**6,
                              np.arange(0, 501, 5)), shape=(100, columns))
    model = KernelPCA(2, memory="100M").fit(rows)
    K = (rows @ rows.T).toarray()
    K = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    np.testing.assert_allclose(model.eigenvalues_, np.linalg.eigvalsh(K)[:-3:-1], rtol=1e-10)


def test_column_numbers_beyond_32_bits():
    """Checks that the result is right, or the input refused."""
    columns = np.array([5, 2**32 + 5, 5, 9], dtype=np.int64)
    rows = sparse.csr_matrix(([1.0, 2.0, 3.0, 4.0], columns, [0, 1, 2, 3, 4]), shape=(4, 2**32 + 100))
    try:
        found = KernelPCA(2).fit(rows).eigenvalues_
    except ValueError as error:
        assert "column" in str(error) or "indices" in str(error)
        return
    K = np.array([[1, 0, 3, 0], [0, 4, 0, 0], [3, 0, 9, 0], [0, 0, 0, 16.0]])
    K = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    np.testing.assert_allclose(found, np.linalg.eigvalsh(K)[:-3:-1], rtol=1e-10)


@pytest.mark.parametrize("options", [{"loss": "huber"}, {"loss": "epsilon_insensitive"}, {"solver": "lbfgs"},
                                     {"scale": "standard"}, {"lags": 1}], ids=str)
def test_other_fits(options):
    """Checks that sparse rows give the same numbers as dense rows, or are refused in one line."""
    try:
        model = KernelPCA(2, kernel="rbf", n_jobs=1, **options).fit(sparse.csr_matrix(X))
    except ValueError as error:
        assert "sparse" in str(error) and "\n" not in str(error)
        assert "scale" in options or "lags" in options
        return
    dense = KernelPCA(2, kernel="rbf", n_jobs=1, **options).fit(X)
    np.testing.assert_allclose(model.transform(NEW), dense.transform(NEW), atol=1e-6)
