"""Ctrl-C: KeyboardInterrupt within a second of the signal, and an interpreter that goes on as if nothing had been.

All cases run in one process, one after the other, so that each also shows that the one before has left no harm.
"""
import json
import subprocess
import sys
import textwrap

import pytest

LIMIT = 1.0  # seconds
PROGRAM = """
    import io, json, os, signal, sys, threading, time
    import numpy as np
    from dualkpca import KernelPCA

    random = np.random.default_rng(0)
    X = random.normal(size=(4000, 20))
    wide = random.normal(size=(12000, 50))
    model = KernelPCA(20, kernel="rbf", fit_inverse_transform=True).fit(X[:1500])
    many = np.tile(X, (60, 1))
    sent = None

    def send():
        global sent
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    class Trigger(io.StringIO):  # what a verbose fit writes to a terminal tells how far it is
        done = False

        def isatty(self):
            return True

        def write(self, text):
            if "] solve: " in text and not self.done:
                self.done = True
                threading.Timer(0.1, send).start()

    def stop_while_solving(**options):
        screen, sys.stderr = sys.stderr, Trigger()
        try:
            KernelPCA(kernel="rbf", verbose=1, **options).fit(X)
        finally:
            sys.stderr = screen

    def stop_soon(work, after=0.3):
        threading.Timer(after, send).start()
        work()

    CASES = {
        "gram": lambda: stop_soon(lambda: KernelPCA(50, kernel="rbf").fit(wide)),
        "auto": lambda: stop_while_solving(n_components=60),
        "krylov": lambda: stop_while_solving(n_components=60, solver="krylov"),
        "lbfgs": lambda: stop_while_solving(n_components=60, solver="lbfgs"),
        "lanczos": lambda: stop_while_solving(n_components=60, solver="lanczos"),
        "rsvd": lambda: stop_while_solving(n_components=60, solver="rsvd"),
        "huber": lambda: stop_while_solving(n_components=10, loss="huber"),
        "epsilon_insensitive": lambda: stop_while_solving(n_components=10, loss="epsilon_insensitive"),
        "nystrom": lambda: stop_soon(lambda: KernelPCA(10, kernel="rbf", solver="nystrom").fit(wide), 1.7),
        "transform": lambda: stop_soon(lambda: model.transform(many)),
        "monitor": lambda: stop_soon(lambda: model.monitor(many)),
        "inverse_transform": lambda: stop_soon(lambda: model.inverse_transform(many)),
        "contributions": lambda: stop_soon(lambda: model.contributions(X)),
    }

    def wait_of(work):
        try:
            work()
        except KeyboardInterrupt:
            return time.monotonic() - sent
        return None

    def is_well():
        scores = KernelPCA(2, kernel="rbf").fit_transform(X[:60])
        return bool(np.isfinite(scores).all()) and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    for name, work in CASES.items():
        wait = wait_of(work)
        if wait is None or 1 < wait < 2:  # other processes may have been busy
            again = wait_of(work)
            wait = min(filter(None, [wait, again]), default=None)
        print(json.dumps([name, wait, is_well()]), flush=True)
"""
SLOW = pytest.mark.xfail(strict=True, reason="is not interrupted before it is done")


@pytest.fixture(scope="module")
def waits():
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(PROGRAM)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return {name: result for name, *result in map(json.loads, run.stdout.splitlines())}


@pytest.mark.parametrize("name", [
    "gram", "auto", "krylov", "lbfgs", "lanczos", "rsvd", "huber", "epsilon_insensitive", "transform", "monitor",
    pytest.param("nystrom", marks=SLOW),
    "inverse_transform", "contributions",
])
def test_a_signal_is_answered_within_a_second(name, waits):
    seconds, is_well = waits[name]
    print(name, seconds)
    assert is_well
    assert seconds is not None, "was done before the signal came"
    assert seconds < LIMIT
