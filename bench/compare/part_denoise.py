"""Denoising of rows by kernel PCA of clean rows: mean square error against the rows without noise.

dualkpca sees only the clean training rows and the noisy rows. The other methods get the setting with the smallest error
on the test rows, which no user could choose.
"""
import numpy as np
from scipy.linalg import cho_factor, cho_solve
from sklearn.decomposition import PCA, KernelPCA
from sklearn.metrics.pairwise import rbf_kernel

import kernels
import ours
from table import Table

NORMAL = {"sets": ["digits", "usps"], "tols": [1e-5]}
QUICK = {"sets": ["digits"], "sizes": [200], "components": [16], "draws": 2}
COMPONENTS = {"digits": [64, 128], "usps": [128, 256]}
DRAWS = {"digits": 5, "usps": 1}
TESTED, QUICK_TESTED = {"digits": 797, "usps": 2000}, 100
NOISES = ["gauss 0.5", "gauss 1", "salt and pepper 10 %"]
LINEAR = [4, 8, 12, 16, 24, 32, 48, 64, 96, 128]
WIDTHS = [1 / 8, 1 / 4, 1 / 2, 1, 2]
MEAN_WIDTHS = [1 / 2, 1, 2, 4, 8, 16]
ALPHAS = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0]
OURS = {"auto": [], "ridge, noise 0": ["--preimage", "ridge", "--noise", 0],
        "fixed_point": ["--preimage", "fixed_point"], "distance": ["--preimage", "distance"]}
PEERS = ["PCA, best s", "PCA, this s", "scikit-learn", "weighted mean"]
METHODS = PEERS + list(OURS)
COLUMNS = ["set", "n", "tested", "noise", "s", "draws", "noisy", *METHODS, "best", *(f"sd {name}" for name in METHODS),
           "scikit-learn setting", "status"]


