"""The options that compare.py and paper.py share."""
import argparse
import os
import pathlib


def add_common(parser, quick):
    """Adds the shared options; `quick` is the help text of --quick."""
    parser.add_argument("--data", type=pathlib.Path, help="folder of the data sets")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="folder for tables and charts")
    parser.add_argument("--work", type=pathlib.Path, help="folder for large files (default: work in the output folder)")
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--components", nargs="+", type=int, help="numbers of components")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads of every program (default: all)")


def with_defaults(given, defaults):
    """Returns a copy of the given options, with the part's own values for the rest."""
    options = argparse.Namespace(**vars(given))
    for name, value in defaults.items():
        if getattr(options, name, None) is None:
            setattr(options, name, value)
    return options
