"""Tests that scripts/check_prose finds violations of its rules, and nothing else."""
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
CHECK = REPOSITORY / "scripts" / "check_prose"

CLEAN = {
    "README.md": "# A program\n\nIt does one thing.\nIt does it well.\n",
    "docs/page.md": "The page explains the program.\n",
    "src/core/a.hpp": "/// Returns the sum.\nint sum();  // noqa\n",
    "python/a.py": '"""Adds numbers."""\n\n\ndef add():\n    """Returns the sum."""\n',
    "scripts/run": "#!/bin/sh\n# Runs the program.\n",
    "CMakeLists.txt": "# One library contains everything.\n",
}
START = "start of a comment: '{}'; begin with a noun or a verb"


def run(root, *options):
    return subprocess.run([CHECK, root, *options], capture_output=True, encoding="utf-8")


def make_tree(root, files):
    for name, text in (CLEAN | files).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def violations(root, files):
    result = run(make_tree(root, files))
    found = result.stdout.splitlines()
    assert (result.returncode, result.stderr) == (1 if found else 0, "")
    return found


def test_a_clean_tree_passes(tmp_path):
    assert violations(tmp_path, {}) == []


@pytest.mark.parametrize("word", ["Of", "What", "Which", "Whose", "Whom", "By what", "With what", "To what", "So that",
                                  "That of", "Those of", "of", "what"])
def test_a_comment_begins_with_a_noun_or_a_verb(tmp_path, word):
    files = {"src/core/a.cpp": f"int a;\n\n// {word} the rows.\nint b;\n"}
    assert violations(tmp_path, files) == [f"src/core/a.cpp:3: {START.format(word)}"]


@pytest.mark.parametrize(
    "file, text, line",
    [
        ("src/core/a.cpp", "/// Of the rows.\n", 1),
        ("src/core/a.cpp", "int a;  ///< of the rows\n", 1),
        ("src/core/a.cpp", "void f(int /* of the rows */);\n", 1),
        ("src/core/a.cpp", "int a = 10'000;  // of the rows' sum\n", 1),
        ("src/core/a.cpp", "char a = '\"';  // of the \"rows\"\n", 1),
        ("src/core/a.cpp", 'auto a = R"x(\n")x";  // of the rows\n', 2),
        ("src/core/a.cpp", "int a;  // the first row\nint b;  // of the rows\n", 2),
        ("src/core/a.cpp", "int a;  // the first row\n// of the rows\n", 2),
        ("include/a.h", "// Of the rows.\n", 1),
        ("apps/a.hpp", "// Of the rows.\n", 1),
        ("python/b.py", '"""Of the rows."""\n', 1),
        ("python/b.py", 'class A:\n    """Of the rows."""\n', 2),
        ("python/b.py", 'class A:\n    def f(self):\n        """Of the rows."""\n', 3),
        ("python/b.py", "# Of the rows.\n", 1),
        ("python/b.py", "a = 1  # of the rows\n", 1),
        ("python/b.pyi", "a: int  # of the rows\n", 1),
        ("python/b.pyi", 'def f():\n    """Of the rows."""\n', 2),
        ("tests/test_a.py", "# Of the rows.\n", 1),
        ("bench/a.R", "# Of the rows.\n", 1),
        ("scripts/table", '#!/usr/bin/env python3\n"""Of the rows."""\n', 2),
        ("scripts/table", "#!/bin/sh\n# Of the rows.\n", 2),
        ("tests/install/run", "#!/bin/sh\necho \"$#\" '#'  # of the rows\n", 2),
        ("examples/CMakeLists.txt", "# Of the rows.\n", 1),
        ("cmake/a.cmake", "set(a 1)  # of the rows\n", 1),
        ("Makefile", "a: b  ## of the rows\n", 1),
        ("setup.py", "# Of the rows.\n", 1),
    ],
)
def test_comments_of_every_language_are_checked(tmp_path, file, text, line):
    (found,) = violations(tmp_path, {file: text})
    assert found.lower() == f"{file}:{line}: {START.format('of')}".lower()


@pytest.mark.parametrize(
    "file, text",
    [
        ("src/core/a.cpp", "// The sum\n// of the rows.\n"),
        ("src/core/a.cpp", "// Office hours.\n"),
        ("src/core/a.cpp", "// what() has the message.\n"),
        ("src/core/a.cpp", 'auto a = "// Of the rows";\n'),
        ("src/core/a.cpp", 'auto a = "\\"// Of the rows";\n'),
        ("src/core/a.cpp", 'auto a = "http://of.example";\n'),
        ("src/core/a.cpp", 'auto a = R"(\n// Of the rows\n)";\n'),
        ("python/b.py", 'a = "# Of the rows"\n'),
        ("python/b.py", 'a = """\n# Of the rows\n"""\n'),
        ("scripts/table", "#!/bin/sh\necho '# Of the rows' \" # of the rows\" a#of ${a#of}\n"),
        ("scripts/table", "#!/of/the/rows\n"),
        ("tests/fuzz/corpus/find", "// Of the rows.\n# Of the rows.\n"),
        ("scripts/check_prose", "#!/bin/sh\n# Of the rows.\n"),
    ],
)
def test_other_text_is_no_start_of_a_comment(tmp_path, file, text):
    assert violations(tmp_path, {file: text}) == []


