"""The unit of the data does not matter where gamma follows the data."""
import pickle

import numpy as np
import pytest
from scipy import sparse

from dualkpca import KernelPCA

RANDOM = np.random.default_rng(0)
X, NEW = RANDOM.normal(size=(60, 4)) * [2, 1.5, 1, 0.5], RANDOM.normal(size=(9, 4))
FACTORS = [1e-100, 1e-20, 1e20, 1e100]


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly", "cosine"])
def test_scores_statistics_and_limits(kernel, form, factor):
    settings = {"n_components": 2, "kernel": kernel, "gamma": "scale", "precision": "float32", "tol": 1e-5, "limits": "cv",
                "level": 0.8}
    plain, model = (KernelPCA(**settings).fit(form(c * X)) for c in (1, factor))
    np.testing.assert_allclose(model.eigenvalues_, plain.eigenvalues_, rtol=1e-5)
    np.testing.assert_allclose(model.transform(form(factor * NEW)), plain.transform(form(NEW)), atol=1e-4)
    np.testing.assert_allclose([model.t2_limit_, model.spe_limit_], [plain.t2_limit_, plain.spe_limit_], rtol=1e-3)
    if kernel != "cosine":
        power = 1 if kernel == "laplacian" else 2
        np.testing.assert_allclose(model.gamma_ * factor**power, plain.gamma_, rtol=1e-9)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.transform(form(factor * NEW)), model.transform(form(factor * NEW)))
    assert copy.gamma_ == model.gamma_


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("preimage", ["ridge", "distance", "fixed_point"])
def test_preimages(preimage, factor):
    settings = {"n_components": 3, "kernel": "rbf", "gamma": "median", "precision": "float32", "tol": 1e-5,
                "fit_inverse_transform": True, "preimage": preimage}
    plain, model = (KernelPCA(**settings).fit(c * X) for c in (1, factor))
    expected = plain.inverse_transform(plain.transform(NEW))
    np.testing.assert_allclose(model.inverse_transform(model.transform(factor * NEW)) / factor, expected, atol=1e-2)
    copy = pickle.loads(pickle.dumps(model))
    scores = model.transform(factor * NEW)
    np.testing.assert_array_equal(copy.inverse_transform(scores), model.inverse_transform(scores))
