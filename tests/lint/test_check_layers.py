"""Tests that scripts/check_layers finds violations of its rules."""
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
CHECK = REPOSITORY / "scripts" / "check_layers"

CLEAN = {
    "include/dualkpca/dualkpca.hpp": '#include "dualkpca/gram/operator.hpp"\n',
    "include/dualkpca/core/types.hpp": "#include <vector>\n",
    "include/dualkpca/gram/operator.hpp": '#pragma once\n\n#include "dualkpca/core/types.hpp"\n',
    "src/gram/tiles.hpp": '#include "dualkpca/gram/operator.hpp"\n',
    "src/gram/operator.cpp": '#include "gram/tiles.hpp"\n#include "tiles.hpp"\n#include <Eigen/Core>\n',
    "src/model/fit.cpp": '#include "dualkpca/gram/operator.hpp"\n#include "gram/tiles.hpp"\n',
    "apps/dualkpca/main.cpp": '#include "dualkpca/dualkpca.hpp"\n#include "exit_codes.hpp"\n',
    "apps/dualkpca/exit_codes.hpp": "#pragma once\n",
    "bench/baselines/method.hpp": '#include "dualkpca/gram/operator.hpp"\n',
    "bench/baselines/method.cpp": '#include "baselines/method.hpp"\n#include "gram/tiles.hpp"\n',
}

FOLDERS = {
    "src/data/streams.hpp": "#pragma once\n",
    "src/data/open.cpp": '#include "data/csv/csv.hpp"\n#include "data/io/text.hpp"\n#include "data/streams.hpp"\n',
    "src/data/io/text.hpp": '#include "data/streams.hpp"\n',
    "src/data/csv/csv.hpp": '#include "data/io/text.hpp"\n#include "data/streams.hpp"\n',
    "src/model/rows/rows.hpp": '#include "data/csv/csv.hpp"\n',
    "src/model/fit/fit.hpp": '#include "model/rows/rows.hpp"\n',
}


def run(root):
    return subprocess.run([CHECK, root], capture_output=True, encoding="utf-8")


def make_tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_a_clean_tree_passes(tmp_path):
    result = run(make_tree(tmp_path, CLEAN))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "file, line, rule",
    [
        ("src/core/a.cpp", '#include "dualkpca/gram/operator.hpp"', "core may not include gram"),
        ("src/core/a.cpp", "#include <dualkpca/gram/operator.hpp>", "core may not include gram"),
        ("src/core/a.cpp", '  #  include "gram/tiles.hpp"', "core may not include gram"),
        ("src/core/a.cpp", '#include "../gram/tiles.hpp"', "core may not include gram"),
        ("src/core/a.cpp", '#include "model/not_there_yet.hpp"', "core may not include model"),
        ("include/dualkpca/core/a.hpp", '#include "dualkpca/gram/operator.hpp"', "core may not include gram"),
        ("src/report/a.cpp", '#include "dualkpca/dualkpca.hpp"', "report may not include dualkpca.hpp"),
        ("include/dualkpca/model/a.hpp", '#include "gram/tiles.hpp"', "a public header includes the private"),
        ("src/report/a.cpp", '#include "baselines/method.hpp"', "report may not include bench"),
        ("bench/baselines/a.cpp", '#include "../../apps/dualkpca/exit_codes.hpp"', "bench may not include apps"),
        ("src/elsewhere/a.cpp", "", "belongs to no stage"),
        ("src/a.cpp", "", "belongs to no stage"),
    ],
)
def test_a_violation_is_named_with_its_line(tmp_path, file, line, rule):
    root = make_tree(tmp_path, CLEAN | {file: f"// a comment\n{line}\n"})
    result = run(root)
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 1
    assert result.stdout.startswith(f"{file}:{2 if line else 1}: ")
    assert rule in result.stdout


@pytest.mark.parametrize(
    "file, line, rule",
    [
        ("src/data/io/a.hpp", '#include "data/csv/csv.hpp"', "data/io may not include data/csv"),
        ("src/data/npy/a.cpp", '#include "data/csv/csv.hpp"', "data/npy may not include data/csv"),
        ("src/data/a.hpp", '#include "data/io/text.hpp"', "a header of data is shared by its folders"),
        ("src/data/a.hpp", '#include "io/text.hpp"', "a header of data is shared by its folders"),
        ("src/model/rows/a.cpp", '#include "model/fit/fit.hpp"', "model/rows may not include model/fit"),
        ("src/data/parquet/a.cpp", "", "data/parquet has no place in the table"),
        ("src/core/deep/a.cpp", "", "core/deep has no place in the table"),
    ],
)
def test_a_folder_has_a_place_in_the_order_of_its_stage(tmp_path, file, line, rule):
    root = make_tree(tmp_path, CLEAN | FOLDERS | {file: f"// a comment\n{line}\n"})
    result = run(root)
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 1
    assert result.stdout.startswith(f"{file}:{2 if line else 1}: ")
    assert rule in result.stdout


