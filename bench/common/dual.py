"""The dual d(H) = 1/2 |H|^2 - Tr sqrt(H'GH), from H and its product GH."""
import numpy as np


def value(H, GH):
    values = np.linalg.eigvalsh(H.T @ GH)
    return 0.5 * np.vdot(H, H) - np.sqrt(np.maximum(values, 0)).sum()


def value_and_gradient(H, GH):
    """Returns d(H) and its gradient H - GH (H'GH)^{-1/2}."""
    GH = GH.astype(np.float64, copy=False)
    values, vectors = np.linalg.eigh(H.T @ GH)
    roots = np.sqrt(np.maximum(values, 0))
    inverse = np.where(values > 1e-12 * values[-1], 1 / np.maximum(roots, 1e-300), 0)
    gradient = H - GH @ ((vectors * inverse) @ vectors.T)
    return 0.5 * np.vdot(H, H) - roots.sum(), gradient


def eta(value, largest):
    """Returns the relative error of a point with d(H) = value; `largest` is the sum of the s largest eigenvalues."""
    return 1 - 2 * abs(min(value, 0.0)) / largest
