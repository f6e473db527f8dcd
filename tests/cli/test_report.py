"""The JSON report, the text of info, help and version."""
import json
import re

import numpy as np
import pytest

NUMBER = (int, float)
FIELDS = {
    "status": str, "solver": str, "gram": str, "precision": str, "n_samples": int, "n_features": int,
    "features_used": int,
    "n_components": int, "gamma": NUMBER, "loss": str, "norm": type(None), "kappa": type(None), "epsilon": type(None),
    "products": int, "iterations": int, "eta": NUMBER, "eta_kind": str, "dual_objective": float,
    "primal_objective": float, "eigenvalues": list, "explained_variance_ratio": list, "sparsity": type(None),
    "support_size": int, "product_columns": int, "kernel_columns": int, "seconds": dict, "peak_memory_bytes": int,
    "kernel": str, "degree": type(None), "coef0": type(None), "center": bool, "scale": str, "tol": float,
    "max_iter": int, "seed": int, "threads": int, "message": str, "notes": list, "version": str,
    "limits": dict, "level": float, "folds": int, "lags": int,
}


def test_every_field_has_its_type(place, iris_csv):
    place.succeed("fit", iris_csv, "--label-col", "species", "-o", "m.dkpca", "--json", "r.json", "--solver", "lbfgs")
    text = (place.path / "r.json").read_text()
    assert "NaN" not in text and "Infinity" not in text
    report = json.loads(text)
    for name, kind in FIELDS.items():
        assert isinstance(report[name], kind), name
    assert report["status"] == "converged"
    assert report["solver"] == "lbfgs"
    assert report["loss"] == "square"
    assert report["eta_kind"] == "estimated"
    assert report["eta"] <= report["tol"] == 1e-5
    assert report["n_samples"] == 150 and report["n_features"] == 4
    assert len(report["eigenvalues"]) == len(report["explained_variance_ratio"]) == report["n_components"] == 2
    assert report["eigenvalues"] == sorted(report["eigenvalues"], reverse=True)
    assert report["product_columns"] >= report["products"] >= 1
    assert report["threads"] >= 1
    assert report["peak_memory_bytes"] > 1e6
    stages = dict(report["seconds"])
    assert stages.pop("total") == pytest.approx(sum(stages.values()))
    assert len(stages) >= 2


def test_info_json_is_the_report_of_the_fit(place, iris_csv):
    place.succeed("fit", iris_csv, "--label-col", "species", "-o", "m.dkpca", "--json", "r.json", "--kernel", "poly")
    report = json.loads((place.path / "r.json").read_text())
    assert json.loads(place.succeed("info", "m.dkpca", "--json").stdout) == report
    assert report["degree"] == 3 and report["coef0"] == 1


def test_rank_deficient_data_give_zeros_and_no_nan(place):
    x = np.random.default_rng(0).normal(size=(50, 1))
    place.save("X.npy", np.hstack([x, 2 * x]))
    place.succeed("fit", "X.npy", "--kernel", "linear", "--n-components", "5", "-o", "m.dkpca", "--json", "r.json",
                  "--scores", "s.csv")
    report = json.loads((place.path / "r.json").read_text())
    assert report["eigenvalues"][1:] == [0, 0, 0, 0]
    assert np.isfinite(place.read_scores("s.csv")).all()


def test_info_tells_what_the_model_knows(place, iris_csv):
    place.succeed("fit", iris_csv, "--label-col", "species", "-o", "m.dkpca", "--scale", "robust",
                  "--n-components", "12", "--kernel", "laplace", "--gamma", "0.5", "--seed", "11")
    text = place.succeed("info", "m.dkpca").stdout
    for words in ("150 rows x 4 features", "laplace, gamma 0.5, centred, columns scaled: robust", "converged",
                  "eigenvalue", "ratio", "cumulative", "peak memory"):
        assert words in text
    assert re.search(r"^ +12 ", text, re.MULTILINE), "all components are listed"
    assert re.search(r"^ +seed +11$", text, re.MULTILINE)


def test_version(place):
    assert re.fullmatch(r"dualkpca \d+\.\d+\.\d+\n", place.succeed("--version").stdout)


@pytest.mark.parametrize("command", ["fit", "transform", "inverse", "denoise", "score", "path", "info"])
def test_help_has_a_line_for_each_option_and_an_example(place, command):
    text = place.succeed(command, "--help").stdout
    assert place.succeed(command, "-h").stdout == text
    lines = text.splitlines()
    assert lines[-2] == "Example:" and lines[-1].startswith(f"  dualkpca {command} ")
    assert max(map(len, lines)) <= 120
    options = [line for line in lines if re.match(r"  (-\w,)?--", line)]
    assert options
    for line in options:
        assert "(default" in line or "(required)" in line or "--help" in line, line


def test_help_of_the_whole(place):
    text = place.succeed("--help").stdout
    for command in ("fit", "transform", "inverse", "denoise", "score", "info"):
        assert f"\n  {command} " in text


def test_choices_of_the_help_are_accepted(place, iris_csv):
    text = place.succeed("fit", "--help").stdout
    choices = {"--scale": 4, "--solver": 9, "--accuracy": 2, "--gram": 2, "--precision": 3, "--limits": 6}
    for option, count in choices.items():
        # The names end the line of the option or, if it is long, have a line of their own.
        entry = re.search(rf"^  {option} .*\n(?: {{20,}}.*\n)?", text, re.MULTILINE).group(0)
        names = re.search(r":\s+([\w, ]+?)(?: \(default [\w.]+\))?\n\Z", entry).group(1).split(", ")
        assert len(names) == count
        for name in names:
            place.succeed("fit", iris_csv, "--label-col", "species", option, name, "-o", "m.dkpca", "--quiet")
