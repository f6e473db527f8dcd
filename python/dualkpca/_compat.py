"""What differs between the versions of scikit-learn."""
try:
    from sklearn.utils.validation import validate_data  # 1.6 and later
except ImportError:

    def validate_data(estimator, X, **options):
        return estimator._validate_data(X, **options)


__all__ = ["validate_data"]
