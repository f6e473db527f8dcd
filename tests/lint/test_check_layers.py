"""scripts/check_layers finds what it is there to find."""
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


def test_an_empty_root_is_wrong_usage(tmp_path):
    assert run(tmp_path).returncode == 2


def test_this_repository_passes():
    result = run(REPOSITORY)
    assert result.stdout == ""
    assert result.returncode == 0
