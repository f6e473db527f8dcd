"""The data sets by name, and seeded random subsets of them written as files that the command reads.

Values are as in the papers that use the sets: Fashion-MNIST divided by 255, protein windows one-hot, RCV1 and USPS as
given, scikit-learn's digits divided by 16, the sets of the outlier benchmark standardised.
"""
import functools
import gzip
import pathlib
import subprocess

import numpy as np
import scipy.sparse
from sklearn.datasets import load_digits, load_iris, load_svmlight_file

OUTLIER_SETS = ["cardio", "cover", "http", "mammography", "satellite", "shuttle", "thyroid", "wdbc"]


class Missing(Exception):
    """A data set is missing; the message says what to do."""


class Rows:
    """Some rows of a data set, and the files that contain them."""

    def __init__(self, name, X, folder):
        self.name, self.X, self.folder = name, X, pathlib.Path(folder)
        self.n, self.d = X.shape
        self.files = {}

    @property
    def sparse(self):
        return scipy.sparse.issparse(self.X)

    def file(self, dtype=np.float32):
        """Returns a file of the rows, written at the first call: dense as .npy, sparse as scipy's .npz."""
        name = np.dtype(dtype).name
        if name not in self.files:
            path = self.folder / f"{self.name}-{self.n}-{name}.{'npz' if self.sparse else 'npy'}"
            if self.sparse:
                scipy.sparse.save_npz(path, self.X.astype(dtype), compressed=False)
            else:
                np.save(path, np.ascontiguousarray(self.X, dtype=dtype))
            self.files[name] = path
        return self.files[name]


class Datasets:
    """Reads sets from the folder `data`, writes subsets into the folder `work`."""

    def __init__(self, data, work):
        self.data, self.work = data and pathlib.Path(data), pathlib.Path(work)
        self.whole = functools.lru_cache(maxsize=2)(self.whole)

    def rows(self, name, n=None, seed=0, standardised=True):
        """Returns the first n rows of a random permutation; all rows, permuted, if there are fewer."""
        X = self.whole(name, standardised)
        return Rows(name, X[drawn(X.shape[0], n, seed)], self.work)

    def chosen(self, options):
        """Yields the rows of every set and size that a part measures."""
        for name in options.sets:
            for n in options.sizes:
                yield self.rows(name, n, options.seed)

    def labels(self, name, n=None, seed=0):
        """Returns the labels of the rows that `rows` returns: 1 for an outlier, 0 otherwise."""
        if name == "generated-outliers":
            labels = generated_outliers()[1]
        elif name in OUTLIER_SETS:
            labels = np.load(self.path(f"outliers/{name}.npz"))["y"]
        else:
            raise Missing(f"the data set '{name}' has no labels of outliers; choose another with --sets")
        return labels[drawn(labels.shape[0], n, seed)]

    def whole(self, name, standardised=True):
        if name == "generated":
            return generated()
        if name == "generated-sparse":
            return generated_sparse()
        if name == "generated-outliers":
            return generated_outliers()[0]
        if name == "normal":
            return np.random.default_rng(7).normal(size=(1000, 20))
        if name == "digits":
            return load_digits().data / 16
        if name == "iris":
            return load_iris().data
        if name == "fashion":
            return fashion()
        if name == "protein":
            return self.libsvm("protein_windows.train.libsvm.gz", 357).toarray()
        if name == "rcv1":
            return self.libsvm("rcv1_subset.libsvm.bz2", 47236)
        if name == "a9a":
            return self.libsvm("a9a.libsvm", 123)
        if name == "usps":
            return self.usps()
        if name == "usps-shifted":
            return shifted(self.usps())
        if name in OUTLIER_SETS:
            X = np.load(self.path(f"outliers/{name}.npz"))["X"].astype(np.float64)
            return standardise(X) if standardised else X
        raise Missing(f"unknown data set '{name}'; docs/benchmarking.md lists the names")

    def path(self, name):
        if not self.data:
            raise Missing(f"'{name}' is read from the folder of the data sets, which is not given; add --data FOLDER")
        path = self.data / name
        if not path.exists():
            raise Missing(f"{path} does not exist; docs/benchmarking.md lists the files of the data sets")
        return path

    def libsvm(self, name, columns):
        return load_svmlight_file(str(self.path(name)), n_features=columns)[0]

    def usps(self):
        with gzip.open(self.path("usps.train.csv.gz"), "rt") as file:
            names = file.readline().replace('"', "").strip().split(",")
            table = np.loadtxt(file, delimiter=",")
        return np.delete(table, names.index("y"), axis=1)


def drawn(count, n, seed):
    """Returns the indices of the rows to take, in their order."""
    return np.random.default_rng(seed).permutation(count)[:n]


def standardise(X):
    """Scales columns to mean 0 and standard deviation 1; a constant column becomes 0."""
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def shifted(X):
    """Enlarges USPS: the digits, and the same moved by a pixel to each of the four sides."""
    images = X.reshape(-1, 16, 16)
    moved = [np.roll(images, step, axis) for axis in (1, 2) for step in (1, -1)]
    return np.concatenate([images, *moved]).reshape(-1, 256)


def fashion():
    """Reads Fashion-MNIST from Debian's package, divided by 255."""
    listing = subprocess.run(["dpkg", "-L", "dataset-fashion-mnist"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True)
    paths = [line for line in listing.stdout.splitlines() if line.endswith("train-images-idx3-ubyte.gz")]
    if not paths:
        raise Missing("the package dataset-fashion-mnist is not installed; run scripts/install-deps --bench")
    with gzip.open(paths[0]) as file:
        pixels = np.frombuffer(file.read(), dtype=np.uint8, offset=16)
    return pixels.reshape(-1, 784) / 255.0


def generated(n=2000, d=10, seed=7):
    """Returns eight groups of rows with different widths, for the tests."""
    random = np.random.default_rng(seed)
    centres, widths = random.normal(size=(8, d)) * 2, random.uniform(0.2, 1, size=8)
    group = random.integers(8, size=n)
    return centres[group] + widths[group, None] * random.normal(size=(n, d))


def generated_sparse(n=1000, d=500, seed=7):
    """Returns rows of unit length with about ten entries each."""
    X = scipy.sparse.random(n, d, density=0.02, format="csr", random_state=seed)
    norms = np.sqrt(np.asarray(X.multiply(X).sum(axis=1))).ravel()
    return scipy.sparse.csr_matrix(scipy.sparse.diags(1 / np.where(norms > 0, norms, 1)) @ X)


def generated_outliers(n=400, d=10, seed=7):
    """Returns rows near a plane and their labels; one in ten is far from it in one direction and attracts components."""
    random = np.random.default_rng(seed)
    labels = (random.random(n) < 0.1).astype(int)
    X = np.hstack([random.normal(size=(n, 2)), 0.1 * random.normal(size=(n, d - 2))])
    X[labels == 1, 2] += random.choice([-5, 5], size=labels.sum())
    return X, labels
