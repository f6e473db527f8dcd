"""Results of a fit that are computed from the model on access."""
import json

from scipy import sparse
from sklearn.utils.validation import check_is_fitted


class ResultsMixin:
    """Attributes of a fitted estimator that are properties."""

    # A sparse model may have very many training rows and holds few of them, so these arrays are computed on access.

    @property
    def dual_variables_(self):
        """Solution of the dual problem, with one row for each training row."""
        H = self.__dict__.get("_dual_variables")
        if H is None and "_model" in self.__dict__:
            H = self._model.dual_variables()
        if H is None or not len(H):
            raise AttributeError("dual_variables_ are available after fit; a model file of landmarks has none")
        return H[:, : self._n_features_out]

    @property
    def row_weights_(self):
        """Factor by which the loss of a robust or sparse fit shrinks the scores of each training row.

        1 means that the row counts in full. With a bounded kernel ('rbf', 'laplace', 'laplacian', 'matern32',
        'matern52', 'cosine') the weights are not outlier scores: a gross outlier has no larger scores than
        other rows, so the loss hardly clips it. Look at `spe_` and `t2_` instead.
        """
        weights = self._model.row_weights() if "_model" in self.__dict__ else ()
        if not len(weights):
            raise AttributeError("row_weights_ are available after a fit with loss huber or epsilon_insensitive")
        return weights

    @property
    def report_(self):
        """Everything that the library reports of the fit, as a dictionary."""
        check_is_fitted(self)
        return json.loads(self._model.report_json())

    @property
    def X_fit_(self):
        """Training rows that the model holds: all, the landmarks, or those of a sparse model."""
        check_is_fitted(self)
        if self._X_fit is not None:
            return self._X_fit
        rows = self._model.training_rows()
        rows = sparse.csr_matrix(rows[:3], shape=rows[3]) if isinstance(rows, tuple) else rows
        return rows.astype(self._dtype, copy=False)

    @property
    def _n_features_out(self):
        return self.eigenvalues_.shape[0]
