"""Contaminated iris, as in the paper: draws, fits and inverse transforms, shared by the parts huber and kappa.

Everything runs in this process: 120 rows take a millisecond or two, and a process would take longer to start.
"""
import warnings

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

import methods
from contamination import CONTAMINATED, TESTED, contaminated

# Shares of kappa_max in the paper.
KAPPA = {"rows": 0.8, "entries": 0.6}
SCORINGS = ["paper", "alike", "ours"]
SQUARE, ROWS, ENTRIES, L1, L21 = "square", "huber rows", "huber entries", "L1-KPCA", "l2,1-RKPCA"
MU = 0.1  # initial penalty of the method of multipliers
# The paper used "the range suggested by the authors", which it does not repeat: the best of these weights counts.
WEIGHTS = [0.01, 0.1, 1.0]
TOLERANCE = 1e-8  # enough: the tables have at most six digits
ROUNDING = 1e-6
RIDGE_WIDTHS = [1 / 64, 1 / 16, 1 / 4, 1 / 2, 1, 2, 4]
RIDGE_ALPHAS = 10.0 ** (0.5 * np.arange(-14, 3))


def scoring_name(scoring):
    """Name of a way of scoring on the page; CSV files and charts have "ours" in place of "dualkpca"."""
    return f"`{'dualkpca' if scoring == 'ours' else scoring}`"


def drawn(X, tau, seed):
    """The paper's draw; tau 0 is the same split without contamination, to separate robustness from other effects."""
    if tau == 0:
        X = X[np.random.default_rng(seed).permutation(X.shape[0])]
        tested = round(TESTED * X.shape[0])
        return X[tested:], X[:tested]
    return contaminated(X, tau, seed)


def contaminated_first(X, tau, seed, only_clean=True):
    """Multiplies some of all rows before the split; with only_clean, contaminated test rows are left out."""
    random = np.random.default_rng(seed)
    X = X[random.permutation(X.shape[0])]
    which = random.permutation(X.shape[0])[:int(CONTAMINATED * X.shape[0])]
    X[which] *= tau * random.normal(size=(which.size, 1))
    tested = round(TESTED * X.shape[0])
    kept = np.setdiff1d(np.arange(tested), which) if only_clean else np.arange(tested)
    return X[tested:], X[kept]


def tested_too(X, tau, seed):
    return contaminated_first(X, tau, seed, only_clean=False)


def centred_before(X, tau, seed):
    return contaminated(X - X.mean(axis=0), tau, seed)


def centred_after(X, tau, seed):
    """Centres the columns by the mean of the training rows, which the contamination has moved."""
    train, test = contaminated(X, tau, seed)
    return train - train.mean(axis=0), test - train.mean(axis=0)


def kernel_matrix(kernel, A, B):
    """Kernel values of the rows of A and B; kernel is rbf:GAMMA or laplace:GAMMA."""
    name, gamma = kernel.split(":")
    distances = cdist(A, B, "sqeuclidean" if name == "rbf" else "euclidean")
    return np.exp(-float(gamma) * distances)


