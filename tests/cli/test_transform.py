"""dualkpca transform: formats, ids, blocks, pipes."""
import subprocess

import numpy as np
import pytest
from measured import peak_memory
from workplace import COMMAND, HANG_GUARD, csv_text, measures_memory


def test_standard_output_is_csv(place, model, iris_csv):
    result = place.succeed("transform", model, iris_csv, "--label-col", "species")
    lines = result.stdout.splitlines()
    assert lines[0] == "pc1,pc2"
    assert len(lines) == 151


def test_ids_come_first(place, model, iris):
    names = ["id", "a", "b", "c", "d"]
    rows = "\n".join(f"plant-{i}," + ",".join(map(str, row)) for i, row in enumerate(iris.data))
    place.write("new.csv", ",".join(names) + "\n" + rows + "\n")
    lines = place.succeed("transform", model, "new.csv", "--id-col", "id").stdout.splitlines()
    assert lines[0] == "id,pc1,pc2"
    assert [line.split(",")[0] for line in lines[1:]] == [f"plant-{i}" for i in range(150)]


def test_formats_agree(place, model, iris):
    place.save("new.npy", iris.data)
    for output in ("s.csv", "s.tsv", "s.npy"):
        place.succeed("transform", model, "new.npy", "-o", output)
    scores = np.load(place.path / "s.npy")
    np.testing.assert_array_equal(place.read_scores("s.csv"), scores)
    np.testing.assert_array_equal(np.loadtxt(place.path / "s.tsv", skiprows=1), scores)


def test_blocks_do_not_show(place, model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 4)) + 4
    ids = [f"row{i}" for i in range(9000)]
    place.write("new.csv", csv_text(X, ["a", "b", "c", "d", "name"], ids))
    place.succeed("transform", model, "new.csv", "--id-col", "name", "-o", "all.csv")
    lines = (place.path / "all.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ids
    place.save("last.npy", X[8990:])
    place.succeed("transform", model, "last.npy", "-o", "last.npy.csv")
    found = np.array([list(map(float, line.split(",")[1:])) for line in lines[8991:]])
    np.testing.assert_allclose(found, place.read_scores("last.npy.csv"), atol=1e-5)


@measures_memory
@pytest.mark.parametrize("name", ["new.npy", "new.csv", "new.libsvm", "new.csv.gz", "new.h5"])
def test_memory_does_not_grow_with_the_data(place, model, name):
    """800000 more rows and their scores would take 24 MB or more. The peak varies by about one block of 4 MB, since the allocator
    puts the blocks elsewhere if anything before them has another size."""
    peaks = []
    for rows in (200000, 1000000):
        X = np.random.default_rng(0).normal(size=(rows, 4)).astype("f4") + 4
        place.save("X.npy", X)
        if name != "new.npy":
            place.succeed("convert", "X.npy", name, "--quiet")
        else:
            place.save(name, X)
        peaks.append(peak_memory(place, "transform", model, name, "-o", "s.npy", "--quiet"))
        assert np.load(place.path / "s.npy", mmap_mode="r").shape == (rows, 2)
    assert peaks[1] < peaks[0] + (12 << 20)


def test_a_bad_row_late_in_the_data_is_named_and_nothing_is_left(place, model):
    X = np.random.default_rng(0).normal(size=(30000, 4))
    X[29990, 2] = np.nan
    place.save("new.npy", X)
    place.fail(3, "transform", model, "new.npy", "-o", "s.npy", says=["new.npy", "row 29991", "column 3", "NaN"])


def test_a_pipe(place, model, iris):
    with subprocess.Popen([COMMAND, "transform", model, "-"], cwd=place.path, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        output = process.communicate(csv_text(iris.data), timeout=HANG_GUARD)[0]
    assert output == place.succeed("transform", model, place.write("new.csv", csv_text(iris.data))).stdout


def test_says_what_it_wrote_unless_quiet(place, model, iris_csv):
    args = ["transform", model, iris_csv, "--label-col", "species", "-o", "s.csv"]
    assert "150 rows" in place.succeed(*args).stdout
    assert not place.succeed(*args, "--quiet").stdout


def test_head_ends_it_quietly(place, model):
    place.save("many.npy", np.random.default_rng(0).normal(size=(100000, 4)))
    command = f"'{COMMAND}' transform {model} many.npy; echo exit code $? >&2"
    result = subprocess.run(["bash", "-c", f"({command}) | head -3"], cwd=place.path, text=True, capture_output=True,
                            timeout=HANG_GUARD)
    assert result.stdout.splitlines()[0] == "pc1,pc2"
    assert result.stderr == "exit code 0\n"


@pytest.mark.parametrize("columns", [3, 5])
def test_wrong_number_of_columns(place, model, columns):
    place.save("new.npy", np.ones((5, columns)))
    place.fail(3, "transform", model, "new.npy", says=["new.npy", f"{columns} columns", "4"])


def test_forgotten_label_column(place, model, iris_csv):
    place.fail(3, "transform", model, iris_csv, says=["iris.csv", "setosa"])


def test_not_finite(place, model):
    place.save("new.npy", np.array([[1, 2, 3, 4], [1, np.nan, 3, 4]]))
    place.fail(3, "transform", model, "new.npy", says=["new.npy", "row 2", "column 2"])


def test_data_and_model_swapped(place, model, iris_csv):
    place.fail(3, "transform", iris_csv, model, says="iris.csv: is not a dualkpca model")


def test_output_may_not_be_an_input(place, model, iris):
    place.save("new.npy", iris.data)
    place.fail(2, "transform", model, "new.npy", "-o", "new.npy", says=["--output", "DATA"])
    place.fail(2, "transform", model, "new.npy", "-o", "./new.npy", says=["--output", "DATA"])


def test_output_of_unknown_format(place, model, iris):
    place.save("new.npy", iris.data)
    place.fail(2, "transform", model, "new.npy", "-o", "scores.xlsx", says=["scores.xlsx", ".csv"])
