"""docs/parameters.md and docs/file_formats.md agree with the help of the command."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMANDS = ["fit", "transform", "inverse", "denoise", "score", "path", "check", "info", "convert"]


def table_rows(page):
    """Returns the cells of every table row that begins with a `name`."""
    rows = []
    for line in (DOCS / page).read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            rows.append([cell.strip() for cell in cells])
    return rows


def run(*args):
    return subprocess.run([os.environ["DUALKPCA_COMMAND"], *args], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def options():
    """Returns the help text of each option of each command."""
    found = {}
    for command in COMMANDS:
        for line in run(command, "--help").splitlines():
            if match := re.match(r"  (?:-\w,)?(--[\w-]+)", line):
                found.setdefault(match.group(1), {})[command] = line
    del found["--help"]
    return found


@pytest.fixture(scope="module")
def documented():
    found = {}
    for row in table_rows("parameters.md"):
        for name in re.findall(r"`(--[\w-]+)`", row[0]):
            found.setdefault(name, []).append(row)
    return found


def test_every_option_is_documented_and_nothing_else(options, documented):
    assert set(documented) == set(options)


def test_defaults_are_those_of_the_help(options, documented):
    for name, commands in options.items():
        numbers = re.search(r"\(default (-?[\d.e-]+)[:)]", commands.get("fit", ""))
        if numbers:
            shown = re.match(r"[\d.e-]+", documented[name][0][1]).group(0)
            assert float(shown) == float(numbers.group(1)), name
        choice = re.search(r"\(default ([a-z]\w*)\)", commands.get("fit", ""))
        if choice:
            assert f"`{choice.group(1)}`" in documented[name][0][1], name


@pytest.mark.parametrize("option", ["--kernel", "--solver", "--limits", "--format"])
def test_every_choice_has_a_row(option):
    listed = re.search(rf"  {option} NAME .*:\s*([a-z][\w, ]+)", run("fit", "--help")).group(1)
    names = {name.strip().split(" ")[0] for name in listed.split(",")}
    page = "file_formats.md" if option == "--format" else "parameters.md"
    described = set(re.findall(r"`([\w-]+)`", " ".join(row[0] for row in table_rows(page))))
    assert names <= described


def test_every_extension_that_is_accepted_is_listed(tmp_path):
    (tmp_path / "x.txt").write_text("1\n")
    result = subprocess.run([os.environ["DUALKPCA_COMMAND"], "convert", "x.txt", "y.csv"], cwd=tmp_path, text=True,
                            capture_output=True)
    accepted = set(re.findall(r"\.[a-z]\w+", result.stderr.split("accepted:")[1]))
    page = (DOCS / "file_formats.md").read_text(encoding="utf-8")
    assert accepted and accepted <= set(re.findall(r"`(\.\w+)`", page))


def test_the_common_tasks_run(tmp_path):
    page = (DOCS / "parameters.md").read_text(encoding="utf-8")
    subprocess.run([sys.executable, DOCS.parent / "examples" / "process_data.py", "."], cwd=tmp_path, check=True)
    environment = os.environ | {"PATH": f"{Path(os.environ['DUALKPCA_COMMAND']).resolve().parent}:{os.environ['PATH']}"}
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 6
    printed = []
    for block in blocks:
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=tmp_path, env=environment, text=True,
                                capture_output=True)
        assert result.returncode == 0, block + result.stderr
        printed.append(result.stdout)
    rows = [line.split(",") for line in printed[0].splitlines()[-10:]]
    spe = [float(row[2]) for row in rows]
    assert all(len(row) == 4 for row in rows) and spe == sorted(spe)
    assert sum(201 <= int(row[0]) <= 260 or 321 <= int(row[0]) <= 380 for row in rows) >= 5  # faulty rows
    shown = int(re.search(r"here they are (\d+) of 2000 rows", page)[1])
    assert abs(int(re.search(r"nystrom, (\d+) landmarks of 2000 rows", printed[2])[1]) - shown) <= shown // 4
