"""The rows of part huber: the figures that the paper prints, and functions that look up measurements."""
import math

import numpy as np

import robust_iris as iris
from robust_iris import ENTRIES, L1, L21, ROWS, SQUARE

TAUS = [10, 25, 50, 75, 100]
METHODS = [SQUARE, ROWS, ENTRIES, L1, L21]
# Other readings of the experiment; each has the paper's scoring and the square loss.
VARIANTS = {"contaminated before the split": iris.contaminated_first, "test rows contaminated": iris.tested_too,
            "columns centred before": iris.centred_before, "columns centred after": iris.centred_after}
MAIN = {"tab:huber": "rbf:0.5", "tab:huber:laplacian": "laplace:1", "tab:huber:cmp": "rbf:0.5"}
PAPER = {
    "rbf": {SQUARE: [7.591059, 7.910846, 8.691805, 9.782740, 11.183650],
            ROWS: [6.833484, 7.182663, 8.045477, 9.259353, 10.824293],
            ENTRIES: [7.381284, 7.687518, 8.430957, 9.465706, 10.791766],
            L21: [6.965341, 7.437400, 8.113397, 9.734140, 10.934794],
            L1: [6.829537, 7.598856, 8.085395, 9.547392, 10.855314]},
    "laplace": {SQUARE: [3.024668, 4.580805, 8.998080, 15.695008, 24.671558],
                ROWS: [2.862165, 4.415508, 8.824152, 15.507481, 24.671039],
                ENTRIES: [2.762514, 4.337033, 8.808865, 15.590248, 24.671153]}}


def select(rows, **key):
    return [row for row in rows if all(row.get(name) == value for name, value in key.items())]


def one(rows, **key):
    found = select(rows, **key)
    return found[0] if found else None


def values_of(rows, name):
    return sorted({row[name] for row in rows})


def family(kernel):
    return kernel.split(":")[0]


def paper_value(kernel, method, tau):
    found = PAPER[family(kernel)].get(method)
    return found[TAUS.index(tau)] if found and tau in TAUS else None


def off_by(rows, kernel, scoring, s, factor=1):
    """Distance of the square loss from the paper: the mean of |log ratio| over the noise levels."""
    found = [(row["mse"] * factor, paper_value(kernel, SQUARE, row["tau"]))
             for row in select(rows, kernel=kernel, scoring=scoring, s=s, method=SQUARE)]
    found = [abs(math.log(ours / theirs)) for ours, theirs in found if theirs]
    return sum(found) / len(found) if found else math.inf


def nearest_s(rows, kernel, method=ROWS):
    """The number of components that comes nearest to the paper's square loss, among those that all methods have."""
    return min(values_of(select(rows, kernel=kernel, scoring="paper", method=method), "s"),
               key=lambda s: off_by(rows, kernel, "paper", s), default=None)


def readings_of(rows, name):
    """(kernel, scoring, s, factor) of every reading that was measured; a factor of 4 sums over the columns."""
    found = {(row["kernel"], row["scoring"], row["s"]) for row in select(rows, method=SQUARE)
             if family(row["kernel"]) == name and row["scoring"] in ("paper", *VARIANTS)}
    return [(*reading, factor) for reading in sorted(found) for factor in (1, 4)]


def nearest_reading(rows, name):
    return min(readings_of(rows, name), key=lambda reading: off_by(rows, *reading), default=None)


def signs(rows, method, column="difference", **key):
    """For each noise level -1 if the method errs less by over two standard errors, 1 if it errs more, else 0."""
    found = sorted(select(rows, method=method, **key), key=lambda row: (row["s"], row["tau"]))
    return [iris.sign(row, column) for row in found if column in row and row["tau"] > 0]


def counts(found):
    less, more = found.count(-1), found.count(1)
    return f"less in {less} of {len(found)}, more in {more}, within noise in {len(found) - less - more}"


def off_parabola(values):
    """Largest distance of five figures of the paper from the nearest a + b tau + c tau^2."""
    return float(np.abs(np.polyval(np.polyfit(TAUS, values, 2), TAUS) - values).max())


def gain(rows, method, tau, **key):
    """Error of the square loss minus that of a method; nothing where it was not measured."""
    row = one(rows, method=method, tau=tau, **key)
    return -row["difference"] if row else None
