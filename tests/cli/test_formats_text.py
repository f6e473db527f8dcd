"""Text formats as other programs write them, compressed and through pipes; hostile files cost little memory."""
import bz2
import contextlib
import gzip
import signal
import subprocess

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from measured import MOST_MEMORY, run_measured
from workplace import HANG_GUARD, assert_one_line, csv_text, wait_until, waits_for_input

MEBIBYTE = 1 << 20


@pytest.fixture(scope="module")
def X():
    matrix = scipy.sparse.random(60, 25, density=0.2, random_state=1, format="csr")
    matrix.data = np.round(matrix.data - 0.5, 6)  # every program writes and reads them alike
    return matrix


def fit_scores(place, data, *options, **run):
    """Returns the scores of the rows of `data` under a kernel that depends on every entry."""
    place.succeed("fit", data, "--kernel", "rbf", "--gamma", "0.3", "--n-components", "3", "--precision", "float64",
                  "--quiet", "-o", "m.safetensors", "--scores", "s.csv", *options, **run)
    return np.abs(place.read_scores("s.csv"))


@pytest.fixture
def expected(place, X):
    place.save("dense.npy", X.toarray())
    return fit_scores(place, "dense.npy")


def assert_same(scores, expected):
    np.testing.assert_allclose(scores, expected, atol=1e-9)


def svmlight_bytes(place, X, name="made.libsvm", **options):
    dump_svmlight_file(X, np.arange(X.shape[0]) % 3, str(place.path / name), zero_based=False, **options)
    return (place.path / name).read_bytes()


PACKED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("extension", PACKED)
def test_libsvm_of_scikit_learn(place, X, expected, extension):
    content = svmlight_bytes(place, X, comment="made by a test", query_id=np.arange(X.shape[0]))
    reread, _ = load_svmlight_file(str(place.path / "made.libsvm"), n_features=X.shape[1])
    assert (reread != X).nnz == 0  # `expected` is now what this file contains
    place.write("data.svm" + extension, PACKED[extension](content))
    assert_same(fit_scores(place, "data.svm" + extension, "--n-features", X.shape[1]), expected)


@pytest.mark.parametrize("extension", PACKED)
@pytest.mark.parametrize("kind", ["coordinate", "array"])
def test_matrix_market_of_scipy(place, X, expected, kind, extension):
    scipy.io.mmwrite(str(place.path / "made.mtx"), X if kind == "coordinate" else X.toarray(), precision=17)
    place.write("data.mtx" + extension, PACKED[extension]((place.path / "made.mtx").read_bytes()))
    assert_same(fit_scores(place, "data.mtx" + extension), expected)


@pytest.mark.parametrize("symmetry", ["symmetric", "skew-symmetric"])
@pytest.mark.parametrize("kind", ["coordinate", "array"])
def test_symmetric_matrix_market(place, kind, symmetry):
    A = np.round(np.random.default_rng(0).normal(size=(12, 12)), 3)
    A = A + A.T if symmetry == "symmetric" else A - A.T
    scipy.io.mmwrite(str(place.path / "A.mtx"), scipy.sparse.coo_matrix(A) if kind == "coordinate" else A,
                     symmetry=symmetry, precision=17)
    reread = scipy.sparse.coo_matrix(scipy.io.mmread(str(place.path / "A.mtx")))
    np.testing.assert_array_equal(reread.toarray(), A)
    place.save("A.npy", A)
    assert_same(fit_scores(place, "A.mtx"), fit_scores(place, "A.npy"))


