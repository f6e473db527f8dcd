"""bench/paper's parts about sparsity: quick runs, the error against explicit projections, verdicts on made-up rows."""
import math
import pathlib
import sys

import numpy as np
import pytest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH / "paper"), str(BENCH / "common")]

import methods  # noqa: E402
import paper  # noqa: E402
import part_sparse_methods  # noqa: E402
import part_sparsity  # noqa: E402
import record  # noqa: E402
import sparse_problem  # noqa: E402
from sparsity_search import ALLOWED, SparsitySearch  # noqa: E402

TINY = 1e-9


class Thresholded:
    """Replaces the compiled module: eigenvectors with entries moved towards 0, and one that is oblique."""

    @staticmethod
    def skpca(G, s, lambda1, **_):
        A = np.linalg.eigh(G)[1][:, -s:]
        A[:, 0] += 0.5 * A[:, -1]
        A = np.sign(A) * np.maximum(np.abs(A) - lambda1 / 2, 0)
        lengths = np.sqrt(np.einsum("ij,ij->j", A, G @ A))
        return {"A": A / np.where(lengths > 0, lengths, 1), "converged": True}

    sskpca = skpca


def quick_rows(module, folder, name):
    given = paper.parse([name, "--quick", "--output", str(folder), "--threads", "1"])
    rows = record.Record(folder, name, module.COLUMNS, module.KEYS)
    module.measure(paper.options_of(module, given), rows)
    return record.read(rows.path)


@pytest.fixture(scope="module")
def sparsity(tmp_path_factory):
    return quick_rows(part_sparsity, tmp_path_factory.mktemp("sparsity"), "sparsity")


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(methods, "comparison", lambda: Thresholded)
        return quick_rows(part_sparse_methods, tmp_path_factory.mktemp("methods"), "sparse_methods")


def test_a_quick_run_has_every_row_and_no_error_below_the_best(sparsity):
    assert len(sparsity) == 2 * 2 * 3
    for row in sparsity:
        assert all(math.isfinite(row[name]) for name in part_sparsity.COLUMNS if not isinstance(row[name], str)), row
        assert row["excess"] >= -TINY and row["converged"] == 1
        assert 0 <= row["sparsity"] <= 1 and 0 < row["kept"] <= 1 + TINY


def test_epsilon_zero_is_the_square_loss(sparsity):
    zero = [row for row in sparsity if row["epsilon"] == 0]
    assert len(zero) == 4
    for row in zero:
        assert abs(row["excess"]) < TINY and row["sparsity"] == 0 and row["kept"] == 1


def test_a_later_run_measures_nothing_again(tmp_path):
    first = quick_rows(part_sparsity, tmp_path, "sparsity")
    rows = record.Record(tmp_path, "sparsity", part_sparsity.COLUMNS, part_sparsity.KEYS)
    given = paper.parse(["sparsity", "--quick", "--output", str(tmp_path), "--threads", "1"])
    part_sparsity.measure(paper.options_of(part_sparsity, given), rows)
    assert rows.new == 0 and rows.rows == first


def test_an_epsilon_that_leaves_nothing_costs_everything():
    problem = sparse_problem.Problem("rbf:median", 60, 0)
    found = part_sparsity.measure_one(problem, 2, "rows", 2.0, 2, 1)
    assert found["sparsity"] == 1 and found["kept"] == 0 and found["left"] == 0
    assert found["ratio"] == pytest.approx(1 / (1 - found["explained"]))


def test_other_refusals_are_not_taken_for_nothing():
    with pytest.raises(ValueError):
        sparse_problem.fit(sparse_problem.Problem("rbf:median", 30, 0), 2, 1, loss="epsilon_insensitive", epsilon=-1.0)


def test_the_error_is_that_of_the_scores_the_estimator_gives():
    problem = sparse_problem.Problem("rbf:median", 100, 0)
    model = sparse_problem.fit(problem, 3, 1, loss="epsilon_insensitive", norm="rows", sparsity=0.5)
    error = problem.trace - np.square(model.transform(problem.X)).sum()
    assert sparse_problem.span_error(problem.G, model.dual_variables_) == pytest.approx(error, rel=1e-9)


@pytest.fixture
def linear():
    """Returns rows, their Gram matrix, and oblique directions with coefficients on some of the rows."""
    random = np.random.default_rng(1)
    X, B = random.normal(size=(40, 8)), random.normal(size=(40, 3))
    B[10:] = 0
    return X, X @ X.T, B


