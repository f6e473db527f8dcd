"""dualkpca score: T2, SPE, limits, alarms, contributions."""
import json
import pathlib
import shutil
import signal
import subprocess

import numpy as np
import pytest
from measured import peak_memory
from workplace import COMMAND, HANG_GUARD, assert_one_line, csv_text, interrupt_while_rows_come, measures_memory

OLD_MODEL = pathlib.Path(__file__).parent / "data" / "model_0.1.0.safetensors"
NAMES = ["flow", "pressure", "level", "heat", "speed"]


def process_rows(n, seed):
    """Returns rows of five columns that depend on two hidden causes."""
    rng = np.random.default_rng(seed)
    causes = rng.normal(size=(n, 2))
    mixing = np.random.default_rng(7).normal(size=(2, 5))
    return causes @ mixing + 0.2 * rng.normal(size=(n, 5))


@pytest.fixture
def process(place):
    """Fits a model of 400 clean rows, with limits."""
    place.write("clean.csv", csv_text(process_rows(400, 0), NAMES))
    place.succeed("fit", "clean.csv", "--scale", "standard", "--gamma", "median", "--n-components", "5", "--tol", "1e-8",
                  "-o", "process.dkpca", "--json", "r.json", "--quiet")
    return "process.dkpca"


def table(text):
    lines = text.splitlines()
    return lines[0].split(","), np.array([list(map(float, line.split(","))) for line in lines[1:]])


def test_statistics_by_hand(place, process):
    """Returns T2 and SPE from a Gram matrix that numpy centres and decomposes."""
    X, fresh = process_rows(400, 0), process_rows(50, 1)
    place.write("new.csv", csv_text(fresh, NAMES))
    names, found = table(place.succeed("score", process, "new.csv").stdout)
    assert names == ["t2", "spe", "outlier"]
    report = json.loads((place.path / "r.json").read_text())
    Z = (np.vstack([X, fresh]) - X.mean(axis=0)) / X.std(axis=0)
    K = np.exp(-report["gamma"] * ((Z[:, None] - Z[None]) ** 2).sum(axis=2))
    means = K[:, :400].mean(axis=1)
    G = K - means[:, None] - means[None, :] + K[:400, :400].mean()
    values, vectors = np.linalg.eigh(G[:400, :400])
    Y = G[:, :400] @ vectors[:, -5:] / np.sqrt(values[-5:])
    t2 = (Y[400:] ** 2 / Y[:400].var(axis=0, ddof=1)).sum(axis=1)
    spe = G.diagonal()[400:] - (Y[400:] ** 2).sum(axis=1)
    np.testing.assert_allclose(found[:, 0], t2, rtol=1e-5)
    np.testing.assert_allclose(found[:, 1], spe, rtol=1e-5, atol=1e-7)
    limits = report["limits"]
    assert limits["kind"] == "cv" and limits["level"] == 0.99 and limits["rows"] == 400
    np.testing.assert_array_equal(found[:, 2], (found[:, 0] > limits["t2"]) | (found[:, 1] > limits["spe"]))


def test_a_fault_is_flagged_and_its_column_named(place, process):
    rows = process_rows(60, 2)
    rows[50:, 3] += 6
    place.write("new.csv", csv_text(rows, NAMES))
    place.succeed("score", process, "new.csv", "--contributions", "-o", "s.csv")
    names, found = table((place.path / "s.csv").read_text())
    assert names == ["t2", "spe", "outlier"] + [f"t2_{name}" for name in NAMES] + [f"spe_{name}" for name in NAMES]
    assert found[50:, 2].all()
    assert found[:50, 2].sum() <= 5
    assert (found[50:, -5:].argmax(axis=1) == 3).all()


def test_columns_without_names_are_numbered(place, process):
    place.save("new.npy", process_rows(3, 1))
    names = table(place.succeed("score", process, "new.npy", "--contributions").stdout)[0]
    assert names[3:] == [f"{kind}_x{j}" for kind in ("t2", "spe") for j in range(1, 6)]


