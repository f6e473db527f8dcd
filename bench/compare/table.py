"""A table that is written row by row to a CSV file, and printed as Markdown at the end."""
import csv
import pathlib
import sys


class Table:
    def __init__(self, output, name, columns):
        self.path, self.columns, self.rows = pathlib.Path(output) / f"{name}.csv", columns, []
        with open(self.path, "w", newline="") as file:
            csv.writer(file).writerow(columns)

    def add(self, **row):
        """Columns that are not given stay empty. Written at once: a long run that ends early leaves what it found."""
        unknown = set(row) - set(self.columns)
        if unknown:
            raise KeyError(f"no column {unknown}")
        self.rows.append(row)
        with open(self.path, "a", newline="") as file:
            csv.writer(file).writerow([row.get(column, "") for column in self.columns])
        print("  " + "  ".join(f"{column} {shown(row[column])}" for column in self.columns if column in row),
              file=sys.stderr, flush=True)
        return row

    def rewrite(self):
        """After rows were changed."""
        with open(self.path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(self.columns)
            writer.writerows([row.get(column, "") for column in self.columns] for row in self.rows)

    def markdown(self):
        lines = ["| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        for row in self.rows:
            lines.append("| " + " | ".join(shown(row.get(column, "")) for column in self.columns) + " |")
        return "\n".join(lines) + "\n"


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
