"""The rows of a part as a CSV file, which a later run continues, and the runs that made them."""
import csv
import datetime
import json
import os
import pathlib
import platform

from table import require_known, tell


class Record:
    """Rows that differ in `keys`. The file is written after every row, so a run that ends early keeps its rows."""

    def __init__(self, folder, name, columns, keys, begun=lambda: None):
        """`begun` is called before the first row that is added."""
        self.begun = begun
        self.path, self.columns, self.keys = pathlib.Path(folder) / f"{name}.csv", columns, keys
        self.rows = read(self.path) if self.path.exists() else []
        self.new = 0

    def has(self, **key):
        return any(all(row.get(name) == value for name, value in key.items()) for row in self.rows)

    def add(self, **row):
        """Adds a row, or replaces the one with the same keys. Columns that are not given stay empty."""
        require_known(row, self.columns)
        if self.new == 0:
            self.begun()
        key = self.key(row)
        self.rows = [old for old in self.rows if self.key(old) != key] + [row]
        self.new += 1
        self.write()
        tell(row, self.columns)
        return row

    def key(self, row):
        return tuple(row.get(name) for name in self.keys)

    def write(self):
        """Writes the file under another name first: a run that is killed meanwhile loses nothing."""
        unfinished = self.path.with_suffix(".new")
        with open(unfinished, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows([text(row.get(name)) for name in self.columns] for row in self.rows)
        os.replace(unfinished, self.path)


def text(value):
    """A cell of the CSV file. Six digits are more than any of these measurements has."""
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def read(path):
    """Rows of a CSV file as dictionaries: numbers as numbers, empty cells left out."""
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


def note_run(folder, name, command, machine):
    """Records the command, the date and the machine of a run beside the rows."""
    entry = {"command": command, "date": datetime.date.today().isoformat(), "machine": machine, "versions": versions()}
    path = pathlib.Path(folder) / f"{name}.json"
    path.write_text(json.dumps([*runs(folder, name), entry], indent=1) + "\n")


def runs(folder, name):
    path = pathlib.Path(folder) / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else []


def versions():
    import numpy
    import scipy
    import sklearn
    return f"Python {platform.python_version()}, numpy {numpy.__version__}, scipy {scipy.__version__}, " \
           f"scikit-learn {sklearn.__version__}"
