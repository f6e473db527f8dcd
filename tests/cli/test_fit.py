"""Fits through the command against scikit-learn's KernelPCA."""
import json

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.preprocessing import StandardScaler

EXACT = ["--precision", "float64", "--tol", "1e-12", "--n-components", "3"]
SOLVERS = ["dense", "krylov", "lbfgs", "lanczos", "rsvd"]
KERNELS = {
    "rbf": (["--kernel", "rbf", "--gamma", "0.4"], dict(kernel="rbf", gamma=0.4)),
    "rbf-auto": (["--kernel", "rbf"], dict(kernel="rbf")),
    "poly": (["--kernel", "poly", "--gamma", "0.1", "--degree", "2", "--coef0", "0.5"],
             dict(kernel="poly", gamma=0.1, degree=2, coef0=0.5)),
    "poly-auto": (["--kernel", "poly"], dict(kernel="poly")),
    "linear": (["--kernel", "linear"], dict(kernel="linear")),
    "laplacian": (["--kernel", "laplacian", "--gamma", "0.3"], dict(kernel=lambda x, y: np.exp(-0.3 * np.abs(x - y).sum()))),
    "cosine": (["--kernel", "cosine"], dict(kernel="cosine")),
    "sigmoid": (["--kernel", "sigmoid", "--gamma", "0.001", "--coef0", "0.1"],
                dict(kernel="sigmoid", gamma=0.001, coef0=0.1)),
}


def assert_same_up_to_sign(found, expected, tolerance=1e-6):
    signs = np.sign(np.sum(found * expected, axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=tolerance * np.abs(expected).max())


def check(place, expected, expected_scores):
    report = json.loads((place.path / "report.json").read_text())
    assert report["status"] == "converged"
    np.testing.assert_allclose(report["eigenvalues"], expected.eigenvalues_, rtol=1e-6)
    scores = place.read_scores("scores.csv")
    assert_same_up_to_sign(scores, expected_scores)
    largest = np.abs(scores).argmax(axis=0)
    assert (scores[largest, range(scores.shape[1])] > 0).all()
    return report, scores


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_iris_equals_scikit_learn(place, iris_csv, iris, kernel, solver):
    options, params = KERNELS[kernel]
    place.succeed("fit", iris_csv, "--label-col", "species", *EXACT, *options, "--solver", solver, "-o", "m.dkpca",
                  "--json", "report.json", "--scores", "scores.csv")
    expected = KernelPCA(n_components=3, eigen_solver="dense", **params)
    report, scores = check(place, expected, expected.fit_transform(iris.data))
    assert report["solver"] == solver

    place.succeed("transform", "m.dkpca", iris_csv, "--label-col", "species", "-o", "again.csv")
    np.testing.assert_allclose(place.read_scores("again.csv"), scores, atol=1e-8 * np.abs(scores).max())


@pytest.mark.parametrize("solver", SOLVERS)
def test_precomputed_kernel_through_npy(place, iris, solver):
    X = iris.data - iris.data.mean(axis=0)
    K = (X @ X.T + 1) ** 2
    place.save("K.npy", K)
    place.succeed("fit", "K.npy", "--kernel", "precomputed", *EXACT, "--solver", solver, "-o", "m.dkpca",
                  "--json", "report.json", "--scores", "scores.csv")
    expected = KernelPCA(n_components=3, eigen_solver="dense", kernel="precomputed")
    _, scores = check(place, expected, expected.fit_transform(K))

    place.save("rows.npy", K[:10])
    place.succeed("transform", "m.dkpca", "rows.npy", "-o", "new.csv")
    np.testing.assert_allclose(place.read_scores("new.csv"), scores[:10], atol=1e-8 * np.abs(scores).max())


def test_scaling_is_kept_in_the_model(place, iris_csv, iris):
    place.succeed("fit", iris_csv, "--label-col", "species", "--scale", "standard", "--gamma", "0.1", *EXACT,
                  "-o", "m.dkpca", "--json", "report.json", "--scores", "scores.csv")
    expected = KernelPCA(n_components=3, kernel="rbf", gamma=0.1, eigen_solver="dense")
    scaler = StandardScaler().fit(iris.data)
    check(place, expected, expected.fit_transform(scaler.transform(iris.data)))

    new = iris.data[:20] + 0.1
    place.save("new.npy", new)
    place.succeed("transform", "m.dkpca", "new.npy", "-o", "new.csv")
    assert_same_up_to_sign(place.read_scores("new.csv"), expected.transform(scaler.transform(new)))


def test_defaults_are_accurate_enough_for_a_plot(place, iris_csv, iris):
    place.succeed("fit", iris_csv, "--label-col", "species", "-o", "m.dkpca", "--scores", "scores.csv", "--quiet")
    expected = KernelPCA(n_components=2, kernel="rbf").fit_transform(iris.data)
    assert_same_up_to_sign(place.read_scores("scores.csv"), expected, 1e-4)


def test_without_centring(place):
    X = np.random.default_rng(0).normal(size=(60, 3)) + 2
    place.save("X.npy", X)
    place.succeed("fit", "X.npy", "--kernel", "linear", "--no-center", *EXACT, "-o", "m.dkpca", "--json", "report.json")
    report = json.loads((place.path / "report.json").read_text())
    np.testing.assert_allclose(report["eigenvalues"], np.linalg.eigvalsh(X.T @ X)[::-1], rtol=1e-9)
    assert report["center"] is False


def test_share_of_the_variance(place, iris_csv):
    place.succeed("fit", iris_csv, "--label-col", "species", "--kernel", "linear", "--n-components", "0.95",
                  "-o", "m.dkpca", "--json", "report.json")
    report = json.loads((place.path / "report.json").read_text())
    assert report["n_components"] == 2  # the first component explains 92.5 %
    assert sum(report["explained_variance_ratio"]) >= 0.95


def test_same_seed_same_model(place):
    place.save("X.npy", np.random.default_rng(1).normal(size=(300, 5)))
    for name in ("a", "b"):
        place.succeed("fit", "X.npy", "--solver", "lbfgs", "--seed", "7", "--threads", "1", "-o", f"{name}.dkpca",
                      "--scores", f"{name}.csv")
    assert (place.path / "a.csv").read_bytes() == (place.path / "b.csv").read_bytes()


def test_stopped_by_its_limits_writes_a_model(place):
    place.save("X.npy", np.random.default_rng(2).normal(size=(500, 30)))
    fit = ["fit", "X.npy", "--solver", "lbfgs", "--tol", "1e-14", "-o", "m.dkpca", "--json", "report.json"]
    for limit, status in ((["--max-iter", "2"], "iteration_limit"), (["--time-limit", "1e-9"], "time_limit")):
        assert place.run(*fit, *limit).returncode == 4
        assert json.loads((place.path / "report.json").read_text())["status"] == status
        assert json.loads(place.succeed("info", "m.dkpca", "--json").stdout)["status"] == status
        (place.path / "m.dkpca").unlink()
