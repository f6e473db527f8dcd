"""Rows as the library takes them."""
from scipy import sparse


def as_rows(X):
    """An array, or a CSR matrix as the library takes it: with sorted indices and no entry twice."""
    if not sparse.issparse(X):
        return X
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X.data, X.indices, X.indptr, X.shape
