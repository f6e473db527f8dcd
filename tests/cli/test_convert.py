"""dualkpca convert: every format is converted to every other, and bad input is refused."""
import bz2
import gzip
import os
import signal
import subprocess

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from measured import refuse
from sklearn.datasets import load_svmlight_file
from workplace import COMMAND, HANG_GUARD, assert_one_line, csv_text, interrupt_while_rows_come

RNG = np.random.default_rng(6)
ROWS = 5000  # more than one block of the command

FORMATS = ["csv", "tsv", "npy", "npz", "libsvm", "mtx", "h5"]


def dense(dtype="f8", rows=ROWS, cols=5):
    X = RNG.normal(size=(rows, cols)) * 10.0 ** RNG.integers(-30, 30, (rows, cols))
    X[RNG.random(X.shape) < 0.3] = 0
    X[0] = 1  # LIBSVM stores only entries that are not zero
    return X.astype(dtype)


def sparse(dtype="f8", rows=ROWS, cols=30):
    X = scipy.sparse.random(rows, cols, density=0.1, format="lil", random_state=4)
    X[0] = 1
    return X.tocsr().astype(dtype)


def load(path, form, dtype="f8"):
    """Reads with another reader than the command."""
    if form in ("csv", "tsv"):
        delimiter = "," if form == "csv" else "\t"
        return np.loadtxt(path, dtype, delimiter=delimiter, ndmin=2)
    if form == "npy":
        return np.load(path)
    if form == "npz":
        with np.load(path) as file:
            return file["X"] if "X" in file else scipy.sparse.load_npz(path).toarray()
    if form == "libsvm":
        X, y = load_svmlight_file(str(path), dtype=dtype)
        assert not y.any()
        return X.toarray()
    if form == "mtx":
        X = scipy.io.mmread(path)
        return X.toarray() if scipy.sparse.issparse(X) else X
    with h5py.File(path) as file:
        X = file["X"]
        if isinstance(X, h5py.Dataset):
            return X[:]
        assert X.attrs["encoding-type"] == "csr_matrix"
        return scipy.sparse.csr_matrix((X["data"][:], X["indices"][:], X["indptr"][:]), X.attrs["shape"]).toarray()


def save(path, form, X):
    """Writes with another writer than the command."""
    if form in ("csv", "tsv"):
        with open(path, "w") as file:
            for row in X:
                print(*map(repr, map(float, row)), sep="," if form == "csv" else "\t", file=file)
    elif form == "npy":
        np.save(path, X)
    elif form == "npz":
        np.savez(path, X=X)
    elif form == "h5":
        with h5py.File(path, "w") as file:
            file["X"] = X
    elif form == "mtx":
        scipy.io.mmwrite(path, X, precision=17)
    else:
        with open(path, "w") as file:
            for row in X:
                print(0, *(f"{j + 1}:{float(x)!r}" for j, x in enumerate(row) if x), file=file)


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_every_format_to_every_other(place, source, target):
    X = dense()
    save(place.path / f"in.{source}", source, X)
    result = place.succeed("convert", f"in.{source}", f"out.{target}", "--to", target)
    lost = f"note: {target} has no place for labels, which are left out\n"
    is_lost = source == "libsvm" and target not in ("csv", "tsv", "libsvm")
    assert result.stdout == (lost if is_lost else "") + f"{ROWS} rows x 5 features written to out.{target}\n"
    assert set(place.files()) == {f"in.{source}", f"out.{target}"}
    if source == "libsvm" and target in ("csv", "tsv"):  # every row of LIBSVM has a label
        lines = (place.path / f"out.{target}").read_text().splitlines()
        assert lines.pop(0).split("," if target == "csv" else "\t") == ["x1", "x2", "x3", "x4", "x5", "label"]
        place.write(f"out.{target}", "\n".join(lines))
        X = np.c_[X, np.zeros(ROWS)]
    assert np.array_equal(load(place.path / f"out.{target}", target), X)


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_sparse_to_every_format(place, target, dtype):
    X = sparse(dtype)
    scipy.sparse.save_npz(place.path / "in.npz", X)
    place.succeed("convert", "in.npz", f"out.{target}", "--to", target)
    found = load(place.path / f"out.{target}", target, dtype)
    assert np.array_equal(found.astype(dtype), X.toarray())
    if target in ("npy", "npz", "h5"):
        assert found.dtype == dtype
    if target in ("npz", "mtx", "h5"):
        assert os.path.getsize(place.path / f"out.{target}") < X.nnz * 40


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("precision", [None, "float32", "float64"])
def test_precision(place, target, dtype, precision):
    X = dense(dtype, 50)
    place.save("in.npy", X)
    options = ["--precision", precision] if precision else []
    place.succeed("convert", "in.npy", f"out.{target}", "--to", target, *options)
    wanted = np.dtype(precision or dtype)
    found = load(place.path / f"out.{target}", target, wanted)
    assert np.array_equal(found.astype(wanted), X.astype(wanted))
    if target in ("npy", "npz", "h5"):
        assert found.dtype == wanted


