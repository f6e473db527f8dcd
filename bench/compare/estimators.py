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
    seconds: float = float("nan")  # time of the fit alone
    process_seconds: float = float("nan")
    peak_bytes: float = float("nan")
    vectors: pathlib.Path = None  # .npy, n x s: a basis of the components' scores
    eigenvalues: list = None  # eigenvalues of the centred Gram matrix


def worker_fit(words, setting, limits, vectors):
    """Runs a program that prints the seconds of its fit and its eigenvalues, and writes `vectors`."""
    run = process.run(words, limits.threads, limits.timeout, limits.memory_limit)
    if run.status != "ok":
        return Fit(run.status, setting)
    seconds, *eigenvalues = map(float, run.stdout.split())
    return Fit("ok", setting, seconds, run.seconds, run.peak_bytes, vectors, eigenvalues)


def sklearn_fit(rows, dtype, gamma, s, limits, work, module="sklearn.decomposition", **settings):
    """Fits KernelPCA with the kernel rbf; it is always centred."""
    words = " ".join(f"{name}={value}" for name, value in settings.items())
    # scikit-learn stores K, and needs as much memory again while it computes K.
    if 2 * rows.n**2 * np.dtype(dtype).itemsize > 0.95 * limits.memory_limit:
        return Fit("too large for the memory", words)
    output = pathlib.Path(work) / "vectors.npy"
    all_settings = settings | {"n_components": s, "kernel": "rbf", "gamma": gamma, "random_state": 0}
    return worker_fit([sys.executable, HERE / "sklearn_worker.py", rows.file(dtype), output, json.dumps(all_settings),
                       module], words, limits, output)


@functools.lru_cache(maxsize=None)
def kernlab_missing():
    """Returns why kernlab cannot run here; empty if it can."""
    if not shutil.which("Rscript"):
        return "R is not installed"
    return "" if r_version("kernlab") else "r-cran-kernlab is not installed"


@functools.lru_cache(maxsize=None)
def r_version(package):
    """Returns the version of an R package; empty if it is not installed."""
    return printed(["Rscript", "--vanilla", "-e", f"cat(as.character(packageVersion('{package}')))"])


@functools.lru_cache(maxsize=None)
def python_version(module):
    return printed([sys.executable, "-c", f"import {module}; print({module}.__version__)"])


def printed(words):
    """Returns the output of a program; empty if it is not installed or fails."""
    if not shutil.which(words[0]):
        return ""
    found = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120)
    return found.stdout.strip() if found.returncode == 0 else ""


def kernlab_fit(rows, gamma, s, limits, work):
    """Fits kernlab's kpca: a full eigendecomposition."""
    work = pathlib.Path(work)
    data, output = work / "kernlab-in.bin", work / "kernlab-out.bin"
    X = rows.X.toarray() if rows.sparse else rows.X
    data.write_bytes(np.asarray(X, dtype=np.float64).tobytes(order="F"))
    vectors = work / "vectors.npy"
    fit = worker_fit(["Rscript", "--vanilla", HERE / "kernlab.R", data, rows.n, rows.d, repr(gamma), s, output],
                     "full eigen", limits, vectors)
    if fit.status == "ok":
        np.save(vectors, np.fromfile(output).reshape(s, rows.n).T)
    return fit


def mlpy_fit(rows, gamma, s, limits, work):
    """Fits mlpy's KPCA: a full eigendecomposition."""
    vectors = pathlib.Path(work) / "vectors.npy"
    return worker_fit([sys.executable, HERE / "mlpy_worker.py", rows.file(np.float64), vectors, repr(gamma), s],
                      "full eigen", limits, vectors)


@functools.lru_cache(maxsize=None)
def mlpack_program(work):
    """Compiles a program around mlpack's class template, as R compiles; returns None if that fails."""
    program = pathlib.Path(work) / "mlpack_worker"
    library = printed(["Rscript", "--vanilla", "-e", "cat(dirname(find.package('RcppMLPACK')))"])
    home = printed(["R", "RHOME"])
    parts = ["Rcpp", "RcppArmadillo", "RcppMLPACK", "BH"]
    words = ["g++", "-O2", "-std=c++17", "-w", HERE / "mlpack_worker.cpp", "-o", program, "-I/usr/share/R/include",
             *(f"-I{library}/{part}/include" for part in parts), f"{library}/RcppMLPACK/lib/libRcppMLPACK.a",
             f"-L{home}/lib", f"-Wl,-rpath,{home}/lib", "-lR", "-llapack", "-lblas"]
    return program if subprocess.run([str(word) for word in words]).returncode == 0 else None


def mlpack_fit(rows, gamma, s, limits, work):
    """Fits mlpack's KernelPCA: a full eigendecomposition."""
    program = mlpack_program(work)
    if program is None:
        return Fit("does not compile", "full eigen")
    work = pathlib.Path(work)
    data, output, vectors = work / "mlpack-in.bin", work / "mlpack-out.bin", work / "vectors.npy"
    data.write_bytes(np.asarray(rows.X, dtype=np.float64).tobytes())
    fit = worker_fit([program, data, rows.n, rows.d, repr(gamma), s, output], "full eigen", limits, vectors)
    if fit.status == "ok":
        np.save(vectors, np.fromfile(output).reshape(rows.n, s))
    return fit
