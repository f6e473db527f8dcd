"""Bad arguments and data are refused with the right exception and words; warnings come when they should, and only then."""
import inspect
import os
import pickle
import struct
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from dualkpca import KernelPCA

X = np.random.default_rng(0).normal(size=(40, 4))


def with_value(value, dtype=np.float64):
    rows = X.astype(dtype)
    rows[3, 2] = value
    return rows


def refuse(exception, says, work):
    """Messages of dualkpca are one line."""
    with pytest.raises(exception) as caught:
        work()
    message = str(caught.value)
    assert says in message
    assert "\n" not in message and message == message.strip()


# Data. Most of these messages are scikit-learn's.

BAD_DATA = {
    "nan": (with_value(np.nan), "contains NaN"),
    "infinity": (with_value(np.inf), "contains infinity"),
    "nan in float32": (with_value(np.nan, np.float32), "contains NaN"),
    "nan in CSR": (sparse.csr_matrix(with_value(np.nan)), "contains NaN"),
    "no rows": (X[:0], "0 sample(s)"),
    "no columns": (X[:, :0], "0 feature(s)"),
    "a vector": (X[0], "Expected 2D array, got 1D array instead"),
    "three dimensions": (X[np.newaxis], "Found array with dim 3"),
    "a number": (3.0, "Expected 2D array, got scalar array instead"),
    "None": (None, "Expected 2D array"),
    "words": (np.array([["a", "b", "c", "d"]] * 5), "could not convert string to float"),
    "complex": (X.astype(complex), "Complex data not supported"),
}


@pytest.mark.parametrize("data, says", BAD_DATA.values(), ids=BAD_DATA)
def test_bad_data_are_refused(data, says):
    model = KernelPCA(2, kernel="rbf").fit(X)
    for work in (KernelPCA(2, kernel="rbf").fit, KernelPCA(2).fit_transform, model.transform, model.score_samples,
                 model.is_outlier):
        with pytest.raises(ValueError) as caught:
            work(data)
        assert says in str(caught.value)


@pytest.mark.parametrize("data", [X.astype(object), X.astype(str), X.tolist(), np.ma.array(X)], ids=lambda d: type(d).__name__)
def test_numbers_in_other_clothes_are_numbers(data):
    np.testing.assert_allclose(KernelPCA(2).fit_transform(data), KernelPCA(2).fit_transform(X), atol=1e-12)


def test_objects_that_are_no_numbers():
    with pytest.raises(TypeError, match="dict"):
        KernelPCA(2).fit(np.array([[{}, 1.0], [2.0, 3.0]], dtype=object))


def test_a_number_too_large_to_square():
    refuse(ValueError, "row 4, column 3 is 1e+300, too large", lambda: KernelPCA(2, kernel="rbf").fit(with_value(1e300)))


@pytest.mark.parametrize("rows", [X[:, :3], np.hstack([X, X]), sparse.csr_matrix(X[:, :3])], ids=["few", "many", "CSR"])
@pytest.mark.parametrize("method", ["transform", "monitor", "score_samples", "is_outlier"])
def test_a_wrong_number_of_columns(method, rows):
    model = KernelPCA(2, kernel="rbf").fit(X)
    says = f"X has {rows.shape[1]} features, but KernelPCA is expecting 4 features"
    refuse(ValueError, says, lambda: getattr(model, method)(rows))


@pytest.mark.parametrize("width", [1, 3])
def test_a_wrong_number_of_scores(width):
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(X)
    refuse(ValueError, f"X has {width} columns; the model has 2 components",
           lambda: model.inverse_transform(np.zeros((3, width))))


def test_a_kernel_matrix_must_be_square():
    refuse(ValueError, "must be square, but this one is 40 x 4", lambda: KernelPCA(2, kernel="precomputed").fit(X))


def test_more_lags_than_rows():
    refuse(ValueError, "there are 40 rows; with 40 lags", lambda: KernelPCA(2, lags=40).fit(X))
    model = KernelPCA(2, lags=3).fit(X)
    assert model.transform(X[:4]).shape == (1, 2)
    refuse(ValueError, "with 3 lags", lambda: model.transform(X[:3]))


# Parameters

