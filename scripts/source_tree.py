"""The stages and folders of the source tree, and the includes between its files.

scripts/check_layers and scripts/draw_architecture import this module. All paths are relative to the root.
"""
import re
from pathlib import Path

# An include may only point to the left in this list.
STAGES = ["core", "data", "kernel", "gram", "objective", "solver", "model", "report"]

# The sub-folders of a stage. Again an include may only point left.
# Folders in one tuple are neighbours, and may not include each other at all.
FOLDERS = {
    "data": [("io",), ("csv", "libsvm", "mtx", "npy", "hdf5")],
    "model": [("rows",), ("preimage",), ("monitor",), ("file",), ("fit",)],
}

UMBRELLA = "dualkpca.hpp"  # is above every stage and below the programs
PROGRAMS = ["apps", "python", "bench"]  # are above everything else, and do not include each other
LAYERS = STAGES + [UMBRELLA] + PROGRAMS
TOPS = ("include/dualkpca", "src", *PROGRAMS)
HEADERS = {".hpp", ".h"}
SUFFIXES = HEADERS | {".cpp", ".cc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def inner_parts(path):
    """The parts of a path below include/dualkpca or src; empty for any other path."""
    parts = path.parts
    if parts[:2] == ("include", "dualkpca"):
        return parts[2:]
    return parts[1:] if parts[0] == "src" else ()


def layer_of(path):
    """The layer a file belongs to; None or the empty string if it has none."""
    if path.parts[0] in PROGRAMS:
        return path.parts[0]
    inner = inner_parts(path)
    if not inner:
        return None
    return inner[0] if len(inner) > 1 or inner[0] == UMBRELLA else ""


def folder_of(path):
    """The sub-folder of a stage that a file lies in: `io` for src/data/io/text.hpp; empty if it lies in none."""
    return "/".join(inner_parts(path)[1:-1])


def source_files(root):
    """Every C++ file of the tree, sorted."""
    for top in TOPS:
        for absolute in sorted((root / top).rglob("*")):
            if absolute.suffix in SUFFIXES and absolute.is_file():
                yield absolute.relative_to(root)


def resolve(root, file, quote, name):
    """The file of this project that `file` includes by `name`; None if it is not a file of this project."""
    candidates = [Path("include") / name, Path("src") / name, Path("bench") / name]
    if quote == '"':
        candidates.insert(0, file.parent / name)
    for candidate in candidates:
        absolute = (root / candidate).resolve()
        if absolute.is_file() and absolute.is_relative_to(root):
            return absolute.relative_to(root)
    # A file that does not exist yet still has a place.
    if name.startswith("dualkpca/"):
        return Path("include") / name
    if quote == '"' and name.split("/")[0] in STAGES:
        return Path("src") / name
    return None


def includes_of(root, file):
    """The includes of one file that stay within the project, as (line number, target)."""
    for number, line in enumerate((root / file).read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        target = resolve(root, file, *match.groups()) if match else None
        if target is not None:
            yield number, target
