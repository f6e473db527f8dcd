"""bench/compare on generated data: every part runs, every row is there, and the numbers make sense."""
import csv
import math
import pathlib
import subprocess
import sys

import numpy as np
import pytest

COMPARE = pathlib.Path(__file__).resolve().parents[2] / "bench/compare"
sys.path.insert(0, str(COMPARE))

import kernels  # noqa: E402
import model_file  # noqa: E402
import ours  # noqa: E402
import peers  # noqa: E402
from reference import Reference  # noqa: E402

EXACT = 1e-12


def compare(output, *arguments):
    words = [COMPARE / "compare.py", *arguments, "--quick", "--output", output, "--dense-limit", 0, "--threads", 1]
    return subprocess.run([sys.executable, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120)


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """All parts in one run; no R, no data folder."""
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
    for part in ("ready", "whole", "products", "scaling", "landmarks"):
        assert f"## {part}\n" in text
        assert (output / f"{part}.md").read_text() in text
    assert text.count("sgemm by numpy: ") == 5


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


def test_landmarks_knows_the_true_eta_of_a_small_set(output):
    for row in table(output, "landmarks"):
        assert row["status"] == "converged", row
        assert -EXACT < float(row["true eta"]) <= float(row["tol"])
        assert int(row["rows kept"]) <= int(row["n"])


def test_charts_are_drawn(output):
    pytest.importorskip("matplotlib")
    names = {path.name for path in output.glob("*.svg")}
    assert {"ready.svg", "whole-time.svg", "whole-memory.svg", "products.svg"} <= names
    assert sum(name.startswith("scaling-generated-") for name in names) == 4


def test_a_missing_data_folder_is_said(tmp_path):
    result = compare(tmp_path, "products", "--sets", "rcv1")
    assert result.returncode == 1
    assert "--data FOLDER" in result.stderr and "Traceback" not in result.stderr


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
    values = [peers.dual(H + t * direction, G @ (H + t * direction))[0] for t in (-step, step)]
    slope = np.vdot(peers.dual(H, G @ H)[1], direction)
    assert math.isclose((values[1] - values[0]) / (2 * step), slope, rel_tol=1e-6)


def test_solvers_are_read_from_the_help():
    assert {"auto", "lbfgs", "dense", "lanczos", "rsvd"} <= set(ours.solvers())
    assert "estimated" in ours.accuracies()


def test_arrays_of_a_model_are_read(tmp_path):
    X = np.random.default_rng(1).standard_normal((50, 3))
    np.save(tmp_path / "X.npy", X)
    subprocess.run([ours.command(), "fit", "X.npy", "-o", "m.safetensors", "--quiet"], cwd=tmp_path, check=True,
                   timeout=60)
    arrays = model_file.read_arrays(tmp_path / "m.safetensors", ["dual_variables", "rotation", "no such array"])
    assert {name: array.shape for name, array in arrays.items()} == {"dual_variables": (50, 2), "rotation": (2, 2)}
    assert model_file.row_count(tmp_path / "m.safetensors") == 50
