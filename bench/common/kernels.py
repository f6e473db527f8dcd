"""Gram matrices in float64, and the rules for the width of a kernel. All programs get gamma as the same number."""
import numpy as np
import scipy.sparse
from sklearn.metrics.pairwise import euclidean_distances, linear_kernel


def gram(X, kernel, gamma, centred=True):
    """Returns the Gram matrix of the rows of X; computed in place, since it may fill half of the memory."""
    if kernel == "linear":
        K = linear_kernel(X)
        return centre(K) if centred else K
    K = euclidean_distances(X, squared=True)
    if kernel == "laplace":
        np.sqrt(K, out=K)
    elif kernel != "rbf":
        raise ValueError(f"kernel '{kernel}'")
    K *= -gamma
    np.exp(K, out=K)
    return centre(K) if centred else K


def centre(K):
    """Computes JKJ in place, J = I - 11'/n."""
    means = K.mean(axis=0)
    K -= means
    K -= (means - means.mean())[:, None]
    return K


def width(X, kernel, rule):
    """Returns gamma by a rule: `median` of the distances of 1000 rows, or the `paper`'s 50/(d v)."""
    if rule == "paper":
        return 50 / (X.shape[1] * variance(X))
    if rule != "median":
        return float(rule)
    rows = X[np.random.default_rng(0).permutation(X.shape[0])[:1000]]
    squares = euclidean_distances(rows, squared=True)[np.triu_indices(rows.shape[0], 1)]
    distances = squares if kernel == "rbf" else np.sqrt(squares)
    return float(1 / (np.median(distances) or distances.mean()))


def variance(X):
    """Returns the variance of all entries, zeros included."""
    if not scipy.sparse.issparse(X):
        return float(X.var())
    return float(X.multiply(X).mean() - X.mean() ** 2)
