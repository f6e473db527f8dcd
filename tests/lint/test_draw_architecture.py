"""Tests that scripts/draw_architecture draws the includes, and that docs/pictures/architecture.svg is current."""
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
DRAW = REPOSITORY / "scripts" / "draw_architecture"
PICTURE = "docs/pictures/architecture.svg"
SVG = "{http://www.w3.org/2000/svg}"
LEGEND = {"arrow": 3, "faint": 1}

TREE = {
    "include/dualkpca/dualkpca.hpp": '#include "dualkpca/model/model.hpp"\n',
    "include/dualkpca/core/types.hpp": "",
    "include/dualkpca/data/samples.hpp": '#include "dualkpca/core/types.hpp"\n',
    "include/dualkpca/model/model.hpp": '#include "dualkpca/data/samples.hpp"\n',
    "src/data/io/text.hpp": "",
    "src/data/csv/csv.hpp": '#include "data/io/text.hpp"\n',
}


def run(*arguments):
    return subprocess.run([DRAW, *arguments], capture_output=True, encoding="utf-8")


@pytest.fixture
def tree(tmp_path):
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def arrows(root):
    """Returns the number of arrows of both kinds, without those of the legend."""
    assert run(root).returncode == 0
    paths = ElementTree.parse(root / PICTURE).iter(f"{SVG}path")
    kinds = [path.get("class") for path in paths]
    return {kind: kinds.count(kind) - LEGEND[kind] for kind in LEGEND}


def test_an_include_is_an_arrow(tree):
    assert arrows(tree) == {"arrow": 3, "faint": 0}  # data to core, model to data, csv to io
    (tree / "src/data/libsvm").mkdir()
    (tree / "src/data/libsvm/rows.cpp").write_text('#include "data/io/text.hpp"\n#include "data/io/text.hpp"\n')
    assert arrows(tree) == {"arrow": 4, "faint": 0}
    # An include of dualkpca.hpp counts as includes of its headers.
    (tree / "apps").mkdir()
    (tree / "apps/main.cpp").write_text('#include "dualkpca/dualkpca.hpp"\n')
    assert arrows(tree) == {"arrow": 5, "faint": 0}


def test_an_arrow_is_faint_where_others_lead(tree):
    (tree / "src/model").mkdir()
    (tree / "src/model/model.cpp").write_text('#include "dualkpca/core/types.hpp"\n')
    assert arrows(tree) == {"arrow": 3, "faint": 1}


def test_check_notices_a_new_arrow_and_a_missing_picture(tree):
    assert run("--check", tree).returncode == 1
    assert not (tree / PICTURE).exists()
    run(tree)
    assert run("--check", tree).returncode == 0
    (tree / "src/kernel").mkdir()
    (tree / "src/kernel/tile.cpp").write_text('#include "dualkpca/core/types.hpp"\n')
    result = run("--check", tree)
    assert (result.returncode, result.stdout) == (1, f"{PICTURE}:1: is not current; run scripts/draw_architecture\n")


def test_wrong_usage():
    assert run("--quickly").returncode == 2
    assert run(".", ".").returncode == 2


def test_the_picture_is_current():
    result = run("--check", REPOSITORY)
    assert result.stdout == ""
    assert result.returncode == 0
