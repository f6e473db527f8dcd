"""Models cross from Python to the command and back. The environment variable DUALKPCA_COMMAND names the command."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import dump_svmlight_file
from sklearn.exceptions import ConvergenceWarning

from dualkpca import KernelPCA

COMMAND = os.environ.get("DUALKPCA_COMMAND") and os.path.abspath(os.environ["DUALKPCA_COMMAND"])
pytestmark = [
    pytest.mark.skipif(not COMMAND, reason="DUALKPCA_COMMAND names no command"),
    pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.{ConvergenceWarning.__name__}"),
]


def rows(n=90, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4)) @ random.normal(size=(4, 4)) + 1
    return X * (np.abs(X) > 0.5)


X, NEW = rows(), rows(20, seed=1)
# Options of the command, and the parameters that mean the same.
KINDS = {
    "plain": ([], {}),
    "linear": (["--kernel", "linear"], {"kernel": "linear"}),
    "poly": (["--kernel", "poly", "--degree", 2, "--coef0", 0.5], {"kernel": "poly", "degree": 2, "coef0": 0.5}),
    "not centred": (["--no-center"], {"center": False}),
    "scaled": (["--scale", "robust"], {"scale": "robust"}),
    "lags": (["--lags", 2], {"lags": 2}),
    "share": (["--n-components", 0.7], {"n_components": 0.7}),
    "huber": (["--loss", "huber", "--kappa-ratio", 0.3], {"loss": "huber", "kappa_ratio": 0.3}),
    "entries": (["--loss", "huber", "--norm", "entries"], {"loss": "huber", "norm": "entries"}),
    "sparse": (["--loss", "epsilon_insensitive", "--sparsity", 0.6], {"loss": "epsilon_insensitive", "sparsity": 0.6}),
    "landmarks": (["--solver", "nystrom", "--landmarks", 30], {"solver": "nystrom", "landmarks": 30}),
    "median": (["--gamma", "median"], {"gamma": "median"}),
    "float32": (["--precision", "float32"], {"precision": "float32"}),
}
NOT_LOADED = {"sparse", "landmarks"}  # the files of these models store no training scores


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", X)
    np.save("new.npy", NEW)
    return tmp_path


def run(*args, codes=(0,)):
    result = subprocess.run([COMMAND, *map(str, args)], capture_output=True, text=True, timeout=600)
    assert result.returncode in codes, result.stderr
    return result.stdout


def fit_by_command(kind, *options, data="x.npy"):
    """Does the same as estimator(), with the names of the command and without its defaults."""
    own = KINDS[kind][0]
    given = {"--n-components": 3, "--tol": 0, "--gamma": 0.2, "--precision": "float64", "--limits": "training"}
    others = [word for name, value in given.items() if name not in own for word in (name, value)]
    run("fit", data, *others, *own, *options, "-o", "m.dkpca", "--quiet", "--threads", 1, codes=(0, 4))
    return "m.dkpca"


def estimator(kind, **options):
    return KernelPCA(**{"n_components": 3, "kernel": "rbf", "gamma": 0.2, "n_jobs": 1} | KINDS[kind][1] | options)


def close(found, expected, kind):
    """Tolerance for rounding, which the iterations of a loss other than square amplify a thousandfold."""
    tol = 1e-5 if kind == "float32" else 1e-9 if kind in ("huber", "entries", "sparse") else 1e-12
    np.testing.assert_allclose(found, expected, rtol=0, atol=tol * max(1, np.abs(expected).max()))


# From Python to the command

@pytest.mark.parametrize("kind", KINDS)
def test_the_command_reads_what_python_saves(place, kind):
    model = estimator(kind).fit(X)
    model.save("m.dkpca")
    info = json.loads(run("info", "m.dkpca", "--json"))
    assert info == model.report_
    assert info["n_samples"] == len(model.dual_variables_) and info["n_features"] == 4
    np.testing.assert_allclose(info["eigenvalues"], model.eigenvalues_, rtol=1e-12)
    run("transform", "m.dkpca", "new.npy", "-o", "s.npy", "--quiet")
    close(np.load("s.npy"), model.transform(NEW), kind)
    run("score", "m.dkpca", "new.npy", "-o", "q.csv", "--quiet")
    statistics = np.genfromtxt("q.csv", delimiter=",", names=True)
    t2, spe = model.monitor(NEW)
    np.testing.assert_allclose(statistics["t2"], t2, rtol=1e-6)
    np.testing.assert_allclose(statistics["spe"], spe, rtol=1e-6)
    if kind != "landmarks":  # thirty landmarks are too few to be near the solution
        run("check", "m.dkpca", "x.npy", "--quiet", "--tol", 1e-4 if kind == "float32" else 1e-9)


def test_the_command_sees_that_the_data_are_others(place):
    estimator("plain").fit(X).save("m.dkpca")
    run("check", "m.dkpca", "x.npy", "--quiet", "--tol", 1e-9)
    np.save("x.npy", X[::-1])
    run("check", "m.dkpca", "x.npy", codes=(3,))


def test_the_command_goes_back_as_python_does(place):
    model = estimator("plain", fit_inverse_transform=True).fit(X)
    model.save("m.dkpca")
    np.save("s.npy", model.transform(NEW))
    run("inverse", "m.dkpca", "s.npy", "-o", "back.npy", "--quiet")
    np.testing.assert_allclose(np.load("back.npy"), model.inverse_transform(model.transform(NEW)), atol=1e-12)
    loaded = KernelPCA.load("m.dkpca")
    assert loaded.fit_inverse_transform is True and loaded.preimage == "sklearn"
    np.testing.assert_allclose(loaded.inverse_transform(model.transform(NEW)), np.load("back.npy"), atol=1e-12)


def test_what_belongs_to_the_way_back_is_loaded_too(place):
    model = estimator("plain", fit_inverse_transform=True, alpha=0.01).fit(X)
    model.save("m.dkpca")
    loaded = KernelPCA.load("m.dkpca")
    np.testing.assert_allclose(loaded.dual_coef_, model.dual_coef_)
    np.testing.assert_allclose(loaded.X_transformed_fit_, model.X_transformed_fit_)
    assert loaded.alpha == 0.01


def test_sparse_rows(place):
    model = estimator("plain").fit(sparse.csr_matrix(X))
    model.save("m.dkpca")
    run("transform", "m.dkpca", "new.npy", "-o", "s.npy", "--quiet")
    np.testing.assert_allclose(np.load("s.npy"), model.transform(NEW), atol=1e-12)
    loaded = KernelPCA.load("m.dkpca")
    assert sparse.issparse(loaded.X_fit_)
    np.testing.assert_allclose(loaded.X_fit_.toarray(), X)
    np.testing.assert_allclose(loaded.transform(sparse.csr_matrix(NEW)), np.load("s.npy"), atol=1e-12)


def test_a_kernel_matrix(place):
    K, K_new = X @ X.T, NEW @ X.T
    model = KernelPCA(3, kernel="precomputed").fit(K)
    model.save("m.dkpca")
    np.save("k.npy", K_new)
    run("transform", "m.dkpca", "k.npy", "-o", "s.npy", "--quiet")
    np.testing.assert_allclose(np.load("s.npy"), model.transform(K_new), atol=1e-12)
    loaded = KernelPCA.load("m.dkpca")
    assert loaded.n_features_in_ == len(X)
    np.testing.assert_allclose(loaded.transform(K_new), np.load("s.npy"), atol=1e-12)


# From the command to Python

@pytest.mark.parametrize("kind", list(KINDS))
def test_python_reads_what_the_command_saves(place, kind):
    model = KernelPCA.load(fit_by_command(kind))
    run("transform", "m.dkpca", "new.npy", "-o", "s.npy", "--quiet")
    close(model.transform(NEW), np.load("s.npy"), kind)
    assert model.report_ == json.loads(run("info", "m.dkpca", "--json"))


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_loaded_model_has_its_attributes(place, kind):
    model = KernelPCA.load(fit_by_command(kind))
    fitted = estimator(kind).fit(X)
    assert model.n_features_in_ == 4
    names = ["eigenvalues_", "explained_variance_ratio_", "support_", "gamma_", "t2_limit_", "spe_limit_"]
    if kind != "landmarks":
        names.append("dual_variables_")
    if kind not in NOT_LOADED:
        names += ["eigenvectors_", "t2_", "spe_", "X_fit_"]
    for name in names:
        atol = 1e-3 if kind == "float32" else 1e-9
        np.testing.assert_allclose(getattr(model, name), getattr(fitted, name), rtol=atol, atol=atol, err_msg=name)
    for name in ("solver_", "status_", "converged_", "eta_kind_"):
        assert getattr(model, name) == getattr(fitted, name), name
    assert model.n_iter_ == max(1, json.loads(run("info", "m.dkpca", "--json"))["iterations"])
    assert hasattr(model, "row_weights_") == hasattr(fitted, "row_weights_")
    assert list(model.get_feature_names_out()) == list(fitted.get_feature_names_out())


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_loaded_model_fits_again_to_the_same(place, kind):
    model = KernelPCA.load(fit_by_command(kind))
    again = KernelPCA(**model.get_params()).fit(X)
    close(again.transform(NEW), model.transform(NEW), kind)
    assert again.eta_kind_ == model.eta_kind_ and again.solver_ == model.solver_


@pytest.mark.parametrize("kind", ["plain", "scaled", "huber"])
def test_the_way_back_that_the_command_learnt(place, kind):
    model = KernelPCA.load(fit_by_command(kind, "--preimage", "ridge", "--preimage-gamma", 0.5, "--preimage-alpha", 0.1))
    scores = model.transform(NEW)
    np.save("s.npy", scores)
    run("inverse", "m.dkpca", "s.npy", "-o", "back.npy", "--quiet")
    np.testing.assert_allclose(model.inverse_transform(scores), np.load("back.npy"), atol=1e-10)


def test_sparse_rows_of_the_command(place):
    dump_svmlight_file(X, np.zeros(len(X)), "x.libsvm", zero_based=False)
    model = KernelPCA.load(fit_by_command("plain", "--n-features", 4, data="x.libsvm"))
    assert sparse.issparse(model.X_fit_)
    fitted = estimator("plain").fit(X)
    np.testing.assert_allclose(model.transform(NEW), fitted.transform(NEW), atol=1e-9)


def test_the_command_of_the_package():
    """`python -m dualkpca` is the command."""
    version = subprocess.run([sys.executable, "-m", "dualkpca", "--version"], capture_output=True, text=True)
    assert version.returncode == 0, version.stderr
    assert version.stdout == run("--version")
    wrong = subprocess.run([sys.executable, "-m", "dualkpca", "no-such"], capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("dualkpca: ")
