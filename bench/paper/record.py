"""The rows of a part as a CSV file that a later run goes on with, and the runs that made them."""
import csv
import datetime
import json
import os
import pathlib
import platform
import sys

from table import shown


class Record:
    """Rows told apart by `keys`. Written after every row: a long run that ends early leaves what it found."""

    def __init__(self, folder, name, columns, keys, begun=lambda: None):
        """`begun` is called before the first row that is added."""
        self.begun = begun
        self.path, self.columns, self.keys = pathlib.Path(folder) / f"{name}.csv", columns, keys
        self.rows = read(self.path) if self.path.exists() else []
        self.new = 0

    def has(self, **key):
        return any(all(row.get(name) == value for name, value in key.items()) for row in self.rows)

    def add(self, **row):
        """In place of the row with the same keys, if there is one. Columns that are not given stay empty."""
        unknown = set(row) - set(self.columns)
        if unknown:
            raise KeyError(f"no column {unknown}")
        if self.new == 0:
            self.begun()
        key = self.key(row)
        self.rows = [old for old in self.rows if self.key(old) != key] + [row]
        self.new += 1
        self.write()
        print("  " + "  ".join(f"{name} {shown(row[name])}" for name in self.columns if name in row),
              file=sys.stderr, flush=True)
        return row

    def key(self, row):
        return tuple(row.get(name) for name in self.keys)

    def write(self):
        """To another name first: a run that is killed meanwhile loses nothing."""
        unfinished = self.path.with_suffix(".new")
        with open(unfinished, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows([text(row.get(name)) for name in self.columns] for row in self.rows)
        os.replace(unfinished, self.path)


def text(value):
    """Six digits are more than any of these measurements has."""
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def read(path):
    """Numbers as numbers; empty cells are left out."""
    with open(path, newline="") as file:
        return [{name: value(cell) for name, cell in row.items() if cell != ""} for row in csv.DictReader(file)]


def value(cell):
    if cell in ("True", "False"):
        return cell == "True"
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell


def table(columns, rows):
    """Markdown; rows are lists of cells."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(shown(cell) for cell in row) + " |" for row in rows]) + "\n"


def note_run(folder, name, command, machine):
    """Keeps, beside the rows, what was run, when and where."""
    path = pathlib.Path(folder) / f"{name}.json"
    runs = json.loads(path.read_text()) if path.exists() else []
    runs.append({"command": command, "date": datetime.date.today().isoformat(), "machine": machine,
                 "versions": versions()})
    path.write_text(json.dumps(runs, indent=1) + "\n")


def runs(folder, name):
    path = pathlib.Path(folder) / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else []


def versions():
    import numpy
    import scipy
    import sklearn
    return f"Python {platform.python_version()}, numpy {numpy.__version__}, scipy {scipy.__version__}, " \
           f"scikit-learn {sklearn.__version__}"


def machine(threads):
    """Processor, cores in use and the widest vector unit."""
    with open("/proc/cpuinfo") as file:
        info = file.read()
    model = next((line.split(":")[1].strip() for line in info.splitlines() if line.startswith("model name")),
                 platform.machine())
    flags = set(next((line.split(":")[1] for line in info.splitlines() if line.startswith("flags")), "").split())
    unit = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse2", "SSE2")) if flag in flags),
                "no vector unit known")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {unit}, {threads} of {os.cpu_count()} cores, {memory:.0f} GiB"
