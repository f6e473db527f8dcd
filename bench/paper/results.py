"""Writes the page of results from the CSV files: no figure in it is typed by hand."""
import importlib
import os
import pathlib
import re

import record
from claims import VERDICTS
from table import markdown

INTRODUCTION = """# Results: the paper, reproduced

This page is for readers of the paper who ask which of its claims hold, and for users who choose a solver or a loss.
After it you can say what was measured, how far it agrees with the paper, and how to measure it again.

## Summary

"""

ABOUT = """
## About this page

The paper is Tonin, Lambert, Patrinos and Suykens, "Extending Kernel PCA through Dualization: \
Sparsity, Robustness and Fast Algorithms", ICML 2023.
Its tables and figures are named here by their labels in it, such as tab:huber.
`make paper` writes this page from the CSV files in [{folder}]({folder}), and a test compares the two.
So no figure in it is typed by hand.
The times in the paper come from an i7-8700K: compare ratios with them, not seconds.
Other measurements are in [measurements.md](measurements.md) and [comparison.md](comparison.md).
They have data sets and other programs that the paper does not have.
The paper's propositions are tests: [math.md](math.md#the-papers-propositions-tested) says which, \
and under which conditions they hold.

These words and signs occur throughout:

- G is the [Gram matrix](glossary.md#gram-matrix), n its number of rows, and s the number of components.
- A [product](glossary.md#product) is one multiplication of G by a block of columns.
- [eta](glossary.md#eta) is the relative error of a fit, and delta is the error that a solver must reach.
  The true eta is computed from the eigenvalues of G, not estimated by the solver.
- H is the matrix of variables of the [dual](glossary.md#dual), with one row for each training row.
  A is a matrix of coefficients: the directions are Phi A, where Phi holds the features of the training rows.
- [kappa](glossary.md#kappa) is the hyperparameter of the loss `huber`, and kappa_max is the smallest that clips nothing.
  The paper's H2 is this loss with norm `rows`, its H1 the one with norm `entries`.
- [epsilon](glossary.md#epsilon) is the hyperparameter of the loss `epsilon_insensitive`.
  The paper's l_eps^2 is this loss with norm `rows`, its l_eps^inf the one with norm `entries`.
- dualkpca lbfgs, dualkpca krylov and dualkpca auto are the program of this project with that solver.
  The CSV files and the charts call them "our lbfgs", "our krylov" and "our auto".
"""

CLAIMS = """
## Claims

The column `found` follows from the figures.
A claim is `reproduced` if it holds in every case that it is judged by, `partly` if it holds in some, \
and `not reproduced` if it holds in none.
If the figures of a claim have several scorings, the first one decides.
The claim that L-BFGS is 3 times faster than RSVD is judged for the released L-BFGS.

"""

# Terms that the page links to their entries in the glossary where it first uses them.
TERMS = {r"\beta\b": "eta", r"\bkappas?\b": "kappa", r"\bepsilons?\b": "epsilon", r"\bGram matrix\b": "gram-matrix",
         r"\bproducts?\b": "product", r"\bdual\b": "dual"}


def write(folder, target, parts):
    """Writes the whole page; a part that has not been measured says so."""
    folder, target = pathlib.Path(folder), pathlib.Path(target)
    link = os.path.relpath(folder, target.parent)
    modules = {name: importlib.import_module("part_" + name) for name in parts}
    rows = {name: record.read(folder / f"{name}.csv") if (folder / f"{name}.csv").exists() else [] for name in parts}
    claims = {name: modules[name].claims(rows[name]) for name in parts}
    text = INTRODUCTION + summary({modules[name].TITLE: claims[name] for name in parts}) + ABOUT.format(folder=link)
    text += CLAIMS + claim_table([claim for name in parts for claim in claims[name]])
    for name in parts:
        text += "\n" + section(name, modules[name], rows[name], folder, link)
    target.write_text(with_links(text))


def summary(claims):
    """Counts of the verdicts by section, and the claims that do not hold in full; claims: {title: its claims}."""
    everything = [claim for some in claims.values() for claim in some]
    beyond = sum(claim.words.startswith("beyond the paper") for claim in everything)
    text = f"This page judges {len(everything)} claims: {counted(everything)}.\n"
    if beyond:
        text += f"{beyond} of them go beyond the paper: they ask whether dualkpca auto is faster than the paper's peers.\n"
    text += "Claims about L-BFGS are judged for the program that the authors released and for the solvers of dualkpca.\n\n"
    body = [[title, len(some), *(count(some, verdict) for verdict in VERDICTS)] for title, some in claims.items()]
    text += markdown(["section", "claims", *VERDICTS], body)
    for verdict, words in (("not reproduced", "These claims are not reproduced:"),
                           ("partly", "These claims hold in some of the cases only:")):
        found = [claim for claim in everything if claim.verdict == verdict]
        if found:
            text += f"\n{words}\n\n" + "".join(f"- {claim.words} ({claim.label})\n" for claim in found)
    return text


def count(claims, verdict):
    return sum(claim.verdict == verdict for claim in claims)


def counted(claims):
    """How many claims have each verdict, in words."""
    parts = [f"{count(claims, verdict)} {'hold partly' if verdict == 'partly' else 'are ' + verdict}"
             for verdict in VERDICTS if count(claims, verdict)]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def claim_table(claims):
    rows = [[claim.label, claim.words, claim.verdict, claim.figure] for claim in claims]
    return markdown(["in the paper", "claim", "found", "figure"], rows)


def section(name, module, rows, folder, link):
    text = f"## {module.TITLE}\n\n"
    if not rows:
        return text + "Not measured.\n"
    charts = sorted(path.name for path in folder.glob(f"{name}*.svg"))
    text += module.section(rows)
    text += "".join(f"\n![{chart[:-4]}]({link}/{chart})\n" for chart in charts)
    runs = dict.fromkeys((f"`{run['command']}`", run["date"], run["machine"], run["versions"])
                         for run in record.runs(folder, name))
    return text + f"\nThe figures are those of [{name}.csv]({link}/{name}.csv), which these runs wrote:\n\n" \
        + markdown(["command", "date", "machine", "versions"], runs)


def with_links(text):
    """Links every term of the glossary in the first line that uses it, unless that line has the link already."""
    lines, missing = text.split("\n"), dict(TERMS)
    for k, line in enumerate(lines):
        if line.startswith(("#", "![")):
            continue
        for term, anchor in list(missing.items()):
            pieces = lines[k].split("`")  # every second one is code
            first = next((i for i in range(0, len(pieces), 2) if re.search(term, pieces[i])), None)
            if first is None:
                continue
            del missing[term]
            if f"glossary.md#{anchor}" not in line:
                pieces[first] = re.sub(f"({term})", rf"[\1](glossary.md#{anchor})", pieces[first], count=1)
                lines[k] = "`".join(pieces)
    return "\n".join(lines)
