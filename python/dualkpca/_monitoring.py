"""T2 and SPE of rows, their limits, and the contribution of each column to them."""
import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from dualkpca._compat import validate_data
from dualkpca._kernels import evaluates_kernel
from dualkpca._params import is_precomputed, threads
from dualkpca._rows import as_rows


class MonitoringMixin:
    """Methods and attributes for monitoring."""

    @available_if(evaluates_kernel("monitor"))
    def monitor(self, X):
        """Compute T2 and SPE of rows.

        T2 (Hotelling's T-squared) is the squared distance of a row from the centre within the components, each in units
        of its standard deviation. SPE (squared prediction error) is the squared distance of a row from the components
        in feature space.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        t2, spe : ndarray of shape (n_samples,)
            T2 and SPE of each row.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return self._model.monitor(as_rows(X), threads(self))

    @available_if(evaluates_kernel("score_samples"))
    def score_samples(self, X):
        """Compute the negative SPE of rows: higher values mean that a row is more like the training rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        scores : ndarray of shape (n_samples,)
            Negative SPE of each row: the sign is that of scikit-learn's outlier detectors.
        """
        return -self.monitor(X)[1]

    @available_if(evaluates_kernel("is_outlier"))
    def is_outlier(self, X):
        """Test whether T2 or SPE of each row is above its limit.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        outlier : ndarray of bool of shape (n_samples,)
            True for each row that is above a limit.
        """
        check_is_fitted(self)
        if not hasattr(self, "spe_limit_"):
            raise NotFittedError("there are no limits of T2 and SPE: fit with a number of components, and with limits "
                                 "other than 'none'")
        t2, spe = self.monitor(X)
        return (t2 > self.t2_limit_) | (spe > self.spe_limit_)

    @available_if(evaluates_kernel("contributions"))
    def contributions(self, X):
        """Compute how much each column adds to T2 and SPE of rows.

        The contributions of a row add up to its T2 (or SPE) minus that of the nearest ordinary training row. Of the
        training rows that the model holds, the 90 % with the smallest SPE are ordinary (at most 2000 of them are used).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        t2, spe : ndarray of shape (n_samples, n_features)
            Contributions of each column to T2 and to SPE of each row.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return self._model.contributions(X, threads(self))

    @property
    def t2_(self):
        """T2 (Hotelling's T-squared) of the training rows: squared distance from the centre within the components."""
        return self._training_statistics()[0]

    @property
    def spe_(self):
        """SPE (squared prediction error) of the training rows: squared distance from the components."""
        return self._training_statistics()[1]

    def _training_statistics(self):
        """Returns T2 and SPE of the training rows. Raises AttributeError if they are unknown."""
        if "_model" not in self.__dict__:
            raise AttributeError("t2_ and spe_ are available after fit")
        if "_statistics" in self.__dict__:
            return self._statistics
        t2, spe = self._model.training_statistics()
        if is_precomputed(self) or callable(self.kernel) or len(t2) == 0:
            raise AttributeError("t2_ and spe_ are unknown for precomputed and callable kernels, and for model files "
                                 "with few rows")
        return t2, spe
