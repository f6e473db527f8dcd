"""What the paper claims about part huber, and whether the rows bear it out."""
import claims as verdicts
import robust_iris as iris
from huber_rows import MAIN, counts, nearest_s, select, signs
from robust_iris import ENTRIES, L1, L21, ROWS

HUBER_CLAIM = "the Huber losses err less than the square loss at all noise levels"
DIRECTIONS_CLAIM = "so the principal components learnt with Huber losses are more robust to outliers"
LAPLACIAN_CLAIM = "the Huber losses err less with the Laplacian kernel, too"
ENTRIES_CLAIM = "H1 (entries) errs less than H2 (rows) at the highest noise level, more at lower ones"
CMP_CLAIM = "H2 (rows) errs as little as l2,1-RKPCA and L1-KPCA, or less"


def claims(rows):
    return [gain_claim(rows, "tab:huber", HUBER_CLAIM, "paper"),
            gain_claim(rows, "tab:huber", DIRECTIONS_CLAIM, "alike"), entries_claim(rows, "tab:huber"),
            gain_claim(rows, "tab:huber:laplacian", LAPLACIAN_CLAIM, "paper"), cmp_claim(rows)]


def gain_claim(rows, label, words, scoring):
    """Held where the error is less beyond noise, at every s, since the paper names none. Directions show "alike"."""
    found = {way: [sign for method in (ROWS, ENTRIES) for sign in signs(rows, method, kernel=MAIN[label], scoring=way)]
             for way in dict.fromkeys([scoring, *iris.SCORINGS])}
    if not found[scoring]:
        return verdicts.unmeasured(label, words)
    figures = "; ".join(f"`{way}`: {counts(values)}" for way, values in found.items() if values)
    return verdicts.Claim(label, words, verdicts.share(sign < 0 for sign in found[scoring]), figures)


def entries_claim(rows, label):
    """Two halves: less at the highest level, more at the others."""
    key = {"kernel": MAIN[label], "scoring": "paper"}
    found = [row for row in select(rows, method=ENTRIES, **key) if "to rows" in row and row["tau"] > 0]
    if not found:
        return verdicts.unmeasured(label, ENTRIES_CLAIM)
    highest = max(row["tau"] for row in found)
    at = [iris.sign(row, "to rows") for row in found if row["tau"] == highest]
    below = [iris.sign(row, "to rows") for row in found if row["tau"] < highest]
    verdict = verdicts.share([sign < 0 for sign in at] + [sign > 0 for sign in below])
    return verdicts.Claim(label, ENTRIES_CLAIM, verdict, f"entries to rows at tau {highest:g}: {counts(at)}; "
                          f"below: {counts(below)}")


def cmp_claim(rows):
    """Held where neither of the others errs less beyond noise, with scores of the same size for all."""
    label = "tab:huber:cmp"
    found = {way: [sign for method in (L1, L21)
                   for sign in signs(rows, method, "to rows", kernel=MAIN[label], scoring=way)]
             for way in ("alike", "paper", "ours")}
    if not found["alike"]:
        return verdicts.unmeasured(label, CMP_CLAIM)
    figures = "the others to huber rows, " + "; ".join(f"`{way}`: {counts(values)}" for way, values in found.items()
                                                       if values)
    figures += sizes_of(rows, MAIN[label])
    return verdicts.Claim(label, CMP_CLAIM, verdicts.share(sign >= 0 for sign in found["alike"]), figures)


def sizes_of(rows, kernel):
    """By how much the others differ from huber rows, with scores of the same size: clear need not be large."""
    s = nearest_s(rows, kernel)
    shares = [row["to rows"] / (row["mse"] - row["to rows"]) for method in (L1, L21)
              for row in select(rows, kernel=kernel, scoring="alike", s=s, method=method) if row["tau"] > 0]
    return f"; at s = {s} `alike` by {100 * min(shares):+.1f} to {100 * max(shares):+.1f} %" if shares else ""
