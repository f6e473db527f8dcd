"""bench/paper's parts huber and kappa: contamination, inverse transforms, small runs, and claims in both directions."""
import argparse
import importlib.util
import math
import pathlib
import sys
import types

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.kernel_ridge import KernelRidge

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH / "paper"), str(BENCH / "common")]

import huber_rows  # noqa: E402
import methods  # noqa: E402
import part_huber  # noqa: E402
import part_kappa  # noqa: E402
import record as records  # noqa: E402
import robust_iris as iris  # noqa: E402

IRIS = load_iris().data
SKLEARN_KERNEL = {"rbf:0.5": {"kernel": "rbf", "gamma": 0.5},
                  "laplace:1": {"kernel": lambda a, b: math.exp(-np.linalg.norm(a - b))}}


def plain(G, s, lam=0, mu=0.1):
    """Kernel PCA, a replacement for the methods to compare with."""
    values, vectors = np.linalg.eigh(G)
    return {"A": vectors[:, -s:] / np.sqrt(values[-s:]), "converged": True}


@pytest.fixture(autouse=True)
def others(monkeypatch):
    monkeypatch.setattr(methods, "comparison", lambda: types.SimpleNamespace(l1_kpca=plain, l21_rkpca=plain))


def options_of(part, **more):
    return argparse.Namespace(**(part.QUICK | more), datasets=types.SimpleNamespace(whole=lambda name: IRIS))


def run(part, folder, **more):
    rows = records.Record(folder, "part", part.COLUMNS, part.KEYS)
    part.measure(options_of(part, **more), rows)
    part.draw(records.read(rows.path), folder)
    return rows, records.read(rows.path)


# Contamination


def outliers(train):
    """Returns the training rows that are no rows of iris."""
    return [row for row in train if not (IRIS == row).all(axis=1).any()]


def test_eight_percent_of_the_training_rows_are_multiplied_and_no_test_row():
    train, test = iris.contaminated(IRIS, 100, 3)
    assert train.shape == (120, 4) and test.shape == (30, 4) and not outliers(test)
    assert len(outliers(train)) == 9
    for row in outliers(train):
        factors = row / IRIS
        assert np.isclose(factors, factors[:, :1]).all(axis=1).any()  # one number for the whole row


def test_tau_scales_the_same_numbers():
    near, far = iris.contaminated(IRIS, 10, 3)[0], iris.contaminated(IRIS, 100, 3)[0]
    changed = (near != far).all(axis=1)
    assert changed.sum() == 9
    assert np.allclose(far[changed], 10 * near[changed])


def test_tau_0_is_the_same_split_without_contamination():
    (clean, test), (train, same) = iris.drawn(IRIS, 0, 3), iris.drawn(IRIS, 100, 3)
    assert (test == same).all() and not outliers(clean) and (clean != train).any(axis=1).sum() == 9


def test_readings_of_the_contamination_keep_what_they_say():
    train, test = iris.contaminated_first(IRIS, 100, 3)
    everything = iris.tested_too(IRIS, 100, 3)[1]
    assert not outliers(test) and len(everything) == 30
    assert len(outliers(train)) + len(outliers(everything)) == 12  # 8 % of 150
    assert len(everything) - len(test) == len(outliers(everything))
    train, test = iris.centred_after(IRIS, 100, 3)
    assert np.allclose(train.mean(axis=0), 0) and not np.allclose(test.mean(axis=0), 0, atol=0.1)


# Inverse transforms


@pytest.mark.parametrize("kernel", SKLEARN_KERNEL)
def test_the_papers_inverse_transform_is_scikit_learns_ridge_on_unnormalised_scores(kernel):
    draw = iris.Draw(kernel, IRIS, 50, 0)
    H = iris.huber(kernel, draw.train, 2, "rows").dual_variables_
    ridge = KernelRidge(alpha=1.0, **SKLEARN_KERNEL[kernel]).fit(draw.G @ H, draw.train)
    expected = np.square(ridge.predict(draw.G_test @ H) - draw.test).mean()
    assert draw.error(H, "paper") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("kernel", SKLEARN_KERNEL)
def test_the_ridge_for_scores_of_any_method_is_that_of_the_library(kernel):
    draw = iris.Draw(kernel, IRIS, 50, 0)
    model = iris.huber(kernel, draw.train, 2, "rows")
    model._model.fit_inverse({"method": "ridge", "weights": "density"}, 1)
    expected = np.square(model.inverse_transform(model.transform(draw.test)) - draw.test).mean()
    assert draw.error(model.dual_variables_, "ours") == pytest.approx(expected, rel=1e-3)


def test_scores_alike_and_ours_do_not_depend_on_the_size_of_the_coefficients():
    draw = iris.Draw("rbf:0.5", IRIS, 50, 0)
    H = iris.fit("rbf:0.5", draw.train, 2).dual_variables_
    for scoring in ("alike", "ours"):
        assert draw.error(H, scoring) == pytest.approx(draw.error(7 * H, scoring), rel=1e-6)
    assert draw.error(H, "alike") == pytest.approx(draw.error(H, "paper"), rel=1e-6)  # H = G A is the square loss
    assert draw.error(7 * H, "paper") != pytest.approx(draw.error(H, "paper"), rel=0.1)


