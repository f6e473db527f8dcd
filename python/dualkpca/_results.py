"""What a fit has found, made from the model when it is asked for."""
import json

from scipy import sparse
from sklearn.utils.validation import check_is_fitted


class ResultsMixin:
    """The attributes that are properties."""

    # A sparse model holds few rows of these, and may be of any number of rows: they are made when they are asked for.

    @property
    def dual_variables_(self):
        """The solution of the dual problem."""
        H = self.__dict__.get("_dual_variables")
        if H is None and "_model" in self.__dict__:
            H = self._model.dual_variables()
        if H is None or not len(H):
            raise AttributeError("dual_variables_ are known after fit, and not to a landmark model from a file")
        return H[:, : self._n_features_out]

    @property
    def row_weights_(self):
        """How much each training row counts in a robust or sparse fit."""
        weights = self._model.row_weights() if "_model" in self.__dict__ else ()
        if not len(weights):
            raise AttributeError("row_weights_ are known after a fit with loss huber or epsilon_insensitive")
        return weights

    @property
    def report_(self):
        """Everything the library reports of the fit."""
        check_is_fitted(self)
        return json.loads(self._model.report_json())

    @property
    def X_fit_(self):
        """The training rows that the model holds."""
        check_is_fitted(self)
        if self._X_fit is not None:
            return self._X_fit
        rows = self._model.training_rows()
        rows = sparse.csr_matrix(rows[:3], shape=rows[3]) if isinstance(rows, tuple) else rows
        return rows.astype(self._dtype, copy=False)

    @property
    def _n_features_out(self):
        return self.eigenvalues_.shape[0]