def fit(kernel, train, s, loss="square", norm="rows", ratio=None):
    """The fitted estimator, without centring, as in the paper's programs."""
    name, gamma = kernel.split(":")
    model = methods.estimator().KernelPCA(s, kernel=name, gamma=float(gamma), center=False, loss=loss, norm=norm,
                                          kappa_ratio=ratio, tol=TOLERANCE, limits="none", n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the parts count fits that did not converge
        return model.fit(train)


def huber(kernel, train, s, norm, ratio=None):
    return fit(kernel, train, s, "huber", norm, KAPPA[norm] if ratio is None else ratio)


def normalised(H, G):
    """Coefficients of orthonormal directions with the same span as those of H."""
    values, vectors = np.linalg.eigh(H.T @ G @ H)
    kept = values > 1e-12 * values[-1]
    return H @ vectors[:, kept] / np.sqrt(values[kept])


class Draw:
    """One random split, its kernel matrices, and the errors of coefficients on it."""

    def __init__(self, kernel, X, tau, seed, draw=drawn):
        self.kernel = kernel
        self.train, self.test = draw(X, tau, seed)
        self.G = kernel_matrix(kernel, self.train, self.train)
        self.G_test = kernel_matrix(kernel, self.test, self.train)

    def error(self, coefficients, scoring):
        """Mean square error over the entries of the test rows. "paper" uses the coefficients of a method as they are,
        so that their size is that of the scores; "alike" gives all methods the size of the square loss, H = G A."""
        if scoring != "paper":
            coefficients = normalised(coefficients, self.G)
        if scoring == "alike":
            coefficients = self.G @ coefficients
        T, T_test = self.G @ coefficients, self.G_test @ coefficients
        if scoring == "ours":
            found = weighted_ridge(T, self.train, density_weights(self.G), T_test)
        else:
            found = compatible_ridge(self.kernel, T, self.train, T_test)
        return float(np.square(found - self.test).mean())


def compatible_ridge(kernel, T, X, T_new, alpha=1.0):
    """scikit-learn's inverse transform: the kernel of the fit between scores, whatever their size, and no mean."""
    K = kernel_matrix(kernel, T, T)
    K.flat[::len(K) + 1] += alpha
    return kernel_matrix(kernel, T_new, T) @ scipy.linalg.solve(K, X, assume_a="pos")


def density_weights(G):
    """Weights of the library after a huber fit (docs/math.md): rows with few rows near them get little weight."""
    near = G.sum(axis=1) - np.diag(G)
    typical = 0.1 * upper_median(near)
    return np.minimum(1, near / typical)**2 if typical > 0 else np.ones(len(G))


def upper_median(values):
    """Median; the larger one of two in the middle, as in the library."""
    return np.sort(values, axis=-1)[..., values.shape[-1] // 2]


def weighted_ridge(T, X, weights, T_new):
    """The library's ridge regression from scores to rows, for any method: gamma and alpha by weighted leave-one-out."""
    weights = np.maximum(weights, 1e-8)
    squares = cdist(T, T, "sqeuclidean")
    unit = upper_median(squares[np.tril_indices(len(T), -1)])
    mean = weights @ X / weights.sum()
    gamma, alpha = best_ridge(squares, X - mean, weights, unit)
    K = np.exp(-gamma * squares) + alpha * np.diag(1 / weights)
    return mean + np.exp(-gamma * cdist(T_new, T, "sqeuclidean")) @ scipy.linalg.solve(K, X - mean, assume_a="pos")


def best_ridge(squares, X, weights, unit):
    """Gamma and alpha with the least left-out error; single errors are cut at twice the least median."""
    grid = [(width / unit, left_out(np.exp(-width / unit * squares), X, weights)) for width in RIDGE_WIDTHS]
    cut = 2 * min(upper_median(errors).min() for _, errors in grid)
    means = np.array([np.minimum(errors, cut)**2 @ weights for _, errors in grid])
    width, alpha = np.unravel_index(means.argmin(), means.shape)
    return grid[width][0], RIDGE_ALPHAS[alpha]


def left_out(K, X, weights):
    """Error of each row when it is left out, one line for each alpha: one decomposition serves them all."""
    roots = np.sqrt(weights)
    values, vectors = np.linalg.eigh(roots[:, None] * K * roots)
    left = RIDGE_ALPHAS[:, None] / (np.maximum(values, 0) + RIDGE_ALPHAS[:, None])
    projected = vectors.T @ (roots[:, None] * X)
    residuals = vectors @ (left[:, :, None] * projected)
    own = np.maximum(left @ (vectors**2).T, 1e-12)
    return np.linalg.norm(residuals, axis=2) / (own * roots)


def moments(values):
    """Mean, spread and extremes over the draws."""
    return {"mse": float(values.mean()), "sd": float(values.std(ddof=1)), "median": float(np.median(values)),
            "smallest": float(values.min()), "largest": float(values.max()), "draws": values.size}


def paired(differences):
    """Mean of differences on the same draws, and its standard error."""
    return float(differences.mean()), float(differences.std(ddof=1) / np.sqrt(differences.size))


def sign(row, column="difference"):
    """-1 or 1 if a mean difference is beyond two standard errors and beyond rounding; else 0."""
    mean = row[column]
    if not np.isfinite(row.get(f"{column} error", np.nan)):
        return 0  # a single draw has no standard error
    return 0 if abs(mean) <= max(2 * row[f"{column} error"], ROUNDING * row["mse"]) else 1 if mean > 0 else -1
