"""Code that both parts about sparse components share: the problem, fits of dualkpca, and the error of coefficients.

The rows are standard normal, 1000 x 20, and the features are not centred, as in the paper. The paper says only that its
kernel is Gaussian. So there are two: exp(-|x - y|^2/2), which it has elsewhere and which makes G of these rows almost
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
TOL = 1e-6  # tolerance of the fixed point; the error of a ratio is about its square
NORMS = ["rows", "entries"]


class Problem:
    """One draw of X with its Gram matrix, and the square loss by LAPACK, which ratios refer to."""

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
        warnings.simplefilter("ignore", ConvergenceWarning)  # converged_ is recorded
        try:
            return methods.estimator().KernelPCA(**settings, **loss).fit(problem.X)
        except ValueError as error:
            if "everything zero" not in str(error):
                raise
            return None


def sizes(H, norm):
    """Sizes that the loss compares with epsilon."""
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
    """tr G - |GA|_F^2 although the directions may be oblique: their common part counts twice. May be too small."""
    return float(np.trace(G)) - float(np.square(G @ A).sum())


def refitted_error(G, support, s):
    """Error of the best s directions within the span of the rows in `support`: no method with these rows errs less."""
    values, vectors = scipy.linalg.eigh(G[np.ix_(support, support)])
    kept = values > 1e-12 * values[-1]
    scores = G[:, support] @ (vectors[:, kept] / np.sqrt(values[kept]))  # scores of an orthonormal basis of the span
    explained = scipy.linalg.eigvalsh(scores.T @ scores)
    return float(np.trace(G)) - float(explained[-s:].sum())


def mean(values):
    return float(np.mean(list(values)))


def deviation(values):
    """Standard deviation over the draws; 0 for a single one."""
    values = list(values)
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def ratio_text(excess):
    """A ratio as the paper prints it; as 1 + excess where five digits would hide the excess."""
    return "" if excess != excess else f"1 + {excess:.1e}" if 1e-9 < excess < 1e-4 else f"{1 + excess:.5f}"
