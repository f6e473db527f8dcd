"""A table that is written row by row to a CSV file, and printed as Markdown at the end."""
import csv
import pathlib
import sys


class Table:
    def __init__(self, output, name, columns):
        self.path, self.columns, self.rows = pathlib.Path(output) / f"{name}.csv", columns, []
        self.rewrite()

    def add(self, **row):
        """Adds a row; missing columns stay empty. It is written at once, so that an interrupted run keeps its rows."""
        require_known(row, self.columns)
        self.rows.append(row)
        with open(self.path, "a", newline="") as file:
            csv.writer(file).writerow([row.get(column, "") for column in self.columns])
        tell(row, self.columns)
        return row

    def rewrite(self):
        """Writes the file again, after rows were changed."""
        with open(self.path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(self.columns)
            writer.writerows([row.get(column, "") for column in self.columns] for row in self.rows)

    def add_ratios(self, keys, ratios):
        """Adds ratios of rows with seconds to the first row with the same `keys`; ratios: {column: its value in a row}."""
        first = {}
        for row in self.rows:
            base = first.setdefault(tuple(row.get(key) for key in keys), row)
            if "seconds" in row and "seconds" in base:
                row |= {column: value(row) / value(base) for column, value in ratios.items()}
        self.rewrite()

    def markdown(self):
        return markdown(self.columns, [[row.get(column, "") for column in self.columns] for row in self.rows])


def require_known(row, columns):
    unknown = set(row) - set(columns)
    if unknown:
        raise KeyError(f"no column {unknown}")


def tell(row, columns):
    """Prints a measured row in one line, as progress."""
    print("  " + "  ".join(f"{column} {shown(row[column])}" for column in columns if column in row), file=sys.stderr,
          flush=True)


def markdown(columns, rows):
    """Returns a Markdown table; rows are lists of cells."""
    head = line_of(columns) + "|" + "---|" * len(columns) + "\n"
    return head + "".join(line_of(shown(cell) for cell in row) for row in rows)


def line_of(cells):
    return "| " + " | ".join(cells) + " |\n"


def shown(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return "" if value is None else str(value)
    if value != value:
        return ""
    if value == 0 or 0.01 <= abs(value) < 1e4:
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return f"{value:.1e}"