@pytest.mark.parametrize(
    "words",
    ["the way back", "coming back to rows", "far out", "the number of the loss", "unless told", "a proven bound",
     "makes do with", "in earnest", "all the same", "as a rule"],
)
def test_private_words_are_reported(tmp_path, words):
    found = violations(tmp_path, {"docs/page.md": f"It works.\nIt is {words}.\n",
                                  "src/core/a.cpp": f'\nauto a = "{words}";\n'})
    assert [line.split("; better: ")[0].split(": '")[0] for line in found] == ["src/core/a.cpp:2: private words",
                                                                                 "docs/page.md:2: private words"]


@pytest.mark.parametrize("file, text", [("src/core/a.cpp", "int a;\n// It works all\n// the same.\n"),
                                        ("python/b.py", "a = 1\n# It works all\n# the same.\n"),
                                        ("python/b.py", '"""\nIt works all\n    the same."""\n'),
                                        ("docs/page.md", "\nIt works all\nthe same.\n")])
def test_private_words_are_found_across_lines(tmp_path, file, text):
    assert violations(tmp_path, {file: text}) == [f"{file}:2: private words: 'all the same'; better: still, nevertheless"]


def test_a_line_of_a_page_may_have_280_characters(tmp_path):
    assert violations(tmp_path, {"docs/page.md": "a" * 280 + "\n"}) == []
    assert violations(tmp_path, {"docs/page.md": "a" * 281 + "\n"}) == [
        "docs/page.md:1: long line: 281 characters; a line has at most 280"]


@pytest.mark.parametrize(
    "line",
    [
        "One is here. Two is there.",
        "- One is here! Two is there.",
        "Is one here? Two is there.",
        "(One is here.) Two is there.",
        "**One is here.** Two is there.",
        "One is `here`. `two` is there.",
        "One is [here](a.b). [Two](c) is there.",
        "It has 3. Two is there.",
        "It is optimal. Two is there.",
        "The matrix is G. Two is there.",
        "| One is in a table. |\n\nOne is here. Two is there.",
        "- One is in a list.\n    It goes on here. Two is there.",
        "```\ncode\n```\nOne is here. Two is there.",
        "    code\n\nOne is here. Two is there.",
    ],
)
def test_a_line_of_a_page_holds_one_sentence(tmp_path, line):
    assert violations(tmp_path, {"docs/page.md": f"{line}\n"}) == [
        f"docs/page.md:{len(line.splitlines())}: sentences: 2 in one line; a line has one"]


@pytest.mark.parametrize("file", ["README.md", "docs/deep/page.md", "examples/data/README.md"])
def test_every_page_is_checked(tmp_path, file):
    assert violations(tmp_path, {file: "One is here. Two is there.\n"}) == [
        f"{file}:1: sentences: 2 in one line; a line has one"]


@pytest.mark.parametrize(
    "line",
    [
        "See e.g. Schoelkopf, i.e. `kpca`, cf. Jolliffe, Kim et al. `G` vs. `K`.",
        "The authors are Ronald A. Fisher, D. Wang and T. Tanaka.",
        "D. Wang and T. Tanaka wrote it.",
        "1. The first thing.",
        "Version 0.1.0 and a.b.C are names; so is `One is here. Two is there.`",
        "See [the page](One. Two).",
        "# One is here. Two is there.",
        "> One is here. Two is there.",
        "| One is here. Two is there. | b |",
        "- A list has a table:\n  | One is here. Two is there. | b |",
        "<!-- One is here. Two is there. -->",
        "![One is here. Two is there.](a.png)",
        "```\nOne is here. Two is there.\n```",
        "- A list has code:\n  ```\n  One is here. Two is there.\n  ```",
        "~~~\nOne is here. Two is there.\n~~~",
        "~~~\n```\nOne is here. Two is there.\n~~~",
        "Code follows.\n\n    One is here. Two is there.\n    One is here. Two is there.",
    ],
)
def test_other_lines_are_not_two_sentences(tmp_path, line):
    assert violations(tmp_path, {"docs/page.md": f"{line}\n"}) == []


def test_a_sentence_of_a_page_may_have_35_words(tmp_path):
    assert violations(tmp_path, {"docs/page.md": "a " * 34 + "`b c`.\n"}) == []
    assert violations(tmp_path, {"docs/page.md": "a " * 35 + "`b c`.\n"}) == [
        "docs/page.md:1: long sentence: 36 words; a sentence has at most 35"]


def test_count_counts_the_violations_of_each_rule(tmp_path):
    root = make_tree(tmp_path, {"docs/page.md": "One is here. Two is there.\nIt works all the same, as a rule.\n"})
    result = run(root, "--count")
    assert (result.returncode, result.stdout) == (0, "     2  private words\n     1  sentences\n")


def test_wrong_usage(tmp_path):
    assert run(tmp_path).returncode == 2  # no pages and no source files
    assert run(tmp_path, "--quickly").returncode == 2
    assert run(tmp_path, tmp_path).returncode == 2


def test_this_repository_passes():
    result = run(REPOSITORY)
    assert result.stdout == ""
    assert result.returncode == 0
