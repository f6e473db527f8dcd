"""Sparse rows give the same numbers as dense ones, and the command needs memory for the entries alone."""
import json
import resource
import subprocess

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import dump_svmlight_file
from sklearn.decomposition import KernelPCA
from sklearn.metrics.pairwise import laplacian_kernel
from workplace import COMMAND, HANG_GUARD, TWO_THREADS, measures_memory

KERNELS = ["rbf", "laplace", "laplacian", "poly", "linear", "sigmoid", "cosine", "matern32", "matern52"]


def documents(n, d, seed=0, density=0.1):
    rng = np.random.default_rng(seed)
    X = scipy.sparse.random(n, d, density, "csr", random_state=rng, data_rvs=lambda size: rng.uniform(0.1, 2, size))
    X[: n // 2] = X[: n // 2].multiply(np.arange(d) % 3 == 0)
    X = scipy.sparse.lil_matrix(X)
    X[0, d - 1] = 1.0  # LIBSVM has as many columns as its largest index
    X = scipy.sparse.csr_matrix(X)
    X.eliminate_zeros()
    return X


def save(place, name, X):
    dump_svmlight_file(X, np.arange(X.shape[0]) % 3, str(place.path / name), zero_based=False)
    return name


def fit(place, data, *options):
    place.succeed("fit", data, "-o", "m.safetensors", "--json", "r.json", "--scores", "s.npy", *options)
    return json.loads((place.path / "r.json").read_text()), np.load(place.path / "s.npy")


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_dense_and_sparse_agree(place, kernel, precision):
    X = documents(150, 80)
    options = ["--kernel", kernel, "--n-components", "4", "--precision", precision]
    if kernel == "sigmoid":
        options += ["--gamma", "0.001", "--coef0", "0"]
    elif kernel not in ("poly", "linear", "cosine"):
        options += ["--gamma", "median"]
    tolerance = 2e-4 if precision == "float32" else 1e-8
    sparse, scores = fit(place, save(place, "X.libsvm", X), *options)
    new = documents(40, 80, seed=1)
    place.succeed("transform", "m.safetensors", save(place, "new.libsvm", new), "-o", "sparse.npy")
    place.save("new.npy", new.toarray())
    place.succeed("transform", "m.safetensors", "new.npy", "-o", "mixed.npy")

    place.save("X.npy", X.toarray())
    dense, expected = fit(place, "X.npy", *options)
    place.succeed("transform", "m.safetensors", "new.libsvm", "-o", "dense.npy")
    np.testing.assert_allclose(sparse["eigenvalues"], dense["eigenvalues"], rtol=tolerance)
    np.testing.assert_allclose(scores, expected, atol=tolerance * np.abs(expected).max())
    for name in ("sparse.npy", "mixed.npy"):
        np.testing.assert_allclose(np.load(place.path / name), np.load(place.path / "dense.npy"),
                                   atol=tolerance * np.abs(expected).max())
    assert (sparse["nonzeros"], dense["nonzeros"]) == (X.nnz, None)


@pytest.mark.parametrize("name", ["X.libsvm", "X.mtx"])
def test_equals_scikit_learn_on_csr(place, name):
    X = documents(120, 60)
    if name.endswith("mtx"):
        scipy.io.mmwrite(str(place.path / name), X)
    else:
        save(place, name, X)
    report, scores = fit(place, name, "--kernel", "laplacian", "--gamma", "0.05", "--n-components", "3", "--precision",
                         "float64", "--tol", "1e-10")
    expected = KernelPCA(3, kernel="precomputed", eigen_solver="dense")
    expected_scores = expected.fit_transform(laplacian_kernel(X.toarray(), gamma=0.05))
    np.testing.assert_allclose(report["eigenvalues"], expected.eigenvalues_, rtol=1e-7)
    np.testing.assert_allclose(np.abs(scores), np.abs(expected_scores), atol=1e-6)


@measures_memory
def test_memory_is_that_of_the_entries(place):
    X = documents(400, 400000, density=1e-4)  # dense rows would take 1.2 GiB
    save(place, "wide.libsvm", X)
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (600 << 20, 600 << 20))
    for command in (["fit", "wide.libsvm", "-o", "m.safetensors", "--quiet", "--gamma", "median"],
                    ["transform", "m.safetensors", "wide.libsvm", "-o", "s.npy", "--quiet"]):
        subprocess.run([COMMAND, *command], cwd=place.path, check=True, preexec_fn=limit, env=TWO_THREADS,
                       timeout=HANG_GUARD)
    assert (place.path / "m.safetensors").stat().st_size < 2e6


@pytest.mark.parametrize("scale", ["standard", "robust", "minmax"])
def test_a_scaler_that_would_fill_the_zeros_is_refused(place, scale):
    save(place, "X.libsvm", documents(20, 10))
    place.fail(2, "fit", "X.libsvm", "-o", "m.safetensors", "--scale", scale, "--quiet",
               says=[f"scale {scale}", "sparse", "dense", "none"])


def test_the_summary_says_that_the_rows_are_sparse(place):
    X = documents(30, 40)
    save(place, "X.libsvm", X)
    output = place.succeed("fit", "X.libsvm", "-o", "m.safetensors").stdout
    assert f"30 rows x 40 features, sparse: {X.nnz} entries" in output
    assert f"sparse: {X.nnz} entries" in place.succeed("info", "m.safetensors").stdout


def test_a_new_row_beyond_the_columns_of_the_model_is_refused(place):
    save(place, "X.libsvm", documents(30, 10))
    place.succeed("fit", "X.libsvm", "-o", "m.safetensors", "--quiet")
    place.write("short.libsvm", "0 1:1\n")
    assert place.succeed("transform", "m.safetensors", "short.libsvm").stdout.count("\n") == 2
    place.write("long.libsvm", "0 1:1\n0 11:2\n")
    place.fail(3, "transform", "m.safetensors", "long.libsvm", says=["long.libsvm", "line 2", "11", "10"])