@pytest.mark.parametrize("extension", PACKED)
def test_compressed_csv(place, X, expected, extension):
    content = csv_text(X.toarray()).encode()
    half = content.index(b"\n", len(content) // 2) + 1
    pack = PACKED[extension]
    place.write("data.csv" + extension, pack(content[:half]) + pack(content[half:]))  # as pbzip2 and bgzip do
    assert_same(fit_scores(place, "data.csv" + extension), expected)


@pytest.mark.parametrize("extension", PACKED)
def test_standard_input(place, X, expected, extension):
    place.write("csv", PACKED[extension](csv_text(X.toarray()).encode()))
    place.write("libsvm", PACKED[extension](svmlight_bytes(place, X)))
    with open(place.path / "csv", "rb") as data:
        assert_same(fit_scores(place, "-", stdin=data), expected)
    with open(place.path / "libsvm", "rb") as data:
        pipe = subprocess.Popen(["cat"], stdin=data, stdout=subprocess.PIPE)
        assert_same(fit_scores(place, "-", "--format", "libsvm", "--n-features", 25, stdin=pipe.stdout), expected)
        pipe.stdout.close()
        assert pipe.wait() == 0


def test_input_and_output_may_both_be_pipes(place, X):
    place.write("X.csv", csv_text(X.toarray()))
    with open(place.path / "X.csv", "rb") as data:
        assert '"status"' in place.run("fit", "-", "-o", "m.safetensors", "--json", "-", stdin=data).stdout
    with open(place.path / "X.csv", "rb") as data:
        assert place.succeed("transform", "m.safetensors", "-", stdin=data).stdout.startswith("pc1,pc2\n")


def test_transform_reads_sparse_text(place, X, expected):
    svmlight_bytes(place, X)
    fit_scores(place, "dense.npy")
    place.succeed("transform", "m.safetensors", "made.libsvm", "-o", "t.csv")
    assert_same(np.abs(place.read_scores("t.csv")), expected)


OPTIONS = {
    "unknown format": (["--format", "cvs"], ["--format", "'cvs'", "did you mean csv?"]),
    "no features": (["--n-features", "0"], ["--n-features", "'0'"]),
    "labels of libsvm": (["--format", "libsvm", "--label-col", "1"], ["--label-col", "LIBSVM"]),
    "ids of mtx": (["--format", "mtx", "--id-col", "1"], ["--id-col", "Matrix Market"]),
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_options(place, kind):
    options, says = OPTIONS[kind]
    place.write("good.csv", "1,2\n3,4\n")
    place.fail(2, "fit", "good.csv", "-o", "m", *options, says=says)


def refuse(place, name, content, says, code=3):
    """Checks that the file is refused, in little memory."""
    place.write(name, content)
    found, stderr, memory = run_measured(place, "fit", name, "-o", "m.safetensors")
    assert found == code, stderr
    assert_one_line(stderr, [name, *([says] if isinstance(says, str) else says)])
    assert memory < MOST_MEMORY
    assert not (place.path / "m.safetensors").exists()


MTX = "%%MatrixMarket matrix coordinate real general\n"
ARRAY = "%%MatrixMarket matrix array real general\n"
CSV = csv_text(np.random.default_rng(0).normal(size=(20000, 3))).encode()
SVM = b"".join(b"1 1:%d 7:0.5\n" % i for i in range(50000))
GARBAGE = np.random.default_rng(0).bytes(MEBIBYTE)

HOSTILE = {
    "a.csv.gz": {
        "endless line": (gzip.compress(b"x" * 200 * MEBIBYTE, 1), "line 1 is longer than 64 MiB"),
        "endless line of a number": (gzip.compress(b"1,2\n" + b"1" * 200 * MEBIBYTE, 1), "line 2 is longer"),
        "endless blank lines": (gzip.compress(b"1,2\n" + b"\n" * 200 * MEBIBYTE, 1), "64 MiB are blank"),
        "endless quote": (gzip.compress(b'1,2\n"' + b"1\n" * 100 * MEBIBYTE, 1), "64 MiB"),
        "endless columns": (gzip.compress(b"1," * 100 * MEBIBYTE, 1), "line 1 is longer than 64 MiB"),
        "cut short": (gzip.compress(CSV)[:-20000], "the gzip data are cut short"),
        "without checksum": (gzip.compress(CSV)[:-5], "the gzip data are cut short"),
        "garbage behind": (gzip.compress(CSV) + b"garbage", "followed by other bytes"),
        "damaged": (gzip.compress(CSV)[:2000] + GARBAGE[:100] + gzip.compress(CSV)[2100:], "the gzip data are damaged"),
    },
    "a.csv.bz2": {
        "endless line": (bz2.compress(b"x" * 200 * MEBIBYTE, 1), "line 1 is longer than 64 MiB"),
        "cut short": (bz2.compress(CSV)[:-20000], "the bzip2 data are cut short"),
        "damaged": (bz2.compress(CSV)[:2000] + GARBAGE[:100] + bz2.compress(CSV)[2100:], "the bzip2 data are damaged"),
    },
    "a.csv": {
        "garbage": (GARBAGE, "a.csv"),
        "zeros": (bytes(MEBIBYTE), "a.csv"),
        "zero bytes in a row": (b"1,2\n3,\0\0\n", "row 2"),
    },
    "a.libsvm": {
        "garbage": (GARBAGE, "line 1"),
        "zeros": (bytes(MEBIBYTE), "line 1"),
        "zero byte in an entry": (b"1 1:1\n1 1:\0\n", "line 2"),
        "huge index": (b"1 1:1\n1 999999999999:1\n", ["line 2", "larger than 2147483647"]),
        "negative index": (b"1 1:1\n1 -5:1\n", ["line 2", "negative"]),
        "index 0": (b"1 0:1 1:1\n1 2:1\n", ["line 1", "start at 1"]),
        "csv": (b"a,b\n1,2\n", ["line 1", "not a label"]),
        "bad last line": (SVM + b"1 3:oops\n", ["line 50001", "oops"]),
    },
    "a.libsvm.gz": {
        "endless line": (gzip.compress(b"1 1:1" + b" " * 200 * MEBIBYTE, 1), "line 1 is longer than 64 MiB"),
        "cut short": (gzip.compress(SVM)[:-1000], "cut short"),
    },
    "a.mtx": {
        "garbage": (GARBAGE, "not a Matrix Market file"),
        "zeros": (bytes(MEBIBYTE), "not a Matrix Market file"),
        "many entries declared": (MTX + "3 3 900000000000000\n1 1 1\n", "cut short"),
        "many columns declared": (MTX + "3 99999999999 1\n1 1 1\n", "99999999999 columns"),
        "many of both declared": (MTX + "400000000 2000000000 2\n1 1 1\n", ["400000000 rows", "2 entries"]),
        "more rows than there are numbers": (MTX + "1000000000000 3 1\n1 1 1\n", ["1000000000000 rows", "at most"]),
        "many rows declared": (MTX + "2000000 3 1\n1 1 1\n", ["2000000 rows", "1 entries"]),
        "few entries declared": (MTX + "3 3 1\n1 1 1\n2 2 2\n", ["line 4", "more entries"]),
        "negative index": (MTX + "3 3 1\n-1 1 1\n", ["line 3", "row -1"]),
        "index outside": (MTX + "3 3 1\n1 4 1\n", ["line 3", "column 4"]),
        "zero byte": (MTX.encode() + b"3 3 1\n1 1 \0\n", "line 3"),
        "twice": (MTX + "3 3 2\n1 1 1\n1 1 2\n", ["line 4", "twice"]),
        "complex": ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n", "complex"),
        "array cut short": (ARRAY + "10000 10000\n1\n2\n", "cut short"),
    },
}


@pytest.mark.parametrize("name, kind", [(name, kind) for name in HOSTILE for kind in HOSTILE[name]])
def test_hostile_file(place, name, kind):
    refuse(place, name, *HOSTILE[name][kind])


def test_declared_size_beyond_memory(place):
    refuse(place, "a.mtx", ARRAY + "10000000 1000000\n1\n", ["of memory", "available"], code=5)


def test_binary_formats_are_not_compressed(place):
    place.write("X.npy.gz", b"")
    place.fail(3, "fit", "X.npy.gz", "-o", "m", says=["X.npy.gz", "only text may be compressed"])


@pytest.mark.parametrize("command", [["fit", "-", "-o", "m"], ["convert", "-", "out.npy"],
                                     ["convert", "-", "out.csv", "--format", "npy"]])
def test_a_signal_while_a_pipe_is_silent(place, command):
    with place.start(*command, stdin=subprocess.PIPE) as process:
        wait_until(lambda: waits_for_input(process), process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=HANG_GUARD) == 130
        assert_one_line(process.stderr.read(), "stopped while standard input was being read")


def test_a_signal_while_a_pipe_is_read(place):
    """The first rows arrive, and the rest never does before the signal: the command notices it with the next block."""
    with place.start("fit", "-", "-o", "m.safetensors", stdin=subprocess.PIPE) as process:
        rows = b"0.123456789,0.987654321\n" * 200000
        process.stdin.buffer.write(rows)  # more than a pipe holds: the command reads by now
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.buffer.write(rows * 3)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        assert process.wait(timeout=HANG_GUARD) == 130
        assert_one_line(process.stderr.read(), "stopped while standard input was being read")
    assert not (place.path / "m.safetensors").exists()
