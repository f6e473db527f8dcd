"""T2, SPE, their limits and the contributions of columns, compared with formulas in numpy and scipy."""
import numpy as np
import pytest
from scipy import sparse, stats
from scipy.spatial.distance import cdist
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import pairwise_kernels

from dualkpca import KernelPCA

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(150, 5)) * [3, 2, 1, 1, 0.5]
NEW = RANDOM.normal(size=(40, 5)) * 2
KERNELS = {"linear": {}, "poly": {"gamma": 0.1, "degree": 2, "coef0": 1}, "rbf": {"gamma": 0.1}, "cosine": {},
           "laplacian": {"gamma": 0.2}}


def by_hand(kernel, s, center=True):
    """Returns T2 and SPE of the new rows, from kernel matrices and a decomposition."""
    params = KERNELS[kernel]
    K, K_new = pairwise_kernels(X, metric=kernel, **params), pairwise_kernels(NEW, X, metric=kernel, **params)
    own = np.array([pairwise_kernels(x[np.newaxis], metric=kernel, **params)[0, 0] for x in NEW])
    if center:
        lengths = own - 2 * K_new.mean(axis=1) + K.mean()
        K_new = K_new - K_new.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
        K = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    else:
        lengths = own
    values, vectors = np.linalg.eigh(K)
    A = vectors[:, :-s - 1:-1] / np.sqrt(values[:-s - 1:-1])
    training, scores = K @ A, K_new @ A
    away = scores - training.mean(axis=0)
    t2 = np.einsum("ij,jk,ik->i", away, np.linalg.inv(np.atleast_2d(np.cov(training.T))), away)
    return t2, lengths - (scores**2).sum(axis=1)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("kernel", KERNELS)
def test_statistics_follow_from_their_definition(kernel, center):
    model = KernelPCA(3, kernel=kernel, center=center, **KERNELS[kernel]).fit(X)
    t2, spe = model.monitor(NEW)
    expected_t2, expected_spe = by_hand(kernel, 3, center)
    np.testing.assert_allclose(t2, expected_t2, rtol=1e-8)
    np.testing.assert_allclose(spe, expected_spe, rtol=1e-8, atol=1e-10 * np.abs(expected_spe).max())
    np.testing.assert_array_equal(model.score_samples(NEW), -spe)


def test_statistics_of_the_training_rows():
    model = KernelPCA(3, kernel="rbf", gamma=0.1).fit(X)
    t2, spe = model.monitor(X)
    np.testing.assert_allclose(model.t2_, t2, rtol=1e-9)
    np.testing.assert_allclose(model.spe_, spe, rtol=1e-9, atol=1e-12)
    assert model.t2_.sum() == pytest.approx(3 * (len(X) - 1))
    trace = (1 - pairwise_kernels(X, metric="rbf", gamma=0.1).mean()) * len(X)
    assert model.spe_.sum() == pytest.approx(trace - model.eigenvalues_.sum())
    assert model.spe_.sum() / trace == pytest.approx(1 - model.explained_variance_ratio_.sum())


def test_higher_scores_are_more_ordinary():
    """The signs are those of scikit-learn's outlier detectors."""
    model = KernelPCA(3, kernel="rbf", gamma=0.1).fit(X)
    strange = NEW + 8
    scores = np.concatenate([model.score_samples(NEW), model.score_samples(strange)])
    assert roc_auc_score([1] * len(NEW) + [0] * len(strange), scores) > 0.99


