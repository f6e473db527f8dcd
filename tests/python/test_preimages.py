"""Inverse transforms: scikit-learn's method and the others, and how well they work."""
import numpy as np
import pytest
from sklearn import decomposition
from sklearn.datasets import load_digits
from sklearn.metrics.pairwise import pairwise_kernels

from dualkpca import KernelPCA


def curve(n, seed=0, noise=0.02):
    random = np.random.default_rng(seed)
    t = random.uniform(-1.5, 1.5, n)
    X = np.stack([t, t**2, np.sin(2 * t), np.cos(t)], axis=1)
    return X + noise * random.standard_normal(X.shape)


X, NEW = curve(120), curve(40, seed=1, noise=0)
METHODS = ["sklearn", "auto", "ridge", "fixed_point", "distance"]


def error(found, expected):
    return np.sqrt(np.mean((found - expected) ** 2))


@pytest.mark.parametrize("alpha", [1.0, 1e-2])
@pytest.mark.parametrize("kernel", ["rbf", "poly", "cosine"])
def test_dual_coefficients_are_scikit_learns(kernel, alpha):
    theirs = decomposition.KernelPCA(3, kernel=kernel, gamma=0.5, alpha=alpha, fit_inverse_transform=True).fit(X)
    ours = KernelPCA(3, kernel=kernel, gamma=0.5, alpha=alpha, fit_inverse_transform=True).fit(X)
    np.testing.assert_array_equal(ours.X_transformed_fit_, ours.fit_transform(X))
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-9 / alpha)
    K = pairwise_kernels(ours.X_transformed_fit_, metric=kernel, **({} if kernel == "cosine" else {"gamma": 0.5}))
    np.testing.assert_allclose(K @ ours.dual_coef_ + alpha * ours.dual_coef_, X, atol=1e-9)


def test_no_ridge_at_all():
    with pytest.raises(ValueError, match="alpha"):
        KernelPCA(3, kernel="rbf", gamma=0.5, alpha=0, fit_inverse_transform=True).fit(X)


def test_linear_is_pca():
    pca = decomposition.PCA(2).fit(X)
    expected = pca.inverse_transform(pca.transform(NEW))
    model = KernelPCA(2, fit_inverse_transform=True, preimage="linear").fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(NEW)), expected, atol=1e-10)
    np.testing.assert_allclose(model.denoise(NEW), expected, atol=1e-10)
    automatic = KernelPCA(2, fit_inverse_transform=True, preimage="auto").fit(X)
    np.testing.assert_allclose(automatic.denoise(NEW), expected, atol=1e-10)


@pytest.mark.parametrize("preimage", ["ridge", "auto", "fixed_point", "distance"])
def test_every_way_comes_back_near_to_where_it_began(preimage):
    model = KernelPCA(6, kernel="rbf", gamma=0.5, fit_inverse_transform=True, preimage=preimage).fit(X)
    back = model.inverse_transform(model.transform(NEW))
    assert back.shape == NEW.shape
    assert error(back, NEW) < 0.15 * NEW.std()
    assert model.report_["preimage"]["method"] in (preimage, "ridge")
    assert hasattr(model, "dual_coef_") == (preimage == "sklearn")


@pytest.mark.parametrize("kernel", ["laplace", "laplacian", "matern32", "matern52", "sigmoid", "cosine", "poly"])
def test_a_ridge_of_every_kernel(kernel):
    gamma = 0.01 if kernel == "sigmoid" else 0.3
    components = 2 if kernel == "sigmoid" else 5
    model = KernelPCA(components, kernel=kernel, gamma=gamma, fit_inverse_transform=True, preimage="ridge").fit(X)
    mean = error(np.broadcast_to(X.mean(axis=0), NEW.shape), NEW)
    assert error(model.inverse_transform(model.transform(NEW)), NEW) < 0.5 * mean


def test_rows_come_back_in_the_units_they_came_in():
    units = np.array([1, 1000, 1e-3, 10])
    model = KernelPCA(6, kernel="rbf", scale="standard", fit_inverse_transform=True, preimage="ridge").fit(X * units)
    back = model.inverse_transform(model.transform(NEW * units)) / units
    assert error(back, NEW) < 0.15 * NEW.std()


