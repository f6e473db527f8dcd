#!/usr/bin/python3
"""Compares dualkpca with other solvers on the same data in one run; docs/benchmarking.md explains the tables.

    bench/compare/compare.py PART... --data FOLDER --output FOLDER [--quick]

PART is ready, whole, products, scaling, landmarks, robust, limits, sparsity, losses, denoise, inverse, outliers,
python, peers or all.
Every part prints a table and writes PART.csv, PART.md and charts into the output folder.
"""
import argparse
import importlib
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line  # noqa: E402
from process import available_memory, thread_settings  # noqa: E402

PARTS = ["ready", "whole", "products", "scaling", "landmarks", "robust", "limits", "sparsity", "losses", "denoise",
         "inverse", "outliers", "python", "peers"]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="+", choices=PARTS + ["all"], metavar="PART", help=", ".join(PARTS + ["all"]))
    command_line.add_common(parser, quick="generated data of a few hundred rows: seconds, to try it")
    parser.add_argument("--sets", nargs="+", help="names of data sets")
    parser.add_argument("--sizes", nargs="+", type=int, help="numbers of rows")
    parser.add_argument("--kernels", nargs="+", help="kernels (ready, products: rbf:median laplace:median "
                        "laplace:paper; robust, outliers: linear rbf:median; sparsity: rbf:median rbf:0.5; "
                        "inverse: rbf:0.5 laplace:1; python: rbf linear poly)")
    parser.add_argument("--uncentred", action="store_true", help="do not centre G, as in the paper (ready, products)")
    parser.add_argument("--tols", nargs="+", type=float, help="tolerances: the largest eta allowed")
    parser.add_argument("--widths", nargs="+", choices=["float64", "float32"],
                        help="widths of the numbers of other programs")
    parser.add_argument("--solvers", nargs="+", help="solvers of dualkpca (products; default: the main one)")
    parser.add_argument("--large", nargs="*", metavar="'SET KERNEL:RULE'",
                        help="problems to measure with 20000 rows (products)")
    parser.add_argument("--ratios", nargs="+", type=float, help="values of --kappa-ratio (robust)")
    parser.add_argument("--shares", nargs="+", type=float, help="target shares of zeros (sparsity)")
    parser.add_argument("--taus", nargs="+", type=float, help="standard deviations of the contamination (inverse)")
    parser.add_argument("--draws", type=int, help="number of random draws, with seeds from --seed on "
                        "(denoise, inverse, outliers)")
    parser.add_argument("--repeats", type=int, help="number of runs, the best of which counts (default 3)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the rows drawn (default 0)")
    parser.add_argument("--timeout", type=float, default=900, help="time limit of a run in seconds (default 900)")
    parser.add_argument("--memory", type=float,
                        help="memory limit of a process in GiB of data (default: 9/10 of the free memory)")
    parser.add_argument("--dense-limit", type=int, default=3000,
                        help="largest number of rows for programs that decompose the whole matrix (default 3000)")
    parser.add_argument("--truth-limit", type=int, default=10000,
                        help="largest number of rows to compute the true eta for (scaling, landmarks; default 10000)")
    return parser.parse_args(arguments)


def options_of(module, given):
    options = command_line.with_defaults(given, module.NORMAL | (module.QUICK if given.quick else {}))
    options.repeats = given.repeats or (1 if given.quick else 3)
    options.memory_limit = int(given.memory * 2**30 if given.memory else 0.9 * available_memory())
    return options


def run_part(part, given, datasets, machine):
    module = importlib.import_module("part_" + part)
    options = options_of(module, given)
    print(f"{part}:", file=sys.stderr, flush=True)
    lines = machine.describe(options.threads, options.quick)
    table = module.run(options, datasets)
    text = f"## {part}\n\n" + "\n".join(f"- {line}" for line in lines + [f"best of {options.repeats}"]) + "\n\n"
    text += table.markdown()
    (options.output / f"{part}.md").write_text(text)
    print(text, flush=True)


def main(arguments=None):
    given = parse(arguments)
    given.work = given.work or given.output / "work"
    given.work.mkdir(parents=True, exist_ok=True)
    given.output.mkdir(parents=True, exist_ok=True)
    os.environ.update(thread_settings(given.threads))
    # numpy's BLAS reads the number of threads when it is loaded, so it is imported only now.
    import datasets
    import machine
    try:
        for part in PARTS if "all" in given.parts else given.parts:
            run_part(part, given, datasets.Datasets(given.data, given.work), machine)
    except datasets.Missing as missing:
        sys.exit(f"compare: {missing}")


if __name__ == "__main__":
    main()
