"""A fit leaves nothing behind in memory."""
import gc
import os
import pickle
import sys

import numpy as np
import pytest

from dualkpca import KernelPCA

X = np.random.default_rng(0).normal(size=(300, 20))


def resident():
    """Returns bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_fifty_fits_take_no_more_than_five():
    """The kernel matrices alone would take 36 MB in fifty fits."""
    def work():
        model = KernelPCA(3, kernel="rbf", n_jobs=1, fit_inverse_transform=True).fit(X)
        model.inverse_transform(model.transform(X))
        pickle.loads(pickle.dumps(model)).monitor(X)
        with pytest.raises(ValueError):
            model.set_params(solver="nystrom", landmarks=5, loss="huber").fit(X)

    for _ in range(5):
        work()
    before = resident()
    for _ in range(50):
        work()
    assert resident() - before < 10e6


@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_are_let_go(order):
    rows = np.array(X, order=order)
    count = sys.getrefcount(rows)
    model = KernelPCA(3, kernel="rbf").fit(rows)
    model.transform(rows)
    model.monitor(rows)
    with pytest.raises(MemoryError):
        KernelPCA(3, kernel="rbf", memory=1024).fit(rows)
    gc.collect()
    assert sys.getrefcount(rows) == count


def test_arrays_outlive_the_model():
    """The arrays may be views of memory of the library."""
    model = KernelPCA(3, kernel="rbf").fit(X)
    arrays = {name: value for name, value in vars(model).items() if isinstance(value, np.ndarray)}
    arrays["scores"], arrays["rows"] = model.transform(X), model.X_fit_
    copies = {name: value.copy() for name, value in arrays.items()}
    del model
    gc.collect()
    KernelPCA(3, kernel="rbf").fit(-X)
    for name, value in arrays.items():
        np.testing.assert_array_equal(value, copies[name], err_msg=name)


def test_attributes_that_are_changed_do_not_change_the_model():
    model = KernelPCA(3, kernel="rbf").fit(X)
    expected = model.transform(X)
    for name, value in vars(model).items():
        if isinstance(value, np.ndarray) and value.flags.writeable:
            value[...] = 0
    model.X_fit_[...] = 0
    np.testing.assert_array_equal(model.transform(X), expected)
