"""System calls fail, and a process is killed. `make faults` tries many more places; docs/testing.md describes it."""
import os
import pathlib
import subprocess

import numpy as np
import pytest
from workplace import COMMAND, HANG_GUARD

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "inject_faults"


@pytest.mark.skipif(bool(os.environ.get("DUALKPCA_SANITIZE")), reason="the checkers cannot run under strace")
def test_outputs_are_whole_whatever_fails():
    result = subprocess.run([SCRIPT, "--quick", "--command", COMMAND], capture_output=True, text=True, timeout=HANG_GUARD)
    if result.returncode == 77:
        pytest.skip(result.stdout.strip())
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_name_that_is_too_long_is_refused_before_the_fit(place):
    place.save("X.npy", np.eye(3))
    result = place.fail(3, "fit", "X.npy", "-o", 256 * "m", says="File name too long")
    assert "after the fit" not in result.stderr and not result.stdout