INVALID = {
    "n_components": [0, -1, 1.5, 1.0, "many", np.nan],
    "kernel": ["no such kernel", 3, None],
    "gamma": [-1, "no such rule", np.inf, np.nan],
    "degree": [-1, 2.5, "3", 101],
    "coef0": ["a", None, np.inf, np.nan],
    "kernel_params": [3, "gamma"],
    "alpha": [-1, "a", np.nan, np.inf],
    "fit_inverse_transform": ["yes", None],
    "eigen_solver": ["no such solver", None],
    "tol": [-1, "a", np.nan, np.inf, 2.0],
    "max_iter": [0, -1, 1.5],
    "iterated_power": [-1, "a", None],
    "remove_zero_eig": ["yes"],
    "random_state": ["a", -1],
    "copy_X": ["yes"],
    "n_jobs": ["a", 1.5, 0],
    "loss": ["no such loss", None],
    "norm": ["no such norm"],
    "kappa": [0, -1, np.nan, np.inf],
    "kappa_ratio": [0, 1.5],
    "epsilon": [0, -1, np.inf],
    "sparsity": [0, 1, -0.5],
    "center": ["yes"],
    "accuracy": ["good"],
    "memory": [0, -5, 1.5, "no size", "-1G"],
    "precision": ["float16"],
    "solver": ["no such solver"],
    "scale": ["no such scale", None],
    "lags": [-1, 1.5, None],
    "landmarks": [0, -1, 1.5],
    "time_limit": [0, -1, np.nan],
    "preimage": ["no such way"],
    "limits": ["no such limits", None],
    "level": [0.3, 1, 2, np.nan],
    "verbose": [-1, "a", 1.5],
}
# The loss or other parameter that a parameter belongs to.
COMPANY = {
    "degree": {"kernel": "poly"}, "kappa": {"loss": "huber"}, "kappa_ratio": {"loss": "huber"},
    "epsilon": {"loss": "epsilon_insensitive"}, "sparsity": {"loss": "epsilon_insensitive"},
}


def invalid_cases():
    for name, values in INVALID.items():
        for value in values:
            yield pytest.param(name, value, id=f"{name}={value!r}")


def test_every_parameter_has_invalid_values():
    assert list(INVALID) == list(inspect.signature(KernelPCA).parameters)


@pytest.mark.parametrize("name, value", invalid_cases())
def test_an_invalid_parameter_is_named(name, value):
    options = {"n_components": 2, "kernel": "rbf"} | COMPANY.get(name, {}) | {name: value}
    refuse(ValueError, name, lambda: KernelPCA(**options).fit(X))


@pytest.mark.parametrize("options", [{"kernel": "poly", "degree": 10**12}], ids=str)
def test_a_number_too_large_for_its_parameter(options):
    refuse(ValueError, "degree", lambda: KernelPCA(2, **options).fit(X))


@pytest.mark.parametrize("options, says", [
    ({"loss": "huber", "kappa": 1.0, "kappa_ratio": 0.5}, ["kappa", "kappa_ratio"]),
    ({"loss": "epsilon_insensitive", "epsilon": 1.0, "sparsity": 0.5}, ["epsilon", "sparsity"]),
    ({"kappa": 1.0}, ["kappa", "huber"]),
    ({"epsilon": 1.0}, ["epsilon", "epsilon_insensitive"]),
    ({"loss": "huber", "sparsity": 0.2}, ["sparsity", "epsilon_insensitive"]),
    ({"loss": "huber", "accuracy": "certified"}, ["accuracy", "square"]),
    ({"loss": "epsilon_insensitive", "norm": "frobenius", "sparsity": 0.5}, ["norm", "sparsity"]),
    ({"loss": "epsilon_insensitive", "epsilon": 1e9}, ["epsilon", "everything zero"]),
    ({"loss": "huber", "solver": "krylov"}, ["solver", "krylov", "panoc"]),
    ({"kernel": "poly", "gamma": "median"}, ["gamma", "median"]),
    ({"fit_inverse_transform": True, "preimage": "linear"}, ["preimage", "linear"]),
    ({"fit_inverse_transform": True, "preimage": "fixed_point", "kernel": "poly"}, ["preimage", "fixed_point"]),
], ids=str)
def test_parameters_that_contradict_each_other(options, says):
    for words in says:
        refuse(ValueError, words, lambda: KernelPCA(2, **{"kernel": "rbf"} | options).fit(X))


