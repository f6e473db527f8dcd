"""Certified fits, landmark models and `dualkpca check`."""
import json
import os

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

# The kernel is so smooth that any choice of landmarks suffices: which ones are taken depends on rounding.
TWO_COLUMNS = dict(n=1500, d=2, gamma=0.2)
MANY_COLUMNS = dict(n=1200, d=20, gamma=0.02)


def data(place, n, d, gamma, name="x.npy"):
    X = np.random.default_rng(3).normal(size=(n, d)).astype(np.float32)
    return place.save(name, X), X, ["--gamma", str(gamma), "--n-components", "5"]


def lambda_s(X, gamma, s=5):
    K = rbf_kernel(X.astype(float), gamma=gamma)
    m = K.mean(axis=0)
    return np.linalg.eigvalsh(K - m - m[:, None] + m.mean())[-s:].sum()


def report_of(place, name="r.json"):
    return json.loads((place.path / name).read_text())


@pytest.mark.parametrize("accuracy", ["estimated", "certified"])
@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-6])
def test_the_error_is_what_the_report_says(place, tol, accuracy):
    x, X, options = data(place, **MANY_COLUMNS)
    place.succeed("fit", x, *options, "--tol", tol, "--accuracy", accuracy, "-o", "m", "--json", "r.json")
    report = report_of(place)
    assert report["eta_kind"] == accuracy and report["eta"] <= tol and report["accuracy"] == accuracy
    error = 1 + 2 * report["dual_objective"] / lambda_s(X, MANY_COLUMNS["gamma"])
    assert error <= tol + 1e-7
    if accuracy == "certified":
        assert error <= report["eta"] + 1e-7
    assert report["solver"] == "krylov" and "landmarks" in report["solver_reason"]
    assert report["products"] <= 9


def test_an_unreached_certificate_keeps_the_model(place):
    x, _, options = data(place, **MANY_COLUMNS)
    result = place.run("fit", x, *options, "--tol", "1e-6", "--accuracy", "certified", "--max-iter", "2", "-o", "m",
                       "--json", "r.json", "--quiet")
    assert result.returncode == 4
    report = report_of(place)
    assert report["status"] == "iteration_limit" and report["message"]
    assert (place.path / "m").exists()
    if report["eta_kind"] == "certified":
        assert report["eta"] > 1e-6


def test_no_certificate_for_an_indefinite_kernel(place):
    x, _, _ = data(place, **MANY_COLUMNS)
    place.fail(2, "fit", x, "--kernel", "sigmoid", "--accuracy", "certified", "-o", "m", says=["certified", "sigmoid"])
    place.fail(2, "fit", x, "--kernel", "poly", "--coef0", "-1", "--accuracy", "certified", "-o", "m", says="coef0")


def test_an_indefinite_given_matrix_is_never_certified(place):
    A = np.random.default_rng(1).normal(size=(700, 700))
    K = place.save("k.npy", (A + A.T) / 50)
    result = place.run("fit", K, "--kernel", "precomputed", "--no-center", "--accuracy", "certified", "--tol", "1e-2",
                       "-o", "m", "--json", "r.json", "--quiet")
    assert result.returncode in (3, 4)
    assert result.returncode == 3 or report_of(place)["eta_kind"] == "estimated"


def test_landmarks_end_the_fit_of_smooth_kernels(place):
    x, X, options = data(place, **TWO_COLUMNS)
    place.succeed("fit", x, *options, "--tol", "1e-3", "--accuracy", "certified", "-o", "m", "--json", "r.json")
    report = report_of(place)
    assert report["solver"] == "nystrom" and report["eta_kind"] == "certified"
    assert report["products"] == 0 and report["dual_objective"] is None and report["gram"] == "matrix_free"
    assert report["landmarks"] == report["support_size"] < 400
    best = lambda_s(X, TWO_COLUMNS["gamma"])
    assert 1 - sum(report["eigenvalues"]) / best <= report["eta"]
    low, high = report["trace_interval"]
    K = rbf_kernel(X.astype(float), gamma=TWO_COLUMNS["gamma"])
    assert low <= np.trace(K) - K.mean() * len(X) <= high
    assert os.path.getsize(place.path / "m") < 50000
    place.succeed("transform", "m", x, "-o", "s.csv", "--quiet")
    scores = place.read_scores("s.csv")
    np.testing.assert_allclose((scores ** 2).sum(axis=0), report["eigenvalues"], rtol=1e-5)
    checked = place.succeed("check", "m", x, "--json", "c.json")
    assert "certified" in checked.stdout
    check = report_of(place, "c.json")
    error = 1 + 2 * check["dual_objective"] / best
    assert check["eta_low"] - 1e-9 <= error <= check["eta"] + 1e-9
    assert check["eta"] <= report["eta"]


