"""The section of the page of results about part speed."""
import paper_sets
from speed_rows import (DELTAS, NARROW, SOLVERS, TABLES, WHOLE, cases, cell, is_identity, kernels_of, rivals, seconds_of,
                        sets_of, span)
from table import markdown, shown

# What the paper prints: seconds of SVD, Lanczos, RSVD and its own, and the factor RSVD / its own.
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


def section(rows):
    s = " and ".join(str(s) for s in sorted({row["s"] for row in rows}))
    text = f"""Seconds on a ready G, uncentred as in the paper, {s} components, until the true eta is below delta; the
mean of the runs in the CSV. A peer has the loosest of some settings that meets delta, found beforehand and not counted: tolerances
from 0.3 down to 1e-6 and 0 for ARPACK with scipy's default basis, oversamples 5, 10, 20, 40, ... for RSVD, power
iterations 0 to 8, 10, 14, 20 for "fewest powers", which is RSVD with 10 oversamples and fairer to it than the seven
power iterations of scikit-learn. A finer choice could make a peer somewhat faster. The released L-BFGS has an oracle
that tells it when to stop; ours gets `--tol delta` and has to find out by itself; `auto` chose the solver in the
column "setting" of the CSV, which is not L-BFGS. G is float64 for the peers and float32 in our tiles; above 30000 rows
a float64 G does not fit, and the peers get a float32 one. Reading the matrix from its file and bringing it into tiles
is not in our seconds and is shown as "conversion", for the peers G is in memory. "from X" starts at the rows: for the
peers numpy's evaluation of G is added, ours is the command's own total, reading included. A peer may have had less time
than the half hour of the paper: the cell says so. An empty cell was not run.

"""
    for delta in DELTAS:
        for kernel in kernels_of(rows):
            text += one_table(rows, kernel, delta)
    return text + narrow_table(rows) + slowest(rows) + identities(rows) + block_cost(rows)


def identities(rows):
    found = dict.fromkeys(f"{case[0]} with {case[1]}" for case in cases(rows) if is_identity(rows, case))
    return (f"\nG is the identity but for rounding, and any vectors solve the problem: {', '.join(found)}. Such rows say "
            "how soon a solver notices, and do not count for the claims.\n") if found else ""


def block_cost(rows):
    """What numpy's BLAS takes for a block, which decides between Lanczos and the released L-BFGS."""
    ratios = []
    for case in cases(rows):
        block, single = (cell(rows, *case, solver) for solver in ("L-BFGS as released", "Lanczos"))
        if block and single and "seconds" in block and "seconds" in single:
            ratios.append(block["seconds"] / block["products"] / (single["seconds"] / single["products"]))
    return (f"\nAn evaluation of the released L-BFGS, a product with a block and what goes with it, takes "
            f"{span(ratios)} times as long as a product of Lanczos with one column.\n") if ratios else ""


def narrow_table(rows):
    """A user may convert G to float32 first: what the peers gain by it."""
    body = [[*case[:2], f"{case[2]:g}", *(text_of(cell(rows, *case, solver)) for solver in NARROW + ["our auto"])]
            for case in cases(rows) if any(cell(rows, *case, solver) for solver in NARROW)]
    if not body:
        return ""
    return ("### The peers with a float32 matrix\n\nSeconds; converting G is not counted.\n\n"
            + markdown(["set", "kernel", "delta", *NARROW, "our auto"], body) + "\n")


def one_table(rows, kernel, delta):
    family, rule = kernel.split(":")
    label = TABLES.get((family, delta)) if rule in ("paper", "0.5") else None
    title = f"### {kernel}, delta = {delta:g}" + (f" ({label})" if label else "")
    header = ["set", "data", "n", *SOLVERS, "auto's conversion", "RSVD / released", "RSVD / auto", "from X: Lanczos",
              "from X: RSVD", "from X: our auto"]
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
    """The whole decomposition is measured with one kernel and holds for all."""
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
    """Where auto is not the fastest, and where its estimate was too small."""
    losses, missed = [], []
    for case in cases(rows):
        own = cell(rows, *case, "our auto")
        if not own["met"]:
            missed.append(f"{own['data']}, {case[1]}, {case[2]:g}: eta {shown(own.get('eta'))}")
        faster = {solver: seconds for solver, seconds in rivals(rows, case).items()
                  if seconds < own.get("seconds", float("inf"))}
        if faster:
            best = min(faster, key=faster.get)
            losses.append(f"{own['data']}, {case[1]}, {case[2]:g}: {best} {shown(faster[best])} s, auto "
                          f"{shown(own.get('seconds'))} s")
    count = len(cases(rows))
    text = (f"Our `auto` is the fastest in {count - len(losses)} of {count} rows"
            + (f"; not in {'; '.join(losses)}" if losses else "") + ". ")
    return text + (f"Its estimate of eta was too small in {len(missed)}: {'; '.join(missed)}.\n" if missed else
                   "It met delta in all of them.\n")
