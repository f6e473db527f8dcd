#!/usr/bin/python3
"""Finds the outliers in a table, and shows what to look at and what not.

    examples/outliers_in_a_table.py [PICTURE]

The file is a notebook: Jupyter (with jupytext), VS Code and Spyder run it cell by cell.
It needs the package dualkpca, python3-sklearn and python3-matplotlib, and writes PICTURE (default: outliers_in_a_table.png).
"""
# %% [markdown]
# # Outliers in a table
# The table has 377 rows: 357 benign breast tumours and 20 malignant ones, with 30 measurements each.
# We pretend not to know which rows are malignant, and ask which rows are unlike the others.

# %%
import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

from dualkpca import KernelPCA, plot

data = load_breast_cancer()
benign, malignant = data.data[data.target == 1], data.data[data.target == 0]
random = np.random.default_rng(0)
few = random.choice(len(malignant), 20, replace=False)
table = np.vstack([benign, malignant[few]])
is_malignant = np.arange(len(table)) >= len(benign)

# %% [markdown]
# ## Step 1: fit, and sort the rows by SPE
# SPE, the squared prediction error, is the squared distance of a row from what the components describe.
# Few components are enough: they describe the bulk of the table, and outliers stay outside.

# %%
model = KernelPCA(n_components=2, kernel="rbf", gamma="median", scale="standard", tol=1e-5).fit(table)
worst = np.argsort(model.spe_)[::-1]
print("The ten rows with the largest SPE:", worst[:10].tolist())
print("malignant among the 20 rows with the largest SPE:", int(is_malignant[worst[:20]].sum()), "of 20")
print(f"AUROC of SPE {roc_auc_score(is_malignant, model.spe_):.2f}")

# %% [markdown]
# ## Step 2: ask which column makes a row an outlier
# The contributions of a row say how much each column adds to its SPE.

# %%
_, of_spe = model.contributions(table[worst[:1]])
column = data.feature_names[of_spe[0].argmax()]
print(f"The largest SPE is that of row {worst[0]}; the column that adds most to it is '{column}'.")

# %% [markdown]
# ## What not to look at: row weights
# A robust fit gives every training row a weight, which says how much the row influenced the fit.
# With a bounded kernel such as `rbf` the weight is not an outlier score:
# a gross outlier is similar to no other row, its scores are small, and so the loss hardly clips it.
# Here four rows are multiplied by -20. SPE finds them at once; their weights are ordinary.

# %%
gross = table.copy()
gross[:4] *= -20
is_gross = np.arange(len(gross)) < 4
robust = KernelPCA(n_components=2, kernel="rbf", gamma="median", scale="robust", tol=1e-5, loss="huber").fit(gross)
print(f"four gross errors: AUROC of SPE {roc_auc_score(is_gross, robust.spe_):.2f},",
      f"of 1 - row weight {roc_auc_score(is_gross, 1 - robust.row_weights_):.2f}")

# %% [markdown]
# ## Limits learnt from dirty rows are too high
# A limit is a quantile of the training rows, so outliers among them raise it.
# The other malignant rows are new to both models.

# %%
new = np.delete(malignant, few, axis=0)
found = {}
for name, rows in (("benign rows only", benign), ("the table with 20 malignant rows", table)):
    fitted = KernelPCA(n_components=2, kernel="rbf", gamma="median", scale="standard", tol=1e-5, limits="cv").fit(rows)
    found[name] = fitted.is_outlier(new).mean()
    print(f"limits from {name}: {100 * found[name]:.0f} % of the new malignant rows are above one")

# %% [markdown]
# ## When a robust fit does help: the linear kernel
# A linear kernel is not bounded, so a few broken rows can turn the components towards them.
# Here 5 % of the benign rows get three wrong readings each.
# We measure how much of the variance of the intact rows the components explain, relative to a fit without broken rows.

# %%
standard = (benign - benign.mean(axis=0)) / benign.std(axis=0)
broken = random.choice(len(standard), len(standard) // 20, replace=False)
spoilt = standard.copy()
for row in broken:
    spoilt[row, random.choice(standard.shape[1], 3, replace=False)] += 20
intact = np.delete(standard, broken, axis=0)


def explained(fitted):
    """Returns the variance of the intact rows along the components."""
    return np.square(fitted.transform(intact) - fitted.transform(intact).mean(axis=0)).sum()


best = explained(KernelPCA(n_components=5, kernel="linear", tol=1e-5).fit(intact))
share = explained(KernelPCA(n_components=5, kernel="linear", tol=1e-5).fit(spoilt)) / best
print(f"linear kernel, loss square: {100 * share:.0f} % of what components of the intact rows explain")
for ratio in (0.02, 0.05, 0.2, 0.5):  # 0.05 is the default
    robust_linear = KernelPCA(n_components=5, kernel="linear", tol=1e-5, loss="huber", kappa_ratio=ratio).fit(spoilt)
    print(f"linear kernel, loss huber, kappa_ratio {ratio}: {100 * explained(robust_linear) / best:.0f} %")

# %% [markdown]
# ## The picture
# Left: the outlier map, with T2 (distance along the components) against SPE (distance from them).
# Right: the four gross errors. Their SPE is the largest of all rows; their row weight is ordinary.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
kind = np.where(is_malignant, "malignant", "benign")
plot.outlier_map(model, labels=kind, ax=left)
left.set_title("Outlier map")
for name, chosen, mark in (("other rows", ~is_gross, "o"), ("gross errors", is_gross, "^")):
    right.scatter(robust.row_weights_[chosen], robust.spe_[chosen], s=24, marker=mark, alpha=0.7, label=name)
right.set(xlabel="row weight of the robust fit (1: counts in full)", ylabel="SPE",
          title="SPE finds gross errors, row weights do not")
right.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "outliers_in_a_table.png")
