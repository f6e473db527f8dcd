"""The budget of --memory holds while rows are read, however small their file is."""
import bz2
import gzip
import zipfile

import h5py
import numpy as np
import pytest
from measured import run_measured
from workplace import assert_one_line, measures_memory

BUDGET = 64 << 20
# Memory of the command, its libraries, the blocks being read and the decompressor.
BESIDE = 170 << 20


def exceeds(place, command, name, *options, says=()):
    """Checks that the command ends with exit code 5, one line and no file, within the budget."""
    before = set(place.files())
    code, stderr, memory = run_measured(place, command, name, "--memory", "64M", *options)
    assert code == 5, stderr
    assert_one_line(stderr, [name, "64.00 MiB", "may be used: raise memory", *says])
    assert memory < BUDGET + BESIDE
    assert set(place.files()) == before


def write_compressed(place, name, line, count):
    """Joins many compressed files, which again make one compressed file."""
    piece = (gzip if name.endswith("gz") else bz2).compress(line * 10_000)
    return place.write(name, piece * (count // 10_000))


@measures_memory
@pytest.mark.parametrize("command", ["fit", "path"])
def test_compressed_text(place, command):
    name = write_compressed(place, "rows.csv.gz", b"1,2,3,4,5,6,7,8\n", 8_000_000)  # 512 MB of numbers
    output = ["-o", "m"] if command == "fit" else []
    exceeds(place, command, name, *output, says="rows were read")


@measures_memory
@pytest.mark.parametrize("name, line", [
    ("rows.tsv.bz2", b"1\t2\t3\t4\t5\t6\t7\t8\n"), ("rows.svm.gz", b"1 1:1 2:1 3:1 4:1 5:1 6:1\n"),
    ("ids.csv.gz", b"a name of thirty letters or more,1\n")])
def test_other_text(place, name, line):
    write_compressed(place, name, line, 4_000_000)
    exceeds(place, "fit", name, "-o", "m", *(["--id-col", "1"] if name.startswith("ids") else []), says="rows were read")


@measures_memory
def test_one_row_of_millions_of_columns(place):
    for name, line in {"header.csv.gz": b"a,", "numbers.csv.gz": b"1,", "row.svm.gz": None}.items():
        content = line * 9_999_999 + b"1\n" if line else b"1 " + b" ".join(b"%d:1" % i for i in range(1, 4_000_000))
        place.write(name, gzip.compress(content, 1))
        exceeds(place, "fit", name, "-o", "m")


@measures_memory
@pytest.mark.parametrize("shape, dtype", [((4000, 30_000), "f8"), ((3, 40_000_000), "i1"), ((1, 200_000_000), "i1")])
@pytest.mark.parametrize("order", "CF")
def test_compressed_npz(place, shape, dtype, order):
    header = {"descr": np.dtype(dtype).str, "fortran_order": order == "F", "shape": shape}
    with zipfile.ZipFile(place.path / "X.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("X.npy", "w", force_zip64=True) as member:
            np.lib.format.write_array_header_1_0(member, header)
            left = shape[0] * shape[1] * np.dtype(dtype).itemsize
            while left > 0:
                left -= member.write(bytes(min(left, 1 << 20)))
    exceeds(place, "fit", "X.npz", "-o", "m")


@measures_memory
def test_npy_that_has_to_be_converted(place):
    np.lib.format.open_memmap(place.path / "X.npy", "w+", dtype="i1", shape=(1000, 100_000))
    exceeds(place, "fit", "X.npy", "-o", "m", says="1000 x 100000 numbers")


@measures_memory
def test_compressed_matrix_market(place):
    lines = b"".join(b"%d 1 1\n" % i for i in range(1, 3_000_001))
    place.write("X.mtx.gz", gzip.compress(b"%%MatrixMarket matrix coordinate real general\n3000000 1 3000000\n" + lines, 1))
    exceeds(place, "fit", "X.mtx.gz", "-o", "m", says="entries")
    place.write("A.mtx", b"%%MatrixMarket matrix array real general\n10000 10000\n1\n")
    exceeds(place, "fit", "A.mtx", "-o", "m", says="10000 x 10000 numbers")


@measures_memory
def test_compressed_hdf5(place):
    with h5py.File(place.path / "X.h5", "w") as file:
        file.create_dataset("X", data=np.zeros((3000, 10_000)), chunks=(100, 1000), compression="gzip")
    exceeds(place, "fit", "X.h5", "-o", "m", says="3000 x 10000 numbers")
    with h5py.File(place.path / "S.h5ad", "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"] = "csr_matrix"
        group.attrs["shape"] = np.array([3, 20_000_000])
        packed = {"chunks": (10**6,), "compression": "gzip", "compression_opts": 1}
        group.create_dataset("data", data=np.ones(20_000_000, "f4"), **packed)
        group.create_dataset("indices", data=np.arange(20_000_000), **packed)
        group["indptr"] = np.array([0, 0, 20_000_000, 20_000_000])
    exceeds(place, "fit", "S.h5ad", "-o", "m", says="entries of one row")


@measures_memory
def test_the_plan_counts_what_was_read(place):
    """48 MB of rows are read; a copy of them in working precision does not fit beside them."""
    X = np.random.default_rng(0).integers(0, 9, size=(600, 10_000))
    place.write("X.csv", "\n".join(",".join(map(str, row)) for row in X))
    code, stderr, _ = run_measured(place, "fit", "X.csv", "-o", "m", "--memory", "64M")
    assert code == 5, stderr
    assert_one_line(stderr, ["600 rows need", "64.00 MiB may be used"])
    code, stderr, memory = run_measured(place, "fit", "X.csv", "-o", "m", "--memory", "200M", "--quiet")
    assert code == 0, stderr
    assert memory < (200 << 20) + BESIDE


@measures_memory
def test_check_counts_what_it_reads(place):
    name = write_compressed(place, "rows.csv.gz", b"1,2,3,4,5,6,7,8\n", 3_000_000)
    place.save("X.npy", np.random.default_rng(0).normal(size=(50, 8)))
    place.succeed("fit", "X.npy", "-o", "m", "--quiet")
    code, stderr, memory = run_measured(place, "check", "m", name, "--memory", "64M")
    assert code == 5, stderr
    assert_one_line(stderr, [name, "64.00 MiB"])
    assert memory < BUDGET + BESIDE
