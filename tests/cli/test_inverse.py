"""The commands inverse and denoise, as a user runs them."""
import json

import numpy as np
import pytest
from sklearn.decomposition import PCA, KernelPCA
from measured import peak_memory
from workplace import measures_memory


def rows(n=120, seed=0, noise=0.02):
    random = np.random.default_rng(seed)
    t = random.uniform(-1.5, 1.5, n)
    X = np.stack([t, t**2, np.sin(2 * t), np.cos(t)], axis=1)
    return X + noise * random.standard_normal(X.shape)


@pytest.fixture
def data(place, monkeypatch):
    """Writes rows to fit and new rows into the directory of the tests."""
    monkeypatch.chdir(place.path)
    place.save("train.npy", rows())
    place.save("new.npy", rows(50, seed=1))
    return place


def fit(place, *options):
    place.succeed("fit", "train.npy", "-o", "m.safetensors", "--quiet", "--precision", "float64", "--tol", "0", *options)


def test_linear_is_pca(data):
    fit(data, "--kernel", "linear", "--n-components", "2")
    said = data.succeed("denoise", "m.safetensors", "new.npy", "-o", "out.npy").stdout
    assert "linear" in said and "exact" in said
    pca = PCA(2).fit(np.load("train.npy"))
    new = np.load("new.npy")
    np.testing.assert_allclose(np.load("out.npy"), pca.inverse_transform(pca.transform(new)), atol=1e-8)


@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_compatible_numbers_are_scikit_learns(data, kernel, alpha):
    fit(data, "--kernel", kernel, "--gamma", "0.7", "--coef0", "1", "--n-components", "3")
    data.succeed("transform", "m.safetensors", "new.npy", "-o", "scores.npy")
    data.succeed("inverse", "m.safetensors", "scores.npy", "--preimage-compat", "sklearn", "--preimage-alpha", alpha, "-o",
        "out.npy")
    theirs = KernelPCA(3, kernel=kernel, gamma=0.7, coef0=1, fit_inverse_transform=True, alpha=alpha,
                       eigen_solver="dense").fit(np.load("train.npy"))
    expected = theirs.inverse_transform(theirs.transform(np.load("new.npy")))
    np.testing.assert_allclose(np.load("out.npy"), expected, atol=1e-6)


def test_denoise_takes_noise_away_and_says_how(data):
    clean = rows(200, seed=2, noise=0)
    np.save("noisy.npy", clean + 0.15 * np.random.default_rng(3).standard_normal(clean.shape))
    fit(data, "--n-components", "8", "--gamma", "median")
    said = data.succeed("denoise", "m.safetensors", "noisy.npy", "-o", "out.npy").stdout
    assert "ridge" in said and "noise 0.1" in said and "because" in said and "200 rows written to out.npy" in said
    error = np.mean((np.load("out.npy") - clean)**2)
    assert error < 0.5 * 0.15**2
    for method in ["fixed_point", "distance", "ridge"]:
        data.succeed("denoise", "m.safetensors", "noisy.npy", "--preimage", method, "-o", f"{method}.npy", "--quiet")
        assert np.mean((np.load(f"{method}.npy") - clean)**2) < 0.15**2, method


def test_what_the_fit_learns_is_kept(data):
    fit(data, "--n-components", "3", "--preimage", "ridge", "--preimage-gamma", "2", "--preimage-alpha", "0.01", "--json",
        "r.json")
    report = json.load(open("r.json"))["preimage"]
    assert report["method"] == "ridge" and report["gamma"] == 2 and report["alpha"] == 0.01
    assert report["centers"] == 120 and report["weights"] == "none"
    assert "pre-images     ridge, gamma 2, alpha 0.01" in data.succeed("info", "m.safetensors").stdout
    data.succeed("transform", "m.safetensors", "new.npy", "-o", "scores.npy")
    data.succeed("inverse", "m.safetensors", "scores.npy", "-o", "kept.npy", "--quiet")
    data.succeed("inverse", "m.safetensors", "scores.npy", "--preimage-gamma", "2", "--preimage-alpha", "0.01", "-o", "again.npy")
    np.testing.assert_allclose(np.load("kept.npy"), np.load("again.npy"), atol=1e-10)
    assert json.loads(data.succeed("info", "m.safetensors", "--json").stdout)["preimage"]["centers"] == 120


