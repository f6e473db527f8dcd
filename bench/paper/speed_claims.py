"""The paper's claims about training time, judged by the rows of part speed."""
from claims import Claim, share, unmeasured
from own_fits import display_name
from speed_rows import DELTAS, TABLES, compare, paper_cases, span


def claims(rows):
    found = []
    for (family, delta), label in TABLES.items():
        chosen = [case for case in paper_cases(rows) if case[1].startswith(family) and case[2] == delta]
        found += [fastest(rows, chosen, label, f"L-BFGS is the fastest of all solvers at delta {delta:g}", solver)
                  for solver in ("L-BFGS as released", "our lbfgs")]
        found.append(fastest(rows, chosen, label, f"beyond the paper, at delta {delta:g} faster than both", "our auto"))
    high = [case for case in paper_cases(rows) if case[1] == "laplace:paper" and case[2] == 1e-2]
    ratios = compare(rows, high, "L-BFGS as released", "RSVD")
    found.append(Claim("tab:speedup:high", "L-BFGS is at least 3 times faster than RSVD at delta 0.01",
                       share(ratio >= 3 for ratio in ratios),
                       f"RSVD takes {span(ratios)} times as long as the released L-BFGS, "
                       f"{span(compare(rows, high, 'our lbfgs', 'RSVD'))} times as long as dualkpca lbfgs and "
                       f"{span(compare(rows, high, 'our auto', 'RSVD'))} times as long as dualkpca auto "
                       f"({len(ratios)} of 4 sets)"))
    pairs = [[compare(rows, [(name, kernel, delta)], "L-BFGS as released", "RSVD") for delta in DELTAS]
             for name, kernel, _ in high]
    falls = [(a[0], b[0]) for a, b in pairs if a and b]
    found.append(Claim("tab:speedup:low", "the speedup over RSVD is generally smaller at delta 0.0001",
                       share(b < a for a, b in falls),
                       "the speedup goes from " + ", from ".join(f"{a:.2g} to {b:.2g}" for a, b in falls)
                       + f" ({len(falls)} of 4 sets)"))
    return found


def fastest(rows, chosen, label, words, solver):
    """Verdict on a solver against Lanczos and RSVD, as in the paper."""
    words = f"{words}: {display_name(solver)}"
    ratios = {peer: compare(rows, chosen, solver, peer) for peer in ("Lanczos", "RSVD")}
    if not any(ratios.values()):
        return unmeasured(label, words)
    figure = "; ".join(f"{peer} takes {span(values)} times as long ({len(values)} of 4 sets)"
                       for peer, values in ratios.items())
    held = [ratio > 1 for values in ratios.values() for ratio in values]
    return Claim(label, words, share(held), figure)
