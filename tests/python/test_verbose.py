"""What is written, and where: nothing unless asked, and then to stderr."""
import io
import itertools
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

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
    """Down to the file descriptors: the library might write past Python."""
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
    """Through sys.stderr, so that whoever has replaced it sees it."""
    model = KernelPCA(2, kernel="rbf", verbose=1).fit(X)
    err = capsys.readouterr().err
    assert "200" in err and "converged" in err
    assert f"{model.eigenvalues_[0]:.3g}"[:4] in err


def test_progress_of_a_longer_fit(capsys):
    rows = np.random.default_rng(0).normal(size=(1500, 20))
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        KernelPCA(40, kernel="rbf", solver="lbfgs", verbose=1, time_limit=2.2, n_jobs=1, tol=1e-300).fit(rows)
    lines = [line for line in capsys.readouterr().err.splitlines() if " solve: iteration " in line]
    assert lines and all("eta" in line for line in lines)
    iterations = [int(line.split("iteration ")[1].split(",")[0]) for line in lines]
    assert iterations == sorted(iterations)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("options", [
    {"n_components": 20, "solver": "lbfgs"},
    {"loss": "huber"},
    {"fit_inverse_transform": True, "preimage": "ridge"},
], ids=str)
def test_progress_on_a_terminal_is_wiped(options, monkeypatch):
    """A clock on which every call is a second later, so that all there is to say is said."""
    screen, seconds = Terminal(), itertools.count()
    monkeypatch.setattr("dualkpca._progress.time", SimpleNamespace(monotonic=lambda: next(seconds)))
    monkeypatch.setattr("sys.stderr", screen)
    rows = np.random.default_rng(0).normal(size=(3000, 5))  # longer than a look-out waits
    KernelPCA(**{"n_components": 3, "kernel": "rbf", "verbose": 1} | options).fit(rows)
    lines = screen.getvalue().split("\n")
    assert any("\r\033[K[dualkpca] " in line for line in lines)
    shown = [line.split("\r\033[K")[-1] for line in lines]  # what is left to be seen of each line
    assert all(line.count("[dualkpca]") == (line != "") for line in shown)
    assert not any("solve: iteration" in line or "%" in line for line in shown)


def test_a_fit_that_fails_has_no_summary(capsys):
    with pytest.raises(MemoryError):
        KernelPCA(2, kernel="rbf", memory=1024, verbose=1).fit(X)
    assert "converged" not in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_handlers_are_not_touched(number):
    def handler(*_):
        raise AssertionError("nobody sent a signal")

    before = signal.signal(number, handler)
    seen = []
    try:
        watcher = threading.Timer(0.02, lambda: seen.append(signal.getsignal(number)))
        watcher.start()
        KernelPCA(20, kernel="rbf", solver="lbfgs", n_jobs=1).fit(np.random.default_rng(0).normal(size=(500, 10)))
        watcher.join()
        assert signal.getsignal(number) is handler and seen == [handler]
    finally:
        signal.signal(number, before)


def test_a_handler_of_ones_own_is_called_during_a_fit():
    """And the fit goes on if it returns."""
    calls = []
    before = signal.signal(signal.SIGUSR1, lambda *_: calls.append(True))
    try:
        sender = threading.Timer(0.05, lambda: signal.raise_signal(signal.SIGUSR1))
        sender.start()
        model = KernelPCA(30, kernel="rbf", solver="lbfgs", n_jobs=1).fit(np.random.default_rng(0).normal(size=(800, 10)))
        sender.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert calls == [True] and model.converged_
