"""The section of the page of results about part speed."""
import paper_sets
from own_fits import display_name
from speed_rows import (DELTAS, NARROW, SOLVERS, TABLES, WHOLE, cases, cell, is_identity, kernels_of, rivals, seconds_of,
                        sets_of, span)
from table import markdown, shown

# Figures that the paper prints: seconds of SVD, Lanczos, RSVD and its own solver, and the factor RSVD / its own.
PUBLISHED = {("laplace", 1e-2): {"Synth 1": (96.73, 0.85, 1.97, 0.53, 3.72),
                                 "Protein": (868.64, 3.46, 6.70, 1.07, 6.25),
                                 "RCV1": (None, 6.04, 12.50, 2.12, 5.90),
                                 "CIFAR-10": (None, 48.10, 123.89, 13.51, 9.17)},
             ("laplace", 1e-4): {"Synth 1": (96.73, 4.78, 1.97, 0.56, 3.52),
                                 "Protein": (868.64, 3.51, 6.95, 1.07, 6.59),
                                 "RCV1": (None, 19.72, 12.75, 3.78, 3.38),
                                 "CIFAR-10": (None, 48.15, 122.58, 29.26, 4.19)},
             ("rbf", 1e-2): {"Synth 1": (87.33, 1.05, 3.04, 0.56, 5.41), "Protein": (979.84, 3.86, 10.61, 1.08, 9.81),
                             "RCV1": (None, 21.03, 19.69, 3.76, 5.23), "CIFAR-10": (None, 47.94, 197.99, 13.47, 14.70)}}


INTRODUCTION = """The tables give seconds on a ready G until the true eta is below delta, the mean of the runs in the CSV file.
G is uncentred as in the paper, and {s} components are sought.
The fastest solver of a row is bold, and an empty cell was not run.

A peer is a solver of another program.
Each peer runs with the loosest setting of a list that meets delta.
The search for this setting is not counted, and a finer list could make a peer somewhat faster.

- LAPACK computes all eigenvalues once, to machine precision, so that one run serves every delta.
- Lanczos is ARPACK with scipy's default basis, with tolerances from 0.3 down to 1e-6, and 0.
- RSVD is that of scikit-learn with its seven power iterations, with 5, 10, 20, 40, ... oversamples.
- "RSVD, fewest powers" has 10 oversamples and 0 to 8, 10, 14 or 20 power iterations.
  This is fairer to RSVD than the seven power iterations of scikit-learn.
- L-BFGS as released has an oracle that stops it as soon as delta is met.
- dualkpca lbfgs and dualkpca auto get `--tol delta` and must decide by themselves when to stop.
  The column `setting` of the CSV file has the solver that `auto` chose, which is not L-BFGS.

G is float64 for the peers, and float32 in the tiles of dualkpca.
Above 30000 rows a float64 G does not fit the memory, and the peers get a float32 one.
The seconds of dualkpca do not include reading the matrix from its file and converting it to tiles.
The column "auto's conversion" shows these, while the peers have G in memory.
The columns "from X" start at the rows of data.
There the peers have the time of numpy's evaluation of G added, and dualkpca the total of the command, reading included.
A peer may have had less time than the half hour of the paper: the cell then says so.

"""


def section(rows):
    text = INTRODUCTION.format(s=" and ".join(str(s) for s in sorted({row["s"] for row in rows})))
    for delta in DELTAS:
        for kernel in kernels_of(rows):
            text += one_table(rows, kernel, delta)
    return text + narrow_table(rows) + slowest(rows) + identities(rows) + block_cost(rows)


def identities(rows):
    found = dict.fromkeys(f"{case[0]} with {case[1]}" for case in cases(rows) if is_identity(rows, case))
    return (f"\nG is the identity up to rounding, so that any vectors solve the problem, in {', '.join(found)}.\nSuch rows "
            "show how soon a solver notices this, and do not count for the claims.\n") if found else ""


def block_cost(rows):
    """The cost of a block in numpy's BLAS, which decides between Lanczos and the released L-BFGS."""
    ratios = []
    for case in cases(rows):
        block, single = (cell(rows, *case, solver) for solver in ("L-BFGS as released", "Lanczos"))
        if block and single and "seconds" in block and "seconds" in single:
            ratios.append(block["seconds"] / block["products"] / (single["seconds"] / single["products"]))
    return (f"\nAn evaluation of the released L-BFGS takes {span(ratios)} times as long as a product of Lanczos with one "
            "column.\nIt consists of a product with a block and of the work around it.\n") if ratios else ""


