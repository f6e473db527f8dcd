#!/usr/bin/python3
"""Makes the data of docs/denoising.md from scikit-learn's digits: digits.npy for the fit, clean.npy and noisy.npy.

    examples/noisy_digits.py [FOLDER]

digits.npy contains 1000 digits of 8 x 8 pixels from 0 to 1, and clean.npy the other 797. noisy.npy is clean.npy plus Gaussian
noise with the standard deviation of all pixels of digits.npy. The script needs python3-sklearn.
"""
import pathlib
import sys

import numpy as np
from sklearn.datasets import load_digits

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
random = np.random.default_rng(0)
X = random.permutation(load_digits().data / 16)
train, clean = X[:1000], X[1000:]
np.save(folder / "digits.npy", train)
np.save(folder / "clean.npy", clean)
np.save(folder / "noisy.npy", clean + train.std() * random.normal(size=clean.shape))
