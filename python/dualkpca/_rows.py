"""Conversion of rows to the form that the library takes."""
from scipy import sparse


def as_rows(X):
    """Returns an array as it is, or the parts of a CSR matrix with sorted indices and without duplicate entries."""
    if not sparse.issparse(X):
        return X
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X.data, X.indices, X.indptr, X.shape