def test_alarm(place, process):
    rows = process_rows(20, 3)
    rows[4, 0] += 30
    place.save("bad.npy", rows)
    result = place.run("score", process, "bad.npy", "--alarm", "-o", "s.csv")
    flagged = int(place.read_scores("s.csv")[:, 2].sum())
    assert result.returncode == 1 and flagged >= 1
    assert_one_line(result.stderr, f"{flagged} of 20 rows are above a limit")
    assert f"20 rows, {flagged} above a limit (T2 limit " in result.stdout
    assert place.run("score", process, "bad.npy", "--alarm", "--quiet", "-o", "s.csv").stdout == ""
    place.succeed("score", process, "bad.npy", "-o", "s.csv")
    quiet = place.read_scores("s.csv")[:, 2] == 0
    place.save("good.npy", rows[quiet])
    place.succeed("score", process, "good.npy", "--alarm", "-o", "s.csv")


def test_ids_come_first(place, process):
    place.write("new.csv", csv_text(process_rows(3, 1), [*NAMES, "id"], ["a", "b", "c"]))
    lines = place.succeed("score", process, "new.csv", "--id-col", "id").stdout.splitlines()
    assert lines[0] == "id,t2,spe,outlier"
    assert [line.split(",")[0] for line in lines[1:]] == ["a", "b", "c"]


def test_pipes(place, process):
    place.write("new.csv", csv_text(process_rows(30, 1)))
    expected = place.succeed("score", process, "new.csv").stdout
    with open(place.path / "new.csv") as file:
        assert place.succeed("score", process, "-", stdin=file).stdout == expected


def test_formats_agree_and_blocks_do_not_show(place, process):
    place.save("new.npy", process_rows(9000, 1))
    for name in ("s.csv", "s.npy"):
        place.succeed("score", process, "new.npy", "-o", name)
    found = np.load(place.path / "s.npy")
    np.testing.assert_array_equal(place.read_scores("s.csv"), found)
    place.save("last.npy", process_rows(9000, 1)[8990:])
    place.succeed("score", process, "last.npy", "-o", "last.csv")
    np.testing.assert_allclose(place.read_scores("last.csv"), found[8990:], rtol=1e-4)


def test_series_have_no_line_for_the_first_rows(place):
    rows = process_rows(5300, 0)
    place.save("X.npy", rows[:300])
    place.save("new.npy", rows[300:])
    place.succeed("fit", "X.npy", "--lags", "2", "-o", "m.dkpca", "--gamma", "median", "--quiet")
    place.succeed("score", "m.dkpca", "new.npy", "--contributions", "-o", "s.npy")
    found = np.load(place.path / "s.npy")
    assert found.shape == (4998, 3 + 10)
    place.save("few.npy", rows[300 + 4090:300 + 4110])  # across the border of two blocks
    place.succeed("score", "m.dkpca", "few.npy", "--contributions", "-o", "few_s.npy")
    np.testing.assert_allclose(np.load(place.path / "few_s.npy"), found[4090:4108], rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("kind", ["training", "chi2", "weighted_chi2"])
def test_kinds_of_limits(place, kind):
    place.save("X.npy", process_rows(300, 0))
    place.succeed("fit", "X.npy", "--limits", kind, "--level", "0.9", "--gamma", "median", "-o", "m.dkpca", "--quiet")
    assert f"at level 0.9 ({kind}, 300 rows)" in place.succeed("info", "m.dkpca").stdout
    place.save("new.npy", process_rows(2000, 1))
    place.succeed("score", "m.dkpca", "new.npy", "-o", "s.npy")
    assert 0.02 < np.load(place.path / "s.npy")[:, 2].mean() < 0.4


def test_a_model_without_limits(place):
    place.save("X.npy", process_rows(100, 0))
    place.succeed("fit", "X.npy", "--limits", "none", "-o", "m.dkpca", "--quiet")
    result = place.run("score", "m.dkpca", "X.npy")
    assert result.returncode == 0
    assert result.stdout.splitlines()[0] == "t2,spe"
    assert_one_line(result.stderr, "fit with --limits cv")
    assert place.succeed("score", "m.dkpca", "X.npy", "--quiet").stdout == result.stdout
    place.fail(2, "score", "m.dkpca", "X.npy", "--alarm", "-o", "s.csv", says=["--alarm", "fit with --limits cv"])


def test_a_precomputed_kernel(place):
    X = process_rows(60, 0)
    place.save("K.npy", np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2)))
    place.succeed("fit", "K.npy", "--kernel", "precomputed", "-o", "m.dkpca", "--quiet")
    place.fail(2, "score", "m.dkpca", "K.npy", "-o", "s.csv", says="k(x, x)")
    place.fail(2, "fit", "K.npy", "--kernel", "precomputed", "--limits", "cv", "-o", "n.dkpca",
               says=["--limits is cv", "k(x, x)"])