def projected(X, W):
    """Returns the squared distance of the rows from the span of the columns of W."""
    Q = np.linalg.qr(W)[0]
    return np.square(X - X @ Q @ Q.T).sum()


def test_the_error_of_a_span_is_that_of_the_projection(linear):
    X, G, B = linear
    assert sparse_problem.span_error(G, B) == pytest.approx(projected(X, X.T @ B))
    assert sparse_problem.span_error(G, np.hstack([B, B[:, :1]])) == pytest.approx(projected(X, X.T @ B))
    assert sparse_problem.span_error(G, 0 * B) == pytest.approx(np.trace(G))


def test_the_naive_error_is_right_for_orthonormal_directions_only(linear):
    X, G, B = linear
    W = np.linalg.qr(X.T @ B)[0]
    A = np.linalg.pinv(X.T) @ W
    assert sparse_problem.naive_error(G, A) == pytest.approx(projected(X, W))
    twice = A[:, [0, 0]]
    assert sparse_problem.naive_error(G, twice) < sparse_problem.span_error(G, twice) - 1


def test_refitted_components_are_the_best_of_their_rows(linear):
    X, G, B = linear
    support = np.arange(5)  # five rows span five dimensions
    Q = np.linalg.qr(X[support].T)[0]
    best = np.square(X).sum() - np.square(np.linalg.svd(X @ Q, compute_uv=False)[:3]).sum()
    assert sparse_problem.refitted_error(G, support, 3) == pytest.approx(best)
    assert sparse_problem.refitted_error(G, np.arange(10), 3) <= sparse_problem.span_error(G, B) + TINY
    values = np.linalg.eigvalsh(G)
    assert sparse_problem.refitted_error(G, np.arange(40), 3) == pytest.approx(np.trace(G) - values[-3:].sum())


def test_methods_have_every_row_and_no_span_errs_less_than_the_best(compared):
    kinds = {(row["method"], row["error"]) for row in compared}
    assert len(kinds) == 7 and len(compared) == 2 * 2 * 7
    for row in compared:
        assert math.isfinite(row["ratio"]) and row["draws"] == 1
        assert row["error"] == "naive" or row["excess"] >= -TINY


def test_every_method_has_the_share_of_zeros_it_was_asked_for(compared):
    for row in compared:
        assert part_sparse_methods.met(row), row
        assert row["sparsity"] == row["zero rows" if row["method"].startswith("l_eps^2") else "zero entries"]


def test_the_search_shares_its_solutions_and_ends_where_the_share_jumps():
    asked = []

    def solve(lambda1):
        asked.append(lambda1)
        return {"sparsity": min(1, lambda1 ** 0.3) if lambda1 < 0.1 else 0.9}

    search = SparsitySearch(solve, 1.0)
    assert abs(search.nearest(0.3)["sparsity"] - 0.3) <= ALLOWED
    first = len(asked)
    assert search.nearest(0.3) and len(asked) == first <= 10
    assert search.nearest(0.75)["sparsity"] == 0.9 and len(asked) == len(set(asked))


def test_refitting_never_costs_and_the_paper_stands_beside(compared):
    for of_kernel in part_sparse_methods.find(compared).values():
        for target, row in of_kernel["l_eps^2"].items():
            assert of_kernel["l_eps^2, refitted"][target]["excess"] <= row["excess"] + TINY
    papers = {row["target"]: row["paper"] for row in compared if row["method"] == "l_eps^inf"}
    assert papers == {0.2: 1.03824, 0.5: 1.08127}


def test_charts_and_sections_of_quick_runs(sparsity, compared, tmp_path):
    part_sparsity.draw(sparsity, tmp_path)
    part_sparse_methods.draw(compared, tmp_path)
    names = {path.name for path in tmp_path.glob("*.svg")}
    assert not names or names == {"sparse_methods.svg"} | {f"sparsity-{figure}-rbf-{rule}.svg"
                                                           for figure in ("block", "coordinate")
                                                           for rule in ("0.5", "median")}
    assert "| rbf:median | l_eps^inf | 3 |" in part_sparsity.section(sparsity)
    text = part_sparse_methods.section(compared)
    assert "| paper | l_eps^2 |  | 1.06966 | 1.10164 |" in text and "our reconstruction" in text
    assert "Nearest to the paper's figures: of SKPCA" in text