def test_names_ids_and_pipes(data):
    X = rows(30)
    lines = ["id,a,b,c,d"] + [f"r{i}," + ",".join(map(str, row)) for i, row in enumerate(X)]
    data.write("train.csv", "\n".join(lines) + "\n")
    data.succeed("fit", "train.csv", "--id-col", "id", "--n-components", "3", "--gamma", "1", "-o", "m.safetensors", "--quiet")
    done = data.run("denoise", "m.safetensors", "-", "--id-col", "id", input="\n".join(lines) + "\n")
    table = done.stdout.splitlines()
    assert table[0] == "id,a,b,c,d" and table[1].startswith("r0,") and len(table) == 31
    assert "pre-images" in done.stderr
    quiet = data.run("denoise", "m.safetensors", "train.csv", "--id-col", "id", "--quiet")
    assert quiet.stdout == done.stdout and quiet.stderr == ""
    scores = data.succeed("transform", "m.safetensors", "train.csv", "--id-col", "id").stdout
    back = data.run("inverse", "m.safetensors", "-", "--id-col", "id", input=scores).stdout.splitlines()
    assert back[0] == "id,x1,x2,x3,x4" and back[30].startswith("r29,")


def test_lagged_rows_give_the_newest(data):
    fit(data, "--kernel", "linear", "--n-components", "12", "--lags", "2", "--no-center")
    data.succeed("denoise", "m.safetensors", "new.npy", "-o", "out.npy")
    np.testing.assert_allclose(np.load("out.npy"), np.load("new.npy")[2:], atol=1e-6)


def test_few_rows_weigh_little(data):
    X = np.load("train.npy")
    X[:8] += 40 * np.random.default_rng(5).standard_normal((8, 4))
    np.save("train.npy", X)
    fit(data, "--n-components", "4", "--gamma", "1", "--loss", "huber", "--kappa-ratio", "0.5", "--preimage", "auto",
        "--tol", "1e-6", "--json", "r.json")
    report = json.load(open("r.json"))["preimage"]
    assert report["weights"] == "density" and 7 <= report["weighted_rows"] <= 12
    data.succeed("denoise", "m.safetensors", "new.npy", "--noise", "0", "-o", "out.npy")
    assert np.mean((np.load("out.npy") - np.load("new.npy"))**2) < 0.05


@pytest.mark.parametrize("command, options, code, words", [
    ("inverse", ["scores3.npy"], 3, "has 3 columns of numbers; m.safetensors needs 2"),
    ("denoise", ["scores3.npy"], 3, "has 3 columns of numbers; m.safetensors needs 4"),
    ("inverse", ["nan.npy"], 3, "nan.npy: row 2, column 1"),
    ("inverse", ["missing.npy"], 3, "missing.npy"),
    ("inverse", ["scores2.npy", "--preimage", "linear"], 2, "preimage linear exists for kernel linear only, not for rbf"),
    ("inverse", ["scores2.npy", "--preimage", "ridgy"], 2, "ridge"),
    ("inverse", ["scores2.npy", "--preimage-alpha", "0"], 2, "--preimage-alpha is 0; it must be a positive number"),
    ("inverse", ["scores2.npy", "--preimage-gamma", "x"], 2, "--preimage-gamma: 'x' is not a number"),
    ("inverse", ["scores2.npy", "--preimage-centers", "0"], 2, "--preimage-centers"),
    ("inverse", ["scores2.npy", "--preimage-weights", "dual"], 2, "preimage-weights dual needs a fit with loss huber"),
    ("inverse", ["scores2.npy", "--noise", "-1"], 2, "--noise"),
    ("denoise", ["new.npy", "--preimage-compat", "sklearn", "--noise", "0.1"], 2, "preimage-compat sklearn does not support noise"),
    ("denoise", ["new.npy", "-o", "out.xyz"], 2, "out.xyz"),
    ("denoise", ["new.npy", "-o", "m.safetensors"], 2, "is also MODEL"),
])
def test_bad_input(data, command, options, code, words):
    fit(data, "--n-components", "2")
    np.save("scores2.npy", np.zeros((5, 2)))
    np.save("scores3.npy", np.zeros((5, 3)))
    np.save("nan.npy", np.array([[0, 0], [np.nan, 0]]))
    data.fail(code, command, "m.safetensors", *options, says=words)


