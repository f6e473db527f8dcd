"""The signature, the parameters and the tags of the class."""
import inspect
from types import SimpleNamespace

import numpy as np
import pytest
import sklearn.decomposition
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone, is_outlier_detector
from sklearn.pipeline import make_pipeline
from sklearn.utils._tags import _safe_tags

from dualkpca import KernelPCA, __version__

THEIRS = inspect.signature(sklearn.decomposition.KernelPCA).parameters
OURS = inspect.signature(KernelPCA).parameters
OTHER = {
    "n_components": 2, "kernel": "rbf", "gamma": 0.3, "degree": 2, "coef0": 0.5, "alpha": 0.1, "max_iter": 500,
    "fit_inverse_transform": True, "random_state": 3, "loss": "huber", "kappa_ratio": 0.25, "scale": "standard",
}


def test_the_first_parameters_are_scikit_learns():
    first = list(OURS.values())[: len(THEIRS)]
    assert len(THEIRS) == 16
    for theirs, ours in zip(THEIRS.values(), first, strict=True):
        assert (ours.name, ours.default, ours.kind) == (theirs.name, theirs.default, theirs.kind)


@pytest.mark.parametrize(
    "name", [name for name, _ in inspect.getmembers(sklearn.decomposition.KernelPCA, callable) if name[0] != "_"]
)
def test_the_methods_take_what_scikit_learns_take(name):
    theirs = inspect.signature(getattr(sklearn.decomposition.KernelPCA, name)).parameters.values()
    ours = list(inspect.signature(getattr(KernelPCA, name)).parameters.values())
    for parameter in theirs:
        if parameter.kind is parameter.VAR_KEYWORD:  # **fit_params of TransformerMixin: fit() takes none of them
            continue
        assert (parameter.name, parameter.default) in [(p.name, p.default) for p in ours]


def test_every_attribute_of_scikit_learns_is_there_after_a_fit():
    X = np.random.default_rng(0).normal(size=(20, 3))
    theirs = sklearn.decomposition.KernelPCA(2, kernel="rbf", gamma=0.5, fit_inverse_transform=True).fit(X)
    ours = KernelPCA(2, kernel="rbf", gamma=0.5, fit_inverse_transform=True).fit(X)
    public = [name for name in vars(theirs) if name.endswith("_") and name[0] != "_"]
    assert "eigenvalues_" in public
    for name in public:
        expected, found = getattr(theirs, name), getattr(ours, name)
        assert np.shape(found) == np.shape(expected), name
        np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-10, err_msg=name)


def test_every_parameter_goes_through_get_params_and_set_params():
    estimator = KernelPCA(**OTHER)
    params = estimator.get_params()
    assert set(params) == set(OURS)
    assert {name: params[name] for name in OTHER} == OTHER
    assert KernelPCA().set_params(**params).get_params() == params
    with pytest.raises(ValueError, match="Invalid parameter 'n_component'"):
        estimator.set_params(n_component=2)


def test_an_unknown_parameter_is_no_argument():
    with pytest.raises(TypeError, match="n_component"):
        KernelPCA(n_component=2)
    with pytest.raises(TypeError, match="positional"):
        KernelPCA(2, "rbf")


def test_a_clone_has_the_parameters_and_not_the_fit():
    X = np.random.default_rng(0).normal(size=(20, 3))
    fitted = KernelPCA(**OTHER).fit(X)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params() == KernelPCA(**OTHER).get_params()
    assert not [name for name in vars(copy) if name.endswith("_")]


def test_init_and_set_params_do_not_judge():
    KernelPCA(n_components="many", kernel=3, loss="no such").set_params(level="high", memory=[])


def test_repr_names_what_was_changed_and_nothing_else():
    assert repr(KernelPCA()) == "KernelPCA()"
    assert repr(KernelPCA(2, kernel="rbf")) == "KernelPCA(kernel='rbf', n_components=2)"
    assert eval(repr(KernelPCA(**OTHER))).get_params() == KernelPCA(**OTHER).get_params()
    assert "KernelPCA" in KernelPCA()._repr_html_()


def test_names_of_outputs_in_a_pipeline():
    X = np.random.default_rng(0).normal(size=(20, 3))
    pipe = make_pipeline(sklearn.preprocessing.StandardScaler(), KernelPCA(2)).fit(X)
    assert list(pipe.get_feature_names_out()) == ["kernelpca0", "kernelpca1"]


@pytest.mark.parametrize("kernel, pairwise", [("rbf", False), ("precomputed", True), (np.dot, False)])
def test_tags_of_older_versions(kernel, pairwise):
    tags = _safe_tags(KernelPCA(kernel=kernel))
    assert tags["pairwise"] is pairwise
    assert tags["preserves_dtype"] == [np.float64, np.float32]
    assert _safe_tags(KernelPCA())["requires_fit"] and not _safe_tags(KernelPCA())["allow_nan"]


@pytest.mark.parametrize("kernel, pairwise", [("rbf", False), ("precomputed", True), (np.dot, False)])
def test_tags_of_newer_versions(kernel, pairwise, monkeypatch):
    """The class has a base class that gives tags as those versions do."""
    def default_tags(self):
        return SimpleNamespace(transformer_tags=SimpleNamespace(preserves_dtype=["float64"]),
                               input_tags=SimpleNamespace(sparse=False, pairwise=False))

    monkeypatch.setattr(BaseEstimator, "__sklearn_tags__", default_tags, raising=False)
    tags = KernelPCA(kernel=kernel).__sklearn_tags__()
    assert tags.input_tags.pairwise is pairwise
    assert tags.input_tags.sparse is True
    assert tags.transformer_tags.preserves_dtype == ["float64", "float32"]


def test_mixins_stand_before_the_base():
    order = KernelPCA.__mro__
    assert order.index(TransformerMixin) < order.index(BaseEstimator)
    assert order.index(ClassNamePrefixFeaturesOutMixin) < order.index(BaseEstimator)
    assert not is_outlier_detector(KernelPCA())


def test_version():
    assert __version__.count(".") == 2