def test_bad_input(place, process):
    place.save("five.npy", process_rows(5, 1)[:, :4])
    place.fail(3, "score", process, "five.npy", says=["five.npy", "4 columns", "5"])
    rows = process_rows(9000, 1)
    rows[8999, 1] = np.nan
    place.save("nan.npy", rows)
    place.fail(3, "score", process, "nan.npy", "-o", "s.npy", says=["nan.npy", "row 9000", "column 2", "NaN"])
    place.fail(3, "score", process, "nothing.csv", "-o", "s.npy", says=["nothing.csv", "No such file"])
    place.fail(3, "score", "nothing.dkpca", "nan.npy", says="nothing.dkpca")
    place.fail(2, "score", process, "nan.npy", "-o", "s.xlsx", says=["s.xlsx", ".csv"])
    place.fail(2, "score", process, says="DATA is required")
    for level in ("0", "1", "2", "-1", "high"):
        place.fail(2, "fit", "clean.csv", "-o", "m.dkpca", "--level", level, says="--level")
    place.fail(2, "fit", "clean.csv", "-o", "m.dkpca", "--limits", "cvv", says=["--limits", "did you mean cv?"])


def test_a_model_of_the_first_version(place, iris_csv):
    shutil.copy(OLD_MODEL, place.path / "old.dkpca")
    place.fail(2, "score", "old.dkpca", iris_csv, "--label-col", "species", "-o", "s.csv", says="fit it again")


def test_contributions_need_a_gradient(place):
    place.save("X.npy", process_rows(50, 0))
    place.succeed("fit", "X.npy", "--kernel", "cosine", "-o", "m.dkpca", "--quiet")
    place.succeed("score", "m.dkpca", "X.npy", "-o", "s.csv")
    place.fail(2, "score", "m.dkpca", "X.npy", "--contributions", "-o", "t.csv", says=["cosine", "rbf"])


def test_interrupted_leaves_nothing_behind(place, process):
    before = place.files()
    score = ["score", process, "-", "--format", "npy", "--contributions", "--threads", "1", "-o", "s.csv"]
    with place.start(*score, stdin=subprocess.PIPE) as running:
        code, stderr = interrupt_while_rows_come(place, running, signal.SIGINT, columns=5)
    assert code == 130
    assert_one_line(stderr)
    assert place.files() == before


@measures_memory
def test_memory_does_not_grow_with_the_data(place, process):
    """800000 more rows and their statistics would take 30 MB or more; the place of blocks in memory changes the peak by some 5 MB."""
    peaks = []
    for rows in (200000, 1000000):
        place.save("X.npy", process_rows(rows, 0).astype("f4"))
        peaks.append(peak_memory(place, "score", process, "X.npy", "-o", "s.npy", "--quiet"))
        assert np.load(place.path / "s.npy", mmap_mode="r").shape == (rows, 3)
    assert peaks[1] < peaks[0] + (12 << 20)


def test_head_ends_it_quietly(place, process):
    place.save("many.npy", process_rows(100000, 0))
    command = f"'{COMMAND}' score {process} many.npy; echo exit code $? >&2"
    result = subprocess.run(["bash", "-c", f"({command}) | head -3"], cwd=place.path, text=True, capture_output=True,
                            timeout=HANG_GUARD)
    assert result.stdout.splitlines()[0] == "t2,spe,outlier"
    assert result.stderr == "exit code 0\n"


def test_limits_where_all_rows_are_alike_to_the_kernel(place):
    place.save("far.npy", 1e8 * np.random.default_rng(0).standard_normal((40, 3)))
    for kind in ("cv", "training", "chi2", "weighted_chi2"):
        place.succeed("fit", "far.npy", "--loss", "huber", "--limits", kind, "-o", "m.dkpca", "--quiet")
        found = table(place.succeed("score", "m.dkpca", "far.npy").stdout)[1]
        assert np.isfinite(found).all()


def test_no_training_row_is_above_the_limits_of_the_training_rows(place):
    place.save("x.npy", np.random.default_rng(1).standard_normal((60, 3)))
    for precision in ("float32", "float64"):
        place.succeed("fit", "x.npy", "--limits", "training", "--level", "0.999", "--precision", precision, "-o", "m.dkpca",
                      "--quiet")
        place.succeed("score", "m.dkpca", "x.npy", "--alarm", "-o", "s.csv")
