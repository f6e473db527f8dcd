"""Robust and sparse fits: losses, kappa and epsilon, sparse models, `dualkpca path`, and every definition in numpy."""
import csv
import io
import json
import struct

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

GAMMA = 0.15
HUBER = ["--loss", "huber"]
SPARSE = ["--loss", "epsilon_insensitive"]


@pytest.fixture
def rows(place):
    X = np.random.default_rng(5).normal(size=(240, 5))
    X[:12] *= 4
    return place.save("x.npy", X), X


def fit(place, path, *options, code=0):
    words = ["fit", path, "--gamma", str(GAMMA), "--n-components", "3", *map(str, options), "-o", "m", "--json", "r.json",
             "--scores", "s.npy", "--quiet"]
    result = place.run(*words)
    assert result.returncode == code, result.stderr
    return json.loads((place.path / "r.json").read_text())


def arrays(path):
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    kinds = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4"}
    found = {}
    for name, entry in header.items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            found[name] = np.frombuffer(data[8 + length + first:8 + length + last], kinds[entry["dtype"]])
            found[name] = found[name].reshape(entry["shape"])
    return found


def dual_variables(place, n, s):
    """Returns H, from a dense or a sparse model."""
    model = arrays(place.path / "m")
    if "dual_variables" in model:
        return model["dual_variables"]
    H = np.zeros((n, s))
    for i, row in enumerate(model["kept_rows"]):
        part = slice(model["dual_offsets"][i], model["dual_offsets"][i + 1])
        H[row, model["dual_columns"][part]] = model["dual_values"][part]
    return H


def gram(place, X, centred=True):
    """Centres at the centre of the model: the mean, or the sum that its weights define."""
    K = rbf_kernel(X, gamma=GAMMA)
    if not centred:
        return K
    n = len(X)
    model = arrays(place.path / "m")
    c = np.full(n, 1 / n)
    if "center_weights" in model:
        c = np.zeros(n)
        c[model["kept_rows"]] = model["center_weights"]
    J = np.eye(n) - np.outer(np.ones(n), c)
    return J @ K @ J.T


def scores_of(G, H):
    values, vectors = np.linalg.eigh(H.T @ G @ H)
    good = values > 1e-10 * values.max()
    root = vectors[:, good] / np.sqrt(values[good]) @ vectors[:, good].T
    return G @ H @ root, np.sqrt(values[good]).sum()


def sizes(Y, norm):
    return {"rows": np.linalg.norm(Y, axis=1, keepdims=True), "entries": np.abs(Y),
            "frobenius": np.full((1, 1), np.linalg.norm(Y))}[norm]


def judge(G, H, report):
    """Returns the residual, d(H) and -F(Y) from their definitions."""
    Y, trace_root = scores_of(G, H)
    t = np.maximum(sizes(Y, report["norm"]), 1e-300)
    if report["loss"] == "huber":
        p = report["kappa"]
        Z, conjugate = Y * np.minimum(1, p / t), 0
        value = np.where(t <= p, t * t / 2, p * t - p * p / 2).sum()
    else:
        p = report["epsilon"]
        Z, conjugate = Y * np.maximum(0, 1 - p / t), p * sizes(H, report["norm"]).sum()
        value = (np.maximum(0, t - p)**2).sum() / 2
    return np.linalg.norm(H - Z) / np.linalg.norm(Z), (H**2).sum() / 2 + conjugate - trace_root, -value


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("centre", ["centred", "uncentred"])
@pytest.mark.parametrize("norm", ["rows", "entries", "frobenius"])
@pytest.mark.parametrize("loss", [HUBER + ["--kappa-ratio", "0.5"], SPARSE + ["--epsilon", "0.25"]], ids=["huber", "epsilon"])
def test_every_number_follows_from_its_definition(place, rows, loss, norm, centre, precision):
    path, X = rows
    options = [] if centre == "centred" else ["--no-center"]
    report = fit(place, path, *loss, "--norm", norm, "--precision", precision, *options)
    assert report["status"] == "converged" and report["eta_kind"] == "stationary" and report["eta"] <= 1e-5
    close = 1e-9 if precision == "float64" else 2e-6
    H = dual_variables(place, len(X), 3)
    G = gram(place, X, centre == "centred")
    residual, dual, primal = judge(G, H, report)
    assert abs(residual - report["eta"]) <= (1e-9 if precision == "float64" else 3e-6)
    assert dual == pytest.approx(report["dual_objective"], rel=close)
    assert primal == pytest.approx(report["primal_objective"], rel=close)
    Y, _ = scores_of(G, H)
    assert np.linalg.eigvalsh(Y.T @ Y)[::-1] == pytest.approx(report["eigenvalues"], rel=1e-4 if close > 1e-8 else 1e-8)
    assert report["explained_variance_ratio"] == pytest.approx(np.array(report["eigenvalues"]) / np.trace(G), rel=1e-5)
    scores = np.load(place.path / "s.npy")
    assert np.abs(scores @ scores.T - Y @ Y.T).max() <= 100 * close * np.abs(Y @ Y.T).max()
    largest = scores[np.abs(scores).argmax(axis=0), range(3)]
    assert (largest > 0).all()
    assert report["support_size"] == (np.abs(H).max(axis=1) > 0).sum()
    share = {"rows": (np.abs(H).max(axis=1) == 0).mean(), "entries": (H == 0).mean(), "frobenius": None}[norm]
    assert report["sparsity"] == (pytest.approx(share) if share is not None else None)
    place.succeed("transform", "m", path, "-o", "t.npy")
    assert np.abs(np.load(place.path / "t.npy") - scores).max() <= (1e-9 if precision == "float64" else 1e-4)
    place.succeed("check", "m", path)


