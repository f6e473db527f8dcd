"""Model files and pickles."""
import os

import numpy as np
from sklearn.utils.validation import check_is_fitted

from dualkpca._core import Model
from dualkpca._params import estimator_keywords, is_precomputed


class StorageMixin:
    """Methods for model files and pickles."""

    def save(self, path):
        """Write a model file, which the command and C++ programs can read.

        Parameters
        ----------
        path : str or path-like
            Name of the file. An existing file is replaced.
        """
        check_is_fitted(self)
        if self._callable or self._asymmetric:
            raise ValueError("a model file cannot hold a kernel that is a Python function or not symmetric: pickle the "
                             "estimator instead")
        self._model.save(os.fspath(path))

    @classmethod
    def load(cls, path):
        """Read a model file that Python, the command or a C++ program has written.

        Parameters
        ----------
        path : str or path-like
            Name of the file.

        Returns
        -------
        estimator : KernelPCA
            The fitted estimator.
        """
        model = Model.load(os.fspath(path))
        estimator = cls(**estimator_keywords(model.keywords()))
        numbers = model.numbers()
        precomputed = is_precomputed(estimator)
        estimator.n_features_in_ = numbers["n_samples" if precomputed else "n_features"]
        estimator._model = model
        estimator._callable = estimator._asymmetric = estimator._X_fit = None
        estimator._take_attributes(np.float64, numbers)
        if model.has_inverse():
            estimator._take_inverse(model.inverse())
        return estimator

    def _take_inverse(self, inverse):
        """Sets the parameters and attributes of the inverse transform that a model file holds."""
        self.fit_inverse_transform = True
        self.preimage = inverse["method"]
        if inverse["compatibility"] == "sklearn":
            self.preimage = "sklearn"
            self.alpha = inverse["alpha"]
            self.dual_coef_ = self._model.inverse_coefficients()
            self.X_transformed_fit_ = self._model.scores(self._dtype)[:, : self._n_features_out]

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = state["_model"].to_bytes()
            holds_all = len(self._model.training_row_indices()) == self._model.numbers()["n_samples"]
            if not holds_all and hasattr(self, "t2_"):
                state["_statistics"] = self._training_statistics()  # the bytes of such a model leave them out
        return state

    def __setstate__(self, state):
        state = dict(state)
        if "_model" in state:
            state["_model"] = Model.from_bytes(state["_model"])
        if "dual_variables_" in state:  # pickles of version 0.1.0, where these were no properties
            state["_dual_variables"] = state.pop("dual_variables_")
        state.pop("row_weights_", None)
        super().__setstate__(state)
