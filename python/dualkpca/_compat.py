"""Differences between the versions of scikit-learn."""
import numpy as np

from dualkpca._params import is_precomputed

try:
    from sklearn.utils.validation import validate_data  # 1.6 and later
except ImportError:

    def validate_data(estimator, X, **options):
        return estimator._validate_data(X, **options)


__all__ = ["TagsMixin", "validate_data"]


class TagsMixin:
    """Tags that describe the estimator to scikit-learn."""

    def _more_tags(self):  # scikit-learn before 1.6
        return {"preserves_dtype": [np.float64, np.float32], "pairwise": is_precomputed(self)}

    def __sklearn_tags__(self):  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_precomputed(self)
        return tags
