"""bench/compare on generated data: every part runs, every row is present, and the numbers are plausible."""
import argparse
import csv
import math
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.metrics import roc_auc_score

COMPARE = pathlib.Path(__file__).resolve().parents[2] / "bench/compare"
sys.path[:0] = [str(COMPARE), str(COMPARE.parent / "common")]

import datasets  # noqa: E402
import dual  # noqa: E402
import estimators  # noqa: E402
import kernels  # noqa: E402
import model_file  # noqa: E402
import ours  # noqa: E402
import part_denoise  # noqa: E402
import part_inverse  # noqa: E402
import part_peers  # noqa: E402
import part_robust  # noqa: E402
from compare import PARTS  # noqa: E402
from reference import Reference, arpack_sum, lapack_sum  # noqa: E402
from table import Table  # noqa: E402

EXACT = 1e-12
HANGS = 1400  # seconds, enough for a slow machine


def compare(output, *arguments):
    words = [COMPARE / "compare.py", *arguments, "--quick", "--output", output, "--dense-limit", 0, "--threads", 1]
    return subprocess.run([sys.executable, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=HANGS)


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """Runs all parts at once, without R and without a data folder."""
    folder = tmp_path_factory.mktemp("compare")
    result = compare(folder, "all")
    assert result.returncode == 0, result.stderr
    (folder / "stdout").write_text(result.stdout)
    return folder


def table(output, part):
    with open(output / f"{part}.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_every_part_prints_its_table_and_the_speed_of_the_machine(output):
    text = (output / "stdout").read_text()
    for part in PARTS:
        assert f"## {part}\n" in text
        assert (output / f"{part}.md").read_text() in text
    assert text.count("sgemm by numpy: ") == len(PARTS) == 14


def test_ready_has_every_solver_and_each_meets_delta(output):
    rows = table(output, "ready")
    ours_of_one = [f"dualkpca {solver}, {accuracy}" for solver, accuracy in ours.variants()]
    peers_of_one = ["Spectra (IRLM), float32 tiles"] + [
        f"{name}, {width}" for width in ("float64", "float32")
        for name in ("paper's L-BFGS-B", "scipy eigsh (ARPACK)", "sklearn randomized", "sklearn randomized defaults")]
    assert [row["solver"] for row in rows] == 2 * (ours_of_one + peers_of_one)
    for row in rows:
        assert row["met"] == "True", row
        assert -EXACT < float(row["true eta"]) <= float(row["delta"])
        assert float(row["seconds"]) > 0 and float(row["ratio"]) > 0 and int(row["products"]) > 0
    assert float(rows[0]["ratio"]) == 1


def test_whole_measures_time_memory_and_eta_of_every_program(output):
    rows = table(output, "whole")
    programs = [row["program"] for row in rows]
    assert programs[:len(ours.variants())] == [f"dualkpca {solver}, {accuracy}" for solver, accuracy in ours.variants()]
    names = ["arpack defaults", "arpack", "randomized defaults", "randomized"]
    assert programs[len(ours.variants()):] == [f"sklearn {name}, float32" for name in names] + ["kernlab kpca"]
    assert rows[-1]["setting"] == "not run: n > 0"
    for row in rows[:-1]:
        assert row["met"] == "True", row
        assert 1 < float(row["peak MiB"]) < 2000
        assert float(row["process seconds"]) >= float(row["fit seconds"])


def test_products_has_every_problem_and_the_medians(output):
    rows = table(output, "products")
    runs = 2 * len(ours.accuracies())
    assert len(rows) == 2 * 3 * runs + 2 * runs
    assert [row["set"] for row in rows[-2 * runs:]] == runs * ["median", "worst"]
    for row in rows[:-2 * runs]:
        assert -EXACT < float(row["true eta"]) < 1, row
        if row["status"] == "converged":
            assert float(row["reported eta"]) <= float(row["tol"])
        if row["kind"] == "certified":
            assert float(row["true eta"]) <= float(row["reported eta"]) + 1e-6


def test_scaling_covers_sizes_and_components(output):
    rows = table(output, "scaling")
    programs = [f"dualkpca, {accuracy}" for accuracy in ours.accuracies()] + [
        "sklearn arpack, float32", "sklearn randomized, float32"]
    assert [row["program"] for row in rows] == 2 * programs
    assert [row["against"] for row in rows[::len(programs)]] == ["n", "s"]
    for row in rows:
        assert float(row["seconds"]) > 0 and abs(float(row["true eta"])) < 1e-3


def test_landmarks_has_the_true_eta_of_a_small_set(output):
    for row in table(output, "landmarks"):
        assert row["status"] == "converged", row
        assert -EXACT < float(row["true eta"]) <= float(row["tol"])
        assert int(row["rows kept"]) <= int(row["n"])


def test_robust_finds_the_outliers_that_draw_the_components_of_the_square_loss(output):
    rows = table(output, "robust")
    assert [(row["set"], row["kernel"]) for row in rows] == [
        ("generated-outliers", "linear"), ("generated-outliers", "rbf:median"), ("median", "linear"),
        ("mean gain", "linear"), ("median", "rbf:median"), ("mean gain", "rbf:median")]
    linear, rbf = rows[:2]
    assert linear["status"] == rbf["status"] == "converged"
    assert float(linear["AUROC square"]) < 0.6 and float(linear["AUROC huber 0.1"]) > 0.95
    assert all(float(rbf[column]) > 0.95 for column in rbf if column.startswith("AUROC"))
    clipped = [int(count) for count in linear["clipped"].split()]
    assert len(clipped) == 4 and clipped == sorted(clipped) and 0 < clipped[0]
    gain = float(linear["AUROC huber 0.1"]) - float(linear["AUROC square"])
    assert math.isclose(float(rows[3]["AUROC huber 0.1"]), gain, rel_tol=1e-9)


def test_limits_of_every_kind_are_exceeded_by_few_clean_rows(output):
    rows = table(output, "limits")
    assert [row["limits"] for row in rows] == ["cv", "training", "chi2", "weighted_chi2"]
    for row in rows:
        assert 0 <= float(row["T2 above %"]) <= float(row["either %"]) < 15
        assert float(row["SPE above %"]) <= float(row["either %"])
    # Cross-validation gives a higher limit of SPE than the training rows, to which the components have adapted.
    assert float(rows[0]["SPE above %"]) <= float(rows[1]["SPE above %"])


def test_sparsity_has_every_norm_and_more_zeros_cost_more(output):
    rows = table(output, "sparsity")
    expected = [("square loss", ""), ("rows", "0.3"), ("rows", "0.8"), ("entries", "0.3"), ("entries", "0.8")]
    assert [(row["norm"], row["target"]) for row in rows] == 2 * expected
    assert [row["centred"] for row in rows] == 5 * ["False"] + 5 * ["True"]
    for square, *others in (rows[:5], rows[5:]):
        assert float(square["error ratio"]) == 1 and float(square["sparsity"]) == 0
        for row in others:
            assert row["status"] == "converged", row
            assert row["met"] == "True" and abs(float(row["sparsity"]) - float(row["target"])) <= 0.011
            assert float(row["error ratio"]) > 1 - 1e-4 and float(row["transform seconds"]) > 0
        for few, many in (others[:2], others[2:]):
            assert float(few["error ratio"]) < float(many["error ratio"])
            assert float(few["epsilon"]) < float(many["epsilon"])
            assert int(many["model bytes"]) < int(few["model bytes"])
            assert int(many["support size"]) <= int(many["stored rows"]) < int(square["stored rows"])


def test_losses_measures_every_loss_on_the_same_rows(output):
    rows = table(output, "losses")
    assert [row["loss"] for row in rows] == ["square", "huber", "epsilon_insensitive", "epsilon_insensitive"]
    assert float(rows[0]["ratio"]) == 1
    for row in rows:
        assert row["status"] == "converged", row
        assert float(row["eta"]) <= 1e-5 and float(row["seconds"]) > 0 and int(row["products"]) > 0
    assert [float(row["sparsity"]) for row in rows[:2]] == [0, 0]
    assert 0 < float(rows[2]["sparsity"]) < 1 and abs(float(rows[3]["sparsity"]) - 0.9) < 0.02
    assert int(rows[3]["support size"]) < int(rows[0]["support size"])


def test_denoise_compares_every_method_on_every_noise(output):
    *rows, best, ahead = table(output, "denoise")
    assert [row["noise"] for row in rows] == part_denoise.NOISES
    for row in rows:
        assert row["status"] == "ok" and row["draws"] == "2", row
        assert all(0 < float(row[name]) < float(row["noisy"]) for name in part_denoise.METHODS)
        assert float(row["PCA, best s"]) <= float(row["PCA, this s"])
        assert row["best"] == min(part_denoise.METHODS, key=lambda name: float(row[name]))
    assert float(rows[1]["auto"]) < 0.8 * float(rows[1]["ridge, noise 0"])
    assert best["set"] == "best in" and sum(int(best[name]) for name in part_denoise.METHODS) == 3
    assert 0 <= int(ahead["auto"]) <= 3
    assert len(table(output, "denoise-draws")) == 2 * 3


def test_inverse_has_every_fit_and_every_inverse_transform(output):
    rows = table(output, "inverse")
    assert [row["fit"] for row in rows] == ["square", "huber rows", "huber entries", "square - huber rows",
                                            "square - huber entries"]
    for row in rows[:3]:
        ways = [way for way in part_inverse.MAPS if way != part_inverse.ONLY_HUBER or row["fit"] != "square"]
        assert row["draws"] == "2" and all(float(row[way]) > 0 for way in ways)
        assert row["best"] == min(ways, key=lambda way: float(row[way]))
        # Outlying rows spoil an inverse transform that gives each row the same weight.
        assert float(row["ridge density"]) < 0.5 < float(row["paper"]) < float(row["ridge none"])
    assert rows[0][part_inverse.ONLY_HUBER] == ""
    singles = table(output, "inverse-draws")
    assert len(singles) == 2 * 3 and {row["status"] for row in singles} == {"converged"}
    for k, name in enumerate(["huber rows", "huber entries"]):
        gain = float(rows[0]["paper"]) - float(rows[k + 1]["paper"])
        assert math.isclose(float(rows[k + 3]["paper"]), gain, rel_tol=1e-9)


def test_outliers_has_every_statistic_and_every_detector(output):
    row, mean, best = table(output, "outliers")
    assert row["set"] == "generated-outliers" and row["status"] == "converged"
    names = list(row)[5:-2]
    assert len(names) == 2 * 2 * 2 + 4 and all(0 <= float(row[name]) <= 1 for name in names)
    assert math.isclose(float(row["linear square SPE"]), float(row["PCA error"]), abs_tol=1e-3)
    assert float(row["linear square SPE"]) < 0.6 and float(row["linear huber SPE"]) > 0.95
    assert max(float(row[name]) for name in names) == float(row[row["best"].split(", ")[0]])
    assert mean["set"] == "mean of 1" and [mean[name] for name in names] == [row[name] for name in names]
    assert sum(int(best[name]) for name in names) == len(row["best"].split(", "))


def test_charts_are_drawn(output):
    pytest.importorskip("matplotlib")
    names = {path.name for path in output.glob("*.svg")}
    assert {"ready.svg", "whole-time.svg", "whole-memory.svg", "products.svg"} <= names
    assert {"peers-time.svg", "peers-memory.svg"} <= names
    assert sum(name.startswith("scaling-generated-") for name in names) == 4
    assert {"sparsity-normal-150-rbf-median.svg", "sparsity-generated-150-rbf-median.svg"} <= names


def test_a_missing_data_folder_is_reported(tmp_path):
    result = compare(tmp_path, "products", "--sets", "rcv1")
    assert result.returncode == 1
    assert "--data FOLDER" in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_auroc_is_that_of_scikit_learn_with_and_without_ties(digits):
    random = np.random.default_rng(2)
    labels = random.random(200) < 0.2
    values = np.round(random.normal(size=200) + labels, digits)
    assert math.isclose(part_robust.auroc(values, labels), roc_auc_score(labels, values), rel_tol=1e-12)
    assert part_robust.auroc(labels, labels) == 1 and part_robust.auroc(np.zeros(200), labels) == 0.5


def test_distances_are_those_from_the_span_of_the_components():
    X = np.random.default_rng(4).standard_normal((60, 5))
    centred = X - X.mean(axis=0)
    vectors = np.linalg.svd(centred, full_matrices=False)[2][:2]
    found = part_robust.distances(np.diagonal(kernels.gram(X, "linear", None)), centred @ vectors.T)
    expected = np.square(centred - centred @ vectors.T @ vectors).sum(axis=1)
    assert np.allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("alpha", [1e-3, 1.0])
def test_the_inverse_transform_of_scikit_learn_is_its_own(alpha):
    random = np.random.default_rng(6)
    X, new = random.normal(size=(80, 6)), random.normal(size=(20, 6))
    settings = {"n_components": 5, "kernel": "rbf", "gamma": 0.1, "eigen_solver": "arpack", "random_state": 0}
    model = KernelPCA(**settings).fit(X)
    (_, inverse), = part_denoise.sklearn_inverses(model, X, [alpha])
    theirs = KernelPCA(**settings, fit_inverse_transform=True, alpha=alpha).fit(X)
    expected = theirs.inverse_transform(theirs.transform(new))
    assert np.allclose(inverse(model.transform(new)), expected, rtol=0, atol=1e-8)


def test_noise_is_as_large_as_it_says():
    train, test = np.random.default_rng(8).uniform(-1, 3, size=(2, 400, 50))
    noisy = part_denoise.with_noise(train, test, 0)
    assert list(noisy) == part_denoise.NOISES
    for name, level in (("gauss 0.5", 0.5), ("gauss 1", 1)):
        assert math.isclose((noisy[name] - test).std(), level * train.std(), rel_tol=0.02)
    salted = noisy[part_denoise.NOISES[2]]
    for value in (train.min(), train.max()):
        assert abs((salted == value).mean() - 0.05) < 0.005
    assert (salted != test).mean() < 0.11


def test_contaminated_rows_are_multiples_and_test_rows_are_clean(tmp_path):
    X = datasets.Datasets(None, tmp_path).whole("iris")
    train, test = part_inverse.contaminated(X, 100, 3)
    known = {tuple(row) for row in X}
    assert train.shape == (120, 4) and test.shape == (30, 4) and all(tuple(row) in known for row in test)
    changed = [row for row in train if tuple(row) not in known]
    directions = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert len(changed) == 9  # the integer part of 8 %
    for row in changed:
        assert math.isclose(np.abs(directions @ row).max(), np.linalg.norm(row), rel_tol=1e-12)


def test_labels_are_in_step_with_the_rows(tmp_path):
    sets = datasets.Datasets(None, tmp_path)
    X, labels = sets.rows("generated-outliers", 100, 3).X, sets.labels("generated-outliers", 100, 3)
    assert 0 < labels.sum() < 30
    assert np.array_equal(np.abs(X[:, 2]) > 2, labels == 1)
    with pytest.raises(datasets.Missing, match="no labels"):
        sets.labels("generated")


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    X = np.random.default_rng(3).standard_normal((120, 5))
    G = kernels.gram(X, "rbf", 0.1)
    return G, Reference(G, 3, tmp_path_factory.mktemp("reference"), "test")


def test_the_truth_is_the_sum_of_the_largest_eigenvalues(problem):
    G, reference = problem
    values, vectors = np.linalg.eigh(G)
    assert math.isclose(reference.largest, values[-3:].sum(), rel_tol=1e-12)
    best = vectors[:, -3:] * np.sqrt(values[-3:])
    assert abs(reference.eta_of_vectors(best)) < EXACT
    assert abs(reference.eta_of_dual(best)) < EXACT
    assert abs(reference.eta_of_scores(best)) < EXACT
    worse = reference.eta_of_vectors(vectors[:, -4:-1])
    assert math.isclose(worse, 1 - values[-4:-1].sum() / values[-3:].sum(), rel_tol=1e-9)


def test_the_gradient_of_the_dual_is_that_of_its_value(problem):
    G, _ = problem
    random = np.random.default_rng(5)
    H, direction = random.standard_normal((2, 120, 3))
    step = 1e-5
    values = [dual.value_and_gradient(H + t * direction, G @ (H + t * direction))[0] for t in (-step, step)]
    slope = np.vdot(dual.value_and_gradient(H, G @ H)[1], direction)
    assert math.isclose((values[1] - values[0]) / (2 * step), slope, rel_tol=1e-6)


def test_solvers_are_read_from_the_help():
    assert {"auto", "lbfgs", "dense", "lanczos", "rsvd"} <= set(ours.solvers())
    assert "estimated" in ours.accuracies()


def test_arrays_of_a_model_are_read(tmp_path):
    X = np.random.default_rng(1).standard_normal((50, 3))
    np.save(tmp_path / "X.npy", X)
    subprocess.run([ours.command(), "fit", "X.npy", "-o", "m.safetensors", "--quiet"], cwd=tmp_path, check=True,
                   timeout=HANGS)
    arrays = model_file.read_arrays(tmp_path / "m.safetensors", ["dual_variables", "rotation", "no such array"])
    assert {name: array.shape for name, array in arrays.items()} == {"dual_variables": (50, 2), "rotation": (2, 2)}
    assert model_file.row_count(tmp_path / "m.safetensors") == 50


def test_python_has_both_estimators_with_the_same_eigenvalues(output):
    rows = table(output, "python")
    assert {row["arguments"] for row in rows} == {
        "defaults", "n_components=2 kernel=rbf", "n_components=2 kernel=linear", "n_components=2 kernel=poly"}
    for row in rows:
        assert float(row["eigenvalues differ"]) < EXACT
        assert float(row["times faster"]) == pytest.approx(float(row["sklearn fit s"]) / float(row["dualkpca fit s"]))


def test_peers_measures_what_is_installed_and_says_what_is_not(output):
    rows = table(output, "peers")
    missing = [row["program"] for row in rows if not row["n"]]
    assert all(row["note"].startswith("not installed: ") for row in rows if not row["n"])
    names = ["dualkpca, command", "dualkpca, Python", "scikit-learn, auto", "scikit-learn, arpack",
             "scikit-learn, randomized", "kernlab", "mlpack", "mlpy"]
    present = [name for name in names if name not in missing]
    assert present[0] == names[0] and names[2] in present
    measured = rows[len(missing):]
    assert [(row["n"], row["program"]) for row in measured] == [("300", name) for name in present]
    for row in measured:
        assert row["note"] == "" and row["version"], row
        assert abs(float(row["true eta"])) < 1e-6 and float(row["eigenvalues differ"]) < 1e-6
        assert 0 < float(row["start seconds"]) and 1 < float(row["peak MiB"]) < 2000
    assert float(measured[0]["ratio"]) == float(measured[0]["memory ratio"]) == 1


def test_a_peer_that_is_not_installed_has_no_version(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    estimators.r_version.cache_clear()
    assert estimators.r_version("kernlab") == "" and estimators.python_version("no_such_module") == ""
    estimators.r_version.cache_clear()


def test_a_peer_that_fails_is_not_tried_with_more_rows(tmp_path):
    tried = []

    def fit(rows, gamma, s):
        tried.append(rows.n)
        return estimators.Fit("timeout", "")

    sets = datasets.Datasets(None, tmp_path)
    options = argparse.Namespace(repeats=3, work=tmp_path)
    slow = part_peers.Program("slow", lambda: "1", "", fit)
    starts, stuck = {"slow": estimators.Fit("ok", "")}, {}
    rows = Table(tmp_path, "peers", part_peers.COLUMNS)
    for n in (60, 80):
        part_peers.measure(options, sets.rows("generated", n), 4, [slow], starts, stuck, rows)
    assert tried == [60]
    assert [row["note"] for row in rows.rows] == ["timeout", "not run: timeout with 60 rows"]


@pytest.mark.parametrize("n", [100, 700])
def test_the_truths_of_arpack_and_lapack_are_one(n):
    G = kernels.gram(datasets.generated(n), "rbf", 0.1)
    assert math.isclose(arpack_sum(G, 5), lapack_sum(G, 5), rel_tol=1e-10)
