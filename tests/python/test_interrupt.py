"""Ctrl-C raises KeyboardInterrupt before the work is done, and the interpreter still works afterwards.

All cases run in one process, one after the other, so each also shows that the one before has done no harm. The tests use no
clock: they send a signal when the library is known to be at work, and the signal counts as answered if the call has not
finished. If the machine finishes before anything can be seen, it gets more rows.
"""
import json
import subprocess
import sys
import textwrap

import pytest

HANGS = 1200  # seconds
PROGRAM = """
    import json, signal, sys, threading
    import numpy as np
    import dualkpca._fitting
    from dualkpca import KernelPCA, _core

    # Nobody is made to let go of the lock of the interpreter: another thread runs when the library lets go of it.
    sys.setswitchinterval(1e6)

    class Attempt:
        # Sends a signal once while the library is at work: at the stage of a fit that is named, or at once.
        def __init__(self, stage):
            self.stage, self.go, self.is_over = stage, threading.Semaphore(0), False
            self.results, self.sent, self.looks_later = [], False, 0
            self.sender = threading.Thread(target=self.send)

        def send(self):
            self.go.acquire()
            if not self.results and not self.is_over:  # else the lock came free too late
                self.sent = True
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

        def observe(self, stage, fraction, iteration, eta, tol):
            self.looks_later += self.sent
            if stage == self.stage:
                self.go.release()

        def is_answered(self, work):
            self.sender.start()
            try:
                work()
            except KeyboardInterrupt:
                pass
            finally:
                self.is_over = True
                self.go.release()
                self.sender.join()
            return self.sent and not self.results

    attempt = None

    def watched(name):
        def call(self, *arguments):
            method = getattr(super(Watched, self), name)
            if attempt is None:
                return method(*arguments)
            if name == "fit":
                arguments = (arguments[0], attempt.observe)
            if attempt.stage is None:
                attempt.go.release()
            # Not an assignment: before that one Python would raise what the library has not noticed.
            attempt.results.extend(map(method, *([argument] for argument in arguments)))
            return attempt.results[-1]
        return call

    names = ["fit", "transform", "monitor", "inverse_transform", "contributions"]
    Watched = type("Watched", (_core.Model,), {name: watched(name) for name in names})
    dualkpca._fitting.Model = Watched

    def rows(n, d=20):
        return np.random.default_rng(0).normal(size=(n, d))

    model = KernelPCA(20, kernel="rbf", fit_inverse_transform=True, n_jobs=1).fit(rows(1500))

    def fit(X, **options):
        KernelPCA(kernel="rbf", n_jobs=1, **options).fit(X)

    # The stage at which the signal goes out, and the work, which grows with a number.
    CASES = {
        "gram": ("gram", lambda times: fit(rows(3000, 1500 * times), n_components=5)),
        "auto": ("solve", lambda times: fit(rows(2000 * times), n_components=60)),
        "krylov": ("solve", lambda times: fit(rows(2000 * times), n_components=60, solver="krylov")),
        "lbfgs": ("solve", lambda times: fit(rows(2000 * times), n_components=60, solver="lbfgs")),
        "lanczos": ("solve", lambda times: fit(rows(2000 * times), n_components=60, solver="lanczos")),
        "rsvd": ("solve", lambda times: fit(rows(2000 * times), n_components=60, solver="rsvd")),
        "huber": ("solve", lambda times: fit(rows(2000 * times), n_components=10, loss="huber")),
        "epsilon_insensitive": ("solve", lambda times: fit(rows(2000 * times), n_components=10,
                                                           loss="epsilon_insensitive")),
        "nystrom": ("solve", lambda times: fit(rows(3000 * times, 50), n_components=10, solver="nystrom")),
        "transform": (None, lambda times: model.transform(rows(60000 * times))),
        "monitor": (None, lambda times: model.monitor(rows(60000 * times))),
        "inverse_transform": (None, lambda times: model.inverse_transform(rows(60000 * times))),
        "contributions": (None, lambda times: model.contributions(rows(1000 * times))),
    }

    def is_well():
        scores = KernelPCA(2, kernel="rbf").fit_transform(rows(60))
        return bool(np.isfinite(scores).all()) and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    for name, (stage, work) in CASES.items():
        for times in (1, 2, 4):
            attempt = Attempt(stage)
            if attempt.is_answered(lambda: work(times)):
                break
        found = {"sent": attempt.sent, "answered": not attempt.results, "looks later": attempt.looks_later, "times": times}
        attempt = None
        print(json.dumps([name, found, is_well()]), flush=True)
"""
NAMES = ["gram", "auto", "krylov", "lbfgs", "lanczos", "rsvd", "huber", "epsilon_insensitive", "nystrom", "transform",
         "monitor", "inverse_transform", "contributions"]


@pytest.fixture(scope="module")
def cases():
    program = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    run = subprocess.run(program, capture_output=True, text=True, timeout=HANGS)
    assert run.returncode == 0, run.stderr
    return {name: result for name, *result in map(json.loads, run.stdout.splitlines())}


@pytest.mark.parametrize("name", NAMES)
def test_a_signal_is_answered_before_the_work_is_done(name, cases):
    found, is_well = cases[name]
    print(name, found)
    assert is_well
    assert found["sent"], "was done before there was anything to see"
    assert found["answered"]
    assert found["looks later"] == 0  # the next check sees it
