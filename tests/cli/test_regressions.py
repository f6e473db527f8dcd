"""One test for each fault that a user found or could have found."""
import json
import resource
import subprocess

import numpy as np
import pytest

from workplace import COMMAND, HANG_GUARD, TWO_THREADS, assert_one_line, limits_file_size, measures_memory


@limits_file_size
def test_a_file_size_limit_is_an_error_and_leaves_nothing(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(50, 3)))
    before = place.files()
    result = subprocess.run(
        [COMMAND, "fit", "X.npy", "-o", "m.safetensors", "--quiet"], cwd=place.path, text=True, capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)), timeout=HANG_GUARD)
    assert result.returncode == 5, result.stderr
    assert_one_line(result.stderr, "m.safetensors")
    assert place.files() == before


def test_a_device_is_no_model(place):
    place.fail(3, "info", "/dev/zero", says="regular file")


def test_the_header_is_shown_so_that_a_lost_row_is_seen(place):
    place.write("typo.csv", "12,2O\n3,4\n5,7\n6,1\n")
    assert "12, 2O" in place.succeed("fit", "typo.csv", "-o", "m.safetensors").stdout


def test_large_numbers_give_scores_and_not_nan(place):
    place.save("X.npy", 1e12 * np.random.default_rng(0).normal(size=(300, 4)))
    place.succeed("fit", "X.npy", "--kernel", "linear", "-o", "m.safetensors")
    place.succeed("transform", "m.safetensors", "X.npy", "-o", "scores.csv")
    assert np.isfinite(place.read_scores("scores.csv")).all()


def test_components_hidden_by_rounding_are_told(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(100, 4)))
    assert "components are zero" in place.succeed("fit", "X.npy", "--gamma", "1e-12", "-o", "m.safetensors").stdout


@measures_memory
def test_a_wide_sparse_file_takes_memory_for_its_entries(place):
    place.write("wide.libsvm", "1 2147483647:1\n1 1:2\n")
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (600 << 20, 600 << 20))
    for command in (["fit", "wide.libsvm", "-o", "m", "--n-components", "1", "--gamma", "scale", "--quiet"],
                    ["transform", "m", "wide.libsvm", "-o", "s.csv", "--quiet"]):
        subprocess.run([COMMAND, *command], cwd=place.path, check=True, preexec_fn=limit, env=TWO_THREADS,
                       timeout=HANG_GUARD)


def test_sigmoid_of_many_rows_finds_its_components(place):
    """The dual needs a positive semi-definite kernel, and sigmoid is not one: auto takes another solver."""
    place.save("X.npy", np.random.default_rng(9).normal(size=(1200, 10)))
    result = place.succeed("fit", "X.npy", "-o", "m", "--kernel", "sigmoid")
    assert "lanczos" in result.stdout and "converged" in result.stdout
    place.fail(3, "fit", "X.npy", "-o", "n", "--kernel", "sigmoid", "--solver", "lbfgs", "--quiet", says=["X.npy", "lanczos"])


def test_an_indefinite_kernel_has_no_ratios(place):
    place.save("X.npy", np.random.default_rng(9).normal(size=(300, 10)))
    result = place.succeed("fit", "X.npy", "-o", "m", "--kernel", "sigmoid", "--gamma", ".1", "--coef0=-1", "--no-center",
                           "--json", "r.json")
    assert "not positive semi-definite" in result.stdout
    report = json.loads((place.path / "r.json").read_text())
    assert report["explained_variance_ratio"] == [None, None]


@pytest.mark.parametrize("solver", ["lanczos", "lbfgs", "dense", "rsvd"])
def test_very_small_numbers_are_refused_not_taken_for_zero(place, solver):
    place.save("X.npy", np.random.default_rng(0).normal(size=(50, 4)) * 1e-140)
    place.fail(3, "fit", "X.npy", "-o", "m", "--kernel", "linear", "--precision", "float64", "--solver", solver, "--quiet",
               says=["too small for float64"])


def test_lanczos_of_equal_eigenvalues_converges(place):
    place.save("X.npy", np.arange(300.0).reshape(-1, 1))
    place.succeed("fit", "X.npy", "-o", "m", "--gamma", "1000", "--n-components", "5", "--solver", "lanczos",
                  "--precision", "float64")


@pytest.mark.parametrize("solver", ["lbfgs", "rsvd", "lanczos"])
def test_the_floor_of_rounding_is_noticed(place, solver):
    place.save("X.npy", np.random.default_rng(0).normal(size=(60, 6)) + 1e6)
    result = place.run("fit", "X.npy", "-o", "m", "--kernel", "cosine", "--solver", solver, "--precision", "float64",
                       "--tol", "1e-10", "--n-components", "4", "--json", "r.json")
    assert result.returncode == 4
    report = json.loads((place.path / "r.json").read_text())
    assert report["status"] == "stopped" and "rounding" in report["message"]
    assert report["products"] < report["max_iter"]  # how many it takes depends on the rounding itself