def test_too_large_for_float32(place):
    place.save("in.npy", np.array([[1.0, 2], [3, 1e300]]))
    refuse(place, "convert", "in.npy", "out.npy", "--to", "npy", "--precision", "float32",
           says=["row 2, column 2", "1e+300", "float32"])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers(place, value):
    X = np.ones((ROWS, 3))
    X[ROWS - 1, 1] = value
    place.save("in.npy", X)
    refuse(place, "convert", "in.npy", "out.csv", says=["in.npy", f"row {ROWS}, column 2", "finite"])


def test_names_ids_and_labels(place):
    text = "name,a,b,\"c,d\",kind\n" + "".join(f"r{i},{i},0,{i / 8:g},{i % 2}\n" for i in range(ROWS))
    place.write("in.csv", text)
    columns = ["--id-col", "name", "--label-col", "kind", "--quiet"]
    assert place.succeed("convert", "in.csv", "out.csv", *columns).stdout == ""
    assert (place.path / "out.csv").read_text() == text
    place.succeed("convert", "in.csv", "out.tsv", *columns)
    assert (place.path / "out.tsv").read_text().splitlines()[:2] == ["name\ta\tb\tc,d\tkind", "r0\t0\t0\t0\t0"]
    place.succeed("convert", "in.csv", "numbered.csv", "--id-col", "1", "--label-col", "5")
    assert (place.path / "numbered.csv").read_text().splitlines()[0] == "id,a,b,\"c,d\",label"
    place.succeed("convert", "in.csv", "out.svm", "--to", "libsvm", *columns)
    X, y = load_svmlight_file(str(place.path / "out.svm"))
    assert np.array_equal(y, np.arange(ROWS) % 2)
    assert np.array_equal(X[:, [0, 2]].toarray(), np.c_[np.arange(ROWS), np.arange(ROWS) / 8])


def test_labels_that_are_no_numbers(place, iris_csv):
    refuse(place, "convert", iris_csv, "out.svm", "--to", "libsvm", "--label-col", "species",
           says=["out.svm", "row 1", "'setosa'"])


def test_a_table_without_names_gets_none(place):
    place.save("in.npy", np.eye(2))
    place.succeed("convert", "in.npy", "out.csv")
    assert (place.path / "out.csv").read_text() == "1,0\n0,1\n"


@pytest.mark.parametrize("end, library", [(".gz", gzip), (".bz2", bz2)])
@pytest.mark.parametrize("form", ["csv", "tsv", "libsvm", "mtx"])
def test_compressed_text_by_extension(place, form, end, library):
    X = dense()
    place.save("in.npy", X)
    place.succeed("convert", "in.npy", f"out.{form}{end}")
    place.write(f"plain.{form}", library.decompress((place.path / f"out.{form}{end}").read_bytes()))
    assert np.array_equal(load(place.path / f"plain.{form}", form), X)
    place.succeed("convert", f"out.{form}{end}", "back.npy")
    assert np.array_equal(np.load(place.path / "back.npy"), X)


@pytest.mark.parametrize("target", FORMATS)
def test_extensions_tell_the_format(place, target):
    X = dense()
    place.save("in.npy", X)
    place.succeed("convert", "in.npy", f"out.{target}")
    assert np.array_equal(load(place.path / f"out.{target}", target), X)
    place.succeed("convert", f"out.{target}", "back.npy")
    assert np.array_equal(np.load(place.path / "back.npy"), X)


