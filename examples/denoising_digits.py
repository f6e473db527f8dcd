#!/usr/bin/python3
"""Removes noise from images of digits, and compares with linear PCA and scikit-learn's KernelPCA.

    examples/denoising_digits.py [PICTURE]

The file is a notebook: Jupyter (with jupytext), VS Code and Spyder run it cell by cell.
It needs the package dualkpca, python3-sklearn and python3-matplotlib, and writes PICTURE (default: denoising_digits.png).
"""
# %% [markdown]
# # Denoising digits
# An image becomes a row: its 8 x 8 pixels are 64 columns.
# 1000 clean digits are for learning; 797 others get noise that the model has not seen.

# %%
import sys

import matplotlib.pyplot as plt
import numpy as np
import sklearn.decomposition
from sklearn.datasets import load_digits

from dualkpca import KernelPCA

random = np.random.default_rng(0)
images = random.permutation(load_digits().data / 16)  # pixels from 0 to 1
train, clean = images[:1000], images[1000:]
noisy = clean + train.std() * random.normal(size=clean.shape)


def error(rows):
    """Returns the mean squared error against the clean images."""
    return np.square(rows - clean).mean()


print(f"noisy images: mean squared error {error(noisy):.3f}")

# %% [markdown]
# ## One call
# `denoise` projects the rows onto the components and computes the pre-images of their scores.
# It estimates the noise level from the noisy rows and learns from noisy copies of the training rows.
# Take more components than for looking at data: here 64.

# %%
model = KernelPCA(n_components=64, kernel="rbf", gamma="median", tol=1e-5).fit(train)
denoised = model.denoise(noisy)
print(f"dualkpca denoise: mean squared error {error(denoised):.3f}")

# %% [markdown]
# ## The same with scikit-learn and with linear PCA
# Both get the setting that does best on the test images, which nobody knows in practice.

# %%
errors = {}
for gamma in model.gamma_ * np.array([0.25, 0.5, 1, 2]):
    for alpha in (1e-4, 1e-3, 1e-2, 1e-1):
        for size in (16, 64):
            theirs = sklearn.decomposition.KernelPCA(n_components=size, kernel="rbf", gamma=gamma, alpha=alpha,
                                                     fit_inverse_transform=True, eigen_solver="dense").fit(train)
            errors[error(theirs.inverse_transform(theirs.transform(noisy)))] = theirs
best = errors[min(errors)]
rows_of_sklearn = best.inverse_transform(best.transform(noisy))
print(f"scikit-learn at its best setting: mean squared error {error(rows_of_sklearn):.3f}")

linear = min((sklearn.decomposition.PCA(size).fit(train) for size in range(4, 64, 4)),
             key=lambda pca: error(pca.inverse_transform(pca.transform(noisy))))
rows_of_linear = linear.inverse_transform(linear.transform(noisy))
print(f"linear PCA at its best setting: mean squared error {error(rows_of_linear):.3f}")

# %% [markdown]
# ## The picture

# %%
shown = [("noisy", noisy), ("linear PCA", rows_of_linear), ("scikit-learn", rows_of_sklearn), ("dualkpca", denoised),
         ("clean", clean)]
figure, axes = plt.subplots(len(shown), 12, figsize=(9.4, 3.9), layout="constrained")
for (name, rows), line in zip(shown, axes):
    for ax, row in zip(line, rows):
        ax.imshow(row.reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
        ax.set(xticks=[], yticks=[])
    line[0].set_ylabel(f"{name}\n{error(rows):.3f}" if name != "clean" else name, rotation=0, ha="right", va="center")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "denoising_digits.png", dpi=110)
