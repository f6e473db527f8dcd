"""Fits of dualkpca on a ready Gram matrix, for the parts that compare their times with those of other solvers."""
import sys

import ours
from model_file import read_arrays
from timed_solvers import Timed

OURS = {"our lbfgs": "lbfgs", "our auto": "auto"}


def display_name(solver):
    """Name of a solver on the page; CSV files and charts have "our ..." in place of "dualkpca ..."."""
    return "dualkpca " + solver.removeprefix("our ") if solver.startswith("our ") else solver


def fit_on_ready(options, ready, s, delta, solver, repeats):
    """[(fit, its H)] for `repeats` seeds; empty if one fails."""
    found = []
    for seed in range(repeats):
        fit = ours.fit(ready.path, options.work, options, s=s, tol=delta, kernel="precomputed", centred=False,
                       solver=OURS[solver], more=["--seed", seed])
        if fit.status != "ok":
            print(f"  {solver}: {fit.status}", file=sys.stderr)
            return []
        found.append((fit, read_arrays(fit.model, ["dual_variables"])["dual_variables"]))
    return found


def timed(truth, found):
    """The fits as a Timed. Its setting is the solver that was used."""
    runs = [(fit.solution, float(truth.eta_of_dual(H)), fit.report["products"]) for fit, H in found]
    return Timed.of(found[0][0].report["solver"], runs)
