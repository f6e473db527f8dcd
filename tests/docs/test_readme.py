"""The commands of the documentation run, and give the outputs that it shows.

Environment: DUALKPCA_COMMAND, the built command.
"""
import csv
import json
import os
import re
import shutil
import struct
import subprocess
import textwrap
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="session")
def command():
    path = os.environ.get("DUALKPCA_COMMAND")
    if not path:
        pytest.skip("DUALKPCA_COMMAND is not set")
    return Path(path).resolve()


@pytest.fixture(scope="session")
def after_readme(command, tmp_path_factory):
    """Yields a directory with iris.csv in which the shell blocks of README.md have been run in order."""
    directory = tmp_path_factory.mktemp("readme")
    shutil.copy(REPOSITORY / "examples" / "data" / "iris.csv", directory)
    shell = [block for block in blocks(README, "sh") if block.startswith("dualkpca")]
    assert shell
    environment = os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}"}
    for block in shell:
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=directory, env=environment,
                                capture_output=True, text=True)
        assert result.returncode == 0, f"{block}\n{result.stdout}\n{result.stderr}"
    return directory


def test_the_shell_examples_run(after_readme):
    with open(after_readme / "scores.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 151
    report = json.loads((after_readme / "report.json").read_text())
    assert report["status"] == "converged"
    assert (report["n_samples"], report["n_features"], report["n_components"]) == (150, 4, 2)


def test_the_cpp_example_is_the_one_that_is_compiled():
    source = (REPOSITORY / "examples" / "quickstart.cpp").read_text(encoding="utf-8")
    regions = re.findall(r"^ *// \[readme\]\n(.*?)^ *// \[/readme\]$", source, re.MULTILINE | re.DOTALL)
    assert blocks(README, "cpp") == ["\n".join(textwrap.dedent(region) for region in regions)]


def fields_in(table_text):
    """Returns every `name` in the first column of the tables of a page."""
    names = set()
    for line in table_text.splitlines():
        if line.startswith("| `"):
            names.update(re.findall(r"`([^`]+)`", line.split("|")[1]))
    return names


def test_every_field_of_the_report_is_documented(after_readme):
    page = (REPOSITORY / "docs" / "report.md").read_text(encoding="utf-8")
    of_fit, of_check = (fields_in(part) for part in page.split("## The report of a check"))
    assert of_fit == set(json.loads((after_readme / "report.json").read_text()))
    command = os.environ["DUALKPCA_COMMAND"]
    result = subprocess.run([os.path.abspath(command), "check", "iris.safetensors", "iris.csv", "--label-col", "species",
                             "--quiet", "--json", "-"], cwd=after_readme, capture_output=True, text=True)
    assert of_check == set(json.loads(result.stdout))


def test_the_model_file_is_as_documented(after_readme):
    page = (REPOSITORY / "docs" / "model_file.md").read_text(encoding="utf-8")
    metadata, arrays = (fields_in(part) for part in page.split("## Arrays"))
    with open(after_readme / "iris.safetensors", "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    assert (8 + length) % 64 == 0
    assert set(header.pop("__metadata__")) == metadata - {"data_checksum", "preimage"}
    # A centred, scaled, shift-invariant model stores every array that a model of dense rows of ordinary size can have.
    others = {"row_offsets", "row_columns", "row_values", "landmarks", "coefficients", "unit"}
    assert others < arrays
    assert set(header) == arrays - others


def test_a_sparse_model_file_is_as_documented(command, tmp_path):
    (tmp_path / "x.libsvm").write_text("".join(f"0 {1 + i % 3}:{1 + i} {5 + i % 2}:2\n" for i in range(8)))
    subprocess.run([command, "fit", "x.libsvm", "-o", "m.safetensors", "--quiet"], cwd=tmp_path, check=True)
    content = (tmp_path / "m.safetensors").read_bytes()
    header = json.loads(content[8:8 + struct.unpack_from("<Q", content)[0]])
    header.pop("__metadata__")
    page = (REPOSITORY / "docs" / "model_file.md").read_text(encoding="utf-8")
    arrays = fields_in(page.split("## Arrays")[1])
    assert set(header) == arrays - {"rows", "shift", "unit", "scaler_center", "scaler_scale", "landmarks", "coefficients"}
    assert {name: header[name]["dtype"] for name in ("row_offsets", "row_columns")} == {"row_offsets": "I64",
                                                                                         "row_columns": "I32"}


def test_the_way_back_is_as_documented(after_readme, command):
    numpy = pytest.importorskip("numpy")
    subprocess.run([command, "fit", "iris.csv", "--label-col", "species", "--scale", "standard", "--preimage", "ridge", "-o",
                    "back.safetensors", "--quiet"], cwd=after_readme, check=True)
    subprocess.run([command, "inverse", "back.safetensors", "scores.csv", "-o", "back.npy"], cwd=after_readme, check=True)
    content = (after_readme / "back.safetensors").read_bytes()
    length = struct.unpack_from("<Q", content)[0]
    header = json.loads(content[8:8 + length])
    page = (REPOSITORY / "docs" / "model_file.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| (preimage_\w+) \|", page, re.MULTILINE))
    assert {name for name in header if name.startswith("preimage_")} == documented - {"preimage_turn"}

    def array(name):
        begin, end = header[name]["data_offsets"]
        return numpy.frombuffer(content[8 + length:][begin:end]).reshape(header[name]["shape"])

    scores = numpy.loadtxt(after_readme / "scores.csv", delimiter=",", skiprows=1)
    gamma = json.loads(header["__metadata__"]["preimage"])["gamma"]
    squares = ((scores[:, None] - array("preimage_centers")[None])**2).sum(axis=2)
    z = array("preimage_mean") + numpy.exp(-gamma * squares) @ array("preimage_coefficients")
    rows = (z + array("shift")) * array("scaler_scale") + array("scaler_center")
    numpy.testing.assert_allclose(numpy.load(after_readme / "back.npy"), rows, atol=1e-8)


def contents_of(path):
    """The metadata and the arrays of a model file."""
    numpy = pytest.importorskip("numpy")
    content = path.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8:8 + length])
    arrays = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            dtype = {"F32": "<f4", "F64": "<f8"}[entry["dtype"]]
            flat = numpy.frombuffer(content[8 + length + begin:8 + length + end], dtype)
            arrays[name] = flat.reshape(entry["shape"]).astype(float)
    return header["__metadata__"], arrays