@pytest.mark.parametrize("end, library", [(".gz", gzip), (".bz2", bz2)])
@pytest.mark.parametrize("form", ["csv", "tsv", "libsvm", "mtx"])
def test_compressed_text(place, form, end, library):
    X = sparse()
    scipy.sparse.save_npz(place.path / "in.npz", X)
    place.succeed("convert", "in.npz", f"out{end}", "--to", form)
    place.write("plain", library.decompress((place.path / f"out{end}").read_bytes()))
    os.rename(place.path / "plain", place.path / "plain.mtx")
    assert np.array_equal(load(place.path / "plain.mtx", form), X.toarray())


@pytest.mark.parametrize("form", ["npy", "npz", "h5"])
def test_binary_formats_are_not_compressed_as_a_whole(place, form):
    place.save("in.npy", np.eye(2))
    place.fail(2, "convert", "in.npy", "out.gz", "--to", form, says=["out.gz", form])


@pytest.mark.parametrize("target", ["csv", "tsv", "npy", "npz", "libsvm", "mtx"])
@pytest.mark.parametrize("source", ["npy", "csv", "sparse"])
def test_through_pipes(place, source, target):
    X = sparse() if source == "sparse" else dense()
    name = "in.npz" if source == "sparse" else f"in.{source}"
    if source == "sparse":
        scipy.sparse.save_npz(place.path / name, X)
        X = X.toarray()
    else:
        save(place.path / name, source, X)
    shell = f"'{COMMAND}' convert {name} - --to {target} | cat > out.{target}"
    subprocess.run(["bash", "-o", "pipefail", "-c", shell], cwd=place.path, check=True, timeout=HANG_GUARD)
    assert np.array_equal(load(place.path / f"out.{target}", target), X)


def test_standard_output_is_csv(place):
    place.save("in.npy", np.eye(2))
    assert place.succeed("convert", "in.npy", "-").stdout == "1,0\n0,1\n"
    assert place.succeed("convert", "in.npy", "/dev/stdout").stdout == "1,0\n0,1\n"


def test_hdf5_to_a_pipe(place):
    place.save("in.npy", np.eye(2))
    place.fail(2, "convert", "in.npy", "-", "--to", "h5", says=["HDF5", "pipe"])


def test_names_inside_files(place):
    X = dense()
    place.save("in.npy", X)
    place.succeed("convert", "in.npy", "out.h5:/a/b", "--to", "h5")
    with h5py.File(place.path / "out.h5") as file:
        assert np.array_equal(file["a/b"][:], X)
    place.succeed("convert", "out.h5:/a/b", "out.npz:Y", "--to", "npz")
    with np.load(place.path / "out.npz") as file:
        assert file.files == ["Y"] and np.array_equal(file["Y"], X)
    place.fail(2, "convert", "in.npy", "new.h5:/", "--to", "h5", says="not the name of a dataset")


@pytest.mark.parametrize("name", ["many.h5:/new", "many.npz:new"])
def test_other_members_of_a_file_are_not_lost(place, name):
    np.savez(place.path / "many.npz", a=np.eye(3))
    with h5py.File(place.path / "many.h5", "w") as file:
        file["a"] = np.eye(3)
    place.save("in.npy", np.eye(2))
    place.fail(2, "convert", "in.npy", name, says=[name, "exists"])


def test_sparse_rows_have_no_name_in_npz(place):
    scipy.sparse.save_npz(place.path / "in.npz", sparse("f8"))
    place.fail(2, "convert", "in.npz", "out.npz:foo", says=["out.npz:foo", "several arrays"])


@pytest.mark.parametrize("target", ["csv", "tsv", "npy"])
def test_sparse_rows_too_wide_to_be_dense(place, target):
    place.write("wide.libsvm", "1 2147483647:1\n1 1:2\n")
    place.fail(3, "convert", "wide.libsvm", f"out.{target}", says=["2147483647 columns", "libsvm, mtx, npz, h5"])


def test_labels_that_libsvm_cannot_hold(place):
    for label in ("nan", "inf", "red"):
        place.write("in.csv", f"a,y\n1,{label}\n")
        place.fail(3, "convert", "in.csv", "out.libsvm", "--label-col", "y", says=[label, "row 1"])


def test_a_file_is_not_converted_to_itself(place):
    place.save("in.npy", np.eye(2))
    place.succeed("convert", "in.npy", "in.h5", "--to", "h5")
    place.fail(2, "convert", "in.npy", "in.npy", says=["OUT", "also IN"])
    place.fail(2, "convert", "in.h5:/X", "in.h5:/Y", "--to", "h5", says=["OUT", "also IN"])
    os.link(place.path / "in.npy", place.path / "same.npy")
    place.fail(2, "convert", "in.npy", "same.npy", says=["OUT", "also IN"])