def run(options, datasets):
    table = Table(options.output, "denoise", COLUMNS)
    single = Table(options.output, "denoise-draws",
                   ["set", "noise", "s", "draw", "noisy", *METHODS, "scikit-learn setting", "seconds auto", "status"])
    for name in options.sets:
        X = datasets.whole(name)
        tested = QUICK_TESTED if options.quick else TESTED.get(name, X.shape[0] // 4)
        n = min((options.sizes or [X.shape[0]])[0], X.shape[0] - tested)
        for s in options.components or COMPONENTS.get(name, [64]):
            rows = []
            for draw in range(options.draws or DRAWS.get(name, 1)):
                order = np.random.default_rng(options.seed + draw).permutation(X.shape[0])
                test, train = X[order[:tested]], X[order[tested:tested + n]]
                rows += measure(options, name, s, options.seed + draw, train, test, single)
            for noise in NOISES:
                add_means(table, {"set": name, "n": n, "tested": tested, "noise": noise, "s": s},
                          [row for row in rows if row["noise"] == noise])
    add_summary(table)
    return table


def with_noise(train, test, seed):
    """Returns the test rows with each kind of noise; its size is relative to the training rows."""
    random = np.random.default_rng([seed, 1])
    deviation, low, high = train.std(), train.min(), train.max()
    found = {f"gauss {level:g}": test + level * deviation * random.normal(size=test.shape) for level in (0.5, 1)}
    where = random.random(test.shape)
    found[NOISES[2]] = np.where(where < 0.05, low, np.where(where > 0.95, high, test))
    return found


def measure(options, name, s, seed, train, test, single):
    """Returns a row for each noise."""
    noisy = with_noise(train, test, seed)
    rows = {noise: {"set": name, "noise": noise, "s": s, "draw": seed, "noisy": error(Z, test), "status": "ok"}
            for noise, Z in noisy.items()}
    for noise, Z in noisy.items():
        rows[noise] |= linear(train, Z, test, s) | {"weighted mean": weighted_mean(train, Z, test)}
    for noise, found in sklearn_best(train, noisy, test, s).items():
        rows[noise] |= found
    add_ours(options, train, noisy, test, s, rows)
    return [single.add(**row) for row in rows.values()]


def error(found, truth):
    return float(np.square(found - truth).mean())


def linear(train, Z, test, s):
    """Returns the error of linear PCA with s components (at most the number of columns), and with the best number."""
    most = min(train.shape)
    pca = PCA().fit(train)
    scores = pca.transform(Z)

    def at(count):
        return error(scores[:, :count] @ pca.components_[:count] + pca.mean_, test)

    return {"PCA, best s": min(at(count) for count in LINEAR if count <= most), "PCA, this s": at(min(s, most))}


def weighted_mean(train, Z, test):
    """Returns the error of the mean of the training rows, weighted by the rbf kernel, with the best width."""
    median = kernels.width(train, "rbf", "median")
    weights = (rbf_kernel(Z, train, width * median) for width in MEAN_WIDTHS)
    return min(error(K / K.sum(axis=1, keepdims=True) @ train, test) for K in weights)


def sklearn_best(train, noisy, test, s):
    """Returns the best result of scikit-learn's KernelPCA over gamma and alpha, separately for each noise."""
    median = kernels.width(train, "rbf", "median")
    best = {}
    for width in WIDTHS:
        # One fit serves every alpha: its inverse transform uses solve(K(T, T) + alpha I, X), T the training scores.
        model = KernelPCA(s, kernel="rbf", gamma=width * median, eigen_solver="arpack", random_state=0).fit(train)
        scores = {noise: model.transform(Z) for noise, Z in noisy.items()}
        for alpha, inverse in sklearn_inverses(model, train, ALPHAS):
            for noise, T in scores.items():
                now = error(inverse(T), test)
                if noise not in best or now < best[noise]["scikit-learn"]:
                    best[noise] = {"scikit-learn": now, "scikit-learn setting": f"{width:g} median, alpha {alpha:g}"}
    return best


def sklearn_inverses(model, X, alphas):
    """Yields inverse_transform of KernelPCA(fit_inverse_transform=True, alpha=alpha) for each alpha."""
    T = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    K = rbf_kernel(T, T, model.gamma)
    for alpha in alphas:
        coefficients = cho_solve(cho_factor(K + alpha * np.eye(K.shape[0]), overwrite_a=True), X)
        yield alpha, lambda new: rbf_kernel(new, T, model.gamma) @ coefficients


def add_ours(options, train, noisy, test, s, rows):
    data, output = options.work / "denoise-train.npy", options.work / "denoise-clean.npy"
    np.save(data, train)
    fit = ours.fit(data, options.work, options, s=s, tol=options.tols[0], kernel="rbf", gamma="median")
    for noise, Z in noisy.items():
        if fit.status != "ok":
            rows[noise]["status"] = fit.status
            continue
        np.save(options.work / "denoise-noisy.npy", Z)
        for name, more in OURS.items():
            run = ours.apply("denoise", fit.model, options.work / "denoise-noisy.npy", output, options, more)
            if run.status != "ok":
                rows[noise]["status"] = run.status
                continue
            rows[noise][name] = error(np.load(output), test)
            if name == "auto":
                rows[noise]["seconds auto"] = run.seconds


def add_means(table, problem, rows):
    """Adds means over the draws; the best method has the smallest mean."""
    values = {name: np.array([row[name] for row in rows if name in row]) for name in METHODS}
    values = {name: found for name, found in values.items() if found.size}
    settings = [row["scikit-learn setting"] for row in rows]
    table.add(**problem, draws=len(rows), noisy=float(np.mean([row["noisy"] for row in rows])),
              **{name: float(found.mean()) for name, found in values.items()},
              **{f"sd {name}": float(found.std(ddof=1)) for name, found in values.items() if found.size > 1},
              best=min(values, key=lambda name: values[name].mean()),
              **{"scikit-learn setting": max(settings, key=settings.count)},
              status=" ".join(sorted({row["status"] for row in rows})))


def add_summary(table):
    """Adds the number of cases in which each method is the best, and in which auto is better than every peer."""
    cases = list(table.rows)
    table.add(set="best in", draws=len(cases), **{name: sum(row["best"] == name for row in cases) for name in METHODS})
    ahead = sum(row["auto"] < min(row[name] for name in PEERS) for row in cases if "auto" in row)
    table.add(set="auto better than all peers in", draws=len(cases), auto=ahead)
