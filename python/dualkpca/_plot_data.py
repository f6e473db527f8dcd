"""Data of a model for the plots of dualkpca.plot."""
from collections import namedtuple

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

ANNOTATED = 5  # largest number of rows with a number in an outlier map


class Statistics(namedtuple("Statistics", "rows t2 spe t2_limit spe_limit")):
    """T2 and SPE of rows, the numbers of the rows, and the limits, which are None if there are none."""

    @property
    def far_out(self):
        return above(self.t2, self.t2_limit)

    @property
    def far_off(self):
        return above(self.spe, self.spe_limit)


def training_scores(model):
    return np.asarray(model.eigenvectors_) * np.sqrt(np.maximum(model.eigenvalues_, 0))


def chosen_components(components, count):
    """Returns one or two columns of the scores. The default becomes one column if there is only one component."""
    chosen = tuple(np.atleast_1d(components))
    if chosen == (0, 1) and count < 2:
        chosen = chosen[:count]
    if len(chosen) > 2 or (count > 0 and not chosen):
        raise ValueError(f"components is {components}; accepted: one or two columns of the scores")
    if not all(isinstance(k, (int, np.integer)) and 0 <= k < count for k in chosen):
        raise ValueError(f"components is {components}; accepted: columns of the scores, 0 to {count - 1}")
    return tuple(int(k) for k in chosen)


def name_of(model, component):
    share = np.asarray(model.explained_variance_ratio_)[component]
    return f"component {component + 1}" + (f" ({100 * share:.3g} %)" if np.isfinite(share) else "")


def row_numbers(model, count):
    """Returns the number of the row of each sample. The first `lags` rows of a series have no sample."""
    first = getattr(model, "lags", 0)
    return np.arange(first, first + count)


def labels_of(labels, model, count):
    """Returns the labels and their name, which a pandas series has."""
    if labels is None:
        return None, None
    title = getattr(labels, "name", None)
    labels = np.asarray(labels)
    lags = getattr(model, "lags", 0)
    if labels.shape == (count + lags,):
        return labels[lags:], title
    if labels.shape != (count,):
        raise ValueError(f"labels has shape {labels.shape}; there are {count} rows, and each needs one label")
    return labels, title


def statistics_of(model, X):
    check_is_fitted(model)
    if X is not None:
        t2, spe = model.monitor(X)
    elif hasattr(model, "t2_"):
        t2, spe = model.t2_, model.spe_
    else:
        raise NotFittedError("T2 and SPE of the training rows are unknown: they need a kernel that the library evaluates, "
                             "not a precomputed matrix or a function")
    return Statistics(row_numbers(model, len(t2)), np.asarray(t2), np.asarray(spe), *limits_of(model))


def limits_of(model):
    return [getattr(model, name, None) for name in ("t2_limit_", "spe_limit_")]


def above(values, limit):
    return np.zeros(values.shape, dtype=bool) if limit is None else values > limit


def most_extreme(x, y, limits, outliers):
    """Returns the rows that get a number, the most extreme first: outliers, or any rows if there are no limits."""
    def relative(values, limit):
        size = limit if limit else values.max(initial=0)
        return values / size if size > 0 else np.zeros(values.shape)
    size = np.maximum(relative(x, limits[0]), relative(y, limits[1]))
    order = np.argsort(-size, kind="stable")
    if limits[0] is not None:
        order = order[outliers[order]]
    return order[:ANNOTATED]