def test_scaled_rows():
    deviations = X.std(axis=0)
    scaled = KernelPCA(2, kernel="rbf", gamma=0.1, scale="standard").fit(X)
    by_us = KernelPCA(2, kernel="rbf", gamma=0.1).fit((X - X.mean(axis=0)) / deviations)
    for found, expected in zip(scaled.monitor(NEW), by_us.monitor((NEW - X.mean(axis=0)) / deviations), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("options", [{"loss": "huber"}, {"loss": "epsilon_insensitive"}, {"lags": 2}], ids=str)
def test_statistics_of_other_fits(options):
    """Training rows that are given again have the same statistics as in the fit."""
    model = KernelPCA(2, kernel="rbf", gamma=0.1, n_jobs=1, **options).fit(X)
    t2, spe = model.monitor(X)
    np.testing.assert_allclose(model.t2_, t2, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.spe_, spe, rtol=1e-7, atol=1e-9)
    assert np.all(spe > -1e-12) and np.all(t2 >= 0)
    scores = model.transform(X)
    away = scores - scores.mean(axis=0)
    expected = np.einsum("ij,jk,ik->i", away, np.linalg.inv(np.cov(scores.T)), away)
    np.testing.assert_allclose(t2, expected, rtol=1e-7)


def test_sparse_rows():
    dense, thin = KernelPCA(2, kernel="rbf").fit(X), KernelPCA(2, kernel="rbf").fit(sparse.csr_matrix(X))
    for found, expected in zip(thin.monitor(sparse.csr_matrix(NEW)), dense.monitor(NEW), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9)


# Limits

def test_training_limits_are_order_statistics():
    for level in (0.5, 0.9, 0.95):
        model = KernelPCA(3, kernel="rbf", gamma=0.1, limits="training", level=level).fit(X)
        rank = int(np.ceil((len(X) + 1) * level)) - 1
        assert model.t2_limit_ == pytest.approx(np.sort(model.t2_)[rank])
        assert model.spe_limit_ == pytest.approx(np.sort(model.spe_)[rank])


def test_chi2_limits():
    model, n, s = KernelPCA(3, kernel="rbf", gamma=0.1, limits="chi2", level=0.95).fit(X), len(X), 3
    assert model.t2_limit_ == pytest.approx(s * (n**2 - 1) / (n * (n - s)) * stats.f.ppf(0.95, s, n - s))
    mean, variance = model.spe_.mean(), model.spe_.var(ddof=1)
    assert model.spe_limit_ == pytest.approx(variance / (2 * mean) * stats.chi2.ppf(0.95, 2 * mean**2 / variance))


def test_weighted_chi2_limits():
    model = KernelPCA(3, kernel="rbf", gamma=0.1, limits="weighted_chi2", level=0.95).fit(X)
    assert model.t2_limit_ == pytest.approx(stats.chi2.ppf(0.95, 3))
    K = pairwise_kernels(X, metric="rbf", gamma=0.1)
    K = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    spectrum = np.linalg.eigvalsh(K)[:-3] / len(X)
    c1, c2, c3 = spectrum.sum(), 2 * (spectrum**2).sum(), 8 * (spectrum**3).sum()
    h = 8 * c2**3 / c3**2
    assert model.spe_limit_ == pytest.approx(c1 + np.sqrt(c2 / (2 * h)) * (stats.chi2.ppf(0.95, h) - h), rel=1e-6)


@pytest.mark.parametrize("limits", ["cv", "auto"])
def test_limits_of_rows_left_out_hold_for_new_rows(limits):
    """Limits from training rows do not hold on new rows: the components have adapted to the training rows."""
    random = np.random.default_rng(2)
    rows, new = random.normal(size=(200, 8)), random.normal(size=(4000, 8))
    model = KernelPCA(30, kernel="rbf", gamma=0.1, limits=limits, level=0.9).fit(rows)
    share = (model.monitor(new)[1] > model.spe_limit_).mean()
    assert 0.03 < share < 0.15
    training = KernelPCA(30, kernel="rbf", gamma=0.1, limits="training", level=0.9).fit(rows)
    assert training.spe_limit_ < model.spe_limit_
    assert (training.monitor(new)[1] > training.spe_limit_).mean() > 0.2


def test_outliers_are_above_a_limit():
    model = KernelPCA(3, kernel="rbf", gamma=0.1, level=0.9).fit(X)
    t2, spe = model.monitor(NEW)
    found = model.is_outlier(NEW)
    assert found.dtype == bool and found.any() and not found.all()
    np.testing.assert_array_equal(found, (t2 > model.t2_limit_) | (spe > model.spe_limit_))


def test_no_limits():
    model = KernelPCA(3, kernel="rbf", limits="none").fit(X)
    assert not hasattr(model, "t2_limit_") and not hasattr(model, "spe_limit_")
    with pytest.raises(Exception, match="limits"):
        model.is_outlier(NEW)
    assert np.isfinite(model.score_samples(NEW)).all()


def test_limits_do_not_survive_a_fit_without_them():
    model = KernelPCA(3, kernel="rbf").fit(X)
    model.set_params(limits="none").fit(X)
    assert not hasattr(model, "spe_limit_")
    model.set_params(kernel="precomputed").fit(X @ X.T)
    assert not hasattr(model, "spe_")


# Contributions

@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_contributions_add_up(kernel):
    """Contributions add up to the statistics less those of the reference: the nearest training row, SPE's highest tenth
    excepted."""
    model = KernelPCA(2, kernel=kernel, **KERNELS[kernel]).fit(X)
    parts = model.contributions(NEW)
    ordinary = np.sort(np.argsort(model.spe_)[: int(0.9 * len(X))])
    reference = ordinary[cdist(NEW, X[ordinary], "cityblock").argmin(axis=1)]
    for part, new, old in zip(parts, model.monitor(NEW), (model.t2_, model.spe_), strict=True):
        assert part.shape == NEW.shape
        np.testing.assert_allclose(part.sum(axis=1), new - old[reference], atol=1e-6 * np.abs(new).max())


def test_contributions_name_the_column_of_a_fault():
    random = np.random.default_rng(1)
    t = random.uniform(-1, 1, 300)
    rows = np.stack([t, t**2, np.sin(2 * t), -t], axis=1) + 0.02 * random.normal(size=(300, 4))
    model = KernelPCA(4, kernel="rbf", gamma="median").fit(rows[:280])
    for column in range(4):
        faulty = rows[280:].copy()
        faulty[:, column] += 1.0
        _, spe = model.contributions(faulty)
        assert (spe.argmax(axis=1) == column).mean() > 0.7, column


# Kernel matrices and functions

@pytest.mark.parametrize("method", ["monitor", "score_samples", "contributions"])
@pytest.mark.parametrize("kernel", ["precomputed", np.dot], ids=["matrix", "function"])
def test_no_statistics_of_a_kernel_that_is_not_known(kernel, method):
    """AttributeError is raised where the method does not exist at all."""
    data = X @ X.T if kernel == "precomputed" else X
    model = KernelPCA(2, kernel=kernel).fit(data)
    with pytest.raises((ValueError, AttributeError), match="kernel"):
        getattr(model, method)(data)
    assert not hasattr(model, "spe_limit_")


@pytest.mark.parametrize("kernel", ["precomputed", np.dot], ids=["matrix", "function"])
def test_no_outliers_of_a_kernel_that_is_not_known(kernel):
    data = X @ X.T if kernel == "precomputed" else X
    model = KernelPCA(2, kernel=kernel).fit(data)
    with pytest.raises((ValueError, AttributeError), match="kernel"):
        model.is_outlier(data)
