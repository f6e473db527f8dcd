"""docs/architecture.md names files and functions that exist."""
import re
import runpy
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
PAGE = (DOCS / "architecture.md").read_text(encoding="utf-8")
SPANS = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
PATHS = [span for span in SPANS if re.fullmatch(r"[\w.-]+(/[\w.-]*)+", span)]
CALLS = [span for span in SPANS
         if re.fullmatch(r"(\w+::)*\w+(\(.*\))?", span) and re.search(r"_|::|\(|[a-z][A-Z]", span)]
LINKS = sorted(set(re.findall(r"\]\(([^)]+)\)", PAGE)))


def anchors_of(text):
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.fixture(scope="module")
def words():
    """Returns every word of the C++ and Python sources."""
    files = [path for top in ("include", "src", "apps", "python", "CMakeLists.txt") for path in
             ([REPOSITORY / top] if (REPOSITORY / top).is_file() else (REPOSITORY / top).rglob("*"))
             if path.suffix in (".hpp", ".cpp", ".py", ".txt")]
    return {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}


def test_the_page_names_files_functions_and_pages():
    assert len(PATHS) > 70
    assert len(CALLS) > 40
    assert len(LINKS) > 5


@pytest.mark.parametrize("path", PATHS)
def test_a_path_exists(path):
    assert (REPOSITORY / path).exists()


@pytest.mark.parametrize("span", [span for span in SPANS if re.search(r"\.(hpp|cpp|py|pyi|md|svg)$", span)])
def test_a_file_is_named_by_its_path(span):
    assert span in PATHS or span == ".cpp"


@pytest.mark.parametrize("call", CALLS)
def test_a_name_exists_in_the_code(call, words):
    for name in re.findall(r"\w+", call.split("(")[0]):
        # Names such as `make_` and `solve_<name>` are beginnings of names in the sources.
        assert name in words or name.endswith("_") and any(word.startswith(name) for word in words)


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_somewhere(link):
    file, _, anchor = link.partition("#")
    target = DOCS / file if file else DOCS / "architecture.md"
    assert target.is_file()
    if anchor:
        assert anchor in anchors_of(target.read_text(encoding="utf-8"))


def test_the_table_of_changes_has_entries_enough():
    section = PAGE.split("## I want to change X")[1].split("\n## ")[0]
    entries = [line for line in section.splitlines() if re.match(r"\| (?!\*\*|-|what you want)", line)]
    assert len(entries) >= 20
    assert [line for line in entries if "`" not in line and "](" not in line] == []


def test_the_page_gives_the_order_that_is_checked():
    tree = runpy.run_path(str(REPOSITORY / "scripts" / "source_tree.py"))
    assert " < ".join(tree["STAGES"]) + " < apps, python" in PAGE
    for stage, groups in tree["FOLDERS"].items():
        line = re.search(rf"^- `src/{stage}`: (.*)$", PAGE, re.MULTILINE)[1]
        named = [span.split("/")[-1] for span in re.findall(r"`([^`]+)`", line)]
        assert named == [folder for group in groups for folder in group]
