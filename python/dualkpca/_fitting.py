"""The fit, and the attributes that it sets on the estimator."""
import sys
import warnings
from numbers import Real

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.exceptions import ConvergenceWarning

from dualkpca._compat import validate_data
from dualkpca._core import Model
from dualkpca._kernels import AsymmetricCentring, CallableKernel, is_symmetric
from dualkpca._params import is_precomputed, library_keywords
from dualkpca._progress import Progress, say
from dualkpca._rows import as_rows


class FittingMixin(TransformerMixin):
    """Methods fit and fit_transform."""

    def fit(self, X, y=None):
        """Fit the components to the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows, or with ``kernel='precomputed'`` the kernel matrix.
        y : Ignored
            Not used; present for the interface of scikit-learn.

        Returns
        -------
        self : KernelPCA
            The fitted estimator.

        Raises
        ------
        ValueError
            If a parameter or X is invalid.
        MemoryError
            If the fit does not fit the budget `memory`.
        KeyboardInterrupt
            If Ctrl-C ends the fit.

        Warns
        -----
        ConvergenceWarning
            If the fit ends before `eta_` is at most `tol`. The best solution so far is kept.
        """
        self._validate_changed_params()
        precomputed = is_precomputed(self)
        if self.fit_inverse_transform and precomputed:
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel.")
        if self.fit_inverse_transform and sparse.issparse(X):
            raise ValueError("fit_inverse_transform: there are no pre-images of sparse rows; give a dense array")
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        if sparse.issparse(X) and X.shape[1] > np.iinfo(np.int32).max:
            raise ValueError(f"X has {X.shape[1]} columns; sparse rows may have at most {np.iinfo(np.int32).max}")
        kernel = CallableKernel(self.kernel, self.kernel_params, X, self.n_jobs) if callable(self.kernel) else None
        model = Model(library_keywords(self, X))
        progress = Progress() if self.verbose else None
        try:
            asymmetric, history = self._fit_model(model, kernel.matrix(X) if kernel else X, progress)
            if self.fit_inverse_transform and not kernel:
                self._fit_inverse(model, X, progress)
        finally:
            if progress:
                progress.close()
        self._forget()
        self._model = model
        self._callable = kernel
        self._asymmetric = asymmetric
        self._X_fit = (X.copy() if self.copy_X else X) if kernel else None
        numbers = model.numbers()
        self._take_attributes(X.dtype, numbers)
        self.history_ = joined_history(history, self.n_iter_, self.eta_)
        if self.fit_inverse_transform:
            self._keep_inverse(X)
        self._tell(numbers["message"])
        return self

    def fit_transform(self, X, y=None):
        """Fit the components to the rows of X and return the scores of these rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows, or with ``kernel='precomputed'`` the kernel matrix.
        y : Ignored
            Not used; present for the interface of scikit-learn.

        Returns
        -------
        X_new : ndarray of shape (n_samples, n_components)
            Scores of the rows of X.
        """
        self.fit(X, y)
        return self._model.scores(self._dtype)[:, : self._n_features_out]

    def _fit_model(self, model, X, progress):
        """Fits rows or a kernel matrix. Returns the centring of an asymmetric matrix, or None, and the history."""
        if not (is_precomputed(self) or callable(self.kernel)):
            return None, self._fit_rows(model, as_rows(X), progress)
        K = X.toarray() if sparse.issparse(X) else X
        try:
            return None, self._fit_rows(model, K, progress)
        except ValueError:
            if K.shape[0] != K.shape[1] or is_symmetric(K):
                raise
        asymmetric = AsymmetricCentring(K, self.center)
        centred = asymmetric(K)
        if not is_symmetric(centred):
            warn("the kernel matrix is not symmetric even after centring, so the fit uses its symmetric part", UserWarning)
        return asymmetric, self._fit_rows(model, (centred + centred.T) / 2, progress)

    def _fit_rows(self, model, rows, progress):
        if self.verbose:
            say(model.plan(rows))
        return model.fit(rows, progress)

    def _forget(self):
        """Deletes attributes of an earlier fit that the new fit may not set."""
        for name in ("dual_coef_", "X_transformed_fit_", "t2_limit_", "spe_limit_", "_statistics"):
            self.__dict__.pop(name, None)

    def _take_attributes(self, dtype, numbers):
        """Sets the attributes that follow from a fitted model."""
        eigenvalues = numbers["eigenvalues"]
        count = len(eigenvalues)
        if self.remove_zero_eig or self.n_components is None:
            count = int(np.count_nonzero(eigenvalues > 0))
        self._dtype = np.dtype(dtype).name
        self._width = len(eigenvalues)
        self.eigenvalues_ = eigenvalues[:count].astype(dtype, copy=False)
        self.explained_variance_ratio_ = numbers["explained_variance_ratio"][:count]
        for name in ("eigenvectors_", "_dual_variables"):
            self.__dict__.pop(name, None)
        scores = self._model.scores(self._dtype)
        if len(scores):  # a model file with few rows has no scores
            self.eigenvectors_ = unit_columns(scores[:, :count], self.eigenvalues_)
        if numbers["is_landmark_model"] and len(scores):  # the dual variables of a landmark model are its scores
            self._dual_variables = self._model.dual_variables()
        self.support_ = self._model.support()
        if isinstance(self.gamma, Real):
            self.gamma_ = self.gamma
        elif numbers["gamma"] is not None:
            self.gamma_ = numbers["gamma"]
        else:
            self.gamma_ = 1 / self.n_features_in_
        self.n_iter_ = max(1, numbers["iterations"])
        self.solver_ = numbers["solver"]
        self.status_ = numbers["status"]
        self.converged_ = numbers["status"] == "converged"
        self.eta_ = numbers["eta"]
        self.eta_kind_ = numbers["eta_kind"]
        if "limits" in numbers:
            self.t2_limit_, self.spe_limit_ = numbers["limits"]

    def _tell(self, message):
        """Warns if the fit ended early. With verbose, prints the summary."""
        if self.verbose:
            say(self._model.summary())
        given_power = self.solver_ == "rsvd" and (self.iterated_power != "auto" or self.solver == "auto")
        if self.converged_ or (given_power and self.tol == 0):
            return
        text = f"the fit ended with status {self.status_} after {self.n_iter_} iterations, at eta {self.eta_:.2g}"
        if self.eta_ > self.tol > 0:
            text += f", above tol {self.tol:g}"
        if message:
            text += f": {message}"
        warn(text, ConvergenceWarning)


def warn(text, category):
    """Warns with the line of the code that called the estimator."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("dualkpca", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def joined_history(history, n_iter, eta):
    """Returns the rows (iteration, eta), with the end of the fit as the last row."""
    history = history[history[:, 0] < n_iter] if len(history) else np.empty((0, 2))
    return np.vstack([history, [[n_iter, eta]]])


def unit_columns(scores, eigenvalues):
    """Returns the eigenvectors that belong to scores. They are zero where the eigenvalue is zero."""
    lengths = np.sqrt(eigenvalues)
    return np.divide(scores, lengths, out=np.zeros_like(scores), where=lengths > 0)
