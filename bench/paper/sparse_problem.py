"""What both parts about sparse components share: the problem, fits of ours, and the error of any coefficients.

The rows are standard normal, 1000 x 20, and the features are not centred, as in the paper. It says of its kernel only
that it is Gaussian. So there are two: exp(-|x - y|^2/2), which it has elsewhere and which makes G of these rows almost
the identity, and the width of the median rule, with which G has components to find.
"""
import functools
import warnings

import numpy as np
import scipy.linalg
from sklearn.exceptions import ConvergenceWarning

import kernels
import methods

KERNELS = ["rbf:0.5", "rbf:median"]
COLUMNS_OF_X = 20
TOL = 1e-6  # of the fixed point; errors are that much squared
NORMS = ["rows", "entries"]


class Problem:
    """One draw of X with its Gram matrix, and the square loss by LAPACK: the truth that ratios are to."""

    def __init__(self, kernel, n, draw):
        self.X = np.random.default_rng(draw).normal(size=(n, COLUMNS_OF_X))
        self.kernel, rule = kernel.split(":")
        self.gamma = kernels.width(self.X, self.kernel, rule)
        self.G = kernels.gram(self.X, self.kernel, self.gamma, centred=False)
        self.trace = float(np.trace(self.G))

    @functools.cached_property
    def eigen(self):
        """Eigenvalues and eigenvectors, the largest first."""
        values, vectors = np.linalg.eigh(self.G)
        return values[::-1], vectors[:, ::-1]

    def square_error(self, s):
        return self.trace - float(self.eigen[0][:s].sum())

    def square_solution(self, s):
        """H of the square loss in the basis of eigenvectors. Sizes of its rows are the same in every basis."""
        values, vectors = self.eigen
        return vectors[:, :s] * np.sqrt(values[:s])


def problems(kernel, n, draws):
    return [Problem(kernel, n, draw) for draw in range(draws)]


def fit(problem, s, threads, **loss):
    """A fitted estimator; None if the loss leaves nothing of H, which the estimator refuses."""
    settings = {"n_components": s, "kernel": problem.kernel, "gamma": problem.gamma, "center": False, "tol": TOL,
                "precision": "float64", "limits": "none", "n_jobs": threads}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # converged_ says it, and is recorded
        try:
            return methods.estimator().KernelPCA(**settings, **loss).fit(problem.X)
        except ValueError as error:
            if "everything zero" not in str(error):
                raise
            return None


def sizes(H, norm):
    """What the loss compares with epsilon."""
    return np.linalg.norm(H, axis=1) if norm == "rows" else np.abs(H)


def zero_share(H, norm):
    return float((sizes(H, norm) == 0).mean())


def span_error(G, B):
    """|Phi - P Phi|^2, P the projection on the span of W = Phi B, whatever its basis: tr G - tr((B'GB)^+ B'G^2 B).

    For coefficients A of orthonormal directions this is tr G - |GA|_F^2.
    """
    GB = G @ B
    return float(np.trace(G)) - float(np.sum(np.linalg.pinv(B.T @ GB, rcond=1e-12, hermitian=True) * (GB.T @ GB)))


def naive_error(G, A):
    """tr G - |GA|_F^2 though the directions may be oblique: what they share is counted twice. May be too small."""
    return float(np.trace(G)) - float(np.square(G @ A).sum())


def refitted_error(G, support, s):
    """Of the best s directions within the span of the rows in `support`: no method with these rows errs less."""
    values, vectors = scipy.linalg.eigh(G[np.ix_(support, support)])
    kept = values > 1e-12 * values[-1]
    scores = G[:, support] @ (vectors[:, kept] / np.sqrt(values[kept]))  # of an orthonormal basis of the span
    explained = scipy.linalg.eigvalsh(scores.T @ scores)
    return float(np.trace(G)) - float(explained[-s:].sum())


def mean(values):
    return float(np.mean(list(values)))


def deviation(values):
    """Of the draws from each other; 0 of a single one."""
    values = list(values)
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def ratio_text(excess):
    """A ratio as the paper prints it; where five digits would hide what is above 1, that."""
    return "" if excess != excess else f"1 + {excess:.1e}" if 1e-9 < excess < 1e-4 else f"{1 + excess:.5f}"
