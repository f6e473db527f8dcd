"""`make paper` at its quick size, and agreement of docs/results.md with the CSV files."""
import importlib
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("common", "paper"):
    sys.path.insert(1, str(ROOT / "bench" / folder))

import datasets  # noqa: E402
import kernels  # noqa: E402
import paper  # noqa: E402
import paper_sets  # noqa: E402
import part_speed  # noqa: E402
import part_spectrum  # noqa: E402
import record  # noqa: E402
import results  # noqa: E402
import speed_page  # noqa: E402
import speed_rows  # noqa: E402
import timed_solvers  # noqa: E402
from claims import VERDICTS  # noqa: E402
from ready_gram import ReadyGram  # noqa: E402


HANGS = 1400  # seconds, enough for a slow machine


def run(output, *more):
    words = [sys.executable, ROOT / "bench/paper/paper.py", *more, "--quick", "--output", output]
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=HANGS)


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper") / "tables"
    done = run(folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_part_leaves_rows_a_section_and_claims(output):
    page = output.with_suffix(".md").read_text()
    assert "Not measured." not in page
    for part in paper.PARTS:
        module = importlib.import_module("part_" + part)
        rows = record.read(output / f"{part}.csv")
        assert rows and f"## {module.TITLE}\n" in page
        assert module.claims(rows) and all(claim.verdict in VERDICTS for claim in module.claims(rows))
        assert all(claim.verdict == "not measured" for claim in module.claims([]))
        run_of = record.runs(output, part)
        assert len(run_of) == 1 and "--quick" in run_of[0]["command"] and str(output) not in run_of[0]["command"]


def test_charts_of_the_page_are_there(output):
    page = output.with_suffix(".md")
    charts = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text())
    assert charts and all((page.parent / chart).exists() for chart in charts)


def test_what_is_measured_is_not_measured_again(output):
    before = {part: (output / f"{part}.csv").read_text() for part in paper.PARTS}
    page = output.with_suffix(".md").read_text()
    done = run(output)
    assert done.returncode == 0, done.stderr
    assert {part: (output / f"{part}.csv").read_text() for part in paper.PARTS} == before
    assert output.with_suffix(".md").read_text() == page


def test_the_page_in_the_docs_is_made_of_the_files_beside_it(tmp_path):
    """Writes beside a copy: the folder of the documentation may belong to another user or another run."""
    shutil.copytree(ROOT / "docs" / "results", tmp_path / "results")
    results.write(tmp_path / "results", tmp_path / "results.md", paper.PARTS)
    page = (ROOT / "docs" / "results.md").read_text()
    assert (tmp_path / "results.md").read_text() == page, "write it with: paper.py none"


def test_a_part_that_does_not_exist_is_named(tmp_path):
    done = run(tmp_path / "tables", "nosuch")
    assert done.returncode == 2 and "no part 'nosuch'; there are speed," in done.stderr.splitlines()[-1]


def test_data_that_is_not_there_is_one_line(tmp_path):
    words = [sys.executable, ROOT / "bench/paper/paper.py", "speed", "--sets", "Protein", "--output", tmp_path / "t"]
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True, timeout=HANGS)
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith("paper: 'protein_windows")


@pytest.mark.parametrize("kernel", ["laplace:median", "rbf:0.5"])
@pytest.mark.parametrize("name", ["generated", "generated-sparse"])
def test_the_ready_matrix_is_the_kernel(tmp_path, monkeypatch, name, kernel):
    monkeypatch.setattr("ready_gram.BLOCK", 25)
    rows = datasets.Datasets(None, tmp_path).rows(name, 60)
    ready = ReadyGram(rows, kernel, tmp_path / "G.npy")
    expected = kernels.gram(rows.X, ready.kernel, ready.gamma, centred=False)
    assert np.allclose(ready.load(), expected, rtol=0, atol=1e-7)
    assert np.array_equal(np.diag(ready.load()), np.ones(60)) and np.array_equal(ready.load(), ready.load().T)


@pytest.fixture(scope="module")
def truth():
    X = np.random.default_rng(3).standard_normal((150, 5))
    return timed_solvers.Truth(kernels.gram(X, "rbf", 0.1, centred=False), 4)


def test_the_truth_is_the_sum_of_the_largest_eigenvalues(truth):
    values, vectors = np.linalg.eigh(truth.G)
    assert truth.largest == pytest.approx(values[-4:].sum(), rel=1e-12)
    assert truth.fewer(2).largest == pytest.approx(values[-2:].sum(), rel=1e-12)
    assert abs(truth.eta_of_vectors(vectors[:, -4:])) < 1e-12
    assert abs(truth.eta_of_dual(vectors[:, -4:] * np.sqrt(values[-4:]))) < 1e-12
    assert truth.eta_of_vectors(vectors[:, :4]) > 0.9
    assert abs(truth.narrowed().eta_of_vectors(vectors[:, -4:])) < 1e-6


@pytest.mark.parametrize("solver", list(part_speed.PEERS))
def test_a_peer_meets_each_delta(truth, solver):
    found = part_speed.PEERS[solver](truth, [1e-2, 1e-6], 2, HANGS)
    assert set(found) == {1e-2, 1e-6}
    for delta, timed in found.items():
        assert len(timed.seconds) == 2 and max(timed.etas) <= delta and timed.products > 0


