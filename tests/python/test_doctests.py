"""The examples in the docstrings work, and every public name has one."""
import doctest
import inspect

import pytest

import dualkpca
import dualkpca._kernel_pca
import dualkpca.plot


@pytest.mark.parametrize("module", [dualkpca, dualkpca._kernel_pca, dualkpca.plot], ids=lambda module: module.__name__)
def test_examples(module):
    result = doctest.testmod(module)
    assert result.failed == 0


def test_there_are_examples():
    assert doctest.testmod(dualkpca._kernel_pca).attempted >= 8


def test_every_parameter_is_documented():
    documentation = inspect.getdoc(dualkpca.KernelPCA)
    for name in inspect.signature(dualkpca.KernelPCA).parameters:
        assert f"{name} :" in documentation or f"{name}, " in documentation or f", {name} :" in documentation, name


def test_every_method_is_documented():
    for name, member in inspect.getmembers(dualkpca.KernelPCA):
        if not name.startswith("_") and name not in dir(dualkpca._kernel_pca.BaseEstimator):
            assert inspect.getdoc(member), name
