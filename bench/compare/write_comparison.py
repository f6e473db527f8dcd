#!/usr/bin/python3
"""Writes the measured table of docs/comparison.md from docs/results/peers.csv and the lines above it in peers.md.

    bench/compare/write_comparison.py [FOLDER]

With a FOLDER, the output of `compare.py peers`, its peers.csv and peers.md are copied to docs/results first.
"""
import csv
import pathlib
import re
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
from table import markdown, shown  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGE, RESULTS = DOCS / "comparison.md", DOCS / "results"
COMMAND = "make compare DATA=folder PART=peers"
BEGIN, END = "<!-- peers.csv -->\n", "<!-- end -->\n"
COLUMNS = ["n", "program", "version", "seconds", "ratio", "start seconds", "peak MiB", "memory ratio", "true eta",
           "eigenvalues differ", "note"]
TEXTS = ["program", "version", "note"]


def measured():
    """Returns the text that belongs between the marks."""
    with open(RESULTS / "peers.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    sets = sorted({f"{row['set']}, {row['d']} columns, {row['s']} components" for row in rows if row["n"]})
    conditions = re.findall(r"^- (.*)$", (RESULTS / "peers.md").read_text(encoding="utf-8"), re.MULTILINE)
    lines = [f"`{COMMAND}`: {'; '.join(sets)}.", "", *(f"- {line}" for line in conditions), ""]
    columns = [column for column in COLUMNS if any(row[column] for row in rows)]
    return "\n".join(lines) + "\n" + markdown(columns, [[cell(column, row[column]) for column in columns] for row in rows])


def cell(column, text):
    """Formats numbers as the other tables do; versions and counts stay as they are."""
    return text if column in TEXTS or not re.search(r"[.e]", text) else shown(float(text))


def filled(page):
    """Returns the page with the table between its marks."""
    before, rest = page.split(BEGIN)
    return before + BEGIN + measured() + END + rest.split(END)[1]


def main():
    for folder in sys.argv[1:]:
        RESULTS.mkdir(exist_ok=True)
        for name in ("peers.csv", "peers.md"):
            shutil.copy(pathlib.Path(folder) / name, RESULTS)
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
