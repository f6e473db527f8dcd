"""T2 and SPE of rows, their limits, and what each column adds to them."""
import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from dualkpca._compat import validate_data
from dualkpca._kernels import evaluates_kernel
from dualkpca._params import is_precomputed, threads
from dualkpca._rows import as_rows


class MonitoringMixin:
    """monitor and what follows from it."""

    @available_if(evaluates_kernel("monitor"))
    def monitor(self, X):
        """T2 and SPE of rows: how far out they are along the components, and how far from them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        t2, spe : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return self._model.monitor(as_rows(X), threads(self))

    @available_if(evaluates_kernel("score_samples"))
    def score_samples(self, X):
        """-SPE: the higher, the more a row is like the training rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,)
        """
        return -self.monitor(X)[1]

    @available_if(evaluates_kernel("is_outlier"))
    def is_outlier(self, X):
        """True where T2 or SPE is above its limit.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        outlier : ndarray of bool of shape (n_samples,)
        """
        check_is_fitted(self)
        if not hasattr(self, "spe_limit_"):
            raise NotFittedError("there are no limits of T2 and SPE: fit with n_components, and limits other than 'none'")
        t2, spe = self.monitor(X)
        return (t2 > self.t2_limit_) | (spe > self.spe_limit_)

    @available_if(evaluates_kernel("contributions"))
    def contributions(self, X):
        """What each column adds to T2 and SPE of rows, beside those of an ordinary row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        t2, spe : ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return self._model.contributions(X, threads(self))

    @property
    def t2_(self):
        """T2 of the training rows."""
        return self._training_statistics()[0]

    @property
    def spe_(self):
        """SPE of the training rows."""
        return self._training_statistics()[1]

    def _training_statistics(self):
        """T2 and SPE of the training rows; an AttributeError where nobody knows them."""
        if "_model" not in self.__dict__:
            raise AttributeError("t2_ and spe_ are known after fit")
        if "_statistics" in self.__dict__:
            return self._statistics
        t2, spe = self._model.training_statistics()
        if is_precomputed(self) or callable(self.kernel) or len(t2) == 0:
            raise AttributeError("t2_ and spe_ are unknown: of a given kernel matrix, or of a model file of few rows")
        return t2, spe
