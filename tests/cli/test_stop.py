"""Signals, and the progress bar on a terminal."""
import json
import os
import pty
import re
import signal

import numpy as np
import pytest
from workplace import assert_one_line

# More than a hundred iterations, of which the tests wait for the first.
LONG_FIT = ["fit", "X.npy", "--solver", "lbfgs", "--n-components", "20", "--tol", "0", "--max-iter", "1000000",
            "-o", "m.dkpca"]
WIPE = "\r\x1b[K"


@pytest.fixture
def data(place):
    return place.save("X.npy", np.random.default_rng(0).normal(size=(3000, 40)))


def run_on_terminal(place, *args, send=None, after=""):
    """Runs the command with a terminal as its standard error, and sends a signal once the pattern `after` was drawn
    there. Returns the exit code, standard output and what was drawn."""
    try:
        master, slave = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal can be made here: {error}")
    process = place.start(*args, stderr=slave)
    os.close(slave)
    drawn = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # so Linux reports that the other end is closed
            break
        if not piece:
            break
        drawn += piece
        if send and re.search(after.encode(), drawn):
            process.send_signal(send)
            send = None
    os.close(master)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output, drawn.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_fit_and_keeps_the_model(place, data, number):
    code, output, drawn = run_on_terminal(place, *LONG_FIT, "--json", "r.json", send=number, after="iteration [1-9]")
    assert code == 4
    assert drawn.endswith(WIPE)
    assert "stopped" in output and "model written to m.dkpca" in output
    assert set(place.files()) == {"X.npy", "m.dkpca", "r.json"}
    report = json.loads(place.succeed("info", "m.dkpca", "--json").stdout)
    assert report["status"] == "stopped"
    assert report["iterations"] >= 1
    assert report == json.loads((place.path / "r.json").read_text())
    place.succeed("transform", "m.dkpca", "X.npy", "-o", "s.npy")
    assert np.isfinite(np.load(place.path / "s.npy")).all()


def test_a_signal_before_there_is_a_solution(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(6000, 1500)).astype(np.float32))
    fit = ["fit", "X.npy", "--solver", "lbfgs", "-o", "m.dkpca", "--threads", "1"]
    code, _, drawn = run_on_terminal(place, *fit, send=signal.SIGINT, after=r"gram  \[")
    assert code == 130
    assert_one_line(drawn.split(WIPE)[-1])
    assert set(place.files()) == {"X.npy"}


def test_progress_on_a_terminal(place, data):
    code, _, drawn = run_on_terminal(place, "fit", "X.npy", "--solver", "lbfgs", "-o", "m.dkpca")
    assert code == 0
    assert "gram  [" in drawn and " %" in drawn
    assert "solve [" in drawn and "iteration " in drawn and "eta " in drawn and "tol 1.0e-05" in drawn
    assert drawn.endswith(WIPE)
    assert "\n" not in drawn


def large_csv(place):
    return place.write("X.csv", "0.123456789,0.987654321\n" * 500000 + "1,1\n")


def test_progress_while_a_large_file_is_read(place):
    code, _, drawn = run_on_terminal(place, "fit", large_csv(place), "--memory", "1M", "-o", "m.dkpca")
    assert code == 5  # too many rows to fit: reading is all there is to see
    assert "read  [" in drawn and " %" in drawn
    assert_one_line(drawn.split(WIPE)[-1], "500001 rows")


def test_a_signal_while_a_file_is_read(place):
    fit = ["fit", large_csv(place), "-o", "m.dkpca", "--threads", "1"]
    code, _, drawn = run_on_terminal(place, *fit, send=signal.SIGINT, after=r"read  \[")
    assert code == 130
    assert_one_line(drawn.split(WIPE)[-1], "stopped while X.csv was being read")
    assert set(place.files()) == {"X.csv"}


def test_quiet_draws_nothing(place, data):
    code, output, drawn = run_on_terminal(place, "fit", "X.npy", "-o", "m.dkpca", "--quiet")
    assert (code, output, drawn) == (0, "", "")


def test_no_bar_in_a_pipe(place, data):
    assert place.succeed("fit", "X.npy", "-o", "m.dkpca").stderr == ""
