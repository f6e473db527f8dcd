"""The paper's claims about robustness, judged by the rows of part huber."""
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
    """Held where the error is less beyond noise, at every s, since the paper names none. "alike" shows the directions."""
    found = {way: [sign for method in (ROWS, ENTRIES) for sign in signs(rows, method, kernel=MAIN[label], scoring=way)]
             for way in dict.fromkeys([scoring, *iris.SCORINGS])}
    if not found[scoring]:
        return verdicts.unmeasured(label, words)
    return verdicts.Claim(label, words, verdicts.share(sign < 0 for sign in found[scoring]),
                          "Huber errs with scoring " + by_scoring(found))


def by_scoring(found):
    """Counts for each way of scoring that was measured; found: {scoring: signs}."""
    return "; ".join(f"{iris.scoring_name(way)}: {counts(values)}" for way, values in found.items() if values)


def entries_claim(rows, label):
    """Verdict on two halves: H1 errs less at the highest level, and more at the others."""
    key = {"kernel": MAIN[label], "scoring": "paper"}
    found = [row for row in select(rows, method=ENTRIES, **key) if "to rows" in row and row["tau"] > 0]
    if not found:
        return verdicts.unmeasured(label, ENTRIES_CLAIM)
    highest = max(row["tau"] for row in found)
    at = [iris.sign(row, "to rows") for row in found if row["tau"] == highest]
    below = [iris.sign(row, "to rows") for row in found if row["tau"] < highest]
    verdict = verdicts.share([sign < 0 for sign in at] + [sign > 0 for sign in below])
    return verdicts.Claim(label, ENTRIES_CLAIM, verdict, f"H1 errs at tau {highest:g}: {counts(at)}; "
                          f"at lower tau: {counts(below)}")


def cmp_claim(rows):
    """Held where neither of the other methods errs less beyond noise, with scores of the same size for all."""
    label = "tab:huber:cmp"
    found = {way: [sign for method in (L1, L21)
                   for sign in signs(rows, method, "to rows", kernel=MAIN[label], scoring=way)]
             for way in ("alike", "paper", "ours")}
    if not found["alike"]:
        return verdicts.unmeasured(label, CMP_CLAIM)
    figures = "the others err with scoring " + by_scoring(found) + sizes_of(rows, MAIN[label])
    return verdicts.Claim(label, CMP_CLAIM, verdicts.share(sign >= 0 for sign in found["alike"]), figures)


def sizes_of(rows, kernel):
    """The size of the difference to huber rows, with scores of the same size: a clear difference may be small."""
    s = nearest_s(rows, kernel)
    shares = [row["to rows"] / (row["mse"] - row["to rows"]) for method in (L1, L21)
              for row in select(rows, kernel=kernel, scoring="alike", s=s, method=method) if row["tau"] > 0]
    return f"; with `alike` at s = {s} by {100 * min(shares):+.1f} to {100 * max(shares):+.1f} %" if shares else ""