def test_a_documented_score_is_the_score(after_readme):
    """The formula of docs/model_file.md, applied by hand."""
    numpy = pytest.importorskip("numpy")
    metadata, arrays = contents_of(after_readme / "iris.safetensors")
    gamma = json.loads(metadata["report"])["gamma"]

    X = numpy.loadtxt(after_readme / "iris.csv", delimiter=",", skiprows=1, usecols=range(4))
    Z = (X - arrays["scaler_center"]) / arrays["scaler_scale"] - arrays["shift"]
    K = numpy.exp(-gamma * ((Z[:, None, :] - arrays["rows"][None, :, :]) ** 2).sum(axis=2))
    A = arrays["dual_variables"] @ arrays["rotation"]
    scores = K @ (A - A.mean(axis=0)) - arrays["offset"]

    written = numpy.loadtxt(after_readme / "scores.csv", delimiter=",", skiprows=1)
    assert abs(scores - written).max() < 1e-5
    assert abs(arrays["scores"] - written).max() < 1e-5


@pytest.mark.parametrize("kernel, power", [("rbf", 2), ("laplace", 1)])
def test_a_documented_unit_is_the_unit(command, tmp_path, kernel, power):
    """The same for data that have a unit."""
    numpy = pytest.importorskip("numpy")
    X = 1e-20 * numpy.random.default_rng(0).normal(size=(40, 3))
    numpy.save(tmp_path / "x.npy", X)
    subprocess.run([command, "fit", "x.npy", "-o", "m.safetensors", "--quiet", "--kernel", kernel, "--gamma", "median",
                    "--preimage", "ridge", "--precision", "float64"], cwd=tmp_path, check=True)
    metadata, arrays = contents_of(tmp_path / "m.safetensors")
    assert metadata["format_version"] == "2"
    (unit,) = arrays["unit"]
    gamma = json.loads(metadata["report"])["gamma"] / unit**power
    Z = (X - arrays["shift"]) * unit
    distances = numpy.sqrt(((Z[:, None, :] - arrays["rows"][None, :, :]) ** 2).sum(axis=2))
    A = arrays["dual_variables"] @ arrays["rotation"]
    scores = numpy.exp(-gamma * distances**power) @ (A - A.mean(axis=0)) - arrays["offset"]
    numpy.testing.assert_allclose(scores, arrays["scores"], atol=1e-9)

    numpy.save(tmp_path / "scores.npy", scores)
    subprocess.run([command, "inverse", "m.safetensors", "scores.npy", "-o", "back.npy"], cwd=tmp_path, check=True)
    squares = ((scores[:, None] - arrays["preimage_centers"][None])**2).sum(axis=2)
    width = json.loads(metadata["preimage"])["gamma"]
    Z = arrays["preimage_mean"] + numpy.exp(-width * squares) @ arrays["preimage_coefficients"]
    numpy.testing.assert_allclose(numpy.load(tmp_path / "back.npy"), Z / unit + arrays["shift"], atol=1e-28)


def test_the_demo_runs(command, tmp_path):
    result = subprocess.run([REPOSITORY / "scripts" / "demo", tmp_path], env=os.environ | {"DUALKPCA_COMMAND": str(command)},
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    for name in ("iris.safetensors", "report.json", "scores.csv"):
        assert (tmp_path / name).stat().st_size > 0
        assert name in result.stdout
    assert "setosa" in result.stdout


@pytest.mark.parametrize("page", sorted(p.relative_to(REPOSITORY) for p in
                                        [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]), ids=str)
def test_links_lead_somewhere(page):
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        file = (REPOSITORY / page).parent / path if path else REPOSITORY / page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-") for h in headings], target
