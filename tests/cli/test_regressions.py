"""One test per fault that a user found or could have found."""
import resource
import subprocess

import numpy as np

from workplace import COMMAND, assert_one_line


def test_a_file_size_limit_is_an_error_and_leaves_nothing(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(50, 3)))
    before = place.files()
    result = subprocess.run(
        [COMMAND, "fit", "X.npy", "-o", "m.safetensors", "--quiet"], cwd=place.path, text=True, capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)), timeout=60)
    assert result.returncode == 5, result.stderr
    assert_one_line(result.stderr, "m.safetensors")
    assert place.files() == before


def test_a_device_is_no_model(place):
    place.fail(3, "info", "/dev/zero", says="regular file", timeout=20)


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