@pytest.mark.parametrize("options", [
    {"n_components": np.int64(2)}, {"n_components": np.float32(0.5)}, {"max_iter": np.int64(50)}, {"lags": np.int32(1)},
    {"memory": np.int64(10**9)}, {"gamma": np.float32(0.5)}, {"gamma": np.int64(1)}, {"tol": np.float32(1e-3)},
    {"time_limit": 100}, {"random_state": np.random.RandomState(0)}, {"random_state": np.int64(4)},
    {"n_jobs": np.int64(1)}, {"center": np.bool_(False)}, {"level": np.float32(0.9)}, {"n_jobs": -1}, {"n_jobs": -2},
    {"n_jobs": -100}, {"kernel_params": {}}, {"memory": "1.5GiB"}, {"verbose": False}, {"n_components": 1000},
], ids=str)
def test_valid_values_of_unusual_types(options):
    scores = KernelPCA(**{"n_components": 2, "kernel": "rbf"} | options).fit_transform(X)
    assert np.isfinite(scores).all() and scores.shape[1] >= 1


# Memory

@pytest.mark.parametrize("options", [{}, {"solver": "dense"}, {"loss": "huber"}, {"solver": "lbfgs"}], ids=str)
def test_too_little_memory(options):
    rows = np.random.default_rng(0).normal(size=(5000, 20))
    refuse(MemoryError, "and 1.00 MiB may be used", lambda: KernelPCA(2, kernel="rbf", memory="1M", **options).fit(rows))
    refuse(MemoryError, "5000 rows need", lambda: KernelPCA(2, kernel="rbf", memory=1024, **options).fit(rows))


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = KernelPCA(2, kernel="rbf").fit(X)
    expected = model.transform(X)
    with pytest.raises(MemoryError):
        model.set_params(memory=1024).fit(np.random.default_rng(0).normal(size=(5000, 4)))
    np.testing.assert_array_equal(model.transform(X), expected)


# Before fit

@pytest.mark.parametrize("method", ["transform", "inverse_transform", "denoise", "monitor", "score_samples", "is_outlier",
                                    "contributions", "save", "get_feature_names_out"])
def test_before_fit(method, tmp_path):
    argument = tmp_path / "m" if method == "save" else X
    refuse(NotFittedError, "is not fitted yet", lambda: getattr(KernelPCA(), method)(argument))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["report_", "X_fit_", "eigenvalues_", "t2_", "dual_variables_"])
def test_attributes_before_fit(name):
    assert not hasattr(KernelPCA(), name)


def test_an_inverse_transform_that_was_not_learnt():
    refuse(NotFittedError, "fit_inverse_transform", lambda: KernelPCA(2).fit(X).inverse_transform(np.zeros((2, 2))))
    refuse(ValueError, "Cannot fit_inverse_transform with a precomputed kernel.",
           lambda: KernelPCA(2, kernel="precomputed", fit_inverse_transform=True).fit(X @ X.T))
    refuse(ValueError, "fit_inverse_transform", lambda: KernelPCA(2, fit_inverse_transform=True).fit(sparse.csr_matrix(X)))


# Warnings

LONG = np.random.default_rng(0).normal(size=(400, 4))


@pytest.mark.parametrize("options, status", [
    ({"solver": "lbfgs", "max_iter": 1}, "iteration_limit"),
    ({"solver": "lbfgs", "max_iter": 1, "tol": 1e-5}, "iteration_limit"),
    ({"loss": "huber", "max_iter": 1}, "iteration_limit"),
    ({"solver": "rsvd", "max_iter": 1, "tol": 1e-5}, "iteration_limit"),
    ({"solver": "lbfgs", "time_limit": 1e-9}, "time_limit"),
    ({"loss": "epsilon_insensitive", "time_limit": 1e-9}, "time_limit"),
], ids=str)
def test_a_fit_cut_short_warns(options, status):
    model = KernelPCA(3, kernel="rbf", **options)
    with pytest.warns(ConvergenceWarning) as caught:
        model.fit(LONG)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert status in message and "\n" not in message
    assert ("above tol 1e-05" in message) == ("tol" in options)
    assert caught[0].filename == __file__
    assert model.status_ == status and model.converged_ is False and model.eta_ > 0
    assert np.isfinite(model.transform(LONG)).all()


