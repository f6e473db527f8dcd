"""What the paper claims about training time, and whether the rows of part speed bear it out."""
from claims import Claim, share, unmeasured
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
                       f"RSVD over the released L-BFGS: {span(ratios)}; over our lbfgs: "
                       f"{span(compare(rows, high, 'our lbfgs', 'RSVD'))}; over our auto: "
                       f"{span(compare(rows, high, 'our auto', 'RSVD'))}; {len(ratios)} of 4 sets"))
    pairs = [[compare(rows, [(name, kernel, delta)], "L-BFGS as released", "RSVD") for delta in DELTAS]
             for name, kernel, _ in high]
    falls = [(a[0], b[0]) for a, b in pairs if a and b]
    found.append(Claim("tab:speedup:low", "the speedup over RSVD is generally smaller at delta 0.0001",
                       share(b < a for a, b in falls),
                       ", ".join(f"{a:.2g} to {b:.2g}" for a, b in falls) + f"; {len(falls)} of 4 sets"))
    return found


def fastest(rows, chosen, label, words, solver):
    """Against Lanczos and RSVD, as in the paper."""
    ratios = {peer: compare(rows, chosen, solver, peer) for peer in ("Lanczos", "RSVD")}
    if not any(ratios.values()):
        return unmeasured(label, f"{words}: {solver}")
    figure = "; ".join(f"{peer} takes {span(values)} times as long ({len(values)} of 4 sets)"
                       for peer, values in ratios.items())
    held = [ratio > 1 for values in ratios.values() for ratio in values]
    return Claim(label, f"{words}: {solver}", share(held), figure)