@pytest.mark.parametrize("preimage", METHODS)
def test_types_and_shapes(preimage):
    model = KernelPCA(3, kernel="rbf", gamma=0.5, fit_inverse_transform=True, preimage=preimage).fit(X)
    scores = model.transform(NEW)
    back = model.inverse_transform(scores)
    assert back.dtype == np.float64
    narrow = model.inverse_transform(scores.astype(np.float32))
    assert narrow.dtype == np.float32
    np.testing.assert_allclose(narrow, back, atol=1e-3)
    np.testing.assert_allclose(model.inverse_transform(scores[:1]), back[:1], atol=1e-9)
    np.testing.assert_allclose(model.inverse_transform(scores.tolist()), back, atol=1e-12)
    again = KernelPCA(3, kernel="rbf", gamma=0.5, fit_inverse_transform=True, preimage=preimage).fit(X)
    np.testing.assert_array_equal(again.inverse_transform(scores), back)


def test_denoise_takes_noise_away_from_digits():
    """Digits that the fit has not seen: better than linear PCA with its best number of components."""
    clean = load_digits().data / 16
    train, test = clean[:500], clean[700:800]
    noisy = test + 0.25 * np.random.default_rng(0).standard_normal(test.shape)
    before = error(noisy, test)
    model = KernelPCA(40, kernel="rbf", gamma="median", preimage="auto").fit(train)
    found = model.denoise(noisy)
    assert found.shape == noisy.shape
    assert error(found, test) < 0.7 * before
    best = min(error(pca.inverse_transform(pca.transform(noisy)), test)
               for pca in (decomposition.PCA(k).fit(train) for k in (10, 20, 30)))
    assert error(found, test) < best


def test_denoise_leaves_the_model_as_it_is():
    model = KernelPCA(6, kernel="rbf", gamma=0.5, fit_inverse_transform=True, preimage="ridge").fit(X)
    scores = model.transform(NEW)
    before, state = model.inverse_transform(scores), set(vars(model))
    model.denoise(NEW + 0.2 * np.random.default_rng(0).standard_normal(NEW.shape))
    np.testing.assert_array_equal(model.inverse_transform(scores), before)
    assert set(vars(model)) == state
    untaught = KernelPCA(6, kernel="rbf", gamma=0.5, preimage="ridge").fit(X)
    assert untaught.denoise(NEW).shape == NEW.shape
    with pytest.raises(Exception, match="fit_inverse_transform"):
        untaught.inverse_transform(scores)


@pytest.mark.parametrize("noise", [0, 0.05, 0.2])
def test_a_given_level_of_noise(noise):
    model = KernelPCA(6, kernel="rbf", gamma=0.5, preimage="ridge").fit(X)
    noisy = NEW + noise * np.random.default_rng(0).standard_normal(NEW.shape)
    found = model.denoise(noisy, noise=noise)
    assert error(found, NEW) < max(noise, 0.05)
    np.testing.assert_array_equal(model.denoise(noisy, noise=noise), found)


@pytest.mark.parametrize("options", [
    {"loss": "huber"}, {"loss": "epsilon_insensitive", "sparsity": 0.5}, {"solver": "nystrom", "tol": 1e-2}, {"lags": 1},
], ids=str)
@pytest.mark.parametrize("preimage", ["sklearn", "ridge"])
def test_the_way_back_of_other_fits(options, preimage):
    model = KernelPCA(5, kernel="rbf", gamma=0.5, alpha=0.01, fit_inverse_transform=True, preimage=preimage, n_jobs=1, **options)
    scores = model.fit(X).transform(NEW)
    expected = NEW[options.get("lags", 0):]
    back = model.inverse_transform(scores)
    assert back.shape == expected.shape
    if "lags" not in options:
        assert error(back, expected) < 0.3 * NEW.std()


def test_components_that_are_zero_are_left_out_on_the_way_back_too():
    rows = np.repeat(curve(5), 4, axis=0)
    for options in ({"n_components": None}, {"n_components": 12, "remove_zero_eig": True}):
        model = KernelPCA(kernel="rbf", gamma=0.5, alpha=1e-6, fit_inverse_transform=True, **options).fit(rows)
        theirs = decomposition.KernelPCA(kernel="rbf", gamma=0.5, alpha=1e-6, fit_inverse_transform=True, **options).fit(rows)
        assert model.transform(rows).shape == theirs.transform(rows).shape == (20, 4)
        np.testing.assert_allclose(model.inverse_transform(model.transform(rows)),
                                   theirs.inverse_transform(theirs.transform(rows)), atol=1e-6)


def test_a_fit_without_the_way_back_forgets_it():
    model = KernelPCA(3, kernel="rbf", fit_inverse_transform=True).fit(X)
    assert hasattr(model, "dual_coef_")
    model.set_params(fit_inverse_transform=False).fit(X)
    assert not hasattr(model, "dual_coef_")
    with pytest.raises(Exception, match="inverse"):
        model.inverse_transform(model.transform(NEW))
