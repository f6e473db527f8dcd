"""Scores of rows, pre-images of scores, and denoising."""
from numbers import Real

import numpy as np
from scipy import linalg, sparse
from sklearn.base import TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_array, check_is_fitted

from dualkpca._compat import validate_data
from dualkpca._core import Model
from dualkpca._kernels import blocks, evaluates_kernel
from dualkpca._params import preimage_keywords, seed, threads
from dualkpca._rows import as_rows


class ProjectionMixin(TransformerMixin):
    """Methods transform, inverse_transform and denoise."""

    def transform(self, X):
        """Compute the scores of rows: their coordinates along the components.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows, or with ``kernel='precomputed'`` their kernel values with the training rows.

        Returns
        -------
        X_new : ndarray of shape (n_samples, n_components)
            Scores, one row for each row of X.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        dtype = X.dtype.name
        if self._callable is None and self._asymmetric is None:
            return self._model.transform(as_rows(X), dtype, threads(self))[:, : self._n_features_out]
        parts = [self._model.transform(self._kernel_values(X[rows]), dtype, threads(self))
                 for rows in blocks(X.shape[0], self._model.numbers()["n_samples"])]
        return np.vstack(parts)[:, : self._n_features_out]

    def _kernel_values(self, X):
        """Returns kernel values between rows and the training rows, for kernels that the library does not evaluate."""
        K = self._callable.matrix(X, self._X_fit) if self._callable else X
        if sparse.issparse(K):
            K = K.toarray()
        return np.ascontiguousarray(self._asymmetric(K) if self._asymmetric else K)

    def inverse_transform(self, X):
        """Compute the pre-images of scores: rows whose scores are close to the given ones.

        It needs ``fit_inverse_transform=True`` at the fit, or a model file with an inverse transform.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Scores.

        Returns
        -------
        X_original : ndarray of shape (n_samples, n_features)
            Pre-images, one for each row of scores.
        """
        check_is_fitted(self)
        if not (self.fit_inverse_transform or self._model.has_inverse()):
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and hence "
                "the inverse transform is not available."
            )
        X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
        X = X.toarray() if sparse.issparse(X) else X
        if self._callable:
            return self._callable.matrix(X, self.X_transformed_fit_) @ self.dual_coef_
        if X.shape[1] not in (self._n_features_out, self._width):
            raise ValueError(f"X has {X.shape[1]} columns; the model has {self._n_features_out} components")
        if X.shape[1] == self._n_features_out < self._width:  # the fit removed components whose eigenvalue is zero
            X = np.hstack([X, np.zeros((X.shape[0], self._width - X.shape[1]), dtype=X.dtype)])
        return self._model.inverse_transform(X, X.dtype.name, threads(self))

    @available_if(evaluates_kernel("denoise"))
    def denoise(self, X, noise="auto"):
        """Denoise rows by projection onto the components, followed by the inverse transform.

        The part of a row that the components do not describe is removed; noise is most of it. `fit_inverse_transform`
        is not needed.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows with noise.
        noise : float or 'auto', default='auto'
            Standard deviation of the noise, in units of the scaled columns. 'auto' estimates it from X. The inverse
            transform is then learnt from noisy copies of the training rows, unless the method has nothing to learn.

        Returns
        -------
        X_clean : ndarray of shape (n_samples, n_features)
            Denoised rows.
        """
        check_is_fitted(self)
        if noise != "auto" and not (isinstance(noise, Real) and noise >= 0):
            raise ValueError(f"noise is {noise!r}; it must be 'auto' or a number that is not negative")
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        model = Model.from_model(self._model)
        # The inverse transform of scikit-learn loses the mean and ignores noise, so rows are denoised with 'auto'.
        method = "auto" if self.preimage == "sklearn" else self.preimage
        takes_noise = self.kernel != "linear" and method in ("auto", "ridge")
        if takes_noise and noise == "auto":
            noise = model.noise_level(X)
        if (takes_noise and noise > 0) or not model.has_inverse() or self.preimage == "sklearn":
            keywords = {"method": method, "noise": float(noise) if takes_noise else 0.0, "seed": seed(self)}
            model.fit_inverse(keywords, threads(self))
        return model.denoise(X, X.dtype.name, threads(self))

    def _fit_inverse(self, model, X, progress):
        holds_all = len(model.training_row_indices()) == model.numbers()["n_samples"]
        model.fit_inverse(preimage_keywords(self), threads(self), None if holds_all else X, progress)

    def _keep_inverse(self, X):
        """Sets the attributes that scikit-learn has for the inverse transform, if it is the one of scikit-learn."""
        scores = self._model.scores(self._dtype)[:, : self._n_features_out]
        if self._callable:
            K = self._callable.matrix(scores)
            K.flat[:: len(K) + 1] += self.alpha
            self.dual_coef_ = linalg.solve(K, X, assume_a="pos", overwrite_a=True)
            self.X_transformed_fit_ = scores
        elif self.preimage == "sklearn":
            self.dual_coef_ = self._model.inverse_coefficients().astype(self._dtype, copy=False)
            self.X_transformed_fit_ = scores
