"""Plots of a fitted KernelPCA with matplotlib.

>>> from dualkpca import KernelPCA, plot
>>> from sklearn.datasets import load_iris
>>> X, y = load_iris(return_X_y=True)
>>> axes = plot.scores(KernelPCA(n_components=2, kernel="rbf", gamma="median").fit(X), labels=y)

Every function draws on the given axes, or on a new figure if there are none, and returns the axes. The caller shows or
saves the figure. No global state changes, and matplotlib is imported at the first plot. Rows are counted from 0, as
Python indexes them. Components are counted from 1, as in the report.
"""
import numpy as np
from sklearn.utils.validation import check_is_fitted

from dualkpca import _drawing as drawing
from dualkpca import _plot_data as plot_data

__all__ = ["scree", "scores", "convergence", "outlier_map", "control_chart", "contributions"]


def scree(model, ax=None):
    """Plots the explained variance of each component as bars, and their sum as a line.

    The axis has shares of the variance, or eigenvalues if the shares are unknown, as with an indefinite kernel.
    """
    check_is_fitted(model)
    ax = drawing.axes_or_new(ax)
    ratios = np.asarray(model.explained_variance_ratio_)
    is_share = bool(np.all(np.isfinite(ratios)))
    heights = ratios if is_share else np.asarray(model.eigenvalues_, dtype=float)
    ax.set_xlabel("component")
    ax.set_ylabel("explained share of the variance" if is_share else "eigenvalue")
    if heights.size == 0:
        return drawing.without_content(ax, "no components")
    together = np.cumsum(heights)
    total = f"{100 * together[-1]:.3g} %" if is_share else f"{together[-1]:.4g}"
    numbers = np.arange(1, heights.size + 1)
    if heights.size <= drawing.MANY_BARS:
        bars = ax.bar(numbers, heights, width=0.8, color=drawing.BLUE)
    else:
        bars = ax.stairs(heights, np.arange(heights.size + 1) + 0.5, fill=True, color=drawing.BLUE)
    (line,) = ax.plot(numbers, together, color="black", marker="o" if heights.size <= 40 else None, markersize=4)
    ax.set_xlim(0.4, heights.size + 0.6)
    ax.set_ylim(0, 1.05 * together[-1] or 1)
    drawing.whole_numbers(ax.xaxis, heights.size)
    if is_share:
        ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.4g} %")
    else:
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:.4g}")
    drawing.tidy(ax, "y")
    drawing.legend_above(ax, handles=[bars, line], labels=["each", f"together, {total} in all"])
    return ax


def scores(model, X=None, *, components=(0, 1), labels=None, ax=None):
    """Plots the scores of the training rows, or of X, on two components. On one component, plots them by row.

    components: one or two columns of the scores, counted from 0.
    labels: one label for each row. Classes get a legend, other numbers get a colour bar. Labels are classes if they are
    not numbers, or if they are whole numbers with at most 12 different values.
    """
    check_is_fitted(model)
    count = np.asarray(model.eigenvalues_).size
    chosen = plot_data.chosen_components(components, count)
    values = plot_data.training_scores(model) if X is None else model.transform(X)
    labels, title = plot_data.labels_of(labels, model, values.shape[0])
    own_figure = ax is None
    ax = drawing.axes_or_new(ax)
    if not chosen:
        return drawing.without_content(ax, "no components")
    if len(chosen) == 1:
        points = plot_data.row_numbers(model, values.shape[0]), values[:, chosen[0]]
        ax.set_xlabel("row, from 0")
        ax.set_ylabel(f"score on {plot_data.name_of(model, chosen[0])}")
    else:
        points = values[:, chosen[0]], values[:, chosen[1]]
        ax.set_xlabel(f"score on {plot_data.name_of(model, chosen[0])}")
        ax.set_ylabel(f"score on {plot_data.name_of(model, chosen[1])}")
    drawing.tidy(ax, "both")
    ax.axhline(0, color=drawing.GREY, linewidth=0.8, zorder=0.9)
    if len(chosen) == 2:
        ax.axvline(0, color=drawing.GREY, linewidth=0.8, zorder=0.9)
    if labels is None:
        drawing.scatter(ax, *points)
    elif drawing.are_classes(labels):
        drawing.scatter_classes(ax, *points, labels)
        drawing.place_legend(ax, own_figure, title, len(labels))
    else:
        drawing.scatter_numbers(ax, *points, labels, title)
    return ax


def convergence(model, ax=None):
    """Plots the error eta by iteration on a logarithmic axis, and the tolerance."""
    check_is_fitted(model)
    ax = drawing.axes_or_new(ax)
    known = getattr(model, "history_", None)
    history = np.array([[model.n_iter_, model.eta_]] if known is None else known, dtype=float).reshape(-1, 2)
    history = history[np.all(np.isfinite(history), axis=1)]
    ax.set_title(f"{model.solver_}, {model.status_}: eta {model.eta_:.2g} ({model.eta_kind_})", loc="left", fontsize=11)
    ax.set_xlabel("iteration")
    ax.set_ylabel("eta")
    if history.shape[0] == 0:
        return drawing.without_content(ax, "no iteration is known")
    iterations, eta = history.T
    above_zero = eta > 0
    levels = np.append(eta[above_zero], model.tol if model.tol > 0 else [])
    # An eta of exactly 0 is drawn below all others.
    floor = 0.1 * levels.min() if levels.size else np.finfo(float).eps
    zeros = iterations[~above_zero]
    ax.set_yscale("log")
    ax.plot(iterations[above_zero], eta[above_zero], color=drawing.BLUE, marker="o" if len(eta) <= 60 else None,
            markersize=4)
    if zeros.size:
        ax.plot(zeros, np.full(zeros.size, floor), linestyle="none", marker="v", color=drawing.BLUE, markersize=8,
                label="eta 0")
    if model.tol > 0:
        ax.axhline(model.tol, color=drawing.RED, linestyle="--", linewidth=1.4, label=f"tol {model.tol:g}")
    if model.tol > 0 or zeros.size:
        ax.legend(frameon=False)
    ax.set_ylim(floor / 4, 3 * levels.max() if levels.size else 10 * floor)
    drawing.whole_numbers(ax.xaxis)
    if iterations.min() == iterations.max():
        ax.set_xlim(iterations[0] - 1, iterations[0] + 1)
    drawing.tidy(ax, "both")
    return ax