def test_a_file_is_replaced_as_a_whole(place):
    X = dense()
    place.save("in.npy", X)
    for form in FORMATS:
        place.write("out", "something old")
        (place.path / "out").chmod(0o600)
        place.succeed("convert", "in.npy", "out", "--to", form)
        os.rename(place.path / "out", place.path / f"out.{form}")
        assert np.array_equal(load(place.path / f"out.{form}", form), X)
        assert (place.path / f"out.{form}").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("target", FORMATS)
def test_nowhere_to_write(place, target):
    place.save("in.npy", np.eye(2))
    place.fail(3, "convert", "in.npy", "no/such/out", "--to", target, says="no directory no/such")


@pytest.mark.parametrize("target", FORMATS)
def test_limit_on_the_size_of_files(place, target):
    place.save("in.npy", RNG.normal(size=(ROWS, 40)))
    before = place.files()
    limited = f"ulimit -f 500; exec '{COMMAND}' convert in.npy out --to {target}"
    result = subprocess.run(["bash", "-c", limited], cwd=place.path, capture_output=True, text=True, timeout=HANG_GUARD)
    assert result.returncode == 5, result.stderr
    assert_one_line(result.stderr, ["out", "too large"])
    assert place.files() == before


@pytest.mark.parametrize("size", ["8k", "100k", "500k", "1000k"])
@pytest.mark.parametrize("target", FORMATS)
def test_full_disk(place, target, size):
    place.save("in.npy", RNG.normal(size=(ROWS, 40)))
    (place.path / "small").mkdir()
    mount = f"mount -t tmpfs -o size={size} tmpfs small"
    if subprocess.run(["unshare", "-rm", "bash", "-c", mount], cwd=place.path, capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    command = f"{mount}; '{COMMAND}' convert in.npy small/out --to {target}; echo $?; ls small"
    result = subprocess.run(["unshare", "-rm", "bash", "-c", command], cwd=place.path, capture_output=True, text=True,
                            timeout=HANG_GUARD)
    assert result.stdout == "5\n"
    assert_one_line(result.stderr, ["small/out", "No space left"])


def test_full_device(place):
    place.save("in.npy", np.eye(2))
    place.fail(5, "convert", "in.npy", "/dev/full", says=["/dev/full", "No space left"])


@pytest.mark.parametrize("target", ["csv", "npy", "npz", "libsvm", "mtx"])
def test_nobody_reads_standard_output(place, pipe_without_reader, target):
    place.save("in.npy", RNG.normal(size=(ROWS, 40)))
    result = place.run("convert", "in.npy", "-", "--to", target, stdout=pipe_without_reader)
    assert result.returncode == 0
    assert result.stderr == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(place, number):
    with place.start("convert", "-", "out.csv", "--format", "npy", stdin=subprocess.PIPE) as process:
        code, stderr = interrupt_while_rows_come(place, process, number, columns=5)
    assert code == 128 + number
    assert_one_line(stderr)
    assert not list(place.path.iterdir())


def test_wrong_usage(place):
    place.save("in.npy", np.eye(2))
    place.fail(2, "convert", "in.npy", says="OUT")
    place.fail(2, "convert", "in.npy", "out.xls", says=["out.xls", ".csv"])
    place.fail(2, "convert", "in.npy", "out.csv", "--to", "cvs", says=["cvs", "csv"])
    place.fail(2, "convert", "in.npy", "out.csv", "--format", "mtz", says=["mtz", "mtx"])
    place.fail(2, "convert", "in.npy", "out.csv", "--precision", "float16", says=["float16", "float32"])
    place.fail(3, "convert", "none.npy", "out.csv", says=["none.npy", "No such file"])


def test_what_was_converted_can_be_fitted(place, iris):
    place.write("in.csv", csv_text(iris.data, ["a", "b", "c", "d"]))
    place.succeed("convert", "in.csv", "in.npy", "--quiet")
    for name in ["in.csv", "in.npy"]:
        place.succeed("fit", name, "-o", "m.dkpca", "--scores", f"{name}.csv", "--quiet", "--n-components", "2",
                      "--precision", "float64")
    np.testing.assert_allclose(place.read_scores("in.csv.csv"), place.read_scores("in.npy.csv"), atol=1e-9)
