"""Fast, robust and sparse kernel PCA: a drop-in replacement for scikit-learn's KernelPCA.

>>> from dualkpca import KernelPCA
>>> from sklearn.datasets import load_digits
>>> X, _ = load_digits(return_X_y=True)
>>> KernelPCA(n_components=7, kernel="rbf", gamma="median").fit_transform(X).shape
(1797, 7)
"""
from typing import TYPE_CHECKING

from dualkpca._core import __version__

if TYPE_CHECKING:
    from dualkpca._kernel_pca import KernelPCA

__all__ = ["KernelPCA", "__version__"]


def __getattr__(name):
    """Imports the estimator at its first use, so `python -m dualkpca` does not wait for scikit-learn."""
    if name == "KernelPCA":
        from dualkpca._kernel_pca import KernelPCA

        return KernelPCA
    raise AttributeError(f"module 'dualkpca' has no attribute {name!r}")
