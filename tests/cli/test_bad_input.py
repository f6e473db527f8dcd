"""Every bad input is refused with its exit code, one line that names it, and nothing left behind."""
import io

import numpy as np
import pytest

GOOD = "a,b\n1,2\n3,4\n5,7\n"


def fit(place, data, *options, code, says):
    return place.fail(code, "fit", data, "-o", "m.dkpca", *options, says=says)


BAD_TEXT = {
    "empty": ("", "empty"),
    "header only": ("a,b\n", "row"),
    "ragged": ("a,b\n1,2\n3\n5,6\n", ["row 2", "1 field"]),
    "nan": ("a,b\n1,2\n3,nan\n", ["row 2", "column 2"]),
    "missing": ("a,b\n1,2\n,4\n", ["row 2", "column 1"]),
    "inf": ("a,b\n1,inf\n3,4\n", ["row 1", "column 2"]),
    "text": ("a,b\n1,2\n3,four\n", ["row 2", "column 2", "four"]),
    "constant": ("a,b\n1,2\n1,2\n1,2\n", "no variance"),
    "one row": ("a,b\n1,2\n", "1 row"),
}


@pytest.mark.parametrize("kind", BAD_TEXT)
def test_text_file(place, kind):
    content, says = BAD_TEXT[kind]
    place.write("bad.csv", content)
    fit(place, "bad.csv", code=3, says=["bad.csv", *([says] if isinstance(says, str) else says)])


def test_missing_file(place):
    fit(place, "nothing.csv", code=3, says=["nothing.csv", "No such file"])


def test_directory_as_data(place):
    (place.path / "folder.csv").mkdir()
    fit(place, "folder.csv", code=3, says="folder.csv")


def test_unknown_extension(place):
    place.write("data.xlsx", "1,2\n")
    fit(place, "data.xlsx", code=3, says=["data.xlsx", ".csv", ".npy"])


