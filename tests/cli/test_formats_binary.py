"""NPY, NPZ and HDF5 files as numpy, scipy and h5py write them are read in blocks, and bad files are refused."""
import io
import os
import subprocess
import threading
import zipfile

import h5py
import numpy as np
import pytest
import scipy.sparse
from measured import MOST_MEMORY, refuse, run_measured
from workplace import COMMAND, HANG_GUARD, measures_memory

RNG = np.random.default_rng(5)
ROWS = 5000  # more than one block of the command


def numbers(dtype="f8", rows=ROWS, cols=7):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return RNG.integers(0, 2, (rows, cols)).astype(bool)
    if kind in "iu":
        return RNG.integers(0, 100, (rows, cols)).astype(dtype)
    return RNG.normal(size=(rows, cols)).astype(dtype)


def convert(place, source, *options, **run):
    """Returns the rows of `source` as the command reads them."""
    place.succeed("convert", source, "out.npy", "--quiet", "--to", "npy", *options, **run)
    return np.load(place.path / "out.npy")


def assert_same(found, X):
    """Checks that the rows are the same bit for bit, and float32 only where the input was."""
    assert found.dtype == (np.float32 if X.dtype == np.dtype("<f4") else np.float64)
    assert np.array_equal(found, X.astype(found.dtype))


def sparse(rows=ROWS, cols=40, dtype="f8"):
    return scipy.sparse.random(rows, cols, density=0.1, format="csr", random_state=3, dtype="f8").astype(dtype)


