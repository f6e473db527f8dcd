"""Finds the compiled modules of the build tree: the estimator and the methods that it is compared with."""
import importlib
import os
import sys

import ours


def load(name, folder):
    path = str(ours.build_folder() / folder)
    if path not in sys.path:
        sys.path.insert(1, path)
    try:
        return importlib.import_module(name)
    except ImportError as error:
        sys.exit(f"paper: the module '{name}' is not built ({error}); build it with: make build")


def estimator():
    """dualkpca, the Python package."""
    return load("dualkpca", os.environ.get("DUALKPCA_PYTHONPATH", "python"))


def comparison():
    """L1-KPCA, l2,1-RKPCA, SKPCA and SSKPCA."""
    return load("comparison", "bench/paper")
