#!/usr/bin/python3
"""Writes the first inputs of the fuzzers into tests/fuzz/corpus: `tests/fuzz/make_corpus.py build/release/apps/dualkpca/dualkpca`.

Inputs whose names begin with "find-" were found by a fuzzer; this script does not change them. It makes everything else again: models of every kind by the command, files of every format, hostile changes of both, and command lines.
"""
import bz2
import gzip
import io
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import h5py
import numpy as np
import scipy.io
import scipy.sparse

CORPUS = Path(__file__).resolve().parent / "corpus"
ROWS = np.random.default_rng(1).normal(size=(10, 3))
COUNTS = scipy.sparse.random(10, 6, density=0.3, random_state=2, format="csr")


def npy(array, **options):
    out = io.BytesIO()
    np.save(out, np.asarray(array, **options))
    return out.getvalue()


# --- models ---

MODELS = {
    "square": ["x.npy"],
    "float64": ["x.npy", "--precision", "float64", "--solver", "dense"],
    "standard": ["x.npy", "--scale", "standard", "--kernel", "laplace"],
    "robust": ["x.npy", "--scale", "robust", "--kernel", "poly", "--degree", "2"],
    "minmax": ["x.npy", "--scale", "minmax", "--kernel", "cosine", "--no-center"],
    "linear": ["x.npy", "--kernel", "linear", "--preimage", "linear"],
    "sigmoid": ["x.npy", "--kernel", "sigmoid", "--limits", "none"],
    "matern": ["x.npy", "--kernel", "matern32", "--preimage", "fixed_point"],
    "matern52": ["x.npy", "--kernel", "matern52", "--limits", "chi2"],
    "huber": ["x.npy", "--loss", "huber", "--kappa-ratio", "0.3"],
    "huber_entries": ["x.npy", "--loss", "huber", "--norm", "entries", "--limits", "weighted_chi2"],
    "sparse": ["x.npy", "--loss", "epsilon_insensitive", "--sparsity", "0.5"],
    "sparse_entries": ["x.npy", "--loss", "epsilon_insensitive", "--norm", "entries", "--no-center"],
    "frobenius": ["x.npy", "--loss", "epsilon_insensitive", "--norm", "frobenius", "--epsilon", "0.1"],
    "landmarks": ["x.npy", "--solver", "nystrom", "--landmarks", "5"],
    "landmarks_csr": ["s.npz", "--solver", "nystrom", "--landmarks", "5"],
    "precomputed": ["k.npy", "--kernel", "precomputed"],
    "precomputed_sparse": ["k.npy", "--kernel", "precomputed", "--loss", "epsilon_insensitive"],
    "precomputed_landmarks": ["k.npy", "--kernel", "precomputed", "--solver", "nystrom", "--landmarks", "5"],
    "lags": ["x.npy", "--lags", "2"],
    "lags_ridge": ["x.npy", "--lags", "1", "--preimage", "ridge", "--scale", "standard"],
    "csr": ["s.npz"],
    "csr_float64": ["s.npz", "--precision", "float64", "--kernel", "linear"],
    "csr_sparse": ["s.npz", "--loss", "epsilon_insensitive"],
    "ridge": ["x.npy", "--preimage", "ridge"],
    "ridge_sklearn": ["x.npy", "--preimage", "ridge", "--preimage-compat", "sklearn"],
    "ridge_paper": ["x.npy", "--preimage", "ridge", "--preimage-compat", "paper", "--preimage-centers", "4"],
    "distance": ["x.npy", "--preimage", "distance"],
}


def make_models(command):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        np.save(place / "x.npy", ROWS)
        np.save(place / "k.npy", ROWS @ ROWS.T)
        scipy.sparse.save_npz(place / "s.npz", COUNTS)
        for name, options in MODELS.items():
            fit = subprocess.run([command, "fit", *options, "--threads", "1", "--quiet", "-o", "m"], cwd=place, check=False)
            if fit.returncode not in (0, 4):  # 4: few landmarks do not reach the tolerance
                sys.exit(f"make_corpus: cannot fit the model '{name}'")
            yield name, (place / "m").read_bytes()


