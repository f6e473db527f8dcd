"""docs/monitoring.md: its commands run, its numbers are what they give, its picture is the one they draw."""
import csv
import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "monitoring.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def run(block, folder):
    command = Path(os.environ["DUALKPCA_COMMAND"]).resolve()
    block = block.replace("examples/", f"{REPOSITORY}/examples/").replace("scripts/", f"{REPOSITORY}/scripts/")
    return subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, capture_output=True, text=True,
                          env=os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}"})


@pytest.fixture(scope="module")
def tank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tank")
    result = run(blocks("sh")[0], folder)
    assert result.returncode == 0, result.stderr
    (folder / "stdout").write_text(result.stdout)
    return folder


def test_the_text_says_what_the_commands_print(tank):
    text = (tank / "stdout").read_text()
    shown = re.search(r"^    (limits .*)$", PAGE, re.MULTILINE).group(1)
    assert shown in text
    assert re.search(r"`(450 rows, \d+ above a limit)`", PAGE).group(1) in text


def test_the_table_is_right(tank):
    with open(tank / "statistics.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    outliers = [number for number, row in enumerate(rows, 1) if row["outlier"] == "1"]
    for first, last, column in ((201, 260, "temperature"), (321, 380, "valve")):
        inside = [number for number in outliers if first <= number <= last]
        named = sum(max((name for name in rows[number - 1] if name.startswith("spe_")),
                        key=lambda name: float(rows[number - 1][name])) == f"spe_{column}" for number in inside)
        line = re.search(rf"^\| {first} to {last}.*$", PAGE, re.MULTILINE).group(0)
        assert f"| {len(inside)} of 60" in line and f"| {column} {named}," in line
        outliers = [number for number in outliers if number not in inside]
    assert outliers == list(range(153, 159))
    assert "| the rest | 6 of 330 |" in PAGE


def test_an_alarm_has_its_exit_code(tank):
    result = run(blocks("sh")[1], tank)
    assert result.returncode == 0, result.stderr


def test_the_picture_is_the_one_that_is_drawn(tank):
    def shape(text):
        return re.sub(r"-?\d+(\.\d+)?", "0", text)
    drawn = (tank / "monitoring.svg").read_text()
    assert shape(drawn) == shape((REPOSITORY / "docs/pictures/monitoring.svg").read_text())


def test_the_cpp_example_is_the_one_that_is_compiled():
    source = (REPOSITORY / "examples" / "monitor.cpp").read_text(encoding="utf-8")
    region = re.search(r"^ *// \[docs\]\n(.*?)^ *// \[/docs\]$", source, re.MULTILINE | re.DOTALL).group(1)
    assert blocks("cpp") == [textwrap.dedent(region)]