def npy_bytes(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


BAD_NPY = {
    "truncated": (npy_bytes(np.ones((100, 3)))[:-40], "bad.npy"),
    "truncated header": (npy_bytes(np.ones((100, 3)))[:30], "bad.npy"),
    "objects": (npy_bytes(np.array([[1, "a"], [2, None]], dtype=object), allow_pickle=True), "object"),
    "text": (npy_bytes(np.array([["a", "b"], ["c", "d"]])), "bad.npy"),
    "one dimension": (npy_bytes(np.ones(7)), "bad.npy"),
    "nan": (npy_bytes(np.array([[1.0, 2], [np.nan, 3]])), "row 2, column 1"),
    "inf": (npy_bytes(np.array([[1.0, -np.inf], [2, 3]], dtype=np.float32)), "row 1, column 2"),
    "constant": (npy_bytes(np.full((5, 2), 3.0)), "no variance"),
    "one row": (npy_bytes(np.ones((1, 4))), "1 row"),
    "no rows": (npy_bytes(np.ones((0, 4))), "bad.npy"),
    "not npy": (b"hello world", "bad.npy"),
    "empty": (b"", "bad.npy"),
}


@pytest.mark.parametrize("kind", BAD_NPY)
def test_npy_file(place, kind):
    content, says = BAD_NPY[kind]
    place.write("bad.npy", content)
    fit(place, "bad.npy", code=3, says=["bad.npy", says])


BAD_OPTIONS = {
    "n_components 0": (["--n-components", "0"], ["--n-components", "'0'"]),
    "n_components -1": (["--n-components", "-1"], ["--n-components", "'-1'"]),
    "n_components 1.5": (["--n-components", "1.5"], ["--n-components", "'1.5'"]),
    "n_components text": (["--n-components", "two"], ["--n-components", "'two'"]),
    "n_components > n": (["--n-components", "4"], ["--n-components: 4 is more than the 3 rows of good.csv"]),
    "kernel": (["--kernel", "gauss"], ["--kernel", "'gauss'", "rbf, laplace, laplacian, poly"]),
    "kernel in capitals": (["--kernel", "RBF"], ["--kernel", "did you mean rbf?"]),
    "kernel misspelt": (["--kernel", "rfb"], ["--kernel", "did you mean rbf?"]),
    "gamma 0": (["--gamma", "0"], ["--gamma", "'0'", "positive"]),
    "gamma -1": (["--gamma", "-1"], ["--gamma", "'-1'"]),
    "gamma text": (["--gamma", "wide"], ["--gamma", "'wide'", "median"]),
    "gamma nan": (["--gamma", "nan"], ["--gamma", "'nan'"]),
    "gamma median poly": (["--kernel", "poly", "--gamma", "median"], ["--gamma median", "poly"]),
    "degree 0": (["--kernel", "poly", "--degree", "0"], ["--degree", "'0'"]),
    "degree 2.5": (["--degree", "2.5"], ["--degree", "'2.5'"]),
    "coef0": (["--coef0", "inf"], ["--coef0", "'inf'"]),
    "scale": (["--scale", "minmx"], ["--scale", "did you mean minmax?"]),
    "solver": (["--solver", "lbgfs"], ["--solver", "did you mean lbfgs?"]),
    "tol 2": (["--tol", "2"], ["--tol", "2", "[0, 1)"]),
    "tol -1": (["--tol", "-1"], ["--tol", "-1"]),
    "tol text": (["--tol", "small"], ["--tol", "'small'"]),
    "max_iter": (["--max-iter", "0"], ["--max-iter", "'0'"]),
    "time_limit": (["--time-limit", "-3"], ["--time-limit", "-3"]),
    "gram": (["--gram", "storde"], ["--gram", "did you mean stored?"]),
    "memory": (["--memory", "lots"], ["--memory", "'lots'"]),
    "precision": (["--precision", "float23"], ["--precision", "did you mean float32?"]),
    "threads": (["--threads", "-2"], ["--threads", "'-2'"]),
    "limits": (["--limits", "crossval"], ["--limits", "'crossval'", "auto, cv, training, chi2"]),
    "level": (["--level", "1"], ["--level is 1", "[0.5, 1)"]),
    "seed": (["--seed", "1.5"], ["--seed", "'1.5'"]),
    "label column by name": (["--label-col", "spcies"], ["good.csv", "--label-col", "'spcies'"]),
    "label column by number": (["--label-col", "3"], ["good.csv", "--label-col", "'3'"]),
    "id column": (["--id-col", "nobody"], ["good.csv", "--id-col", "'nobody'"]),
    "value missing": (["--kernel"], ["--kernel needs a value"]),
    "option": (["--kernl", "rbf"], ["unknown option --kernl; did you mean --kernel?"]),
    "option cut short": (["--label", "a"], ["unknown option --label; did you mean --label-col?"]),
    "option with value": (["--n_components=3"], ["unknown option --n_components; did you mean --n-components?"]),
    "option unlike any": (["--frobnicate"], ["unknown option --frobnicate\n"]),
    "second argument": (["more.csv"], ["unexpected argument more.csv"]),
    "empty output": (["-o", ""], ["--output"]),
    "json is the model": (["--json", "m.dkpca"], ["--json: m.dkpca is also --output"]),
    "json and scores on stdout": (["--json", "-", "--scores", "-"], ["--scores: - is also --json"]),
    "scores format": (["--scores", "s.txt"], ["s.txt", ".csv"]),
}


@pytest.mark.parametrize("kind", BAD_OPTIONS)
def test_option(place, kind):
    options, says = BAD_OPTIONS[kind]
    place.write("good.csv", GOOD)
    fit(place, "good.csv", *options, code=2, says=says)


def test_options_are_checked_before_the_data_are_read(place):
    fit(place, "nothing.csv", "--tol", "2", code=2, says="--tol")
    fit(place, "nothing.csv", "--kernel", "rfb", code=2, says="--kernel")


def test_commands(place):
    place.fail(2, says="a command is missing; accepted: fit, transform, inverse, denoise, score, path, check, convert, info")
    place.fail(2, "fti", "data.csv", says="unknown command fti; did you mean fit?")
    place.fail(2, "trasform", says="did you mean transform?")
    place.fail(2, "--verson", says="unknown option --verson; did you mean --version?")
    place.fail(2, "fit", says="DATA is required")
    place.fail(2, "fit", "data.csv", says="--output is required")
    place.fail(2, "transform", "m.dkpca", says="DATA is required")
    place.fail(2, "info", says="MODEL is required")
    place.fail(2, "info", "m.dkpca", "--jsn", says="did you mean --json?")


def test_rows_that_no_kernel_matrix_has(place):
    rng = np.random.default_rng(0)
    place.save("wide.npy", rng.normal(size=(4, 5)))
    fit(place, "wide.npy", "--kernel", "precomputed", code=3, says="wide.npy")
    place.save("skew.npy", rng.normal(size=(5, 5)))
    fit(place, "skew.npy", "--kernel", "precomputed", code=3, says="skew.npy")
    place.save("negative.npy", -np.eye(5) - 1)
    fit(place, "negative.npy", "--kernel", "precomputed", "--precision", "float64", code=3, says="negative.npy")


def test_memory_budget(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(2000, 5)))
    fit(place, "X.npy", "--memory", "1M", "--solver", "krylov", code=5, says=["2000 rows", "1.00 MiB"])
    fit(place, "X.npy", "--memory", "10K", code=5, says=["2000 rows", "10.00 KiB"])


def test_values_too_large_for_the_arithmetic(place):
    place.save("X.npy", np.array([[1.0, 2.0], [1e200, 3.0], [2.0, 1.0]]))
    fit(place, "X.npy", code=3, says=["X.npy", "column 1"])


def test_data_are_not_overwritten(place):
    place.save("X.npy", np.eye(5))
    place.fail(2, "fit", "X.npy", "-o", "X.npy", says="--output: X.npy is also DATA")
    place.fail(2, "fit", "X.npy", "-o", "m.dkpca", "--scores", "X.npy", says="--scores: X.npy is also DATA")
