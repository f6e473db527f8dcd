"""The kernel PCA of every program that can be installed: the same rows and width, time and memory of the whole process.

Each run reads a file of rows in float64 and writes a file of scores; its start counts, for dualkpca too. Programs have
their defaults, dualkpca a tol of 1e-6: `true eta` is the error that each has reached.
"""
import dataclasses
import functools
import os
import typing

import numpy as np

import charts
import estimators
import kernels
import ours
from reference import Reference, lapack_sum
from table import Table

NORMAL = {"sets": ["usps"], "sizes": [1000, 2000, 5000], "components": [20], "tols": [1e-6]}
QUICK = {"sets": ["generated"], "sizes": [300], "components": [4]}
COLUMNS = ["set", "n", "d", "s", "program", "version", "seconds", "ratio", "start seconds", "peak MiB", "memory ratio",
           "true eta", "eigenvalues differ", "note"]
TIMEOUT = 300  # seconds
ONCE = 10  # seconds: longer runs are not repeated
FEW = 50  # rows, to measure the time of the start


@dataclasses.dataclass
class Program:
    name: str
    version: typing.Callable  # empty if it is not installed
    package: str  # the package to install
    fit: typing.Callable  # takes rows, gamma and s


def programs(options):
    """Returns all programs; ratios are to the first, the command of dualkpca."""
    tol = options.tols[0]
    common = {"limits": options, "work": options.work}
    sklearn = functools.partial(estimators.sklearn_fit, dtype=np.float64, **common)

    def theirs(solver):
        return Program(f"scikit-learn, {solver}", lambda: estimators.python_version("sklearn"), "python3-sklearn",
                       functools.partial(sklearn, eigen_solver=solver))

    return [
        Program("dualkpca, command", command_version, "make build", functools.partial(command_fit, options=options)),
        Program("dualkpca, Python", lambda: estimators.python_version("dualkpca"), "make build",
                functools.partial(sklearn, module="dualkpca", tol=tol)),
        theirs("auto"), theirs("arpack"), theirs("randomized"),
        Program("kernlab", lambda: estimators.r_version("kernlab"), "r-cran-kernlab",
                functools.partial(estimators.kernlab_fit, **common)),
        Program("mlpack", lambda: estimators.r_version("RcppMLPACK"), "r-cran-rcppmlpack",
                functools.partial(estimators.mlpack_fit, **common)),
        Program("mlpy", lambda: estimators.python_version("mlpy"), "python3-mlpy",
                functools.partial(estimators.mlpy_fit, **common))]


def command_version():
    return estimators.printed([ours.command(), "--version"]).replace("dualkpca ", "")


def command_fit(rows, gamma, s, options):
    found = ours.fit(rows.file(np.float64), options.work, options, s=s, tol=options.tols[0], kernel="rbf", gamma=gamma,
                     scores=True)
    if found.status != "ok":
        return estimators.Fit(found.status, "")
    return estimators.Fit("ok", "", found.stage("total"), found.run.seconds, found.run.peak_bytes, found.scores,
                          found.report["eigenvalues"])


def run(options, datasets):
    options.timeout = min(options.timeout, TIMEOUT)
    os.environ["PYTHONPATH"] = ours.python_path()
    table = Table(options.output, "peers", COLUMNS)
    s = options.components[0]
    for name in options.sets:
        few = datasets.rows(name, FEW, options.seed)
        present, starts, stuck = [], {}, {}
        for program in programs(options):
            if program.version():
                present.append(program)
                starts[program.name] = best_fit(program, few, kernels.width(few.X, "rbf", "median"), s, options)
            else:
                table.add(set=name, program=program.name, note=f"not installed: {program.package}")
        for n in options.sizes:
            measure(options, datasets.rows(name, n, options.seed), s, present, starts, stuck, table)
    # Ratios are to the command of dualkpca on the same rows, which comes first.
    table.add_ratios(["set", "n"], {"ratio": lambda row: row["seconds"], "memory ratio": lambda row: row["peak MiB"]})
    charts.time_and_memory(options.output, "peers", "From a file of rows to a file of scores", table.rows,
                           "{set}, {n} x {d}, s = {s}", "{program} {version}")
    return table


def measure(options, rows, s, present, starts, stuck, table):
    """Adds a row for each program. Those in `stuck` failed with fewer rows and are not tried again."""
    gamma = kernels.width(rows.X, "rbf", "median")
    G = kernels.gram(rows.X, "rbf", gamma)
    reference = Reference(G, s, options.work, f"{rows.name} rbf:median lapack", lapack_sum)
    for program in present:
        row = {"set": rows.name, "n": rows.n, "d": rows.d, "s": s, "program": program.name,
               "version": program.version(), "start seconds": starts[program.name].process_seconds}
        if program.name in stuck:
            table.add(**row, note=f"not run: {stuck[program.name]}")
            continue
        found = best_fit(program, rows, gamma, s, options)
        if found.status != "ok":
            stuck[program.name] = f"{found.status} with {rows.n} rows"
            table.add(**row, note=found.status)
            continue
        table.add(**row, seconds=found.process_seconds,
                  **{"peak MiB": found.peak_bytes / 2**20,
                     "true eta": reference.eta_of_vectors(np.load(found.vectors)),
                     "eigenvalues differ": abs(sum(found.eigenvalues) / reference.largest - 1)})


def best_fit(program, rows, gamma, s, options):
    """Returns the fastest fit by the seconds of the process, or the first that fails."""
    best = None
    for _ in range(options.repeats):
        found = program.fit(rows=rows, gamma=gamma, s=s)
        if found.status != "ok":
            return found
        if best is None or found.process_seconds < best.process_seconds:
            best = found
        if found.process_seconds > ONCE:
            break
    return best