def test_landmarks_are_limited_on_request(place):
    x, _, options = data(place, **MANY_COLUMNS)
    result = place.run("fit", x, *options, "--solver", "nystrom", "--landmarks", "50", "-o", "m", "--json", "r.json",
                       "--quiet")
    assert result.returncode == 4
    assert report_of(place)["landmarks"] == 50 and "landmarks" in report_of(place)["message"]


def test_memory_too_small_for_g_leaves_landmarks(place):
    x, _, options = data(place, n=6000, d=2, gamma=0.5)
    place.succeed("fit", x, *options, "--memory", "30M", "--tol", "1e-3", "-o", "m", "--json", "r.json")
    report = report_of(place)
    assert report["solver"] == "nystrom" and report["eta_kind"] == "certified"
    x, _, options = data(place, n=6000, d=20, gamma=0.05)
    result = place.run("fit", x, *options, "--memory", "30M", "--tol", "1e-6", "-o", "m", "--json", "r.json", "--quiet")
    assert result.returncode == 4 and "memory" in report_of(place)["message"]
    place.fail(5, "fit", x, *options, "--memory", "30M", "--solver", "krylov", "-o", "n", says="memory")


@pytest.mark.parametrize("solver", ["lbfgs", "krylov", "dense", "lanczos", "rsvd"])
def test_check_bounds_the_error_of_any_solver(place, solver):
    x, X, options = data(place, **MANY_COLUMNS)
    place.succeed("fit", x, *options, "--solver", solver, "--tol", "1e-3", "-o", "m", "--quiet")
    place.succeed("check", "m", x, "--json", "c.json", "--quiet")
    check = report_of(place, "c.json")
    error = 1 + 2 * check["dual_objective"] / lambda_s(X, MANY_COLUMNS["gamma"])
    assert check["eta_kind"] == "certified" and check["status"] == "converged"
    assert check["eta_low"] - 1e-9 <= error <= check["eta"] + 1e-9
    result = place.run("check", "m", x, "--tol", "1e-15", "--quiet")
    assert result.returncode == 4


def test_check_wants_the_data_of_the_fit(place):
    x, X, options = data(place, **MANY_COLUMNS)
    place.succeed("fit", x, *options, "-o", "m", "--quiet")
    X[7, 3] += 1
    place.save("y.npy", X)
    place.fail(3, "check", "m", "y.npy", says=["y.npy", "not those"])
    place.save("z.npy", X[:-1])
    place.fail(3, "check", "m", "z.npy", says=["1199 x 20", "1200 x 20"])
    place.fail(3, "check", "missing", x, says="missing")
    place.fail(2, "check", "m", x, "--tol", "2", says="--tol")
    place.fail(2, "check", "m", x, "--json", "m", says="--json")
    place.fail(5, "check", "m", x, "--memory", "1M", says="memory")


def test_check_reads_csv_with_labels_and_sparse_rows(place):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 3))
    place.write("x.csv", "a,b,c,kind\n" + "".join(",".join(map(repr, map(float, r))) + ",k\n" for r in rows))
    place.succeed("fit", "x.csv", "--label-col", "kind", "--scale", "standard", "-o", "m", "--quiet")
    place.succeed("check", "m", "x.csv", "--label-col", "kind")
    place.write("x.libsvm", "".join(f"0 {1 + i % 3}:{1 + i} {5 + i % 2}:2\n" for i in range(40)))
    place.succeed("fit", "x.libsvm", "--n-features", "9", "-o", "s", "--quiet")
    place.succeed("check", "s", "x.libsvm")
