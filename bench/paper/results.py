"""Writes the page of results from the CSV files: no figure in it is typed by hand."""
import importlib
import os
import pathlib

import record
from table import markdown

INTRODUCTION = """# Results: the paper, reproduced

This page is written by `make paper` from the CSV files in [{folder}]({folder}); a test compares the two, so no figure
in it is typed by hand. The paper is Tonin, Lambert, Patrinos and Suykens, "Extending Kernel PCA through Dualization:
Sparsity, Robustness and Fast Algorithms", ICML 2023; tables and figures are named by their labels in it. Its times are
of an i7-8700K and are here to compare ratios. Other measurements, with the data sets and other programs that the paper
does not have, are in [measurements.md](measurements.md) and [comparison.md](comparison.md). The paper's propositions
are tests: [math.md](math.md#the-papers-propositions-tested) says which, and under which conditions they hold.
"""


def write(folder, target, parts):
    """The whole page; a part that has not been measured says so."""
    folder, target = pathlib.Path(folder), pathlib.Path(target)
    link = os.path.relpath(folder, target.parent)
    modules = {name: importlib.import_module("part_" + name) for name in parts}
    rows = {name: record.read(folder / f"{name}.csv") if (folder / f"{name}.csv").exists() else [] for name in parts}
    claims = [claim for name in parts for claim in modules[name].claims(rows[name])]
    text = INTRODUCTION.format(folder=link) + "\n## Claims\n\n" + claim_table(claims)
    for name in parts:
        text += "\n" + section(name, modules[name], rows[name], folder, link)
    target.write_text(text)


def claim_table(claims):
    counts = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in
              dict.fromkeys(claim.verdict for claim in claims)}
    summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    rows = [[claim.label, claim.words, claim.verdict, claim.figure] for claim in claims]
    return f"{len(claims)} claims: {summary}.\n\n" + markdown(["in the paper", "claim", "found", "figure"], rows)


def section(name, module, rows, folder, link):
    text = f"## {module.TITLE}\n\n"
    if not rows:
        return text + "Not measured.\n"
    charts = sorted(path.name for path in folder.glob(f"{name}*.svg"))
    text += module.section(rows)
    text += "".join(f"\n![{chart[:-4]}]({link}/{chart})\n" for chart in charts)
    lines = dict.fromkeys(f"`{run['command']}`, {run['date']}; {run['machine']}; {run['versions']}"
                          for run in record.runs(folder, name))
    return text + f"\nFrom [{name}.csv]({link}/{name}.csv):\n\n" + "".join(f"- {line}\n" for line in lines)
