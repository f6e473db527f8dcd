"""Runs `dualkpca fit` and the commands that take a model as processes, and reads their report."""
import dataclasses
import functools
import json
import os
import pathlib
import re
import subprocess

import process

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLVERS = ["auto", "krylov", "nystrom", "lbfgs", "dense", "lanczos", "rsvd"]


def python_path():
    """Returns the folder of the Python package."""
    return os.environ.get("DUALKPCA_PYTHONPATH") or str(ROOT / "build/release/python")


def command():
    return os.environ.get("DUALKPCA_COMMAND") or str(ROOT / "build/release/apps/dualkpca/dualkpca")


def build_folder():
    """Returns the build folder, above apps/dualkpca/dualkpca, the command that is measured."""
    return pathlib.Path(command()).resolve().parents[2]


@functools.lru_cache(maxsize=None)
def help_text():
    words = [command(), "fit", "--help"]
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, timeout=60, check=True).stdout


def option_text(name):
    """Returns the help text of one option, up to the next one."""
    found = re.search(rf"^ +(-\w,)?{name}\b.*?(?=^ +(-\w,)?--|^\S|\Z)", help_text(), re.MULTILINE | re.DOTALL)
    return found.group(0) if found else ""


def solvers():
    """Returns the solvers of this build."""
    words = re.findall(r"\w+", option_text("--solver"))
    return [name for name in SOLVERS if name in words]


def accuracies():
    return ["estimated", "certified"] if "certified" in option_text("--accuracy") else ["estimated"]


def main_solver():
    """Returns the iterative solver to compare with others."""
    return "krylov" if "krylov" in solvers() else "lbfgs"


@dataclasses.dataclass
class Fit:
    run: process.Run
    report: dict
    model: pathlib.Path
    scores: pathlib.Path

    @property
    def status(self):
        return self.run.status

    def stage(self, name):
        return self.report["seconds"].get(name, 0.0)

    @property
    def solution(self):
        """Seconds on a ready matrix; the rest of the total is reading it and copying it into tiles."""
        return self.stage("solve") + self.stage("finish")


def fit(data, work, limits, *, s, tol, kernel, gamma=None, centred=True, solver="auto", accuracy="estimated", more=(),
        scores=False):
    """Runs `dualkpca fit`; `limits` is an object with threads, timeout and memory_limit."""
    work = pathlib.Path(work)
    model, report, table = work / "model.safetensors", work / "report.json", work / "scores.npy"
    for path in (model, report, table):
        path.unlink(missing_ok=True)
    words = [command(), "fit", data, "-o", model, "--json", report, "--quiet", "--n-components", s, "--tol", repr(tol),
             "--kernel", kernel, "--solver", solver, "--threads", limits.threads, *more]
    if gamma is not None:
        words += ["--gamma", gamma if isinstance(gamma, str) else repr(gamma)]
    if not centred:
        words.append("--no-center")
    if accuracies() != ["estimated"]:
        words += ["--accuracy", accuracy]
    if scores:
        words += ["--scores", table]
    if "--limits" not in more and option_text("--limits"):
        words += ["--limits", "none"]
    # Exit code 4: the tolerance was not reached, and the model is still written.
    run = process.run(words, limits.threads, limits.timeout, limits.memory_limit, accepted_codes=(0, 4))
    return Fit(run, read_report(report) if run.status == "ok" else {}, model, table)


def transform(model, data, work, limits):
    """Returns the process.Run of `dualkpca transform`, including I/O."""
    return apply("transform", model, data, pathlib.Path(work) / "new-scores.npy", limits, ["--quiet"])


def apply(name, model, data, output, limits, more=()):
    """Returns the process.Run of the command `name` (transform, inverse, denoise, score) on a model and rows."""
    words = [command(), name, model, data, "-o", output, "--threads", limits.threads, *more]
    return process.run(words, limits.threads, limits.timeout, limits.memory_limit)


def read_report(path):
    """Reads a report; an eta that the fit could not compute is NaN."""
    report = json.loads(path.read_text())
    report["eta"] = float("nan") if report["eta"] is None else report["eta"]
    return report


def variants():
    """Returns the pairs (solver, accuracy) to measure, the default first."""
    names = ["auto"] + ([main_solver()] if main_solver() in solvers() else [])
    return [(solver, accuracy) for solver in names for accuracy in accuracies()]


def best_fit(repeats, seconds_of, *arguments, **settings):
    """Returns the fastest of several fits by `seconds_of`, or the first that fails."""
    best = None
    for _ in range(repeats):
        now = fit(*arguments, **settings)
        if now.status != "ok":
            return now
        if best is None or seconds_of(now) < seconds_of(best):
            best = now
    return best
