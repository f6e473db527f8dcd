"""docs/monitoring.md: its commands run, give its numbers and draw its picture."""
import csv
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "monitoring.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def run(block, folder):
    command = Path(os.environ["DUALKPCA_COMMAND"]).resolve()
    for part in ("examples/", "scripts/"):
        block = block.replace(part, f"{shlex.quote(str(REPOSITORY))}/{part}")
    return subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, capture_output=True, text=True,
                          env=os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}"})


@pytest.fixture(scope="module")
def tank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tank")
    result = run(blocks("sh")[0], folder)
    assert result.returncode == 0, result.stderr
    (folder / "stdout").write_text(result.stdout)
    return folder


@pytest.fixture(scope="module")
def rows(tank):
    with open(tank / "statistics.csv", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def counts(tank, rows):
    """Returns how many of the rows may be outliers. Digits differ between machines: a row within a hundredth of a limit may be
    above it on one machine and below it on another."""
    limits = json.loads((tank / "tank.json").read_text())["limits"]
    sizes = [max(float(row[name]) / limits[name] for name in ("t2", "spe")) for row in rows]

    def between(first, last):
        return range(sum(size > 1.01 for size in sizes[first - 1:last]),
                     sum(size > 0.99 for size in sizes[first - 1:last]) + 1)
    return between


def test_the_text_says_what_the_commands_print(tank, counts):
    text = (tank / "stdout").read_text()
    line = r"^ *limits +T2 ([\d.]+), SPE ([\d.]+) at level 0\.99 \(cv, 2000 rows\)$"
    printed, shown = (re.search(line, where, re.MULTILINE).groups() for where in (text, PAGE))
    assert [float(limit) for limit in printed] == pytest.approx([float(limit) for limit in shown], rel=1e-2)
    pattern = r"450 rows, (\d+) above a limit"
    for where in (text, PAGE):
        assert int(re.search(pattern, where).group(1)) in counts(1, 450)


def test_the_table_is_right(rows, counts):
    outliers = [number for number, row in enumerate(rows, 1) if row["outlier"] == "1"]
    for first, last, column in ((201, 260, "temperature"), (321, 380, "valve")):
        inside = [number for number in outliers if first <= number <= last]
        named = sum(max((name for name in rows[number - 1] if name.startswith("spe_")),
                        key=lambda name: float(rows[number - 1][name])) == f"spe_{column}" for number in inside)
        shown = re.search(rf"^\| {first} to {last}.*\| (\d+) of 60.*\| {column} (\d+),", PAGE, re.MULTILINE)
        possible = counts(first, last)
        assert int(shown.group(1)) in possible and len(inside) in possible
        assert abs(int(shown.group(2)) - named) < len(possible)
        outliers = [number for number in outliers if number not in inside]
    assert outliers == list(range(153, 159))
    assert "| the rest | 6 of 330 |" in PAGE


def test_an_alarm_has_its_exit_code(tank):
    result = run(blocks("sh")[1], tank)
    assert result.returncode == 0, result.stderr


def test_upsets_among_the_training_rows(tank):
    pytest.importorskip("dualkpca")
    (program,) = blocks("python")
    result = subprocess.run([sys.executable, "-c", program], cwd=tank, capture_output=True, text=True,
                            env={"OMP_NUM_THREADS": "1"} | os.environ)
    assert result.returncode == 0, result.stderr
    line = r"^ *(.+): (\d+) of 120 faulty rows found, (\d+) of 330 false alarms$"
    printed, shown = (re.findall(line, text, re.MULTILINE) for text in (result.stdout, PAGE))
    assert [name for name, *_ in printed] == [name for name, *_ in shown] and len(shown) == 4
    for (_, *found), (_, *expected) in zip(printed, shown):  # a row near a limit may lie on the other side of it elsewhere
        assert list(map(int, found)) == pytest.approx(list(map(int, expected)), abs=3)


def test_the_picture_is_the_one_that_is_drawn(tank):
    def shape(text):
        """Returns the picture without numbers, and with one mark for rows above and below a limit."""
        text = re.sub(r'<path d="[^"]*z" [^>]*/>|<circle [^>]*/>', "<mark/>", text)
        return re.sub(r"-?\d+(\.\d+)?", "0", text)
    drawn = (tank / "monitoring.svg").read_text()
    assert shape(drawn) == shape((REPOSITORY / "docs/pictures/monitoring.svg").read_text())


def test_the_cpp_example_is_the_one_that_is_compiled():
    source = (REPOSITORY / "examples" / "monitor.cpp").read_text(encoding="utf-8")
    region = re.search(r"^ *// \[docs\]\n(.*?)^ *// \[/docs\]$", source, re.MULTILINE | re.DOTALL).group(1)
    assert blocks("cpp") == [textwrap.dedent(region)]
