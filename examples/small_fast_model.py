#!/usr/bin/python3
"""Makes a small model that scores new rows fast, and measures what it loses.

    examples/small_fast_model.py [PICTURE]

The file is a notebook: Jupyter (with jupytext), VS Code and Spyder run it cell by cell.
It needs the package dualkpca, python3-sklearn and python3-matplotlib, and writes PICTURE (default: small_fast_model.svg).
"""
# %% [markdown]
# # A small fast model
# A kernel PCA model keeps its training rows, and scoring one new row takes one kernel value for each of them.
# A model that keeps fewer rows is smaller and scores new rows faster.
# The rows are 8 x 8 digits, each also shifted by one pixel in four directions.

# %%
import sys
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import orthogonal_procrustes
from sklearn.datasets import load_digits

from dualkpca import KernelPCA

digits = load_digits().images / 16
shifts = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)]
rows = np.vstack([np.roll(digits, shift, axis=(1, 2)).reshape(-1, 64) for shift in shifts])
rows = np.random.default_rng(0).permutation(rows)
train, new = rows[:6000], rows[6000:]
settings = {"n_components": 10, "kernel": "rbf", "gamma": "median", "tol": 1e-5}

full = KernelPCA(**settings).fit(train)
target = full.transform(new)


def r2(model):
    """Returns how well the scores of new rows agree with those of the full model: 1 is perfect.

    Components may differ in sign, and nearly equal ones may be mixed, so the scores are first rotated onto those of the full
    model.
    """
    scores = model.transform(new)
    rotation, _ = orthogonal_procrustes(scores, target)
    return 1 - np.square(scores @ rotation - target).sum() / np.square(target).sum()


def seconds(model):
    """Returns the time to score the new rows, best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        model.transform(new)
        times.append(time.perf_counter() - start)
    return min(times)


# %% [markdown]
# ## Three ways to keep fewer rows
# - **Landmarks** (`solver="nystrom"`): a few rows are chosen so that they represent all others.
# - **A random subset**: fit on fewer rows.
# - **A sparse fit** (`loss="epsilon_insensitive"`): the loss decides which rows have dual variables of zero.
#
# Landmarks use all rows to learn the components, and only the stored model is small.
# At these numbers they do not reach the tolerance of the fit, and a warning says so.
# We ignore it, because we measure the error here. The eta that such a fit reports is an upper bound, often a very loose one.

# %%
curves = {"landmarks": [], "random subset": [], "sparse fit": []}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for size in (60, 120, 240, 480, 960):
        curves["landmarks"].append(KernelPCA(**settings, solver="nystrom", landmarks=size).fit(train))
        curves["random subset"].append(KernelPCA(**settings | {"gamma": full.gamma_}).fit(train[:size]))
    for sparsity in (0.98, 0.95, 0.9, 0.8):
        loss = {"loss": "epsilon_insensitive", "sparsity": sparsity}
        curves["sparse fit"].append(KernelPCA(**settings | {"tol": 1e-3}, **loss).fit(train))

print(f"full model: {len(full.X_fit_)} rows, {1e3 * seconds(full):.0f} ms for {len(new)} new rows")
for name, models in curves.items():
    for model in models:
        print(f"{name}: {len(model.X_fit_)} rows, R2 {r2(model):.4f}, {1e3 * seconds(model):.1f} ms")
for model in curves["landmarks"]:
    missed = 1 - model.eigenvalues_.sum() / full.eigenvalues_.sum()
    print(f"eta of {len(model.X_fit_)} landmarks: reported {model.eta_:.2g}, true {missed:.1g}")

# %% [markdown]
# ## The picture
# At equal numbers of stored rows, landmarks are nearest to the full model.
# The sparse fit shows which rows carry a sparse solution; it is not the way to a fast model.

# %%
figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
for (name, models), mark in zip(curves.items(), "os^"):
    ax.plot([len(model.X_fit_) for model in models], [1 - r2(model) for model in models], marker=mark, label=name)
ax.set(xscale="log", yscale="log", xlabel=f"rows that the model stores (full model: {len(train)})",
       ylabel="1 - R2 against the scores of the full model", title="New rows scored by small models")
ax.legend()
ax.grid(alpha=0.3)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "small_fast_model.svg")
