"""The stubs (*.pyi) have the same names, arguments, defaults and accepted words as the code."""
import ast
import inspect
import re
from pathlib import Path

import numpy as np
from sklearn.utils._param_validation import StrOptions

import dualkpca
from dualkpca import KernelPCA, _core

PACKAGE = Path(dualkpca.__file__).parent


def stub_class(module, name):
    tree = ast.parse((PACKAGE / f"{module}.pyi").read_text())
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def functions(node):
    return {child.name: child for child in node.body if isinstance(child, ast.FunctionDef)}


def parameters(function):
    """Returns the names, in order, and the defaults of those that have one."""
    arguments = function.args
    names = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
    positional = arguments.posonlyargs + arguments.args
    defaults = dict(zip((a.arg for a in positional[::-1]), arguments.defaults[::-1]))
    defaults |= {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None}
    return [a.arg for a in names], {name: ast.literal_eval(value) for name, value in defaults.items()}


def parameters_at_runtime(function):
    signature = inspect.signature(function).parameters
    return list(signature), {n: p.default for n, p in signature.items() if p.default is not p.empty}


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_estimator_has_the_methods_of_its_stub():
    stubs = functions(stub_class("_kernel_pca", "KernelPCA"))
    available = type(inspect.getattr_static(KernelPCA, "monitor"))  # the object that available_if makes of a method
    kinds = (property, classmethod, available)
    ours = [base for base in KernelPCA.__mro__ if base.__module__.startswith("dualkpca.")]
    own = {name for base in ours for name, value in vars(base).items() if callable(value) or isinstance(value, kinds)}
    assert public(stubs) == public(own)
    for name in public(stubs) | {"__init__"}:
        member = inspect.getattr_static(KernelPCA, name)
        if isinstance(member, property):
            continue
        function = member.__func__ if isinstance(member, classmethod) else getattr(member, "fn", member)
        assert parameters(stubs[name]) == parameters_at_runtime(function), name


def test_estimator_accepts_the_words_of_its_stub():
    constructor = functions(stub_class("_kernel_pca", "KernelPCA"))["__init__"]
    for argument in constructor.args.args[1:] + constructor.args.kwonlyargs:
        words = {node.value for node in ast.walk(argument.annotation)
                 if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        constraints = KernelPCA._parameter_constraints[argument.arg]
        accepted = [constraint.options for constraint in constraints if isinstance(constraint, StrOptions)]
        assert words == set().union(*accepted), argument.arg


def test_fitted_estimators_have_the_attributes_of_the_stub():
    body = stub_class("_kernel_pca", "KernelPCA").body
    promised = {node.target.id for node in body if isinstance(node, ast.AnnAssign)}
    X = np.random.default_rng(0).normal(size=(40, 3))
    plain = KernelPCA(2, kernel="rbf", gamma="median", fit_inverse_transform=True).fit(X)
    robust = KernelPCA(2, kernel="rbf", gamma="median", loss="huber", kappa_ratio=0.5).fit(X)
    found = {name for model in (plain, robust) for name in vars(model) if name.endswith("_")}
    assert found | {"feature_names_in_"} == promised


def test_model_has_the_methods_of_its_stub():
    stubs = functions(stub_class("_core", "Model"))
    assert public(stubs) == public(vars(_core.Model))
    for name in public(stubs) | {"__init__"}:
        text = re.match(r"\w+\((.*)\) ->", getattr(_core.Model, name).__doc__)[1]
        at_runtime = [part.split(":")[0] for part in text.split(", ")] if text else []
        stub = stubs[name].args
        positional = [None] * len(stub.posonlyargs) + [a.arg for a in stub.args]
        if stub.posonlyargs and stub.posonlyargs[0].arg == "self":
            positional[0] = "self"
        assert positional == [None if re.fullmatch(r"arg\d", a) else a for a in at_runtime], name


def test_module_has_the_functions_of_its_stub():
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    stubs = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert public(stubs) == public(vars(_core))