def test_folders_that_include_to_the_left_pass(tmp_path):
    result = run(make_tree(tmp_path, CLEAN | FOLDERS))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


CIRCLES = {
    "two headers": (
        {"src/gram/a.hpp": '#include "gram/b.hpp"\n', "src/gram/b.hpp": '#include "gram/a.hpp"\n'},
        "src/gram/a.hpp:1: headers include each other: src/gram/a.hpp -> src/gram/b.hpp -> src/gram/a.hpp",
    ),
    "public headers": (
        {
            "include/dualkpca/gram/a.hpp": '#include "dualkpca/gram/b.hpp"\n',
            "include/dualkpca/gram/b.hpp": '\n#include "dualkpca/gram/a.hpp"\n',
        },
        "include/dualkpca/gram/a.hpp:1: headers include each other",
    ),
    "two units": (
        {
            "src/gram/a.hpp": "",
            "src/gram/a.cpp": '#include "gram/a.hpp"\n#include "gram/b.hpp"\n',
            "src/gram/b.hpp": "",
            "src/gram/b.cpp": '#include "gram/b.hpp"\n#include "gram/a.hpp"\n',
        },
        "src/gram/a.cpp:2: units include each other: gram/a -> gram/b -> gram/a (back by src/gram/b.cpp:2)",
    ),
    "three units": (
        {
            "src/gram/a.cpp": '#include "gram/b.hpp"\n',
            "src/gram/a.hpp": "",
            "src/gram/b.hpp": '#include "gram/c.hpp"\n',
            "src/gram/c.cpp": '#include "gram/a.hpp"\n',
            "src/gram/c.hpp": "",
        },
        "src/gram/a.cpp:1: units include each other: gram/a -> gram/b -> gram/c -> gram/a",
    ),
    "a public header and its file": (
        {
            "include/dualkpca/model/x.hpp": "int f(int);\n",
            "src/model/rows/x.cpp": '#include "dualkpca/model/x.hpp"\n#include "model/rows/y.hpp"\nint f(int a) {}\n',
            "src/model/rows/y.hpp": '#include "dualkpca/model/x.hpp"\n',
        },
        "src/model/rows/x.cpp:2: units include each other: model/rows/x -> model/rows/y -> model/rows/x",
    ),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_a_circle_of_includes_is_named(tmp_path, name):
    files, message = CIRCLES[name]
    result = run(make_tree(tmp_path, CLEAN | files))
    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 1
    assert result.stdout.startswith(message)


FACADE = {
    "include/dualkpca/model/x.hpp": "class X {\n  void fit();\n  void save();\n};\n",
    "src/model/x.cpp": '#include "dualkpca/model/x.hpp"\n#include "model/y.hpp"\nvoid X::fit() {}\n',
    "src/model/y.hpp": '#include "dualkpca/model/x.hpp"\n',
    "src/model/save.cpp": '#include "model/y.hpp"\nvoid X::save() {}\n',
}


def test_a_facade_is_no_unit_with_the_file_of_its_name(tmp_path):
    assert run(make_tree(tmp_path, CLEAN | FACADE)).stdout == ""
    # If x.cpp defines everything, or another file only defines a local function of that name, the header is no facade.
    for text in ("", "namespace {\nvoid save() {}\n}\n", "void Y::save() {}\n"):
        (tmp_path / "src/model/save.cpp").write_text(f'#include "model/y.hpp"\n{text}')
        assert "model/x -> model/y -> model/x" in run(tmp_path).stdout


def test_a_file_that_implements_two_headers_is_no_unit_with_either(tmp_path):
    second = {"include/dualkpca/model/z.hpp": "void z();\n",
              "src/model/save.cpp": "",
              "src/model/x.cpp": FACADE["src/model/x.cpp"] + '#include "dualkpca/model/z.hpp"\nvoid z() {}\n'}
    assert run(make_tree(tmp_path, CLEAN | FACADE | second)).stdout == ""


def test_an_empty_root_is_wrong_usage(tmp_path):
    assert run(tmp_path).returncode == 2


def test_this_repository_passes():
    result = run(REPOSITORY)
    assert result.stdout == ""
    assert result.returncode == 0
