"""The parameters have one list, in C++: it has every member of the structures, and every place has all of the list."""
import inspect
import json
import os
import re
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sklearn.decomposition

from dualkpca import KernelPCA, _core, _params

REPOSITORY = Path(__file__).resolve().parents[2]
HEADERS = REPOSITORY / "include" / "dualkpca"
FIELDS = _core.fit_fields()
# Members that no user chooses: the library finds them itself.
NOT_CHOSEN = {"input_memory"}
PYTHON_NAMES = {"seed": "random_state", "power_iterations": "iterated_power", "threads": "n_jobs"}


def members(structure, header):
    """Returns the type of each data member of a C++ structure."""
    text = (HEADERS / header).read_text(encoding="utf-8")
    body = re.search(rf"^struct {structure} {{\n(.*?)^}};", text, re.M | re.S)[1]
    found = re.findall(r"^  (?!static|\[\[|using|enum)([\w:<>]+) (\w+)(?: = [^;]+|\{\});", body, re.M)
    return {name: kind for kind, name in found}


def listed(header):
    """Returns the members of the list, and the names of their fields."""
    text = (HEADERS / "model" / header).read_text(encoding="utf-8")
    return {member: name for name, member in re.findall(r"visit\(\w+::(\w+), params\.([\w.]+)\);", text)}


def run(*args):
    return subprocess.run([os.environ["DUALKPCA_COMMAND"], *args], capture_output=True, text=True, check=True).stdout


def options_of(command):
    return set(re.findall(r"^  (?:-\w,)?--([\w-]+)", run(command, "--help"), re.M))


def test_every_member_is_in_the_list():
    inner = {"KernelParams": "kernel/kernel_params.hpp", "LossParams": "objective/loss.hpp",
             "SolverParams": "solver/solver.hpp", "MonitorParams": "model/monitor.hpp"}
    expected = set()
    for name, kind in members("KernelPCAParams", "model/kernel_pca_params.hpp").items():
        parts = members(kind, inner[kind]) if kind in inner else None
        expected |= {name} if parts is None else {f"{name}.{part}" for part in parts}
    assert {"n_components", "kernel.gamma", "loss.sparsity", "solver.landmarks", "monitor.folds"} <= expected
    assert set(listed("kernel_pca_fields.hpp")) == expected - NOT_CHOSEN


def test_every_member_of_the_inverse_transform_is_in_its_list():
    expected = set(members("PreimageParams", "model/preimage.hpp"))
    assert {"method", "gamma", "noise", "seed"} <= expected
    assert set(listed("preimage_fields.hpp")) == expected


def test_the_list_is_what_programs_see():
    assert list(listed("kernel_pca_fields.hpp").values()) == list(FIELDS)


def test_a_model_file_has_every_field(tmp_path):
    np.savetxt(tmp_path / "x.csv", np.random.default_rng(0).normal(size=(20, 3)), delimiter=",")
    run("fit", str(tmp_path / "x.csv"), "-o", str(tmp_path / "x.safetensors"), "--quiet")
    content = (tmp_path / "x.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    params = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["params"])
    assert list(params) == list(FIELDS)


def test_fit_has_an_option_for_every_field():
    expected = {option.replace("_", "-") for option in FIELDS.values() if option is not None}
    assert expected <= options_of("fit")
    assert {name for name, option in FIELDS.items() if option is None} == {"folds"}


def test_path_has_the_options_of_fit_but_those_of_one_fit():
    ours = {option.replace("_", "-") for option in FIELDS.values() if option is not None}
    assert ours - options_of("path") == {"sparsity", "limits", "level"}


def test_every_field_is_documented():
    rows = re.findall(r"^\| `--([\w-]+)`", (REPOSITORY / "docs" / "parameters.md").read_text(encoding="utf-8"), re.M)
    assert {option.replace("_", "-") for option in FIELDS.values() if option is not None} <= set(rows)


def test_every_field_is_a_parameter_in_python():
    names = {PYTHON_NAMES.get(name, name) for name in FIELDS if name not in _params.LIBRARY_ONLY}
    assert names <= set(inspect.signature(KernelPCA).parameters)
    new = names - set(inspect.signature(sklearn.decomposition.KernelPCA).parameters)
    page = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
    assert "kappa_ratio" in new and [name for name in new if f"`{name}`" not in page] == []


def test_keywords_are_the_fields():
    keywords = _params.library_keywords(KernelPCA(2), np.zeros((5, 3)))
    assert list(keywords) == list(FIELDS)
    assert set(_core.Model(keywords).keywords()) == set(FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_keyword_is_an_error(name):
    keywords = _params.library_keywords(KernelPCA(2), np.zeros((5, 3)))
    del keywords[name]
    with pytest.raises(TypeError, match=f"parameter '{name}' is missing"):
        _core.Model(keywords)


def test_an_unknown_keyword_is_an_error():
    keywords = _params.library_keywords(KernelPCA(2), np.zeros((5, 3)))
    with pytest.raises(TypeError, match="there is no parameter 'kernle'"):
        _core.Model(keywords | {"kernle": "rbf"})
    model = KernelPCA(2).fit(np.random.default_rng(0).normal(size=(9, 3)))._model
    with pytest.raises(TypeError, match="there is no parameter 'alhpa'"):
        model.fit_inverse({"alhpa": 1.0})