def test_the_warning_of_fit_transform_points_at_who_called():
    with pytest.warns(ConvergenceWarning) as caught:
        KernelPCA(3, kernel="rbf", solver="lbfgs", max_iter=1).fit_transform(LONG)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("options", [
    {}, {"eigen_solver": "dense"}, {"eigen_solver": "arpack"}, {"eigen_solver": "randomized"}, {"solver": "lbfgs"},
    {"eigen_solver": "randomized", "iterated_power": 2}, {"loss": "huber"}, {"loss": "epsilon_insensitive"},
    {"precision": "float32"}, {"gamma": 0.0}, {"n_components": None}, {"n_components": 0.9}, {"kernel": "linear"},
], ids=str)
def test_no_warning_with_the_default_tolerance(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = KernelPCA(**{"n_components": 3, "kernel": "rbf", "n_jobs": 1} | options).fit(LONG[:200])
        model.transform(LONG)
    # A randomized fit makes a given number of iterations, whatever eta it reaches.
    assert model.converged_ or options.get("eigen_solver") == "randomized"


@pytest.mark.parametrize("loss", ["huber", "epsilon_insensitive"])
def test_no_warning_with_more_components_than_the_rank(loss):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(40):
            rows = np.random.default_rng(seed).normal(size=(8, 2))
            assert KernelPCA(3, kernel="cosine", loss=loss, n_jobs=1).fit(rows).converged_


# Files

@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "m.dkpca"
    KernelPCA(2, kernel="rbf").fit(X).save(path)
    return path


def damaged(data):
    return {
        "half": data[: len(data) // 2],
        "a byte less": data[:-1],
        "a byte more": data + b"x",
        "empty": b"",
        "five bytes": data[:5],
        "text": b"a,b\n1,2\n" * 50,
        "one bit": data[:-20] + bytes([data[-20] ^ 1]) + data[-19:],
        "header": data[:30] + b"#" + data[31:],
        "length": struct.pack("<Q", 2**62) + data[8:],
        "a pickle": pickle.dumps({"a": 1}),
    }


@pytest.mark.parametrize("case", damaged(bytes(100)))
def test_a_file_that_is_no_model(model_file, case):
    model_file.write_bytes(damaged(model_file.read_bytes())[case])
    refuse(ValueError, f"{model_file}: ", lambda: KernelPCA.load(model_file))


def test_every_truncation_is_seen(model_file):
    data = model_file.read_bytes()
    for length in range(0, len(data), 97):
        model_file.write_bytes(data[:length])
        refuse(ValueError, str(model_file), lambda: KernelPCA.load(model_file))


def test_every_flipped_byte_is_seen(model_file):
    data = bytearray(model_file.read_bytes())
    for at in range(0, len(data), 61):
        data[at] ^= 0x10
        model_file.write_bytes(data)
        refuse(ValueError, str(model_file), lambda: KernelPCA.load(model_file))
        data[at] ^= 0x10


def test_files_that_are_not_there(tmp_path):
    model = KernelPCA(2).fit(X)
    for path in (tmp_path / "none.dkpca", tmp_path / "no" / "m.dkpca", tmp_path):
        refuse(ValueError, f"{path}: ", lambda: KernelPCA.load(path))
    for path in (tmp_path / "no" / "m.dkpca", tmp_path):
        refuse(ValueError, f"{path}: ", lambda: model.save(path))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_directory_that_may_not_be_written_to(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    path = tmp_path / "closed" / "m.dkpca"
    refuse(ValueError, f"{path}: ", lambda: KernelPCA(2).fit(X).save(path))


def test_a_directory_that_takes_no_files():
    """Even root cannot write there."""
    if not os.path.isdir("/proc/self"):
        pytest.skip("no /proc")
    refuse(ValueError, "/proc/self/m.dkpca: ", lambda: KernelPCA(2).fit(X).save("/proc/self/m.dkpca"))


def test_paths_are_strings_bytes_or_path_objects(tmp_path):
    model = KernelPCA(2).fit(X)
    for path in (str(tmp_path / "a"), tmp_path / "b", os.fsencode(tmp_path) + "/ä é".encode()):
        model.save(path)
        np.testing.assert_array_equal(KernelPCA.load(path).transform(X), model.transform(X))
    with pytest.raises(TypeError):
        KernelPCA.load(3)