def outlier_map(model, X=None, *, labels=None, ax=None):
    """Plots the square root of T2 against that of SPE, with the limits of the fit, for the training rows or for X.

    T2 (Hotelling's T-squared) is the squared distance of a row from the centre within the components. SPE (squared
    prediction error) is the squared distance of a row from the components. Rows above a limit are marked, and the most
    extreme ones have their number beside them. With labels, the labels determine colours and marks (as in scores()),
    and rows above a limit have a circle. The plot follows Debruyne, Hubert and Van Horebeek, Detecting influential
    observations in kernel PCA (2010).
    """
    statistics = plot_data.statistics_of(model, X)
    labels, title = plot_data.labels_of(labels, model, statistics.rows.size)
    own_figure = ax is None
    ax = drawing.axes_or_new(ax)
    x, y = np.sqrt(np.maximum(statistics.t2, 0)), np.sqrt(np.maximum(statistics.spe, 0))
    outliers = statistics.far_out | statistics.far_off
    ax.set_xlabel("score distance √T2, in standard deviations")
    ax.set_ylabel("orthogonal distance √SPE, of features")
    limits = [None if limit is None else np.sqrt(limit) for limit in (statistics.t2_limit, statistics.spe_limit)]
    for axis, values, limit in zip((ax.xaxis, ax.yaxis), (x, y), limits):
        drawing.scale_from_zero(axis, values, limit, power=0.5)
    drawing.tidy(ax, "both")
    if limits[0] is not None:
        ax.axvline(limits[0], **drawing.LIMIT_LINE)
        ax.axhline(limits[1], **drawing.LIMIT_LINE, label=f"limits at level {model.level:g}")
    if labels is not None and not drawing.are_classes(labels):
        drawing.scatter_numbers(ax, x, y, labels, title)
    elif labels is not None:
        drawing.scatter_classes(ax, x, y, labels)
    elif limits[0] is None:
        drawing.scatter(ax, x, y)
    else:
        drawing.scatter_sides(ax, x, y, statistics.far_out, statistics.far_off)
    if labels is not None and outliers.any():
        ax.scatter(x[outliers], y[outliers], s=110, facecolors="none", edgecolors="black", linewidths=1, zorder=3,
                   label=f"above a limit: {np.count_nonzero(outliers)}")
    if labels is None or not drawing.are_classes(labels):
        drawing.legend_above(ax)
    else:
        drawing.place_legend(ax, own_figure, title, len(labels))
    drawing.annotate(ax, x, y, statistics.rows, plot_data.most_extreme(x, y, limits, outliers))
    return ax


def control_chart(model, X=None, *, ax=None):
    """Plots T2 and SPE by row, one above the other, with the limits of the fit, for the training rows or for X.

    Rows above a limit are marked. T2 and SPE are explained at outlier_map().
    ax: a pair of axes. The function returns a pair.
    """
    statistics = plot_data.statistics_of(model, X)
    upper, lower = drawing.pair_or_new(ax, rows=2, sharex=True, figsize=(8, 5))
    drawing.draw_chart(upper, "T2", "T2", statistics.rows, statistics.t2, statistics.t2_limit)
    drawing.draw_chart(lower, "SPE (squared distance)", "SPE", statistics.rows, statistics.spe, statistics.spe_limit)
    lower.set_xlabel("row, from 0")
    return upper, lower


def contributions(model, x, *, feature_names=None, ax=None, most=10):
    """Plots the contributions of the columns to T2 and to SPE of the row x, the largest first, at most `most` of each.

    They add up to the difference from the nearest training row, of the 90 % with the smallest SPE. With lags, x is the
    row together with the rows before it.
    ax: a pair of axes. The function returns a pair.
    """
    check_is_fitted(model)
    x = x if getattr(x, "ndim", 1) == 2 else np.reshape(x, (1, -1))
    parts = model.contributions(x)
    if parts[0].shape[0] != 1:
        raise ValueError(f"x has {parts[0].shape[0]} samples; the plot shows the contributions of one sample")
    names = feature_names if feature_names is not None else getattr(model, "feature_names_in_", None)
    names = [f"x{k}" for k in range(parts[0].shape[1])] if names is None else [str(name) for name in names]
    if len(names) != parts[0].shape[1]:
        raise ValueError(f"feature_names has {len(names)} names; x has {parts[0].shape[1]} columns")
    wholes = [float(statistic[0]) for statistic in model.monitor(x)]
    limits = plot_data.limits_of(model)
    orders = [drawing.largest(part[0], most) for part in parts]
    shown = max(3, *map(len, orders))
    pair = drawing.pair_or_new(ax, columns=2, figsize=(8, 1 + 0.32 * shown))
    for axes, title, part, order, whole, limit in zip(pair, ("T2", "SPE"), parts, orders, wholes, limits):
        drawing.draw_parts(axes, title, [names[k] for k in order], part[0, order], whole, limit)
        axes.set_ylim(shown - 0.5, -0.5)  # bars have the same thickness on both sides
    return pair
