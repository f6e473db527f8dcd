"""Kernel PCA of other projects from the rows to the components, each fit in a process of its own."""
import dataclasses
import functools
import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

import process

HERE = pathlib.Path(__file__).resolve().parent
POWERS = list(range(0, 21))
TOLERANCES = [1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-6]


@dataclasses.dataclass
class Fit:
    status: str
    setting: str
    seconds: float = float("nan")  # of the fit alone
    process_seconds: float = float("nan")
    peak_bytes: float = float("nan")
    vectors: pathlib.Path = None


def sklearn_fit(rows, dtype, gamma, s, limits, work, **settings):
    """KernelPCA, centred as always, kernel rbf."""
    words = " ".join(f"{name}={value}" for name, value in settings.items())
    # scikit-learn holds K and, while it makes it, as much again.
    if 2 * rows.n**2 * np.dtype(dtype).itemsize > 0.95 * limits.memory_limit:
        return Fit("too large for the memory", words)
    output = pathlib.Path(work) / "vectors.npy"
    all_settings = settings | {"n_components": s, "kernel": "rbf", "gamma": gamma, "random_state": 0}
    run = process.run([sys.executable, HERE / "sklearn_worker.py", rows.file(dtype), output, json.dumps(all_settings)],
                      limits.threads, limits.timeout, limits.memory_limit)
    if run.status != "ok":
        return Fit(run.status, words)
    return Fit("ok", words, float(run.stdout), run.seconds, run.peak_bytes, output)


@functools.lru_cache(maxsize=None)
def kernlab_missing():
    """Why kernlab cannot run here; empty if it can."""
    if not shutil.which("Rscript"):
        return "R is not installed"
    found = subprocess.run(["Rscript", "-e", "library(kernlab)"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=120)
    return "" if found.returncode == 0 else "r-cran-kernlab is not installed"


def kernlab_fit(rows, gamma, s, limits, work):
    """kernlab's kpca: a full eigen decomposition."""
    work = pathlib.Path(work)
    data, output = work / "kernlab-in.bin", work / "kernlab-out.bin"
    X = rows.X.toarray() if rows.sparse else rows.X
    data.write_bytes(np.asarray(X, dtype=np.float64).tobytes(order="F"))
    run = process.run(["Rscript", "--vanilla", HERE / "kernlab.R", data, rows.n, rows.d, repr(gamma), s, output],
                      limits.threads, limits.timeout, limits.memory_limit)
    if run.status != "ok":
        return Fit(run.status, "full eigen")
    vectors = work / "vectors.npy"
    np.save(vectors, np.fromfile(output).reshape(s, rows.n).T)
    return Fit("ok", "full eigen", float(run.stdout), run.seconds, run.peak_bytes, vectors)