@pytest.mark.parametrize("norm", ["rows", "entries", "frobenius"])
def test_kappa_max_is_the_largest_of_the_square_loss_solution(place, rows, norm):
    path, X = rows
    report = fit(place, path, *HUBER, "--norm", norm, "--kappa-ratio", "0.4", "--precision", "float64")
    values, vectors = np.linalg.eigh(gram(place, X))
    square = vectors[:, -3:] * np.sqrt(values[-3:])
    assert report["kappa_max"] == pytest.approx(sizes(square, norm).max(), rel=1e-5)
    assert report["kappa"] == pytest.approx(0.4 * report["kappa_max"])
    assert report["kappa_ratio"] == pytest.approx(0.4)


@pytest.mark.parametrize("norm", ["rows", "entries"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_sparsity_is_met_and_models_get_smaller(place, rows, norm, share):
    path, _ = rows
    report = fit(place, path, *SPARSE, "--norm", norm, "--sparsity", share)
    assert report["sparsity"] == pytest.approx(share, abs=0.01)
    assert not any("cannot" in note for note in report["notes"])
    model = arrays(place.path / "m")
    assert len(model["kept_rows"]) == report["stored_rows"] == len(model["rows"])
    assert report["stored_rows"] <= report["support_size"] + report["center_landmarks"]
    assert report["model_bytes"] == sum(array.nbytes for array in model.values())
    assert "scores" not in model and "dual_variables" not in model


def test_the_error_of_the_centre_is_its_distance_from_the_mean(place, rows):
    path, X = rows
    report = fit(place, path, *SPARSE, "--epsilon", "0.3", "--precision", "float64")
    model = arrays(place.path / "m")
    v = np.full(len(X), 1 / len(X))
    v[model["kept_rows"]] -= model["center_weights"]
    assert report["center_error"] == pytest.approx(np.sqrt(v @ rbf_kernel(X, gamma=GAMMA) @ v), rel=1e-6)
    uncentred = fit(place, path, *SPARSE, "--epsilon", "0.6", "--no-center")
    assert uncentred["center_error"] is None and uncentred["stored_rows"] == uncentred["support_size"]


def test_outliers_are_named(place):
    X = np.random.default_rng(1).normal(size=(60, 3))
    X[[7, 31]] *= 20
    lines = ["name,a,b,c"] + [f"part{i}," + ",".join(map(repr, row)) for i, row in enumerate(X.tolist())]
    path = place.write("x.csv", "\n".join(lines) + "\n")
    place.succeed("fit", path, "--id-col", "name", "--kernel", "linear", *HUBER, "--kappa-ratio", "0.2", "-o", "m",
                  "--json", "r.json")
    report = json.loads((place.path / "r.json").read_text())
    assert {row["id"] for row in report["extreme_rows"][:2]} == {"part7", "part31"}
    assert all(row["id"] == f"part{row['index']}" for row in report["extreme_rows"])
    text = place.succeed("info", "m").stdout
    assert "part31" in text and "clipped most" in text and "no outlier scores" not in text
    weights = np.array([float(line) for line in place.succeed("info", "m", "--weights", "-").stdout.split()[1:]])
    assert len(weights) == 60 and (weights < 1).sum() == report["weighted_rows"]
    assert weights[7] == pytest.approx([row["weight"] for row in report["extreme_rows"] if row["index"] == 7][0])


@pytest.mark.parametrize("kernel", ["rbf", "laplace", "laplacian", "matern32", "matern52", "cosine"])
def test_weights_of_a_bounded_kernel_are_not_called_outliers(place, kernel):
    path = place.save("x.npy", np.random.default_rng(1).normal(size=(30, 3)))
    text = place.succeed("fit", path, "--kernel", kernel, *HUBER, "-o", "m").stdout
    sentence = f"with kernel {kernel} weights are no outlier scores: use dualkpca score"
    assert sentence in text and sentence in place.succeed("info", "m").stdout



def test_starts_are_listed_with_their_objectives(place, rows):
    report = fit(place, rows[0], *HUBER, "--norm", "entries", "--kappa-ratio", "0.3")
    assert [start["is_best"] for start in report["starts"]][0] and len(report["starts"]) >= 2
    assert report["starts"][0]["objective"] == pytest.approx(report["primal_objective"], rel=1e-6)
    assert min(start["objective"] for start in report["starts"]) == report["starts"][0]["objective"]


def test_dca_by_name_and_its_limits(place, rows):
    fast = fit(place, rows[0], *HUBER, "--kappa", "0.3")
    assert fast["solver"] == "panoc"
    slow = fit(place, rows[0], *HUBER, "--kappa", "0.3", "--solver", "dca")
    assert slow["solver"] == "dca" and slow["starts"][0]["name"] == "random"
    assert slow["dual_objective"] == pytest.approx(fast["dual_objective"], rel=1e-5)
    assert slow["products"] > fast["products"]
    few = fit(place, rows[0], *HUBER, "--kappa", "0.3", "--max-iter", "1", code=4)
    assert few["status"] == "iteration_limit"


def path_table(place, *options, code=0):
    result = place.run("path", *map(str, options), "--quiet")
    assert result.returncode == code, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_path(place, rows):
    path, X = rows
    table = path_table(place, path, "--gamma", GAMMA, *HUBER, "--kappa-ratio", "0.2,1,0.5", "--n-components", "2,3")
    assert [row["n_components"] for row in table] == ["2"] * 4 + ["3"] * 4
    assert [row["loss"] for row in table] == 2 * (["square"] + ["huber"] * 3)
    assert [float(row["ratio"]) for row in table[1:4]] == pytest.approx([1, 0.5, 0.2])
    report = fit(place, path, *HUBER, "--kappa", table[6]["kappa"])
    assert float(table[6]["dual_objective"]) == pytest.approx(report["dual_objective"], rel=1e-5)
    trace = np.trace(gram(place, X))
    error = trace - sum(report["eigenvalues"])
    assert float(table[6]["reconstruction_error"]) == pytest.approx(error, rel=1e-4)
    assert float(table[6]["error_ratio"]) >= 1 - 1e-6
    sparse = path_table(place, path, "--gamma", GAMMA, *SPARSE, "--epsilon", "0.1,0.3,9")
    assert [float(row["sparsity"]) for row in sparse[1:]] == sorted(float(row["sparsity"]) for row in sparse[1:])
    assert sparse[-1]["support_size"] == "0" and sparse[-1]["sparsity"] == "1"
    assert len(path_table(place, path, *SPARSE, "--points", "3")) == 4
    place.succeed("path", path, *HUBER, "--points", "2", "-o", "p.csv")
    assert (place.path / "p.csv").read_text().count("\n") == 4


@pytest.mark.parametrize("options, says", [
    (HUBER + ["--kappa", "0"], "--kappa is 0"),
    (HUBER + ["--kappa", "-1"], "--kappa is -1"),
    (HUBER + ["--kappa", "nan"], "--kappa"),
    (HUBER + ["--kappa-ratio", "1.5"], "--kappa-ratio is 1.5"),
    (HUBER + ["--kappa-ratio", "0"], "--kappa-ratio is 0"),
    (HUBER + ["--kappa", "1", "--kappa-ratio", "0.5"], "both"),
    (SPARSE + ["--epsilon", "0"], "--epsilon is 0"),
    (SPARSE + ["--epsilon", "1", "--sparsity", "0.5"], "both"),
    (SPARSE + ["--sparsity", "1"], "--sparsity is 1"),
    (SPARSE + ["--sparsity", "-0.1"], "--sparsity is -0.1"),
    (SPARSE + ["--norm", "frobenius", "--sparsity", "0.5"], "frobenius"),
    (SPARSE + ["--epsilon", "1e6"], "makes everything zero"),
    (SPARSE + ["--kappa", "1"], "belongs to loss huber"),
    (["--kappa-ratio", "0.5"], "belongs to loss huber"),
    (["--sparsity", "0.5"], "belongs to loss epsilon_insensitive"),
    (["--norm", "entries"], "norm entries"),
    (HUBER + ["--accuracy", "certified"], "certified"),
    (HUBER + ["--solver", "krylov"], "auto, panoc or dca"),
    (HUBER + ["--kernel", "sigmoid"], "sigmoid"),
    (["--loss", "hubert"], "did you mean"),
])
def test_bad_usage_is_one_clear_line(place, rows, options, says):
    place.fail(2, "fit", rows[0], *options, "-o", "m", says=says)
    assert not (place.path / "m").exists()


@pytest.mark.parametrize("options, says", [
    (["--loss", "square"], "loss huber or epsilon_insensitive"),
    (HUBER + ["--epsilon", "1"], "epsilon"),
    (HUBER + ["--kappa-ratio", "0.5,2"], "in (0, 1]"),
    (HUBER + ["--kappa", "1,,2"], "--kappa"),
    (HUBER + ["--kappa", "1", "--kappa-ratio", "0.5"], "another list"),
    (HUBER + ["--n-components", "900"], "--n-components"),
    (HUBER + ["--solver", "krylov"], "panoc"),
])
def test_bad_paths_are_refused_before_anything_is_printed(place, rows, options, says):
    assert place.fail(2, "path", rows[0], *options, says=says).stdout == ""


def test_weights_of_a_square_fit_are_refused(place, rows):
    place.succeed("fit", rows[0], "-o", "m")
    place.fail(2, "info", "m", "--weights", "w.csv", says="square loss")
