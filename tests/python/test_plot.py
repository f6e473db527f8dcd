"""dualkpca.plot: the pictures show the numbers of the model."""
import functools
import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import NotFittedError

import dualkpca
from dualkpca import plot

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402

KernelPCA = functools.partial(dualkpca.KernelPCA, n_jobs=1)  # small fits run beside other tests
IRIS = load_iris()
X, SPECIES = IRIS.data, IRIS.target_names[IRIS.target]


@pytest.fixture(scope="module")
def digits():
    return KernelPCA(n_components=7, kernel="rbf", gamma="median").fit(load_digits().data[:600])


@pytest.fixture(scope="module")
def iris():
    return KernelPCA(n_components=3, kernel="rbf", gamma="median", scale="standard", level=0.9).fit(X)


@pytest.fixture(scope="module")
def spoilt():
    """Returns rows of iris, some of them multiplied by ten or more, and which ones these are."""
    rows = X.copy()
    rng = np.random.default_rng(0)
    which = np.sort(rng.choice(len(X), 12, replace=False))
    rows[which] *= rng.uniform(10, 20, size=(12, 1))
    model = KernelPCA(n_components=2, kernel="rbf", gamma="median", scale="robust", loss="huber", level=0.9)
    return model.fit(rows), rows, which


@pytest.fixture(autouse=True)
def nothing_global():
    before = dict(matplotlib.rcParams)
    yield
    plt.close("all")
    assert dict(matplotlib.rcParams) == before


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def points(ax):
    """Returns all points of a scatter plot, in any order."""
    parts = [np.asarray(part.get_offsets()) for part in ax.collections]
    return np.vstack([part for part in parts if len(part)])


def same_points(found, expected):
    """Compares in any order: equal rows have scores that differ by rounding, so sorting would order them by chance."""
    assert found.shape == expected.shape
    distances = cdist(found, expected)
    assert distances[linear_sum_assignment(distances)].max() < 1e-10 * max(1, np.abs(expected).max())


def dashed(ax):
    return [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]


def horizontal(ax):
    return [first[1] for first, last in dashed(ax) if first[1] == last[1]]


def vertical(ax):
    return [first[0] for first, last in dashed(ax) if first[0] == last[0]]


def draws(figure):
    figure.canvas.draw()


# Properties of every picture


def every_picture(model, rows, axes=None, pair=None):
    yield plot.scree(model, ax=axes)
    yield plot.scores(model, ax=axes)
    yield plot.convergence(model, ax=axes)
    yield plot.outlier_map(model, ax=axes)
    yield plot.control_chart(model, ax=pair)
    yield plot.contributions(model, rows[0] + 1, ax=pair)


def test_axes_that_are_given_are_drawn_on_and_returned(iris):
    plt.close("all")
    figure, four = plt.subplots(2, 2)
    for returned in every_picture(iris, X, four[0, 0], four[1]):
        assert returned is four[0, 0] or all(a is b for a, b in zip(returned, four[1]))
    assert plt.get_fignums() == [figure.number]
    draws(figure)


def test_without_axes_a_figure_is_made_and_nothing_is_shown(iris, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *_, **__: pytest.fail("show() was called"))
    for number, returned in enumerate(every_picture(iris, X), 1):
        assert len(plt.get_fignums()) == number
        for ax in returned if isinstance(returned, tuple) else [returned]:
            assert ax.get_ylabel() or ax.get_xlabel()
            draws(ax.figure)


def test_a_model_that_is_not_fitted_is_refused():
    model = KernelPCA()
    for draw in (plot.scree, plot.scores, plot.convergence, plot.outlier_map, plot.control_chart):
        with pytest.raises(NotFittedError):
            draw(model)
    with pytest.raises(NotFittedError):
        plot.contributions(model, X[0])
    assert not plt.get_fignums()


