#!/usr/bin/python3
"""Every table and figure of the paper, measured again; docs/benchmarking.md explains the parts.

    bench/paper/paper.py PART... --data FOLDER --output FOLDER [--quick] [--results FILE]

PART is speed, spectrum, components, huber, kappa, sparsity, sparse_methods or all; "none" only writes the page again.
A part continues where an earlier run into the same folder ended: rows in PART.csv are not measured again. Each part
writes PART.csv, PART.json (command, date and machine of each run) and charts. The page of results is written from them
at the end.
"""
import argparse
import importlib
import os
import pathlib
import shlex
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent / "common"))
import command_line  # noqa: E402

PARTS = ["speed", "spectrum", "components", "huber", "kappa", "sparsity", "sparse_methods"]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", default=["all"], metavar="PART", help=", ".join(PARTS + ["all", "none"]))
    command_line.add_common(parser, quick="use generated data and few rows: a trial of minutes")
    parser.add_argument("--results", type=pathlib.Path, help="file of the page (default: the output folder's name with .md)")
    parser.add_argument("--sets", nargs="+", help="names of data sets, for speed")
    parser.add_argument("--kernels", nargs="+", help="kernels, for speed: laplace:paper laplace:median rbf:0.5 rbf:median")
    parser.add_argument("--solvers", nargs="+", help="names of solvers, for speed")
    parser.add_argument("--taus", nargs="+", type=float, help="standard deviations of the contamination, for huber")
    parser.add_argument("--draws", type=int, help="number of random draws, for all parts except speed and components")
    parser.add_argument("--repeats", type=int, help="number of runs to average, for speed and components")
    parser.add_argument("--timeout", type=float, default=1800, help="limit in seconds for a run of one program (default 1800)")
    parser.add_argument("--budget", type=float, default=1800, help="limit in seconds for a peer on one matrix, for speed "
                        "and components: search for its setting and averaged runs (default 1800)")
    given = parser.parse_args(arguments)
    unknown = set(given.parts) - set(PARTS + ["all", "none"])
    if unknown:
        parser.error(f"no part '{unknown.pop()}'; there are {', '.join(PARTS + ['all', 'none'])}")
    given.parts = PARTS if "all" in given.parts else [part for part in given.parts if part != "none"]
    given.output = given.output.resolve()
    given.results = given.results or given.output.parent / (given.output.name + ".md")
    given.work = given.work or given.output / "work"
    given.memory_limit = 0
    return given


def options_of(module, given):
    return command_line.with_defaults(given, module.QUICK if given.quick else module.FULL)


def run_part(name, given, command):
    import machine
    import record
    module = importlib.import_module("part_" + name)
    print(f"{name}:", file=sys.stderr, flush=True)
    rows = record.Record(given.output, name, module.COLUMNS, module.KEYS, begun=lambda: record.note_run(
        given.output, name, command, machine.hardware(given.threads)))
    refuse_other_size(given, name)
    module.measure(options_of(module, given), rows)
    module.draw(record.read(rows.path) if rows.path.exists() else [], given.output)


def refuse_other_size(given, name):
    """Stops if the folder has rows of the other size: quick and full rows do not belong in one table."""
    import record
    if any(("--quick" in run["command"].split()) != given.quick for run in record.runs(given.output, name)):
        sys.exit(f"paper: {given.output} has rows of part {name} of the other size (quick or full); use another "
                 f"folder or delete {name}.csv and {name}.json there")


def main(arguments=None):
    given = parse(arguments)
    try:
        given.output.mkdir(parents=True, exist_ok=True)
        given.work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"paper: {error.filename}: {error.strerror}")
    from process import thread_settings
    os.environ.update(thread_settings(given.threads))
    # numpy's BLAS reads the number of threads when it is loaded, so numpy is imported only now.
    import datasets
    import results
    given.datasets = datasets.Datasets(given.data, given.work)
    command = "paper.py " + " ".join(shlex.quote(word) for word in shown_words(arguments or sys.argv[1:]))
    try:
        for name in given.parts:
            run_part(name, given, command)
    except datasets.Missing as missing:
        sys.exit(f"paper: {missing}")
    except KeyboardInterrupt:
        sys.exit("paper: stopped; the rows so far are kept, and the same command continues from there")
    results.write(given.output, given.results, PARTS)


def shown_words(words):
    """The words of the command line without the folders of this machine."""
    words, kept = list(words), []
    while words:
        word = words.pop(0)
        if word in ("--output", "--results", "--work"):
            words.pop(0)
        elif word == "--data":
            words.pop(0)
            kept += ["--data", "DATA"]
        else:
            kept.append(word)
    return kept


if __name__ == "__main__":
    main()
