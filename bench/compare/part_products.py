"""Products with G that dualkpca needs on many sets and kernels, with the true eta beside the reported one."""
import statistics

import charts
import kernels
import ours
from reference import Reference
from table import Table

NORMAL = {"sets": ["fashion", "protein", "rcv1", "shuttle", "usps"], "sizes": [6000], "components": [20],
          "kernels": ["rbf:median", "laplace:median", "laplace:paper"], "tols": [1e-2, 1e-4],
          "large": ["fashion rbf:median", "protein rbf:median"]}
QUICK = {"sets": ["generated", "generated-sparse"], "sizes": [400], "components": [4], "large": []}
LARGE_SIZE = 20000
COLUMNS = ["set", "kernel", "n", "s", "tol", "solver", "accuracy", "products", "product columns", "kernel columns",
           "iterations", "gram seconds", "solve seconds", "total seconds", "true eta", "reported eta", "kind", "status",
           "met"]


def run(options, datasets):
    table = Table(options.output, "products", COLUMNS)
    for rows in datasets.chosen(options):
        for kernel in options.kernels:
            measure(options, rows, kernel, table)
    add_medians(options, table)
    for problem in options.large:
        name, kernel = problem.split()
        measure(options, datasets.rows(name, LARGE_SIZE, options.seed), kernel, table)
    draw(options, table)
    return table


def measure(options, rows, kernel, table):
    name, rule = kernel.split(":")
    gamma = kernels.width(rows.X, name, rule)
    centred = not options.uncentred
    G = kernels.gram(rows.X, name, gamma, centred)
    for s in options.components:
        reference = Reference(G, s, options.work, f"{rows.name} {kernel}")
        for tol in options.tols:
            for solver, accuracy in variants(options):
                problem = {"set": rows.name, "kernel": kernel, "n": rows.n, "s": s, "tol": tol, "solver": solver,
                           "accuracy": accuracy}
                found = ours.best_fit(options.repeats, lambda one: one.stage("solve"), rows.file(), options.work,
                                      options, s=s, tol=tol, kernel=name, gamma=gamma, centred=centred,
                                      solver=solver, accuracy=accuracy, scores=True)
                add(table, problem, found, reference)


def variants(options):
    return [(solver, accuracy) for solver in options.solvers or [ours.main_solver()] for accuracy in ours.accuracies()]


def add(table, problem, found, reference):
    if found.status != "ok":
        table.add(**problem, status=found.status, met=False)
        return
    report, eta = found.report, reference.eta_of_model(found.model, found.scores)
    table.add(**problem, products=report["products"], iterations=report["iterations"], status=report["status"],
              kind=report["eta_kind"], met=bool(eta <= problem["tol"]),
              **{"product columns": report["product_columns"], "kernel columns": report["kernel_columns"],
                 "gram seconds": found.stage("gram"), "solve seconds": found.stage("solve"),
                 "total seconds": found.stage("total"), "true eta": eta, "reported eta": report["eta"]})


def add_medians(options, table):
    """Adds the median and the worst over sets and kernels, before the large problems are measured."""
    measured = [row for row in table.rows if "products" in row]
    for tol in options.tols:
        for solver, accuracy in variants(options):
            rows = [row for row in measured if (row["tol"], row["solver"], row["accuracy"]) == (tol, solver, accuracy)]
            if not rows:
                continue
            for name, summary in (("median", statistics.median), ("worst", max)):
                numbers = {column: float(summary(row[column] for row in rows)) for column in COLUMNS
                           if column.endswith(("products", "columns", "seconds", "eta", "iterations"))}
                table.add(set=name, tol=tol, solver=solver, accuracy=accuracy, **numbers,
                          met=all(row["met"] for row in rows))


def draw(options, table):
    panels = {}
    for row in table.rows:
        if "products" in row and "kernel" in row:
            label = f"{row['set']}, {row['kernel']}, n = {row['n']}"
            entry = (label, float(row["products"]), row["accuracy"] == "estimated")
            panels.setdefault(f"{row['solver']}, {row['accuracy']}, tol = {row['tol']:g}", []).append(entry)
    charts.bars(options.output / "products.svg", "Products with the Gram matrix", "products", list(panels.items()))