@pytest.mark.parametrize("module", ["dualkpca", "dualkpca.plot"])
def test_matplotlib_is_not_imported_before_it_is_needed(module):
    program = f"import sys, {module}; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_without_matplotlib_one_sentence_says_what_to_install():
    program = """
import sys
sys.modules["matplotlib"] = None
from dualkpca import KernelPCA, plot
model = KernelPCA(n_components=1).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
try:
    plot.scree(model)
except ImportError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "python3-matplotlib" in run.stdout and "dualkpca[plot]" in run.stdout
    assert run.stdout.count("\n") == 1


# scree


def test_scree_has_a_bar_for_every_component_and_their_sum(digits):
    ax = plot.scree(digits)
    assert [bar.get_height() for bar in ax.patches] == list(digits.explained_variance_ratio_)
    (line,) = ax.lines
    np.testing.assert_allclose(line.get_ydata(), np.cumsum(digits.explained_variance_ratio_))
    assert legend_texts(ax) == ["each", f"together, {100 * digits.explained_variance_ratio_.sum():.3g} % in all"]
    draws(ax.figure)
    assert all(text.get_text().endswith(" %") for text in ax.get_yticklabels())
    assert [text.get_text() for text in ax.get_xticklabels()] == list("1234567")


def test_scree_of_unknown_shares_shows_eigenvalues():
    model = KernelPCA(n_components=3, kernel="sigmoid").fit(X)
    assert np.isnan(model.explained_variance_ratio_).all()
    ax = plot.scree(model)
    assert [bar.get_height() for bar in ax.patches] == list(model.eigenvalues_)
    assert ax.get_ylabel() == "eigenvalue"
    assert "%" not in plot.scores(model).get_xlabel()


def test_scree_of_one_of_many_and_of_no_component():
    assert len(plot.scree(KernelPCA(n_components=1).fit(X)).patches) == 1
    many = KernelPCA(kernel="rbf").fit(load_digits().data[:120])
    (outline,) = plot.scree(many).patches
    np.testing.assert_array_equal(outline.get_data().values, many.explained_variance_ratio_)
    none = KernelPCA(n_components=3, remove_zero_eig=True).fit(np.ones((5, 3)))
    assert none.eigenvalues_.size == 0
    for ax in (plot.scree(none), plot.scores(none)):
        assert [text.get_text() for text in ax.texts] == ["no components"]


# scores


def test_scores_of_training_rows_are_those_of_the_fit(iris):
    ax = plot.scores(iris)
    same_points(points(ax), KernelPCA(**iris.get_params()).fit_transform(X)[:, :2])
    shares = 100 * iris.explained_variance_ratio_
    assert ax.get_xlabel() == f"score on component 1 ({shares[0]:.3g} %)"
    assert ax.get_ylabel() == f"score on component 2 ({shares[1]:.3g} %)"
    assert ax.get_legend() is None


def test_scores_of_other_rows_and_other_components(iris):
    ax = plot.scores(iris, X[:20], components=(2, 0))
    same_points(points(ax), iris.transform(X[:20])[:, [2, 0]])
    assert ax.get_xlabel().startswith("score on component 3 (")


def test_classes_have_a_legend_and_a_look_of_their_own(iris):
    ax = plot.scores(iris, labels=SPECIES)
    assert legend_texts(ax) == ["setosa", "versicolor", "virginica"]
    assert [len(part.get_offsets()) for part in ax.collections] == [50, 50, 50]
    assert len({to_hex(part.get_facecolor()[0]) for part in ax.collections}) == 3
    assert len({part.get_paths()[0].vertices.tobytes() for part in ax.collections}) == 3
    same_points(np.asarray(ax.collections[1].get_offsets()), iris.transform(X)[50:100, :2])


@pytest.mark.parametrize("labels, legend", [
    (IRIS.target, ["0", "1", "2"]), (IRIS.target.astype(float), ["0.0", "1.0", "2.0"]),
    (X[:, 0] > 6, ["False", "True"]), (list(SPECIES), ["setosa", "versicolor", "virginica"]),
    (SPECIES.astype(object), ["setosa", "versicolor", "virginica"]), (X[:, 0], None), (np.arange(150), None)])
def test_what_is_a_class_and_what_a_number(iris, labels, legend):
    ax = plot.scores(iris, labels=labels)
    if legend:
        assert legend_texts(ax) == legend and len(ax.figure.axes) == 1
    else:
        assert ax.get_legend() is None
        _, bar = ax.figure.axes
        assert bar.get_ylabel() == "label"
        np.testing.assert_array_equal(ax.collections[0].get_array(), labels)


def test_the_name_of_a_series_is_shown(iris):
    class Series:
        def __init__(self, name, values):
            self.name, self.values = name, values

        def __array__(self, *_, **__):
            return np.asarray(self.values)

    assert plot.scores(iris, labels=Series("species", SPECIES)).get_legend().get_title().get_text() == "species"
    assert plot.scores(iris, labels=Series("length", X[:, 0])).figure.axes[1].get_ylabel() == "length"


def test_numbers_that_are_missing_are_crosses(iris):
    labels = X[:, 0].copy()
    labels[[3, 5]] = np.nan
    ax = plot.scores(iris, labels=labels)
    assert [len(part.get_offsets()) for part in ax.collections] == [2, 148]


def test_one_component_is_drawn_by_row():
    model = KernelPCA(n_components=1).fit(X)
    ax = plot.scores(model, labels=SPECIES)
    same_points(points(ax), np.column_stack([np.arange(150), model.transform(X)[:, 0]]))
    assert ax.get_xlabel() == "row, from 0"


def test_one_component_of_several(iris):
    same_points(points(plot.scores(iris, components=2)), np.column_stack([np.arange(150), iris.transform(X)[:, 2]]))


@pytest.mark.parametrize("components", [(0, 3), (-1, 0), (0, 1, 2), (), (0.5, 1), "ab"])
def test_components_that_are_not_there(iris, components):
    with pytest.raises(ValueError, match="components is .*accepted: "):
        plot.scores(iris, components=components)


def test_labels_that_do_not_fit(iris):
    with pytest.raises(ValueError, match=r"labels has shape \(149,\); there are 150 rows"):
        plot.scores(iris, labels=SPECIES[1:])
    with pytest.raises(ValueError, match="labels has 150 classes; at most 70 can be distinguished"):
        plot.scores(iris, labels=[f"row {k}" for k in range(150)])


def test_landmarks_and_sparse_models_show_all_training_rows():
    for options in ({"solver": "nystrom", "tol": 1e-2}, {"loss": "epsilon_insensitive", "sparsity": 0.9, "tol": 1e-4}):
        model = KernelPCA(n_components=2, kernel="rbf", gamma="median", **options).fit(X)
        assert model.X_fit_.shape[0] < 150
        np.testing.assert_allclose(points(plot.scores(model)), model.transform(X), atol=1e-5)


# convergence


def test_convergence_shows_the_history_and_the_tolerance():
    model = KernelPCA(n_components=2, kernel="rbf", tol=1e-4).fit(X)
    model.history_ = np.array([[1, 0.1], [2, 0.01], [5, 3e-5]])
    ax = plot.convergence(model)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), model.history_)
    assert horizontal(ax) == [1e-4]
    assert ax.get_yscale() == "log"
    assert legend_texts(ax) == ["tol 0.0001"]
    assert f"({model.eta_kind_})" in ax.get_title(loc="left") and model.solver_ in ax.get_title(loc="left")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("iteration", "eta")


def test_an_eta_of_zero_is_shown_below_the_others(digits):
    digits.history_ = np.array([[1, 0.1], [2, 1e-7], [3, 0.0]])
    ax = plot.convergence(digits)
    assert digits.tol == 0 and not horizontal(ax)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), digits.history_[:2])
    np.testing.assert_allclose(ax.lines[1].get_xydata(), [[3, 1e-8]])
    low, high = ax.get_ylim()
    assert 0 < low < 1e-8 and high > 0.1
    assert legend_texts(ax) == ["eta 0"]


@pytest.mark.parametrize("history, drawn", [([[7, 1e-3]], 1), ([[7, 0.0]], 0), ([[0, np.nan], [7, 1e-3]], 1),
                                            ([[7, np.nan]], None), (np.empty((0, 2)), None), (None, 1)])
def test_histories_of_next_to_nothing(iris, history, drawn):
    model = KernelPCA(**iris.get_params()).fit(X)
    if history is None:
        model.__dict__.pop("history_", None)
    else:
        model.history_ = np.array(history)
    ax = plot.convergence(model)
    draws(ax.figure)
    if drawn is None:
        assert [text.get_text() for text in ax.texts] == ["no iteration is known"]
    else:
        assert len(ax.lines[0].get_xdata()) == drawn


# outlier_map


def test_outlier_map_has_all_rows_limits_and_counts(iris):
    ax = plot.outlier_map(iris)
    same_points(points(ax), np.sqrt(np.column_stack([iris.t2_, iris.spe_])))
    assert vertical(ax) == [np.sqrt(iris.t2_limit_)] and horizontal(ax) == [np.sqrt(iris.spe_limit_)]
    out, off = iris.t2_ > iris.t2_limit_, iris.spe_ > iris.spe_limit_
    counts = {"within them": ~out & ~off, "above T2": out & ~off, "above SPE": off & ~out, "above both": out & off}
    expected = [f"{name}: {rows.sum()}" for name, rows in counts.items() if rows.any()]
    assert set(legend_texts(ax)) == {"limits at level 0.9", *expected}
    assert "T2" in ax.get_xlabel() and "SPE" in ax.get_ylabel()


def test_outlier_map_finds_spoilt_rows_and_names_the_most_extreme(spoilt):
    model, rows, which = spoilt
    ax = plot.outlier_map(model)
    named = [int(word) for text in ax.texts for word in text.get_text().split(", ")]
    assert len(named) == 5 and set(named) <= set(which)
    size = np.maximum(model.t2_ / model.t2_limit_, model.spe_ / model.spe_limit_)
    assert min(size[named]) >= (1 - 1e-9) * np.sort(size)[-5]  # such outlying rows have equal scores up to rounding
    # Outlying rows lie at one point, and one label has all their numbers.
    assert len(ax.texts) < 5


def test_outlier_map_of_other_rows_with_labels(spoilt):
    model, rows, which = spoilt
    kind = np.where(np.isin(np.arange(150), which), "spoilt", "sound")
    ax = plot.outlier_map(model, rows[:100], labels=kind[:100])
    t2, spe = model.monitor(rows[:100])
    outliers = (t2 > model.t2_limit_) | (spe > model.spe_limit_)
    assert legend_texts(ax) == ["limits at level 0.9", "sound", "spoilt", f"above a limit: {outliers.sum()}"]
    same_points(np.asarray(ax.collections[-1].get_offsets()), np.sqrt(np.column_stack([t2, spe])[outliers]))
    ax = plot.outlier_map(model, labels=rows[:, 0])
    assert len(ax.figure.axes) == 2


def test_outlier_map_without_limits():
    model = KernelPCA(n_components=2, kernel="rbf", limits="none").fit(X)
    ax = plot.outlier_map(model)
    assert not horizontal(ax) and not vertical(ax) and ax.get_legend() is None
    same_points(points(ax), np.sqrt(np.column_stack([model.t2_, model.spe_])))


def test_axes_are_logarithmic_only_where_outliers_would_press_the_rest_to_the_edge(spoilt, iris):
    _, rows, _ = spoilt
    model = KernelPCA(n_components=2, level=0.9).fit(rows * np.where(np.arange(150) == 7, 1e3, 1)[:, None])
    ax = plot.outlier_map(model)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert plot.control_chart(model)[0].get_yscale() == "log"
    ax = plot.outlier_map(iris)
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "linear")
    assert [ax.get_yscale() for ax in plot.control_chart(iris)] == ["linear", "linear"]


def test_statistics_that_a_kernel_does_not_have():
    precomputed = KernelPCA(n_components=2, kernel="precomputed").fit(X @ X.T)
    function = KernelPCA(n_components=2, kernel=lambda a, b: float(a @ b)).fit(X)
    for model in (precomputed, function):
        for draw in (plot.outlier_map, plot.control_chart):
            with pytest.raises(NotFittedError, match="a kernel that the library evaluates"):
                draw(model)
    with pytest.raises(AttributeError):
        plot.outlier_map(function, X)


# control_chart


def test_control_chart_marks_rows_above_limits(iris):
    for ax, values, limit in zip(plot.control_chart(iris), (iris.t2_, iris.spe_), (iris.t2_limit_, iris.spe_limit_)):
        within, beyond, line = ax.lines
        rows = np.flatnonzero(values > limit)
        assert len(rows) > 0
        np.testing.assert_array_equal(beyond.get_xydata(), np.column_stack([rows, values[rows]]))
        assert len(within.get_xdata()) + len(rows) == 150
        assert horizontal(ax) == [limit]
        assert f"{len(rows)} of 150 rows above the limit" in ax.get_title(loc="left")
        assert within.get_marker() != beyond.get_marker()


def test_control_chart_of_new_rows_of_a_series_counts_as_the_rows_do():
    model = KernelPCA(n_components=2, lags=2, kernel="rbf").fit(X)
    upper, lower = plot.control_chart(model, X[:30])
    rows = np.sort(np.concatenate([line.get_xdata() for line in upper.lines[:2]]))
    np.testing.assert_array_equal(rows, np.arange(2, 30))
    assert lower.get_xlabel() == "row, from 0"
    # Labels are given for all rows: those of the first two, which have no scores, are left out.
    assert [len(part.get_offsets()) for part in plot.scores(model, labels=SPECIES).collections] == [48, 50, 50]


def test_control_chart_without_limits():
    for ax in plot.control_chart(KernelPCA(n_components=2, limits="none").fit(X)):
        assert not horizontal(ax) and "no limit" in ax.get_title(loc="left")


def test_two_panels_need_two_axes(iris):
    with pytest.raises(ValueError, match="a pair of axes"):
        plot.control_chart(iris, ax=plt.subplots()[1])


# contributions


def test_contributions_are_those_of_the_model_the_largest_first(iris):
    row = X[0] + [0, 0, 6, 0]
    pair = plot.contributions(iris, row, feature_names=IRIS.feature_names)
    t2, spe = iris.monitor([row])
    for ax, parts, whole in zip(pair, iris.contributions([row]), (t2, spe)):
        order = np.argsort(-np.abs(parts[0]))
        order = order[np.abs(parts[0, order]) > 1e-3 * np.abs(parts[0]).max()]
        assert [bar.get_width() for bar in ax.patches] == list(parts[0, order])
        assert [text.get_text() for text in ax.get_yticklabels()] == [IRIS.feature_names[k] for k in order]
        assert f"{whole[0]:.4g}" in ax.get_title(loc="left")
    assert [ax.get_xlabel() for ax in pair] == ["contribution to T2", "contribution to SPE"]
    assert pair[1].get_yticklabels()[0].get_text() == "petal length (cm)"


def test_contributions_shown_are_few(digits):
    row = load_digits().data[700]
    assert [len(ax.patches) for ax in plot.contributions(digits, row)] == [10, 10]
    assert [len(ax.patches) for ax in plot.contributions(digits, [row], most=4)] == [4, 4]


def test_contributions_of_a_row_that_is_a_training_row(iris):
    normal = int(np.argmin(iris.spe_))
    for ax in plot.contributions(iris, X[normal]):
        assert [text.get_text() for text in ax.texts] == ["no difference from a training row"]


def test_contributions_of_a_series_and_of_too_many_rows():
    model = KernelPCA(n_components=2, lags=2, kernel="rbf").fit(X)
    row = X[:3] + [0, 0, 3, 0]
    assert [bar.get_width() for bar in plot.contributions(model, row)[1].patches][0] == \
        pytest.approx(model.contributions(row)[1][0].max())
    with pytest.raises(ValueError, match="x has 2 samples; the plot shows the contributions of one sample"):
        plot.contributions(model, X[:4])
    with pytest.raises(ValueError, match="feature_names has 3 names; x has 4 columns"):
        plot.contributions(model, row, feature_names=["a", "b", "c"])