@pytest.mark.parametrize("options, words", [
    (["--kernel", "precomputed", "--preimage", "ridge"], "no pre-images with kernel precomputed"),
    (["--kernel", "poly", "--preimage", "fixed_point"], "--preimage fixed_point exists for kernel rbf"),
])
def test_fit_refuses_before_it_fits(data, options, words):
    done = data.run("fit", "train.npy", "-o", "m.safetensors", *options)
    assert done.returncode == 2 and words in done.stderr and not (data.path / "m.safetensors").exists()


def test_sparse_rows_have_none(data):
    data.write("s.libsvm", "1 1:1 3:2\n0 2:1\n1 1:3\n")
    done = data.run("fit", "s.libsvm", "-o", "m.safetensors", "--n-components", "1", "--preimage", "ridge")
    assert done.returncode == 2 and "sparse" in done.stderr
    data.succeed("fit", "s.libsvm", "-o", "m.safetensors", "--n-components", "1", "--quiet")
    done = data.run("denoise", "m.safetensors", "s.libsvm")
    assert done.returncode == 2 and "no pre-images of sparse rows" in done.stderr


def test_denoise_takes_what_the_model_holds(data):
    fit(data, "--n-components", "3", "--preimage-gamma", "2", "--preimage-alpha", "0.01")
    said = data.succeed("denoise", "m.safetensors", "new.npy", "-o", "out.npy").stdout
    assert "gamma 2, alpha 0.01, 120 centres" in said
    fit(data, "--n-components", "3", "--preimage", "ridge", "--noise", "0.1")
    data.save("scores.npy", np.zeros((1, 3)))
    assert "noise 0.1" in data.succeed("inverse", "m.safetensors", "scores.npy", "-o", "out.npy").stdout


def test_a_model_of_few_rows_learns_from_all_when_it_is_fitted(data):
    fit(data, "--n-components", "2", "--solver", "nystrom", "--landmarks", "20", "--tol", "0.5", "--preimage", "ridge",
        "--json", "r.json")
    assert json.load(open("r.json"))["preimage"]["centers"] == 120
    data.save("scores.npy", np.zeros((1, 2)))
    said = data.succeed("inverse", "m.safetensors", "scores.npy", "--preimage", "ridge", "-o", "out.npy").stdout
    assert "note           pre-images are learnt from the " in said and "all 120 training rows" in said


def test_a_fit_is_not_lost_when_the_inverse_transform_is(data):
    done = data.run("fit", "train.npy", "-o", "m.safetensors", "--noise", "1e30", "--quiet")
    assert done.returncode == 3 and "the model is written, but without an inverse transform" in done.stderr
    assert json.loads(data.succeed("info", "m.safetensors", "--json").stdout)["preimage"] is None


def test_options_without_effect_are_named(data):
    fit(data, "--n-components", "2", "--preimage", "distance", "--preimage-alpha", "3", "--json", "r.json")
    assert json.load(open("r.json"))["preimage"]["notes"] == ["preimage_alpha has no effect with preimage distance"]


def test_ids_of_lagged_rows(data):
    X = rows(30)
    lines = ["id,a,b,c,d"] + [f"r{i}," + ",".join(map(str, row)) for i, row in enumerate(X)]
    data.write("train.csv", "\n".join(lines) + "\n")
    data.succeed("fit", "train.csv", "--id-col", "id", "--lags", "3", "-o", "m.safetensors", "--scores", "s.csv", "--quiet")
    table = (data.path / "s.csv").read_text().splitlines()
    assert table[1].startswith("r3,") and len(table) == 28
    again = data.succeed("transform", "m.safetensors", "train.csv", "--id-col", "id").stdout.splitlines()
    assert [line.split(",")[0] for line in again] == [line.split(",")[0] for line in table]


@measures_memory
def test_memory_does_not_grow_with_the_rows(data):
    fit(data, "--kernel", "linear", "--n-components", "2")
    peaks = []
    for n in (20000, 400000):
        data.save("many.npy", np.tile(rows(100), (n // 100, 1)))
        peaks.append(peak_memory(data, "denoise", "m.safetensors", "many.npy", "-o", "out.npy"))
    assert peaks[1] < peaks[0] + 8e6  # 380000 more rows take 12 MB, and as much again denoised