def narrow_table(rows):
    """Times of the peers after a conversion of G to float32, which a user may do first."""
    body = [[*case[:2], f"{case[2]:g}", *(text_of(cell(rows, *case, solver)) for solver in NARROW + ["our auto"])]
            for case in cases(rows) if any(cell(rows, *case, solver) for solver in NARROW)]
    if not body:
        return ""
    return ("### The peers with a float32 matrix\n\nThe table gives seconds without the conversion of G to float32.\n\n"
            + markdown(["set", "kernel", "delta", *NARROW, display_name("our auto")], body) + "\n")


def one_table(rows, kernel, delta):
    family, rule = kernel.split(":")
    label = TABLES.get((family, delta)) if rule in ("paper", "0.5") else None
    title = f"### {kernel}, delta = {delta:g}" + (f" ({label})" if label else "")
    header = ["set", "data", "n", *map(display_name, SOLVERS), "auto's conversion", "RSVD / released", "RSVD / auto",
              "from X: Lanczos", "from X: RSVD", "from X: dualkpca auto"]
    body = []
    for name in sets_of(rows, kernel):
        base = next(row for row in rows if row["set"] == name and row["kernel"] == kernel)
        cells = [text_of(cell(rows, name, base_kernel(rows, name, kernel, solver), delta, solver))
                 for solver in SOLVERS]
        cells = bold_fastest(rows, name, kernel, delta, cells)
        body.append([name, base["data"], base["n"], *cells,
                     text_of(cell(rows, name, kernel, delta, "our auto"), "conversion"),
                     *(factor(rows, name, kernel, delta, solver) for solver in ("L-BFGS as released", "our auto")),
                     *(text_of(cell(rows, name, kernel, delta, solver), "from X")
                       for solver in ("Lanczos", "RSVD", "our auto"))])
        published = PUBLISHED.get((family, delta), {}).get(name) if label else None
        if published:
            svd, lanczos, rsvd, own, times = published
            body.append([name, "the paper's", paper_sets.SIZES[name], svd or "-", lanczos, rsvd, "", own, "", "", "",
                         times, "", "", "", ""])
    return f"{title}\n\n{markdown(header, body)}\n"


def base_kernel(rows, name, kernel, solver):
    """The kernel to look up: the whole decomposition is measured with one kernel and holds for all."""
    found = [row["kernel"] for row in rows if row["set"] == name and row["solver"] == solver]
    return found[0] if solver == WHOLE and found else kernel


def text_of(row, column="seconds"):
    if row is None:
        return ""
    if column not in row:
        return row.get("note", "-") if column == "seconds" else "-"
    return shown(row[column]) + ("" if row["met"] else " (eta " + shown(row["eta"]) + ")")


def bold_fastest(rows, name, kernel, delta, cells):
    times = [seconds_of(rows, name, base_kernel(rows, name, kernel, solver), delta, solver) for solver in SOLVERS]
    known = [time for time in times if time is not None]
    return [f"**{text}**" if known and time == min(known) else text for time, text in zip(times, cells)]


def factor(rows, name, kernel, delta, solver):
    theirs, own = (seconds_of(rows, name, kernel, delta, one) for one in ("RSVD", solver))
    return theirs / own if theirs and own else ""


def slowest(rows):
    """The cases in which auto is not the fastest, and those in which its estimate of eta was too small."""
    losses, missed = [], []
    for case in cases(rows):
        own = cell(rows, *case, "our auto")
        if not own["met"]:
            missed.append(f"{own['data']}, {case[1]}, {case[2]:g}: eta {shown(own.get('eta'))}")
        faster = {solver: seconds for solver, seconds in rivals(rows, case).items()
                  if seconds < own.get("seconds", float("inf"))}
        if faster:
            best = min(faster, key=faster.get)
            losses.append(f"{own['data']}, {case[1]}, {case[2]:g}: {display_name(best)} {shown(faster[best])} s, "
                          f"dualkpca auto {shown(own.get('seconds'))} s")
    count = len(cases(rows))
    text = (f"dualkpca auto is the fastest in {count - len(losses)} of {count} rows"
            + (f"; not in {'; '.join(losses)}" if losses else "") + ".\n")
    return text + (f"Its estimate of eta was too small in {len(missed)}: {'; '.join(missed)}.\n" if missed else
                   "It met delta in all of them.\n")
