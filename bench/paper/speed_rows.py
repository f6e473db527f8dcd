"""The rows of part speed: names of the solvers, and functions that look up measurements."""
import paper_sets
from own_fits import OURS
from timed_solvers import PEERS

DELTAS = [1e-2, 1e-4]
WHOLE = "LAPACK, all eigenvalues"
SOLVERS = [WHOLE, *PEERS, *OURS]
NARROW = ["Lanczos, float32", "RSVD, float32", "RSVD, fewest powers, float32"]
TABLES = {("laplace", 1e-2): "tab:speedup:high", ("laplace", 1e-4): "tab:speedup:low",
          ("rbf", 1e-2): "tab:speedup:rbf"}


def cell(rows, name, kernel, delta, solver):
    """The row of one measurement, or None."""
    deltas = (0, 0.0) if solver == WHOLE else (delta,)
    for row in rows:
        if (row["set"], row["kernel"], row["solver"]) == (name, kernel, solver) and row["delta"] in deltas:
            return row
    return None


def seconds_of(rows, *where):
    row = cell(rows, *where)
    return row["seconds"] if row and row.get("met") else None


def kernels_of(rows):
    return list(dict.fromkeys(row["kernel"] for row in rows))


def sets_of(rows, kernel):
    order = [*paper_sets.SIZES, "generated"]
    return [name for name in order if any(row["set"] == name and row["kernel"] == kernel for row in rows)]


def cases(rows):
    """Every (set, kernel, delta) that our auto has been measured on."""
    return [(row["set"], row["kernel"], row["delta"]) for row in rows if row["solver"] == "our auto"]


def rivals(rows, case):
    """{solver: seconds} of every solver except our auto."""
    found = {solver: seconds_of(rows, *case, solver) for solver in SOLVERS + NARROW if solver != "our auto"}
    return {solver: seconds for solver, seconds in found.items() if seconds is not None}


def is_identity(rows, case):
    """True if every solver has an error of rounding only, whatever its setting."""
    etas = [row["eta"] for row in rows if (row["set"], row["kernel"], row["delta"]) == case and "eta" in row]
    return bool(etas) and max(etas) < 1e-12


def paper_cases(rows):
    return [case for case in cases(rows) if case[1] in ("laplace:paper", "rbf:0.5")
            and (case[1].split(":")[0], case[2]) in TABLES and not is_identity(rows, case)]


def compare(rows, chosen, first, second):
    """[seconds of the second / seconds of the first] for the cases where both are known."""
    pairs = [(seconds_of(rows, *case, first), seconds_of(rows, *case, second)) for case in chosen]
    return [theirs / own for own, theirs in pairs if own and theirs]


def span(ratios):
    return f"{min(ratios):.2g} to {max(ratios):.2g}" if ratios else "no figure"
