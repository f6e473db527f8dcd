"""Signals, and the progress bar on a terminal."""
import json
import os
import pty
import signal
import time

import numpy as np
import pytest

ENDLESS = ["fit", "X.npy", "--solver", "lbfgs", "--n-components", "20", "--tol", "0", "--max-iter", "100000000", "-o", "m.dkpca"]


@pytest.fixture
def data(place):
    """Rows whose fit takes much longer than a test may."""
    return place.save("X.npy", np.random.default_rng(0).normal(size=(3000, 40)))


def wait_for_iterations(process, seconds=3):
    """The Gram matrix of the data takes a fraction of a second."""
    time.sleep(seconds)
    assert process.poll() is None, "the fit ended before it could be stopped"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_fit_and_keeps_the_model(place, data, number):
    process = place.start(*ENDLESS, "--json", "r.json")
    wait_for_iterations(process)
    process.send_signal(number)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 4
    assert errors == ""
    assert "model written to m.dkpca" in output
    assert set(place.files()) == {"X.npy", "m.dkpca", "r.json"}
    report = json.loads(place.succeed("info", "m.dkpca", "--json").stdout)
    assert report["status"] == "stopped"
    assert report["iterations"] >= 1
    assert report == json.loads((place.path / "r.json").read_text())


def test_a_signal_during_the_gram_matrix(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(20000, 400)).astype(np.float32))
    process = place.start("fit", "X.npy", "-o", "m.dkpca", "--threads", "1")
    assert process.stdout.readline() == "20000 rows x 400 features\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.startswith("dualkpca: ") and errors.count("\n") == 1
    assert set(place.files()) == {"X.npy"}


def run_on_terminal(place, *args, until=None):
    """The exit code and what the command draws on a terminal as its standard error."""
    master, slave = pty.openpty()
    process = place.start(*args, stderr=slave)
    os.close(slave)
    drawn = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # Linux reports the closed other end so
            break
        if not piece:
            break
        drawn += piece
        if until and until in drawn:
            process.send_signal(signal.SIGINT)
            until = None
    os.close(master)
    process.communicate(timeout=30)
    return process.returncode, drawn.decode()


def test_progress_on_a_terminal(place, data):
    code, drawn = run_on_terminal(place, *ENDLESS, until=b"iteration 5")
    assert code == 4
    assert "gram  [" in drawn
    assert "solve [" in drawn
    assert "eta " in drawn
    assert drawn.endswith("\r\x1b[K"), "the bar is wiped at the end"


def test_bar_grows_with_the_logarithm_of_eta(place, data):
    code, drawn = run_on_terminal(place, "fit", "X.npy", "--solver", "lbfgs", "-o", "m.dkpca")
    assert code == 0
    filled = [line.count("#") for line in drawn.split("\r") if line.startswith("solve [")]
    assert filled == sorted(filled) or max(filled) > filled[0]


def test_quiet_draws_nothing(place, data):
    code, drawn = run_on_terminal(place, "fit", "X.npy", "-o", "m.dkpca", "--quiet")
    assert code == 0
    assert drawn == ""


def test_no_bar_in_a_pipe(place, data):
    assert place.succeed("fit", "X.npy", "-o", "m.dkpca").stderr == ""