def made_up(points, s=5, kernel="rbf:median", norm="rows", explained=0.5):
    """Returns the rows of a line from (epsilon, sparsity, excess)."""
    return [{"kernel": kernel, "norm": norm, "s": s, "n": 10, "share": epsilon, "epsilon": epsilon,
             "sparsity": sparsity, "excess": excess, "explained": explained, "draws": 1}
            for epsilon, sparsity, excess in points]


GOOD = [(0, 0, 0.0), (0.1, 0.2, 0.0005), (0.2, 0.6, 0.1), (0.3, 0.95, 0.2)]
HARDER = [(0, 0, 0.0), (0.1, 0.1, 0.001), (0.2, 0.5, 0.2), (0.3, 0.95, 0.4)]


def verdicts(rows):
    return [claim.verdict for claim in part_sparsity.claims(rows) if claim.label == "fig:sparsity:block"]


def test_claims_about_rows_as_the_paper_has_them():
    rows = made_up(GOOD) + made_up(HARDER, s=10)
    assert verdicts(rows) == ["reproduced"] * 6
    assert "rbf:median 1.05025" in part_sparsity.claims(rows)[3].figure


def test_claims_about_rows_that_say_the_opposite():
    wrong = [(0, 0.1, 0.3), (0.1, 0.2, 0.25), (0.2, 0.15, 0.2), (0.3, 0.9, 0.18)]
    rows = made_up(wrong) + made_up([(epsilon, min(1, zeros + 0.05), excess / 2) for epsilon, zeros, excess in wrong],
                                    s=10)
    assert verdicts(rows) == ["not reproduced"] * 6


def test_claims_that_hold_with_one_kernel_are_partly_reproduced():
    worse = [(0, 0, 0.0), (0.1, 0.2, 0.1), (0.2, 0.1, 0.3), (0.3, 0.95, 0.2)]
    rows = made_up(GOOD) + made_up(HARDER, s=10) + made_up(worse, kernel="rbf:0.5") + \
        made_up([(epsilon, zeros and zeros + 0.04, excess / 2) for epsilon, zeros, excess in worse], s=10,
                kernel="rbf:0.5")
    assert verdicts(rows) == ["partly"] * 6


def test_without_rows_nothing_is_claimed():
    for module in (part_sparsity, part_sparse_methods):
        assert {claim.verdict for claim in module.claims([])} == {"not measured"}
    single = [claim.verdict for claim in part_sparsity.claims(made_up(GOOD, s=7))][:6]
    assert single == ["reproduced"] * 3 + ["not measured"] * 3  # no s = 5, and nothing to compare with


def test_an_error_ratio_at_a_sparsity_is_interpolated():
    line = made_up(GOOD)
    assert part_sparsity.at_sparsity(line, 0.4, "excess") == pytest.approx(0.05025)
    assert part_sparsity.at_sparsity(line, 0, "excess") == 0
    assert math.isnan(part_sparsity.at_sparsity(line, 0.99, "excess"))


def method_rows(excesses):
    """Returns a row for each method at two shares of zeros."""
    return [{"kernel": "rbf:median", "s": 5, "method": method, "target": target, "sparsity": target, "error": "span",
             "excess": times * excess, "largest ratio": 1.9, "draws": 1}
            for method, excess in excesses.items() for target, times in ((0.1, 1), (0.5, 2))]


@pytest.mark.parametrize("excesses, expected", [
    ((0.4, 0.3, 0.2, 0.1), ["reproduced", "reproduced", "reproduced"]),
    ((0.1, 0.2, 0.3, 0.4), ["not reproduced", "not reproduced", "not reproduced"]),
    ((0.4, 0.1, 0.2, 0.05), ["partly", "reproduced", "reproduced"]),
])
def test_claims_about_methods(excesses, expected):
    found = part_sparse_methods.claims(method_rows(dict(zip(part_sparse_methods.METHODS, excesses))))
    assert [claim.verdict for claim in found] == expected
    assert "our reconstructions" in found[0].figure and "our reconstructions" not in found[1].figure


def test_ratios_at_another_share_of_zeros_are_shown_with_it_and_not_compared():
    rows = method_rows(dict(zip(part_sparse_methods.METHODS, (0.4, 0.3, 0.2, 0.1))))
    for row in rows:
        row["sparsity"] = 0.9
    assert {claim.verdict for claim in part_sparse_methods.claims(rows)} == {"not measured"}
    assert "1.20000 (at 90%)" in part_sparse_methods.section(rows)
