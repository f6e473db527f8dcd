"""Signals, and the progress bar on a terminal."""
import json
import os
import pty
import re
import select
import signal
import termios

import numpy as np
import pytest
from workplace import HANG_GUARD, assert_one_line, wait_until

# The progress of plain DCA per iteration is about the relative difference of neighbouring eigenvalues. With the rows below it
# takes millions of iterations until no progress is seen, and the tests wait for the first only.
ENDLESS_FIT = ["fit", "X.npy", "--kernel", "linear", "--precision", "float64", "--loss", "huber", "--kappa-ratio", "0.5",
               "--solver", "dca", "--tol", "1e-300", "--max-iter", "1000000000", "-o", "m.dkpca"]
WIPE = "\r\x1b[K"


@pytest.fixture
def data(place):
    return place.save("X.npy", np.random.default_rng(0).normal(size=(3000, 40)))


def nearly_equal_eigenvalues(n=400):
    """Returns rows whose inner products have the eigenvalues 1, 1 - 1e-5, 1 - 2e-5, ..."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(n, n)))
    return Q * np.sqrt(1 - 1e-5 * np.arange(n))


class Terminal:
    """The standard error of a command. While the terminal is held, as by Ctrl-S, a command that draws on it has to wait. This
    stops the command at a known place, however fast the machine is."""

    def __init__(self):
        try:
            self.master, self.slave = pty.openpty()
        except OSError as error:
            pytest.skip(f"no terminal can be made here: {error}")

    def hold(self):
        termios.tcflow(self.slave, termios.TCOOFF)

    def release(self):
        termios.tcflow(self.slave, termios.TCOON)

    def pieces(self):
        """Returns the text that is drawn until the command ends."""
        os.close(self.slave)
        while True:
            assert select.select([self.master], [], [], HANG_GUARD)[0], "the command hangs"
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # Linux reports in this way that the other end is closed
                piece = b""
            if not piece:
                break
            yield piece
        os.close(self.master)


def run_on_terminal(place, *args, send=None, after="", held_until=None):
    """Runs the command with a terminal as its standard error, and sends it a signal. With `after`, the signal comes once this
    pattern was drawn. With `held_until`, the command cannot draw its first line until that event has come and the signal is
    sent. Returns the exit code, standard output and the text that was drawn."""
    terminal = Terminal()
    if held_until:
        terminal.hold()
    with place.start(*args, stderr=terminal.slave) as process:
        if held_until:
            held_until(process)
            process.send_signal(send)
            terminal.release()
            send = None
        drawn = b""
        for piece in terminal.pieces():
            drawn += piece
            if send and re.search(after.encode(), drawn):
                process.send_signal(send)
                send = None
        output = process.stdout.read()
        return process.wait(timeout=HANG_GUARD), output, drawn.decode().replace("\r\n", "\n")


def plan_is_printed(process):
    """The rows have been read at this point, and the fit comes next."""
    while not process.stdout.readline().startswith("memory plan: "):
        assert process.poll() is None


def reading_has_begun(path):
    """Whether the command has read a piece of this file, from its position there."""

    def has_moved(process):
        for number in os.listdir(f"/proc/{process.pid}/fd"):
            try:
                if os.readlink(f"/proc/{process.pid}/fd/{number}") != os.path.realpath(path):
                    continue
                with open(f"/proc/{process.pid}/fdinfo/{number}") as info:
                    return int(info.readline().split()[1]) > 0
            except FileNotFoundError:  # closed in the meantime
                continue
        return False

    return lambda process: wait_until(lambda: has_moved(process), process)


def assert_stopped_with_a_model(place, data, code, output, drawn):
    assert code == 4
    assert drawn.endswith(WIPE)
    assert "stopped" in output and "model written to m.dkpca" in output
    assert set(place.files()) == {data, "m.dkpca", "r.json"}
    report = json.loads(place.succeed("info", "m.dkpca", "--json").stdout)
    assert report["status"] == "stopped"
    assert report == json.loads((place.path / "r.json").read_text())
    place.succeed("transform", "m.dkpca", data, "-o", "s.npy")
    assert np.isfinite(np.load(place.path / "s.npy")).all()
    return report


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_fit_and_keeps_the_model(place, number):
    data = place.save("X.npy", nearly_equal_eigenvalues())
    result = run_on_terminal(place, *ENDLESS_FIT, "--json", "r.json", send=number, after="iteration [1-9]")
    assert assert_stopped_with_a_model(place, data, *result)["iterations"] >= 1


@pytest.mark.parametrize("solver", ["lbfgs", "krylov"])
def test_a_signal_stops_every_solver(place, solver):
    """A given matrix needs no computing, so the first line that is drawn comes from the solver."""
    X = nearly_equal_eigenvalues()
    data = place.save("K.npy", X @ X.T)
    result = run_on_terminal(place, "fit", data, "--kernel", "precomputed", "--solver", solver, "--tol", "1e-12", "-o",
                             "m.dkpca", "--json", "r.json", send=signal.SIGINT, held_until=plan_is_printed)
    assert "solve" in result[2] and "gram" not in result[2]
    assert_stopped_with_a_model(place, data, *result)


def test_a_signal_before_there_is_a_solution(place, data):
    fit = ["fit", "X.npy", "--solver", "lbfgs", "-o", "m.dkpca"]
    code, _, drawn = run_on_terminal(place, *fit, send=signal.SIGINT, held_until=plan_is_printed)
    assert code == 130
    assert "gram  [" in drawn and "solve" not in drawn
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
    code, _, drawn = run_on_terminal(place, "fit", large_csv(place), "--memory", "20M", "--solver", "krylov", "-o", "m.dkpca")
    assert code == 5  # too many rows to fit: only reading can be seen
    assert "read  [" in drawn and " %" in drawn
    assert_one_line(drawn.split(WIPE)[-1], "500001 rows")


def test_a_signal_while_a_file_is_read(place):
    fit = ["fit", large_csv(place), "-o", "m.dkpca"]
    code, _, drawn = run_on_terminal(place, *fit, send=signal.SIGINT, held_until=reading_has_begun(place.path / "X.csv"))
    assert code == 130
    assert "read  [" in drawn
    assert_one_line(drawn.split(WIPE)[-1], "stopped while X.csv was being read")
    assert set(place.files()) == {"X.csv"}


def test_quiet_draws_nothing(place, data):
    code, output, drawn = run_on_terminal(place, "fit", "X.npy", "-o", "m.dkpca", "--quiet")
    assert (code, output, drawn) == (0, "", "")


def test_no_bar_in_a_pipe(place, data):
    assert place.succeed("fit", "X.npy", "-o", "m.dkpca").stderr == ""


# A stuck library: opening a named pipe for writing waits for a reader, and nothing checks for signals meanwhile.

@pytest.fixture
def stuck(place, data):
    """Starts a fit that has written its model and waits to write its report, and yields its process."""
    os.mkfifo(place.path / "pipe")
    with place.start("fit", "X.npy", "--limits", "none", "-o", "m.dkpca", "--json", "pipe") as process:
        wait_until((place.path / "m.dkpca").exists, process)
        yield process
        process.kill()


def test_one_signal_ends_a_command_that_is_stuck(place, stuck):
    stuck.send_signal(signal.SIGTERM)
    assert stuck.wait(timeout=HANG_GUARD) == 128 + signal.SIGTERM
    assert_one_line(stuck.stderr.read(), "within 10 seconds")
    assert {file.name for file in place.path.iterdir()} == {"X.npy", "m.dkpca", "pipe"}
    place.succeed("info", "m.dkpca")


def test_a_second_signal_ends_it_at_once(place, stuck):
    stuck.send_signal(signal.SIGINT)
    wait_until(lambda: not signal_is_pending(stuck, signal.SIGINT), stuck)
    stuck.send_signal(signal.SIGINT)
    assert stuck.wait(timeout=HANG_GUARD) == -signal.SIGINT
    assert {file.name for file in place.path.iterdir()} == {"X.npy", "m.dkpca", "pipe"}


def signal_is_pending(process, number):
    with open(f"/proc/{process.pid}/status") as status:
        pending = next(line.split()[1] for line in status if line.startswith("ShdPnd:"))
    return bool(int(pending, 16) >> (number - 1) & 1)


def test_a_signal_while_the_limits_are_learnt_is_told(place):
    """The components are complete, but the limits are not those that were asked for."""
    place.save("X.npy", np.random.default_rng(0).normal(size=(1500, 10)))
    fit = ["fit", "X.npy", "--solver", "lbfgs", "--tol", "0.1", "-o", "m.dkpca", "--json", "r.json"]
    code, output, _ = run_on_terminal(place, *fit, send=signal.SIGINT, after=r"solve.*gram  \[")
    assert code == 4
    report = json.loads((place.path / "r.json").read_text())
    assert report["status"] == "stopped" and "limits" in report["message"]
    assert report["limits"]["kind"] == "training"