class Model:
    """The parts of a model file, for making forged ones."""

    def __init__(self, content):
        length = int.from_bytes(content[:8], "little")
        self.header = json.loads(content[8:8 + length])
        data = content[8 + length:]
        self.metadata = self.header.pop("__metadata__")
        self.texts = {name: json.loads(self.metadata[name]) for name in ("params", "report", "preimage") if name in self.metadata}
        types = {"F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}
        self.arrays = {name: np.frombuffer(data[slice(*entry["data_offsets"])], types[entry["dtype"]]).reshape(entry["shape"]).copy()
                       for name, entry in self.header.items()}

    def to_bytes(self):
        """Returns the file with the right offsets and checksum."""
        types = {"<f4": "F32", "<f8": "F64", "<i4": "I32", "<i8": "I64"}
        self.metadata.update({name: json.dumps(text) for name, text in self.texts.items()}, checksum="00000000")
        header, data = {"__metadata__": self.metadata}, b""
        for name, array in sorted(self.arrays.items(), key=lambda item: -item[1].itemsize):
            array = np.ascontiguousarray(array)
            header[name] = {"dtype": types[array.dtype.str], "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
            data += array.tobytes()
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-(8 + len(text)) % 64)
        content = len(text).to_bytes(8, "little") + text + data
        return content.replace(b'"checksum":"00000000"', b'"checksum":"%08x"' % zlib.crc32(content), 1)


def hostile_models(models):
    """Models that version 0.1.0 loaded, and then read foreign memory, failed an assertion or gave wrong results silently."""

    def forge(name, change):
        model = Model(models[name])
        change(model)
        return model.to_bytes()

    def without_spe(model):
        del model.arrays["row_spe"]

    def nan_covariance(model):
        model.arrays["score_covariance"][0, 0] = np.nan

    def many_rows(model):
        model.texts["report"]["n_samples"] = 300_000_000

    def more_rows_than_stored(model):
        model.texts["report"]["n_samples"] = 500
        for array in ("dual_variables", "scores"):
            model.arrays[array] = np.ones((500, model.arrays[array].shape[1]))

    def fewer_rows_stored(model):
        model.texts["report"]["stored_rows"] = 5
        for array in ("rows", "row_spe"):
            model.arrays[array] = model.arrays[array][:5]

    def no_rows_stored(model):
        model.texts["report"]["stored_rows"] = 0
        for array, values in model.arrays.items():
            if array.startswith(("kept", "row", "dual", "coefficients", "center")):
                model.arrays[array] = values[:1] if array.endswith("offsets") else values[:0]

    def negative_lags(model):
        model.texts["params"]["lags"] = -1

    def shifted(model):
        model.arrays["shift"] = np.ones(model.texts["report"]["n_features"])

    def largest_lags(model):
        model.texts["params"]["lags"] = 2**63 - 1

    def other_kernel(model):
        model.texts["params"]["kernel"] = "precomputed"

    def other_kernel_of_landmarks(model):
        other_kernel(model)
        model.arrays["coefficients"] = np.resize(model.arrays["coefficients"], (10, 2))

    def nan_rows(model):
        model.arrays["rows"][0, 0] = np.nan

    def huge_rows(model):
        model.arrays["rows"][:] = 3e38

    def nan_spe(model):
        model.arrays["row_spe"][:] = np.nan

    def infinite_numbers(model):
        for array in ("dual_variables", "rotation", "scores", "offset"):
            model.arrays[array][:] = np.inf

    yield "without_spe", forge("square", without_spe)
    yield "nan_covariance", forge("square", nan_covariance)
    yield "many_rows", forge("sparse", many_rows)
    yield "more_rows_than_stored", forge("square", more_rows_than_stored)
    yield "fewer_rows_stored", forge("square", fewer_rows_stored)
    yield "no_rows_stored", forge("sparse", no_rows_stored)
    yield "negative_lags", forge("precomputed", negative_lags)
    yield "shifted_precomputed", forge("precomputed", shifted)
    yield "largest_lags", forge("lags", largest_lags)
    yield "other_kernel", forge("ridge", other_kernel)
    yield "other_kernel_of_landmarks", forge("landmarks_csr", other_kernel_of_landmarks)
    yield "nan_rows", forge("huber", nan_rows)
    yield "huge_rows", forge("distance", huge_rows)
    yield "nan_spe", forge("huber_entries", nan_spe)
    yield "infinite_numbers", forge("ridge", infinite_numbers)


# --- data files; reader_fuzz.cpp says what the first two bytes are ---

CSV, TSV, NPY, NPZ, LIBSVM, MTX = range(6)
GZIP, BZIP2, ARCHIVE = 8, 16, 24


def text(X, delimiter):
    return "\n".join(delimiter.join(f"{value:.3g}" for value in row) for row in X).encode() + b"\n"


def members(*entries):
    """An archive as packing.hpp describes it: number of the name, then the contents."""
    return b"".join(bytes([name]) + len(content).to_bytes(2, "little") + content for name, content in entries)


def saved_npz(save):
    out = io.BytesIO()
    save(out)
    return out.getvalue()


def mtx(matrix, **options):
    out = io.BytesIO()
    scipy.io.mmwrite(out, matrix, precision=3, **options)
    return out.getvalue()


def data_files():
    plain, small = text(ROWS, ","), scipy.sparse.csr_array(COUNTS)
    yield "csv", CSV, 0, plain
    yield "csv_header", CSV, 0, b"x,y,z\n" + plain
    yield "csv_columns", CSV, 3 + 4 * 3, b"id,x,label\nr1,1,u\nr2,2,\"v\"\"w\"\nr3,-.5e3,'\n"
    yield "csv_numbered", CSV, 2 + 4 * 1, b"r1,1,u\nr2,2,v\nr3,3,w\n"
    yield "csv_quotes", CSV, 64, b'\xef\xbb\xbf"a ""b""","c,\nd"\r\n 1 , "2"\r\n3,4\r\n\r\n'
    yield "csv_missing", CSV, 0, b"a,b\n1,NA\n,nan\n3,inf\n"
    yield "csv_ragged", CSV, 0, b"1,2\n3\n4,5,6\n"
    yield "csv_numbers", CSV, 128, b"1e308,1e-320\n+1.,-.1\n0x10,1_000\n1e999,00012345678901234567890\n"
    yield "csv_nul", CSV, 0, b"1,2\n\0,\xff\n"
    yield "csv_empty", CSV, 0, b""
    yield "csv_gzip", CSV, 0, gzip.compress(plain, mtime=0)
    yield "csv_two_gzips", CSV, 0, gzip.compress(plain, mtime=0) * 2 + b"\0\0"
    yield "csv_cut_gzip", CSV, 0, gzip.compress(plain, mtime=0)[:-5]
    yield "csv_bzip2", CSV, 0, bz2.compress(plain)
    yield "csv_in_gzip", CSV | GZIP, 0, plain
    yield "csv_in_bzip2", CSV | BZIP2, 0, plain
    yield "csv_gzip_in_gzip", CSV | GZIP, 0, gzip.compress(plain, mtime=0)
    yield "tsv", TSV, 0, text(ROWS, "\t")
    yield "tsv_gzip", TSV | GZIP, 3, b"label\tx\nu\t1\nv\t2\n"
    yield "libsvm", LIBSVM, 0, b"1 1:0.5 3:2\n-1 2:1e3\n+1\n0,2 1:1 # note\n"
    yield "libsvm_width", LIBSVM, 32, b"1 1:0.5 3:2\n-1 qid:3 2:1\n"
    yield "libsvm_widest", LIBSVM, 48, b"1 2147483647:1\n"
    yield "libsvm_huge", LIBSVM, 0, b"1 2147483648:1\n1 99999999999999999999:1\n"
    yield "libsvm_order", LIBSVM, 0, b"1 3:1 2:1\n1 0:1\n1 -1:1\n1 1:nan\n"
    yield "libsvm_bzip2", LIBSVM | BZIP2, 64, b"1 1:1\n2 2:2\n"
    yield "mtx_coordinate", MTX, 0, mtx(small)
    yield "mtx_symmetric", MTX, 0, mtx(scipy.sparse.coo_array(ROWS[:3].T @ ROWS[:3]), symmetry="symmetric")
    yield "mtx_array", MTX, 0, mtx(ROWS)
    yield "mtx_pattern", MTX, 0, b"%%MatrixMarket matrix coordinate pattern general\n% note\n3 3 2\n1 1\n3 2\n"
    yield "mtx_integer", MTX, 0, b"%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n"
    yield "mtx_huge", MTX, 0, b"%%MatrixMarket matrix coordinate real general\n2147483647 2147483647 9223372036854775807\n1 1 1\n"
    yield "mtx_huge_array", MTX, 0, b"%%MatrixMarket matrix array real general\n3000000000 3000000000\n1\n"
    yield "mtx_many_rows", MTX, 0, b"%%MatrixMarket matrix coordinate real general\n300000000 2 1\n1 1 1\n"
    yield "mtx_gzip", MTX | GZIP, 0, mtx(small)
    for dtype in ("<f8", "<f4", ">f8", "<i8", "|u1", "|b1", "<u2", "<f2"):
        yield f"npy_{np.dtype(dtype).name}{'_big' if dtype[0] == '>' else ''}", NPY, 64, npy(ROWS.astype(dtype))
    yield "npy_fortran", NPY, 0, npy(ROWS, order="F")
    yield "npy_flat", NPY, 0, npy(ROWS[0])
    yield "npy_objects", NPY, 0, npy(np.array([["a"]]))
    yield "npy_huge", NPY, 0, npy(ROWS).replace(b"(10, 3), }" + b" " * 10, b"(9223372036854775807, 3), }"[:20])
    yield "npy_cut", NPY, 0, npy(ROWS)[:-3]
    yield "npz", NPZ, 0, saved_npz(lambda out: np.savez(out, X=ROWS))
    yield "npz_compressed", NPZ, 0, saved_npz(lambda out: np.savez_compressed(out, X=ROWS, y=ROWS[:, 0]))
    yield "npz_csr", NPZ, 64, saved_npz(lambda out: scipy.sparse.save_npz(out, small, compressed=False))
    yield "npz_csc", NPZ, 0, saved_npz(lambda out: scipy.sparse.save_npz(out, small.tocsc()))
    yield "npz_coo", NPZ, 0, saved_npz(lambda out: scipy.sparse.save_npz(out, small.tocoo()))
    parts = ((1, npy(small.data)), (2, npy(small.indices)), (3, npy(small.indptr)), (4, npy(np.array(small.shape))))
    yield "archive_csr", NPZ | ARCHIVE, 128, members(*parts, (5, npy(np.array(b"csr"))))
    yield "archive_csc", NPZ | ARCHIVE, 0, members(*parts[:2], (3, npy(np.arange(7))), parts[3], (5, npy(np.array(b"csc"))))
    yield "archive_deflated", NPZ | ARCHIVE, 0, members(*((128 + name, content) for name, content in parts), (133, npy(np.array(b"csr"))))
    yield "archive_wide", NPZ | ARCHIVE, 0, members(parts[0], (2, npy(small.indices.astype("i8"))), (3, npy(small.indptr.astype("i8"))), *parts[3:], (5, npy("csr")))
    yield "archive_fortran", NPZ | ARCHIVE, 64, members((0, npy(ROWS, order="F")))
    yield "archive_dense", NPZ | ARCHIVE, 64, members((128, npy(ROWS)), (10, npy(ROWS[:, 0])))


# --- HDF5 ---

def hdf5_files():
    def build(fill, **options):
        out = io.BytesIO()
        with h5py.File(out, "w", **options) as file:
            fill(file)
        return out.getvalue()

    def anndata(file):
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": np.array(COUNTS.shape)})
        for name in ("data", "indices", "indptr"):
            group.create_dataset(name, data=getattr(COUNTS, name))
        file.create_group("var").attrs["_index"] = "names"
        file["var"]["names"] = [f"g{i}" for i in range(6)]

    yield "dense", 0, build(lambda file: file.create_dataset("X", data=ROWS))
    yield "latest", 1, build(lambda file: file.create_dataset("X", data=ROWS.astype("f4")), libver="latest")
    yield "chunked", 2, build(lambda file: file.create_dataset("X", data=ROWS, chunks=(4, 2), compression="gzip", shuffle=True, fletcher32=True))
    yield "integers", 0, build(lambda file: file.create_dataset("X", data=np.arange(12, dtype=">i2").reshape(4, 3)))
    yield "in_a_group", 8, build(lambda file: file.create_dataset("group/X", data=ROWS))
    yield "two", 4, build(lambda file: (file.create_dataset("X", data=ROWS), file.create_dataset("Z", data=ROWS)))
    yield "flat", 0, build(lambda file: file.create_dataset("X", data=ROWS[0]))
    yield "text", 0, build(lambda file: file.create_dataset("X", data=[[b"a", b"b"]]))
    yield "anndata", 0, build(anndata)
    yield "huge", 0, build(lambda file: file.create_dataset("X", (1 << 40, 1 << 20), "f8", chunks=(64, 64)))
    yield "links", 4, build(lambda file: file.update({"X": h5py.SoftLink("/X")}))


# --- command lines; scratch_folder.cpp has the files ---

COMMAND_LINES = """
--help
--version
fit --help
fit a.csv -o n
fit a.csv -o n --json - --scores o.csv --quiet
fit l.csv -o n --label-col label --id-col id --n-components 0.9 --scores o.npy
fit c.npy -o n --kernel poly --degree 2 --coef0 0.5 --scale standard --no-center
fit b.tsv -o n --loss huber --norm entries --kappa-ratio 0.5 --solver panoc --seed 3
fit d.npz -o n --loss epsilon_insensitive --sparsity 0.5 --level 0.9 --limits chi2
fit e.svm -o n --n-features 3 --gram stored --memory 1M --precision float64
fit f.mtx -o n --solver nystrom --landmarks 4 --tol 0 --accuracy certified
fit g.h5:/X -o n --solver rsvd --oversampling 2 --power-iterations 1 --max-iter 3
fit k.npy -o n --kernel precomputed --solver dense --threads 1
fit h.csv.gz -o n --lags 2 --preimage ridge --preimage-gamma 1 --preimage-alpha 0.1 --preimage-centers 4 --noise 0.1
fit a.csv -o n --preimage fixed_point --gamma median --time-limit 1
fit a.csv -o n --preimage auto --preimage-weights density --preimage-compat sklearn
fit - -o n --format csv
fit a.csv -o a.csv
fit a.csv --tol 2
fit nothing.csv -o n
fit a.csv -o n --gama 3
transform m a.csv -o o.csv
transform m c.npy --quiet
transform a.csv m
inverse p s.csv -o o.csv
inverse m s.csv --training a.csv
denoise p a.csv -o o.npy
denoise m a.csv --preimage distance
score m a.csv --alarm
score m a.csv --contributions -o o.csv
path a.csv --points 3 --loss huber
path a.csv --epsilon 0.1,0.2 --loss epsilon_insensitive --n-components 1,2
check m a.csv --json -
check m b.tsv --tol 1e-9 --precision float64 --max-iter 5
convert a.csv o.svm
convert e.svm o.npz --precision float32
convert d.npz o.h5:/group/X --to h5
convert f.mtx - --to mtx
info m
info p --json
""".strip().splitlines()


def write(target, inputs):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if not old.name.startswith("find-"):
            old.unlink()
    for name, content in inputs:
        (folder / name).write_bytes(content)


def main(command):
    models = dict(make_models(Path(command).resolve()))
    write("model", [*models.items(), *((f"hostile-{name}", content) for name, content in hostile_models(models))])
    write("reader", ((name, bytes([first, second]) + content) for name, first, second, content in data_files()))
    write("hdf5", ((name, bytes([first]) + content) for name, first, content in hdf5_files()))
    write("arguments", ((f"{i:02}-{line.split()[0].strip('-')}", line.replace(" ", "\n").encode()) for i, line in enumerate(COMMAND_LINES)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tests/fuzz/make_corpus.py COMMAND")
    main(sys.argv[1])
