"""The reference: the sum of the s largest eigenvalues of G in float64, and the true eta of a result."""
import json
import pathlib

import numpy as np
from scipy.linalg import eigvalsh

import dual
from eigensolvers import arpack_values
from model_file import read_arrays


class Reference:
    """A Gram matrix and its Lambda_s, the sum of its s largest eigenvalues."""

    def __init__(self, G, s, work, name, top_sum=None):
        self.G, self.s = G, s
        compute = top_sum or arpack_sum
        self.largest = cached(pathlib.Path(work) / "reference.json", key(G, s, name), lambda: compute(G, s))

    def eta_of_vectors(self, U):
        """Returns the eta of any n x s basis, by orthonormalisation and Rayleigh quotients."""
        Q, _ = np.linalg.qr(np.asarray(U, dtype=np.float64))
        return 1 - np.vdot(Q, self.G @ Q) / self.largest

    def eta_of_dual(self, H):
        """Returns 1 - 2|d(H)| / Lambda_s with d(H) = 1/2 |H|^2 - Tr sqrt(H'GH)."""
        return 1 - 2 * abs(dual.value(H, self.G @ H)) / self.largest

    def eta_of_scores(self, Y):
        return 1 - np.vdot(Y, Y) / self.largest

    def eta_of_model(self, model, scores):
        """Returns the eta of a model of dualkpca, from its dual variables, or from the scores if some rows have none."""
        H = read_arrays(model, ["dual_variables"]).get("dual_variables")
        if H is not None and H.shape[0] == self.G.shape[0]:
            return self.eta_of_dual(H)
        return self.eta_of_scores(np.load(scores))


def arpack_sum(G, s):
    """Runs ARPACK until every residual is below 1e-11 of its eigenvalue, which also bounds the error of the sum."""
    values = np.linalg.eigvalsh(G)[-s:] if G.shape[0] <= 600 else arpack_values(G, s, 1e-11)
    return float(values.sum())


def lapack_sum(G, s):
    """Runs LAPACK, for comparisons in which ARPACK takes part."""
    return float(eigvalsh(G, subset_by_index=[G.shape[0] - s, G.shape[0] - 1]).sum())


def key(G, s, name):
    """Returns a key that changes with the data, so that a cache from other data is never used."""
    return f"{name} n={G.shape[0]} s={s} trace={np.trace(G):.12e} entry={G[0, -1]:.12e}"


def cached(path, name, compute):
    known = json.loads(path.read_text()) if path.exists() else {}
    if name not in known:
        known[name] = compute()
        path.write_text(json.dumps(known, indent=1))
    return known[name]
