"""The paper's data sets: the original rows where the data folder has them, else rows that stand in for them.

A folder with `protein` or `protein.tr` (LIBSVM's, 14895 rows), `rcv1_train.binary` (LIBSVM's, 20242 rows), each also
with .bz2, or `cifar10_resnet18.npy` (60000 x 512, the features of the last but one layer) gives the paper's own rows.
"""
import dataclasses

import numpy as np
from sklearn.datasets import load_svmlight_file

import datasets


@dataclasses.dataclass
class PaperSet:
    name: str        # name in the paper
    data: str        # the data that were measured
    rows: datasets.Rows


SIZES = {"Synth 1": 7000, "Protein": 14895, "RCV1": 20242, "CIFAR-10": 60000}
ORIGINALS = {"Protein": (["protein", "protein.tr", "protein.bz2", "protein.tr.bz2"], 357),
             "RCV1": (["rcv1_train.binary", "rcv1_train.binary.bz2"], 47236)}
FEATURES = "cifar10_resnet18.npy"
STAND_INS = {"Protein": ("protein", "protein windows"), "RCV1": ("rcv1", "RCV1 subset"),
             "CIFAR-10": ("fashion", "Fashion-MNIST")}


def load(name, source, n=None):
    """Loads n rows, or as many as the paper has; `source` is a datasets.Datasets."""
    n = n or SIZES.get(name)
    if name == "generated":
        return PaperSet(name, name, source.rows("generated", n))
    if name == "Synth 1":
        return PaperSet(name, f"normal, {n} x 10000", datasets.Rows("synth1", synth(n), source.work))
    original = original_rows(name, source.data)
    if original is not None:
        rows = datasets.Rows(f"{name}-original", original[:n], source.work)
        return PaperSet(name, f"{name}, the original file", rows)
    key, words = STAND_INS[name]
    return PaperSet(name, words, source.rows(key, n))


def synth(n, d=10000, seed=7):
    """Normal rows with mean zero and a fixed covariance, which the paper does not give.

    Here the j-th variance is proportional to 1/j, and their mean is 1. Distances do not see a rotation, so a diagonal
    covariance is as general as any with these eigenvalues.
    """
    variances = 1 / np.arange(1.0, d + 1)
    deviations = np.sqrt(variances / variances.mean())
    return np.random.default_rng(seed).standard_normal((n, d), dtype=np.float32) * deviations.astype(np.float32)


def original_rows(name, folder):
    if folder is None:
        return None
    if name == "CIFAR-10":
        return np.load(folder / FEATURES) if (folder / FEATURES).exists() else None
    names, columns = ORIGINALS[name]
    found = [folder / file for file in names if (folder / file).exists()]
    if not found:
        return None
    X = load_svmlight_file(str(found[0]), n_features=columns)[0]
    return X.toarray() if name == "Protein" else X
