"""Nothing is written unless it was asked for, and then to stderr."""
import io
import itertools
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from dualkpca import KernelPCA

X = np.random.default_rng(0).normal(size=(200, 5))
WORK = {
    "fit": lambda model: model.fit(X),
    "transform": lambda model: model.fit(X).transform(X),
    "inverse": lambda model: model.set_params(fit_inverse_transform=True).fit(X).inverse_transform(np.zeros((2, 2))),
    "monitor": lambda model: model.fit(X).is_outlier(X),
    "denoise": lambda model: model.fit(X).denoise(X),
    "huber": lambda model: model.set_params(loss="huber", n_jobs=1).fit(X),
}


@pytest.mark.parametrize("work", WORK)
def test_quiet_by_default(work, capfd):
    """Captures the file descriptors too: the library might write past Python."""
    WORK[work](KernelPCA(2, kernel="rbf"))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("work", WORK)
def test_verbose_writes_lines_to_stderr_alone(work, capfd):
    WORK[work](KernelPCA(2, kernel="rbf", verbose=1))
    out, err = capfd.readouterr()
    assert out == ""
    assert err.endswith("\n") and all(line.startswith("[dualkpca] ") for line in err.splitlines())
    assert "\r" not in err and "\033" not in err


def test_verbose_says_what_is_planned_and_what_came_of_it(capsys):
    """The output goes through sys.stderr, so a program that has replaced it receives it."""
    model = KernelPCA(2, kernel="rbf", verbose=1).fit(X)
    err = capsys.readouterr().err
    assert "200" in err and "converged" in err
    assert f"{model.eigenvalues_[0]:.3g}"[:4] in err


class Enough(Exception):
    """Ends a fit when the event that a test waits for has been seen."""


def fit_without_end(**options):
    """A fit that no machine finishes: the test has to stop it. The time limit ends it if the test fails."""
    KernelPCA(3, kernel="rbf", solver="rsvd", iterated_power=10**9, n_jobs=1, time_limit=600, **options).fit(X)


@pytest.fixture
def quick_clock(monkeypatch):
    """A clock on which every call is a second later, so every message is due."""
    seconds = itertools.count()
    monkeypatch.setattr("dualkpca._progress.time", SimpleNamespace(monotonic=lambda: next(seconds)))


def test_progress_of_a_longer_fit(quick_clock, monkeypatch):
    class Screen(io.StringIO):
        def flush(self):
            if self.getvalue().count(" solve: iteration ") == 5:
                raise Enough

    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with pytest.raises(Enough):
        fit_without_end(verbose=1)
    lines = [line for line in screen.getvalue().splitlines() if " solve: iteration " in line]
    assert len(lines) == 5 and all("eta" in line for line in lines)
    iterations = [int(line.split("iteration ")[1].split(",")[0]) for line in lines]
    assert iterations == sorted(set(iterations))


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("options", [
    {"n_components": 20, "solver": "lbfgs"},
    {"loss": "huber"},
    {"fit_inverse_transform": True, "preimage": "ridge"},
], ids=str)
def test_progress_on_a_terminal_is_wiped(options, quick_clock, monkeypatch):
    """A watcher waits a little before it looks; a quick machine needs more rows until something can be seen."""
    for n in (3000, 6000, 12000):
        screen = Terminal()
        monkeypatch.setattr("sys.stderr", screen)
        rows = np.random.default_rng(0).normal(size=(n, 5))
        KernelPCA(**{"n_components": 3, "kernel": "rbf", "verbose": 1, "n_jobs": 1} | options).fit(rows)
        lines = screen.getvalue().split("\n")
        if any("\r\033[K[dualkpca] " in line for line in lines):
            break
    else:
        pytest.fail("no progress was shown")
    shown = [line.split("\r\033[K")[-1] for line in lines]  # the part of each line that remains visible
    assert all(line.count("[dualkpca]") == (line != "") for line in shown)
    assert not any("solve: iteration" in line or "%" in line for line in shown)


def test_a_fit_that_fails_has_no_summary(capsys):
    with pytest.raises(MemoryError):
        KernelPCA(2, kernel="rbf", memory=1024, verbose=1).fit(X)
    assert "converged" not in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_handlers_are_not_touched(number, monkeypatch):
    def handler(*_):
        raise AssertionError("nobody sent a signal")

    seen = []

    class Look:
        def __call__(self, *_):
            seen.append(signal.getsignal(number))
            raise Enough

        def close(self):
            pass

    monkeypatch.setattr("dualkpca._fitting.Progress", Look)
    before = signal.signal(number, handler)
    try:
        with pytest.raises(Enough):
            fit_without_end(verbose=1)
        assert signal.getsignal(number) is handler and seen == [handler]
    finally:
        signal.signal(number, before)


def test_a_handler_of_ones_own_is_called_during_a_fit():
    """If it returns, the fit continues and calls it again."""
    calls, called, done = [], threading.Event(), threading.Event()

    def handler(_, frame):
        called.set()
        if frame.f_code.co_name != "_fit_rows":  # the signal came before the library was at work
            return
        calls.append(True)
        if len(calls) == 3:
            raise Enough

    def send():
        while not done.is_set():
            called.clear()
            signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
            while not (called.wait(1) or done.is_set()):
                pass

    before = signal.signal(signal.SIGUSR1, handler)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(Enough):
            fit_without_end()
    finally:
        done.set()
        sender.join()
        signal.signal(signal.SIGUSR1, before)
    assert calls == [True] * 3