@pytest.mark.parametrize("norm", part_kappa.NORMS)
def test_huber_at_kappa_max_is_the_square_loss(norm):
    draw = iris.Draw("rbf:0.5", IRIS, 100, 1)
    square, huber = iris.fit("rbf:0.5", draw.train, 3), iris.huber("rbf:0.5", draw.train, 3, norm, ratio=1.0)
    for scoring in iris.SCORINGS:
        assert draw.error(huber.dual_variables_, scoring) == pytest.approx(
            draw.error(square.dual_variables_, scoring), rel=1e-5)


# Small runs


def test_huber_quick(tmp_path):
    record, rows = run(part_huber, tmp_path, taus=[0, 100])
    assert all(math.isfinite(row["mse"]) and row["mse"] > 0 and row["draws"] == 2 for row in rows)
    assert {row["method"] for row in rows if row["scoring"] == "ours"} == set(huber_rows.METHODS)
    assert {row["scoring"] for row in rows} == set(iris.SCORINGS) | set(huber_rows.VARIANTS)
    square, l1 = (huber_rows.one(rows, kernel="rbf:0.5", tau=100, scoring="alike", method=name)
                  for name in (iris.SQUARE, iris.L1))
    assert l1["mse"] == pytest.approx(square["mse"], rel=1e-4) and abs(l1["difference"]) < 1e-4  # `plain` is equal
    count = record.new
    part_huber.measure(options_of(part_huber, taus=[0, 100]), record)
    assert record.new == count > 0  # nothing is measured twice
    assert "huber rows, tau 0 |" in part_huber.section(rows)
    assert "### tab:huber\n" in part_huber.section(rows) and "nan" not in part_huber.section(rows)
    assert len(part_huber.claims(rows)) == 5


def test_kappa_quick(tmp_path):
    _, rows = run(part_kappa, tmp_path)
    assert len(rows) == 2 * 3 * len(iris.SCORINGS)
    assert all(math.isfinite(row["mse"]) and row["mse"] > 0 for row in rows)
    assert part_kappa.claims(rows)[0].verdict == "reproduced"  # equal at kappa_max
    assert "| rbf:0.5 |" in part_kappa.section(rows)
    assert (tmp_path / "kappa.svg").exists() or not importlib.util.find_spec("matplotlib")


def test_no_rows_no_verdict():
    assert {claim.verdict for part in (part_huber, part_kappa) for claim in part.claims([])} == {"not measured"}


# Claims on made-up rows


def made_up_rows(gains, to_rows=None, others=1.0):
    """Returns rows at tau 10 and 100; gains: by method, its error minus that of the square loss, standard error 0.1."""
    rows = []
    for kernel in ("rbf:0.5", "laplace:1"):
        for tau in (10, 100):
            for scoring in iris.SCORINGS:
                key = {"kernel": kernel, "tau": tau, "s": 2, "scoring": scoring, "sd": 1.0, "draws": 50}
                rows.append(key | {"method": iris.SQUARE, "mse": 8.0})
                for method, gain in gains.items():
                    rows.append(key | {"method": method, "mse": 8.0 + gain, "difference": gain,
                                       "difference error": 0.1})
                rows[-1] |= {"to rows": (to_rows or {10: 1.0, 100: -1.0})[tau], "to rows error": 0.1}
                rows += [key | {"method": method, "mse": 9.0, "to rows": others, "to rows error": 0.1}
                         for method in (iris.L1, iris.L21)]
    return rows


def verdicts_of(rows):
    return [claim.verdict for claim in part_huber.claims(rows)]


def test_huber_claims_that_hold():
    assert verdicts_of(made_up_rows({iris.ROWS: -1.0, iris.ENTRIES: -0.5})) == ["reproduced"] * 5


def test_huber_claims_that_do_not_hold():
    rows = made_up_rows({iris.ROWS: 1.0, iris.ENTRIES: 0.1}, to_rows={10: -1.0, 100: 1.0}, others=-1.0)
    assert verdicts_of(rows) == ["not reproduced"] * 5


def test_a_difference_within_noise_holds_nowhere_but_for_as_little_as():
    rows = made_up_rows({iris.ROWS: -1.0, iris.ENTRIES: -0.15}, to_rows={10: 0.1, 100: -1.0}, others=-0.1)
    assert verdicts_of(rows) == ["partly", "partly", "partly", "partly", "reproduced"]


def kappa_rows(errors, square=2.0):
    return [{"kernel": "rbf:0.5", "s": 2, "scoring": "paper", "norm": norm, "ratio": ratio, "tau": 100, "mse": mse,
             "sd": 0.5, "draws": 50, "square": square, "difference": mse - square, "difference error": 0.1}
            for norm in part_kappa.NORMS for ratio, mse in errors.items()]


def kappa_verdicts(errors):
    return [claim.verdict for claim in part_kappa.claims(kappa_rows(errors))]


def test_kappa_claims():
    assert kappa_verdicts({0.05: 9.0, 0.5: 1.5, 1: 2.0}) == ["reproduced"] * 3
    assert kappa_verdicts({0.05: 1.0, 0.5: 1.9, 1: 2.5}) == ["not reproduced"] * 3
    rows = kappa_rows({0.05: 9.0, 0.5: 1.5, 1: 2.0})
    rows[1]["difference"] = -0.1
    assert part_kappa.claims(rows)[2].verdict == "partly"


def test_the_papers_columns_of_its_own_losses_are_parabolas_in_tau():
    assert max(huber_rows.off_parabola(huber_rows.PAPER["rbf"][name]) for name in huber_rows.METHODS[:3]) < 1e-5
    assert min(huber_rows.off_parabola(huber_rows.PAPER["rbf"][name]) for name in (iris.L1, iris.L21)) > 0.05