def test_the_loosest_setting_meets_delta_with_every_seed():
    etas = {("a", 0): 1e-3, ("a", 1): 0.5, ("b", 0): 1e-3, ("b", 1): 1e-3, ("c", 0): 1e-9, ("c", 1): 1e-9}
    found = timed_solvers.loosest("abc", lambda setting, seed: (1.0, etas[setting, seed], 1), [1e-2, 1e-6], 2, 60)
    assert {delta: timed.setting for delta, timed in found.items()} == {1e-2: "b", 1e-6: "c"}


def test_no_further_setting_is_tried_when_the_time_is_spent():
    tried = []

    def attempt(setting, seed):
        tried.append((setting, seed))
        return 10.0, 1e-3 if setting == "b" else 1.0, 1

    found = timed_solvers.loosest("abc", attempt, [1e-2, 1e-6], 5, 25)
    assert tried == [("a", 0), ("b", 0), ("b", 1)] and found[1e-2].seconds == [10.0, 10.0] and 1e-6 not in found


def test_original_files_come_first(tmp_path):
    X = np.random.default_rng(0).integers(0, 2, size=(30, 357)).astype(float)
    X[0, -1] = 1
    dump_svmlight_file(X, np.zeros(30), str(tmp_path / "protein.tr"), zero_based=False)
    loaded = paper_sets.load("Protein", datasets.Datasets(tmp_path, tmp_path))
    assert loaded.data == "Protein, the original file" and np.array_equal(loaded.rows.X, X)
    features = np.random.default_rng(1).standard_normal((40, 512))
    np.save(tmp_path / paper_sets.FEATURES, features)
    assert np.array_equal(paper_sets.load("CIFAR-10", datasets.Datasets(tmp_path, tmp_path)).rows.X, features)


def test_the_synthetic_rows_have_the_covariance_that_is_stated():
    X = paper_sets.synth(2000, d=50)
    expected = (1 / np.arange(1, 51)) / (1 / np.arange(1, 51)).mean()
    assert np.allclose(X.var(axis=0), expected, rtol=0.2)
    assert np.abs(np.corrcoef(X.T) - np.eye(50)).max() < 0.12


def test_the_definite_matrix_is_and_the_printed_one_is_not():
    assert np.linalg.eigvalsh(part_spectrum.build("definite", 100, 0.1, 0))[0] > 0
    assert np.linalg.eigvalsh(part_spectrum.build("printed", 100, 0.1, 0))[0] < -0.1


def test_the_least_count_is_found():
    for count in (0, 1, 5, 17):
        assert part_spectrum.least(lambda k, least=count: 1e-5 if k >= least else 1.0, 100) == (count, 1e-5)
    assert np.isnan(part_spectrum.least(lambda k: 1.0, 20)[0])


def speed_row(solver, seconds, name="Protein", kernel="laplace:paper", delta=1e-2, met=True):
    return {"set": name, "data": "rows", "n": 10, "kernel": kernel, "delta": delta, "solver": solver,
            "seconds": seconds, "met": met, "eta": 1e-3}


def test_verdicts_follow_the_figures():
    fastest = "L-BFGS is the fastest of all solvers at delta 0.01: L-BFGS as released"
    rows = [speed_row("Lanczos", 5.0), speed_row("RSVD", 9.0), speed_row("L-BFGS as released", 2.0),
            speed_row("our auto", 1.0)]
    verdicts = {(claim.label, claim.words): claim.verdict for claim in part_speed.claims(rows)}
    assert verdicts["tab:speedup:high", fastest] == "reproduced"
    assert verdicts["tab:speedup:high", "L-BFGS is at least 3 times faster than RSVD at delta 0.01"] == "reproduced"
    rows[2]["seconds"] = 7.0
    verdicts = {(claim.label, claim.words): claim.verdict for claim in part_speed.claims(rows)}
    assert verdicts["tab:speedup:high", fastest] == "partly"
    assert verdicts["tab:speedup:high", "L-BFGS is at least 3 times faster than RSVD at delta 0.01"] == "not reproduced"


def test_an_identity_does_not_count():
    rows = [speed_row("Lanczos", 5.0) | {"eta": 1e-16}, speed_row("our auto", 1.0) | {"eta": 0.0}]
    assert speed_rows.is_identity(rows, ("Protein", "laplace:paper", 1e-2)) and not speed_rows.paper_cases(rows)
    rows[0]["eta"] = 1e-6
    assert not speed_rows.is_identity(rows, ("Protein", "laplace:paper", 1e-2)) and speed_rows.paper_cases(rows)


@pytest.mark.parametrize("words, message", [
    (["--sets", "nosuch"], "paper: unknown set 'nosuch'; there are Synth 1, Protein, RCV1, CIFAR-10, generated"),
    (["--kernels", "foo"], "paper: unknown kernel 'foo'; it is laplace or rbf with :paper, :median or a number"),
    (["--solvers", "svd"], "paper: unknown solver 'svd'; there are LAPACK"),
])
def test_unknown_names_are_told(tmp_path, words, message):
    done = run(tmp_path / "tables", "speed", *words)
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith(message)


def test_quick_rows_are_not_mixed_with_others(output):
    words = [sys.executable, ROOT / "bench/paper/paper.py", "spectrum", "--output", output]
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True, timeout=HANGS)
    assert done.returncode == 1 and "has rows of part spectrum of the other size" in done.stderr.splitlines()[-1]


def test_a_row_where_auto_is_slower_is_told():
    rows = [speed_row("Lanczos", 0.5), speed_row("our auto", 1.0)]
    assert "fastest in 0 of 1 rows; not in rows, laplace:paper, 0.01: Lanczos 0.5 s" in speed_page.slowest(rows)
    rows[0]["met"] = False
    assert "fastest in 1 of 1 rows" in speed_page.slowest(rows)
