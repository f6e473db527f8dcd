"""scikit-learn's checks of an estimator: the public ones, and the stricter ones for its own estimators."""
import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from dualkpca import KernelPCA

CONFIGURATIONS = [
    KernelPCA(),
    KernelPCA(kernel="rbf"),
    KernelPCA(2, kernel="rbf", solver="lbfgs"),
    KernelPCA(2, loss="huber"),
    KernelPCA(2, kernel="rbf", loss="epsilon_insensitive", sparsity=0.3),
    KernelPCA(2, kernel="laplacian", scale="standard", precision="float64"),
    KernelPCA(2, kernel="precomputed"),
]

@parametrize_with_checks(CONFIGURATIONS)
def test_check_of_everybody(estimator, check):
    check(estimator)


# The set of checks depends on the version of scikit-learn.
STRICT = [
    "check_param_validation",
    "check_n_features_in_after_fitting",
    "check_transformer_get_feature_names_out",
    "check_get_feature_names_out_error",
    "check_set_output_transform",
    "check_transformer_n_iter",
    "check_inplace_ensure_writeable",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_readonly_memmap_input",
]
WITH_PANDAS = [
    "check_dataframe_column_names_consistency",
    "check_transformer_get_feature_names_out_pandas",
    "check_set_output_transform_pandas",
    "check_global_output_transform_pandas",
    "check_global_ouptut_transform_pandas",  # older versions spell it so
]


def known(names):
    return [name for name in names if hasattr(estimator_checks, name)]


def run_check(name, estimator):
    getattr(estimator_checks, name)("KernelPCA", clone(estimator))


@pytest.mark.parametrize("estimator", CONFIGURATIONS[:5], ids=str)
@pytest.mark.parametrize("name", known(STRICT))
def test_check_of_its_own(name, estimator):
    run_check(name, estimator)


@pytest.mark.parametrize("name", known(WITH_PANDAS))
def test_check_with_data_frames(name):
    pytest.importorskip("pandas")
    run_check(name, KernelPCA())


def test_a_matrix_that_is_not_square_is_refused():
    run_check("check_nonsquare_error", KernelPCA(kernel="precomputed"))
