"""docs/comparison.md: the measured table is that of docs/results/peers.csv, and the feature table has no empty cell."""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/compare"))

import write_comparison  # noqa: E402

PAGE = (ROOT / "docs/comparison.md").read_text(encoding="utf-8")


def test_the_measured_table_is_what_the_script_writes():
    assert write_comparison.filled(PAGE) == PAGE


def test_every_measured_row_is_there():
    with open(ROOT / "docs/results/peers.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    table = PAGE.split(write_comparison.BEGIN)[1].split(write_comparison.END)[0]
    for row in rows:
        assert f"| {row['n']} | {row['program']} | {row['version']} |" in table
    ours = [row for row in rows if row["program"] == "dualkpca, command"]
    assert len(ours) == 3 and all(float(row["true eta"]) < 1e-6 and float(row["ratio"]) == 1 for row in ours)


def test_the_page_and_the_table_name_the_same_versions():
    with open(ROOT / "docs/results/peers.csv", newline="") as file:
        versions = {(row["program"].split(",")[0], row["version"]) for row in csv.DictReader(file) if row["version"]}
    head = next(line for line in PAGE.splitlines() if line.startswith("| | dualkpca"))
    for program, version in versions:
        assert f"{program} {version}" in head


def test_every_feature_has_a_cell_for_every_program():
    table = re.search(r"^\| \| dualkpca.*?\n\n", PAGE, re.MULTILINE | re.DOTALL).group(0)
    counts = {line.count("|") for line in table.strip().splitlines()}
    assert counts == {7}, counts
    assert not any(re.search(r"\|\s*\|", line[1:]) for line in table.strip().splitlines()[2:])
