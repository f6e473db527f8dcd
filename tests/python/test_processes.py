"""Threads and processes: fits side by side and in children of every kind, and a fit keeps the settings of its host."""
import multiprocessing
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from joblib import Parallel, delayed
from threadpoolctl import threadpool_info, threadpool_limits

from dualkpca import KernelPCA, _core, _params

WAIT = 600  # seconds, after which a child hangs


def rows(n=300, d=8, seed=0):
    """Returns rows with columns of different size: the eigenvalues are well separated, so rounding hardly changes the
    scores."""
    return np.random.default_rng(seed).normal(size=(n, d)) * 0.9 ** np.arange(d)


def scores(seed=0, **options):
    """Scores of a fit that has work for two threads."""
    return KernelPCA(3, kernel="rbf", **{"n_jobs": 2} | options).fit_transform(rows(seed=seed))


def send_scores(queue, seed):
    queue.put(scores(seed))


def test_two_fits_at_once_are_two_fits_in_turn():
    in_turn = [scores(seed) for seed in range(4)]
    with ThreadPoolExecutor(2) as pool:
        at_once = list(pool.map(scores, range(4)))
    for expected, found in zip(in_turn, at_once, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_one_model_used_by_two_threads_at_once():
    X = rows(600)
    model = KernelPCA(3, kernel="rbf").fit(X)
    expected = model.transform(X)
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda _: model.transform(X), range(6)):
            np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_fit_in_a_child_of_a_process_that_has_fitted(method):
    """A forked child has none of the threads that the libraries of the parent rely on."""
    expected = scores(1)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=send_scores, args=(queue, 1), daemon=True)
    child.start()
    try:
        found = queue.get(timeout=WAIT)
        child.join(WAIT)
        assert child.exitcode == 0
    finally:
        child.kill()
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_model_goes_to_a_forked_child_and_comes_back():
    """A pool sends the model as a pickle; the child transforms rows and fits it again."""
    model = KernelPCA(3, kernel="rbf", n_jobs=2).fit(rows())
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.apply_async(model.transform, (rows(50, seed=2),)).get(WAIT)
        again = pool.apply_async(model.fit, (rows(),)).get(WAIT)
    np.testing.assert_allclose(found, model.transform(rows(50, seed=2)), atol=1e-12)
    np.testing.assert_allclose(again.eigenvalues_, model.eigenvalues_, rtol=1e-12)


def test_fits_in_workers_of_joblib():
    found = Parallel(n_jobs=2, backend="loky", timeout=WAIT)(delayed(scores)(seed) for seed in range(2))
    for seed in range(2):
        np.testing.assert_allclose(found[seed], scores(seed), atol=1e-12)


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_fit_leaves_the_threads_of_blas_alone(threads):
    X = rows()
    with threadpool_limits(threads, user_api="blas"):
        before = blas_threads()
        assert before
        KernelPCA(3, kernel="rbf", n_jobs=1).fit(X).transform(X)
        assert blas_threads() == before
        KernelPCA(3, kernel="rbf", n_jobs=2, fit_inverse_transform=True).fit(X).inverse_transform(np.zeros((5, 3)))
        assert blas_threads() == before
        with pytest.raises(MemoryError):
            KernelPCA(3, kernel="rbf", memory="1M", n_jobs=2).fit(rows(5000, 20))
        with pytest.raises(ValueError):
            KernelPCA(25, kernel="precomputed", eigen_solver="dense").fit(np.diag(np.linspace(-1, 1, 30)))
        assert blas_threads() == before


def test_fits_at_once_leave_the_threads_of_blas_alone():
    before = blas_threads()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(scores, range(8)))
    assert blas_threads() == before


def test_there_are_never_thousands_of_threads():
    assert _core.threads(_params.threads(KernelPCA(n_jobs=10**6))) <= 1024


class Background:
    """Calls a function in another thread over and over, while the body of the with statement runs."""

    def __init__(self, work):
        self.count, self._work, self._stop, self._error = 0, work, threading.Event(), None
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        try:
            while not self._stop.is_set():
                self._work()
                self.count += 1
        except BaseException as error:
            self._error = error

    def is_alive(self):
        return self._thread.is_alive()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        if self._error:
            raise self._error


def test_products_of_numpy_work_during_a_fit():
    A = np.random.default_rng(3).normal(size=(200, 200))
    expected = A @ A

    def multiply():
        np.testing.assert_allclose(A @ A, expected, atol=1e-10)

    alone = scores(5)
    with Background(multiply) as background:
        fits = 0
        while fits < 5 or (background.count < 5 and background.is_alive()):
            np.testing.assert_allclose(scores(5), alone, atol=1e-12)
            fits += 1
    assert background.count >= 5


@pytest.fixture
def no_forced_switches():
    """A thread keeps the lock of the interpreter until it releases it: no thread is forced to after a while."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e6)
    yield
    sys.setswitchinterval(before)


TURNS = 10


@pytest.mark.parametrize("method", ["fit", "transform"])
@pytest.mark.usefixtures("no_forced_switches")
def test_other_threads_of_python_go_on_during_a_fit(method):
    """Each turn of another thread needs the lock, and only the library releases it during a call.

    A quick machine may finish before the other thread has had its turns, so the work grows until it does not.
    """
    small = rows(1500, 20)
    fitted = KernelPCA(10, kernel="rbf", n_jobs=1).fit(small)

    def call(times):
        """Calls the library and nothing else: numpy releases the lock, too."""
        if method == "fit":
            X = rows(1500 * int(times**0.5), 20)
            model = _core.Model(_params.library_keywords(fitted, X))
            arguments = [X]
        else:
            model, arguments = fitted._model, [np.tile(small, (times, 1)), "float64", 1]
        before = background.count
        getattr(model, method)(*arguments)
        return background.count - before

    with Background(lambda: time.sleep(0.0001)) as background:
        turns = next((turns for turns in map(call, (1, 4, 16, 64)) if turns >= TURNS), 0)
    assert turns >= TURNS