DTYPES = ["<f8", "<f4", ">f8", ">f4", "i1", "<i2", ">i4", "<i8", "u1", "<u2", "<u4", ">u8", "?"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", "CF")
def test_npy(place, dtype, order):
    X = numbers(dtype)
    place.save("X.npy", np.asarray(X, order=order))
    assert_same(convert(place, "X.npy"), X)


def test_npy_with_wide_rows(place):
    X = numbers("f4", 3, 3_000_000)
    place.save("X.npy", X)
    place.save("F.npy", np.asfortranarray(X[:, :5000]))
    assert_same(convert(place, "X.npy"), X)
    assert_same(convert(place, "F.npy"), X[:, :5000])


@pytest.mark.parametrize("dtype", ["<f8", "<f4", ">i4"])
def test_npy_through_a_pipe(place, dtype):
    X = numbers(dtype)
    place.save("X.npy", X)
    shell = f"cat X.npy | '{COMMAND}' convert - out.npy --format npy --to npy --quiet"
    subprocess.run(["bash", "-o", "pipefail", "-c", shell], cwd=place.path, check=True, timeout=HANG_GUARD)
    assert_same(np.load(place.path / "out.npy"), X)


def test_npy_through_a_named_pipe(place):
    X = numbers()
    place.save("X.npy", X)
    os.mkfifo(place.path / "pipe.npy")
    writer = threading.Thread(target=lambda: (place.path / "pipe.npy").write_bytes((place.path / "X.npy").read_bytes()))
    writer.start()
    assert_same(convert(place, "pipe.npy", "--format", "npy"), X)
    writer.join()


def test_fortran_order_through_a_pipe(place):
    X = numbers()
    place.save("X.npy", np.asfortranarray(X))
    with open(place.path / "X.npy", "rb") as data:
        place.succeed("convert", "-", "out.npy", "--format", "npy", stdin=data)
    assert_same(np.load(place.path / "out.npy"), X)
    place.write("cut.npy", (place.path / "X.npy").read_bytes()[:-8])
    with open(place.path / "cut.npy", "rb") as data:
        refuse(place, "convert", "-", "out.csv", "--format", "npy", stdin=data, says="cut short")


@measures_memory
@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_does_not_grow_with_the_file(place, order):
    np.lib.format.open_memmap(place.path / "X.npy", "w+", shape=(400_000, 100), fortran_order=order == "F")  # 320 MB
    code, stderr, memory = run_measured(place, "convert", "X.npy", "out.npy", "--to", "npy", "--precision", "float32")
    assert code == 0, stderr
    assert memory < MOST_MEMORY / 2


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", ["<f8", "<f4", ">i4", "?"])
def test_npz(place, save, dtype):
    X = numbers(dtype)
    save(place.path / "X.npz", X=X)
    assert_same(convert(place, "X.npz"), X)
    save(place.path / "two.npz", X=X[::-1], **{"a.b": X})
    assert_same(convert(place, "two.npz:a.b"), X)
    stderr = refuse(place, "convert", "two.npz", "out.csv", says=["two.npz", "2 arrays", f"'X' ({ROWS}, 7)", "'a.b'"])
    assert "two.npz:X" in stderr
    refuse(place, "convert", "two.npz:c", "out.csv", says=["no array 'c'", "'a.b'"])


def test_npz_in_fortran_order(place):
    X = numbers()
    np.savez(place.path / "X.npz", X=np.asfortranarray(X))
    assert_same(convert(place, "X.npz"), X)
    np.savez_compressed(place.path / "Z.npz", X=np.asfortranarray(X))
    assert_same(convert(place, "Z.npz"), X)  # many published data sets are saved like this


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
def test_sparse_npz(place, compressed, dtype):
    X = (sparse() * 100).astype(dtype)
    scipy.sparse.save_npz(place.path / "X.npz", X, compressed=compressed)
    assert_same(convert(place, "X.npz", "--to", "npy"), X.toarray())


def test_sparse_npz_out_of_order(place):
    X = scipy.sparse.csr_matrix((np.array([1.0, 2, 4, 8, 16]), np.array([3, 0, 3, 1, 0]), np.array([0, 3, 3, 5])),
                                shape=(3, 4))
    scipy.sparse.save_npz(place.path / "X.npz", X)
    assert_same(convert(place, "X.npz"), X.toarray())
    place.succeed("convert", "X.npz", "Y.npz", "--to", "npz", "--quiet")
    Y = scipy.sparse.load_npz(place.path / "Y.npz")
    assert Y.has_canonical_format and np.array_equal(Y.toarray(), X.toarray())


@pytest.mark.parametrize("form", ["csc", "coo", "bsr", "dia"])
def test_other_sparse_formats(place, form):
    scipy.sparse.save_npz(place.path / "X.npz", scipy.sparse.eye(5).asformat(form))
    refuse(place, "convert", "X.npz", "out.csv", says=["X.npz", f"'{form}'", "tocsr()"])


def damaged_sparse(**arrays):
    X = sparse(50, 9)
    good = dict(indices=X.indices, indptr=X.indptr, format=b"csr", shape=X.shape, data=X.data)
    stream = io.BytesIO()
    np.savez(stream, **(good | arrays))
    return stream.getvalue()


@pytest.mark.parametrize("name, arrays, says", [
    ("indptr", {"indptr": np.arange(3)}, ["indptr", "3 items"]),
    ("descending", {"indptr": np.r_[0, 5, 3, np.full(48, 5)]}, ["row 2", "must ascend"]),
    ("beyond", {"indptr": np.r_[0, np.full(50, 10**9)]}, ["row 1", "1000000000"]),
    ("negative", {"indices": np.full(45, -1)}, ["row", "outside 0..8"]),
    ("column", {"indices": np.full(45, 9)}, ["column index 9", "outside 0..8"]),
    ("lengths", {"data": np.ones(3)}, ["3 items", "45"]),
    ("shape", {"shape": (10**15, 9)}, ["indptr", "1000000000000000"]),
    ("cols", {"shape": (50, 2**40)}, ["columns"]),
    ("floats", {"indices": np.zeros(45)}, ["integers"]),
    ("text", {"data": np.full(45, "a")}, ["text"]),
])
def test_damaged_sparse_npz(place, name, arrays, says):
    place.write("X.npz", damaged_sparse(**arrays))
    refuse(place, "convert", "X.npz", "out.csv", says=["X.npz", *says])


def write_h5(place, name, **datasets):
    with h5py.File(place.path / name, "w") as file:
        for path, (data, options) in datasets.items():
            file.create_dataset(path.replace("__", "/"), data=data, **options)
    return name


CHUNKS = [{}, {"chunks": (100, 7)}, {"chunks": (333, 2)}, {"chunks": (ROWS, 1)},
          {"chunks": (700, 7), "compression": "gzip"}, {"chunks": (64, 3), "compression": "gzip", "shuffle": True},
          {"chunks": (500, 7), "fletcher32": True, "maxshape": (None, 7)}]


@pytest.mark.parametrize("options", CHUNKS)
@pytest.mark.parametrize("dtype", ["<f8", "<f4", ">f4", ">i4"])
def test_hdf5(place, dtype, options):
    X = numbers(dtype)
    write_h5(place, "X.h5", X=(X, options), y=(np.arange(3), {}))
    found = convert(place, "X.h5")
    assert found.dtype == (np.float32 if np.dtype(dtype).kind == "f" and np.dtype(dtype).itemsize == 4 else np.float64)
    assert np.array_equal(found, X)


@pytest.mark.parametrize("dtype", ["f2", "i1", "u8", "?", ">f8"])
def test_hdf5_types(place, dtype):
    X = numbers(dtype)
    write_h5(place, "X.h5", X=(X, {}))
    found = convert(place, "X.h5")
    assert found.dtype == np.float64 and np.array_equal(found, X)


def test_hdf5_names(place):
    X, Y = numbers(), numbers("f4", 4, 3)
    write_h5(place, "two.h5", a__X=(X, {}), Y=(Y, {}), t=(np.array([b"a"]), {}))
    assert_same(convert(place, "two.h5:/a/X"), X)
    assert_same(convert(place, "two.h5:Y"), Y)
    refuse(place, "convert", "two.h5", "out.csv", says=["2 datasets", f"'/a/X' ({ROWS}, 7)", "'/Y' (4, 3)"])
    refuse(place, "convert", "two.h5:/b", "out.csv", says=["no dataset '/b'", "'/Y'"])
    refuse(place, "convert", "two.h5:/Y/b", "out.csv", says=["no dataset '/Y/b'"])
    refuse(place, "convert", "two.h5:/a", "out.csv", says=["group", "'/a/X'"])
    refuse(place, "convert", "two.h5:/t", "out.csv", says=["text"])


def write_h5ad(place, name, X, encoding="csr_matrix", shape="shape", **options):
    with h5py.File(place.path / name, "w") as file:
        file.create_dataset("obsm/X_pca", data=np.ones((X.shape[0], 2)))
        if not scipy.sparse.issparse(X):
            file.create_dataset("X", data=X)
            return name
        group = file.create_group("X")
        if encoding:
            group.attrs["encoding-type"] = encoding
        else:
            group.attrs["h5sparse_format"] = "csr"
        group.attrs[shape] = np.array(X.shape)
        for part in ["data", "indices", "indptr"]:
            group.create_dataset(part, data=getattr(X, part), **options)
    return name


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
@pytest.mark.parametrize("options", [{}, {"chunks": (100,), "compression": "gzip"}])
def test_h5ad(place, dtype, options):
    X = (sparse(dtype="f8") * 100).astype(dtype)
    assert_same(convert(place, write_h5ad(place, "s.h5ad", X, **options)), X.toarray())
    assert_same(convert(place, write_h5ad(place, "old.h5ad", X, "", "h5sparse_shape", **options)), X.toarray())
    assert_same(convert(place, write_h5ad(place, "dense.h5ad", X.toarray())), X.toarray())
    assert_same(convert(place, "s.h5ad:/obsm/X_pca"), np.ones((ROWS, 2)))
    refuse(place, "convert", write_h5ad(place, "c.h5ad", X, "csc_matrix"), "out.csv", says=["csc_matrix", "tocsr()"])


def test_hdf5_through_a_pipe(place):
    for form in ["h5", "npz"]:
        refuse(place, "convert", "-", "out.csv", "--format", form, says=["standard input", "pipe"])


def test_a_filter_that_is_missing(place):
    write_h5(place, "X.h5", X=(numbers(), {"compression": "lzf"}))
    refuse(place, "convert", "X.h5", "out.csv", says=["filter 32000", "lzf", "gzip"])


def npy_claiming(shape, dtype="<f8", data=b"12345678"):
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": shape})
    return stream.getvalue() + data


HUGE = [(2**60, 2**60), (10**15, 10), (1, 2**45), (1, 2**60), (2**62, 1), (3, 10**9)]


@pytest.mark.parametrize("shape", HUGE)
def test_npy_that_claims_to_be_huge(place, shape):
    place.write("X.npy", npy_claiming(shape))
    refuse(place, "convert", "X.npy", "out.csv", says="X.npy")
    with open(place.path / "X.npy", "rb") as data:
        refuse(place, "convert", "-", "out.csv", "--format", "npy", stdin=data, says="standard input")


def test_npy_with_a_huge_header(place):
    place.write("X.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'")
    refuse(place, "convert", "X.npy", "out.csv", says=["X.npy", "header"])


@pytest.mark.parametrize("shape", HUGE)
def test_npz_that_claims_to_be_huge(place, shape):
    with zipfile.ZipFile(place.path / "X.npz", "w") as archive:
        archive.writestr("X.npy", npy_claiming(shape))
    refuse(place, "convert", "X.npz", "out.csv", says="X.npz")


def test_zip_bomb(place):
    with zipfile.ZipFile(place.path / "X.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("X.npy", "w", force_zip64=True) as member:
            member.write(npy_claiming((3, 10**14), data=b""))
            for _ in range(1000):
                member.write(bytes(1 << 20))
    refuse(place, "convert", "X.npz", "out.csv", says=["X.npz", "cut short"])


def test_zip_whose_directory_lies(place):
    """The file has 1 GB of zeros and declares 2^50 bytes, and an array of exactly that size."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("X.npy", "w", force_zip64=True) as member:
            member.write(npy_claiming((2**20, 2**20), "|i1", data=b""))
            member.write(bytes(1 << 20))
        archive.infolist()[0].file_size = 2**41
    place.write("X.npz", stream.getvalue())
    refuse(place, "convert", "X.npz", "out.csv", says="X.npz")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damaged_npz(place, save):
    save(place.path / "good.npz", X=numbers())
    good = (place.path / "good.npz").read_bytes()
    for name, content in {"half": good[:len(good) // 2], "no end": good[:-10], "empty": b"", "text": b"1,2\n3,4\n",
                          "flipped": good[:5000] + bytes([good[5000] ^ 255]) + good[5001:],
                          "no entry": b"\0\0\0\0" + good[4:], "magic only": b"PK\x03\x04"}.items():
        place.write("X.npz", content)
        refuse(place, "convert", "X.npz", "out.npy", "--to", "npy", says="X.npz"), name


def test_checksum(place):
    np.savez(place.path / "X.npz", X=numbers())
    content = bytearray((place.path / "X.npz").read_bytes())
    content[5000] ^= 1
    place.write("X.npz", bytes(content))
    refuse(place, "convert", "X.npz", "out.npy", "--to", "npy", says=["X.npz", "checksum"])
    np.savez(place.path / "X.npz", X=np.asfortranarray(numbers()))
    content = bytearray((place.path / "X.npz").read_bytes())
    content[5000] ^= 1
    place.write("X.npz", bytes(content))
    refuse(place, "convert", "X.npz", "out.npy", "--to", "npy", says=["X.npz", "checksum"])


def test_other_npz(place):
    np.savez(place.path / "one.npz", x=np.ones(5))
    refuse(place, "convert", "one.npz", "out.csv", says=["one.npz", "(5,)", "reshape"])
    with zipfile.ZipFile(place.path / "none.npz", "w") as archive:
        archive.writestr("a.txt", "hello")
    refuse(place, "convert", "none.npz", "out.csv", says=["none.npz", "no arrays"])
    with zipfile.ZipFile(place.path / "lzma.npz", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.npy", npy_claiming((1, 1)))
    refuse(place, "convert", "lzma.npz", "out.csv", says=["lzma.npz", "method 14"])
    zipfile.ZipFile(place.path / "empty.npz", "w").close()
    refuse(place, "convert", "empty.npz", "out.csv", says=["empty.npz", "no arrays"])
    content = bytearray((place.path / "one.npz").read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    place.write("secret.npz", bytes(content))
    refuse(place, "convert", "secret.npz", "out.csv", says=["secret.npz", "encrypted"])


@pytest.mark.parametrize("options", [{}, {"chunks": (100, 10)}, {"chunks": (100, 10), "compression": "gzip"}])
@pytest.mark.parametrize("shape", [(10**12, 10), (10**9, 10**9), (10, 10**12)])
def test_hdf5_that_claims_to_be_huge(place, options, shape):
    with h5py.File(place.path / "X.h5", "w") as file:
        data = file.create_dataset("X", shape, "f8", maxshape=(None, None) if options else None, **options)
        if options:
            data[:10, :10] = 1
    refuse(place, "convert", "X.h5", "out.csv", says=["X.h5", "stored"])


def test_hdf5_bomb(place):
    with h5py.File(place.path / "X.h5", "w") as file:
        data = file.create_dataset("X", (4, 2**36), "f8", chunks=(1, 2**26), compression="gzip")
        data[0, :2**26] = np.zeros(2**26)
    refuse(place, "convert", "X.h5", "out.csv", says="X.h5")


def test_damaged_hdf5(place):
    write_h5(place, "good.h5", X=(numbers(), {"chunks": (500, 7), "compression": "gzip"}))
    good = (place.path / "good.h5").read_bytes()
    flipped = bytearray(good)
    for at in range(len(good) // 2, len(good), 997):
        flipped[at] ^= 255
    for name, content in {"half": good[:len(good) // 2], "begin": good[:600], "magic": good[:8], "empty": b"",
                          "text": b"1,2\n3,4\n", "flipped": bytes(flipped)}.items():
        place.write("X.h5", content)
        refuse(place, "convert", "X.h5", "out.npy", "--to", "npy", says="X.h5"), name


def test_other_hdf5(place):
    records = np.zeros((4, 2), dtype=[("a", "f8"), ("b", "i4")])
    write_h5(place, "X.h5", one=(np.ones(5), {}), cube=(np.ones((2, 3, 4)), {}), many=(np.ones((1,) * 32), {}),
             records=(records, {}), text=(np.array([[b"a", b"b"]]), {}), none=(np.ones((0, 3)), {}),
             scalar=(1.5, {}), complex=(np.ones((2, 2), complex), {}))
    for name, says in {"one": ["(5,)", "reshape"], "cube": ["(2, 3, 4)"], "many": "2-D", "records": "compound",
                       "text": "text", "none": ["(0, 3)", "at least one row"], "scalar": "2-D",
                       "complex": "compound"}.items():
        refuse(place, "convert", f"X.h5:/{name}", "out.csv", says=says)
    with h5py.File(place.path / "groups.h5", "w") as file:
        file.create_group("a/b")
        file["loop"] = h5py.SoftLink("/loop")
        file["away"] = h5py.ExternalLink("nothing.h5", "/X")
    refuse(place, "convert", "groups.h5", "out.csv", says="no 2-D dataset")
    for name in ["loop", "away", "a/b/c", ""]:
        refuse(place, "convert", f"groups.h5:/{name}", "out.csv", says="groups.h5")


@pytest.mark.parametrize("part, values, says", [
    ("indptr", np.arange(3), ["indptr", "3 items"]), ("indices", np.full(45, 9), ["column index 9"]),
    ("indices", np.zeros(45), ["integers"]), ("data", np.ones(3), ["3 items"]),
    ("data", np.ones((45, 1)), ["1-D"]), ("indptr", np.r_[0, np.full(50, 2**62)], ["row 1", "must ascend"])])
def test_damaged_h5ad(place, part, values, says):
    X = sparse(50, 9)
    write_h5ad(place, "X.h5ad", X)
    with h5py.File(place.path / "X.h5ad", "a") as file:
        del file["X"][part]
        file["X"][part] = values
    refuse(place, "convert", "X.h5ad", "out.csv", says=["X.h5ad", *says])


def test_h5ad_that_lacks_a_part(place):
    X = sparse(50, 9)
    for part in ["data", "indices", "indptr"]:
        write_h5ad(place, "X.h5ad", X)
        with h5py.File(place.path / "X.h5ad", "a") as file:
            del file["X"][part]
        refuse(place, "convert", "X.h5ad", "out.csv", says=["X.h5ad", f"'{part}'"])
    write_h5ad(place, "X.h5ad", X, shape="other")
    refuse(place, "convert", "X.h5ad", "out.csv", says=["X.h5ad", "shape"])
