"""docs/python.md and the Python of README.md: the examples give the outputs shown, and the tables list every name."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
dualkpca = pytest.importorskip("dualkpca")

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
PICTURES = ["python_scores.svg", "python_outliers.svg", "python_monitoring.svg"]
# One thread unless the caller has chosen a number: these fits are small, and run beside other tests.
ENVIRONMENT = {"OMP_NUM_THREADS": "1"} | os.environ | {"MPLBACKEND": "Agg"}


def blocks(text):
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(words, folder):
    result = subprocess.run([sys.executable, *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL).group(1)


def names_in(title):
    """Returns every `name` in the first column of the table of a section, without arguments."""
    rows = [line.split("|")[1] for line in section(title).splitlines() if line.startswith("| `")]
    return {name.split("(")[0].split(".")[-1] for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_the_examples_give_what_is_shown(tmp_path):
    examples = blocks(PAGE)
    assert len(examples) > 10 and all(">>> " in block for block in examples)
    (tmp_path / "examples.txt").write_text("\n".join(examples))
    run(["-m", "doctest", "-o", "FAIL_FAST", "examples.txt"], tmp_path)


def test_the_example_of_the_readme(tmp_path):
    (example,) = blocks((REPOSITORY / "README.md").read_text(encoding="utf-8"))
    checks = """
assert scores.shape == (1797, 20) and pca.converged_
assert abs(KernelPCA.load("digits.safetensors").transform(X) - scores).max() < 1e-8
"""
    run(["-c", example + checks], tmp_path)


def fits():
    from sklearn.datasets import load_iris
    X = load_iris().data
    yield dualkpca.KernelPCA(n_components=2, n_jobs=1, fit_inverse_transform=True).fit(X)
    yield dualkpca.KernelPCA(n_components=2, n_jobs=1, loss="huber").fit(X)


def test_every_attribute_is_in_the_table():
    existing = {name for model in fits() for name in [*vars(model), "X_fit_", "report_", "t2_", "spe_", "dual_variables_", "row_weights_"]
                if name.endswith("_") and not name.startswith("_")}
    documented = names_in("Attributes")
    assert existing <= documented
    assert documented - existing <= {"feature_names_in_"}


def test_every_method_is_in_the_table():
    public = {name for name, value in vars(dualkpca.KernelPCA).items()
              if not name.startswith("_") and (callable(value) or isinstance(value, classmethod))}
    documented = names_in("Methods")
    assert public <= documented
    assert all(hasattr(dualkpca.KernelPCA, name) for name in documented)


def test_every_parameter_of_ours_is_in_the_table():
    from sklearn.decomposition import KernelPCA
    ours = dualkpca.KernelPCA().get_params()
    assert set(ours) - set(KernelPCA().get_params()) == names_in("Parameters")
    for line in section("Parameters").splitlines():
        if line.startswith("| `"):
            names, values = (re.findall(r"`([^`]+)`|(\d[\d.]*)", cell) for cell in line.split("|")[1:3])
            for (name, _), (text, number) in zip(names, values):
                assert repr(ours[name]).replace("'", '"') == (text or number), name


def test_every_picture_function_is_in_the_table():
    from dualkpca import plot
    assert names_in("Pictures") == set(plot.__all__)


def test_the_pictures_are_those_that_are_drawn(tmp_path):
    run([REPOSITORY / "scripts" / "plot_python", tmp_path], tmp_path)

    def texts(path):
        return re.findall(r"<text[^>]*>([^<]+)", path.read_text(encoding="utf-8"))

    def words(texts):
        """Splits a text into the fractions, whose last digits differ between machines, and the rest."""
        fraction = r"\d+\.\d+"
        return [re.sub(fraction, "0.0", text) for text in texts], [float(x) for x in re.findall(fraction, "\n".join(texts))]
    for name in PICTURES:
        shown = REPOSITORY / "docs" / "pictures" / name
        assert f"(pictures/{name})" in PAGE
        assert shown.stat().st_size < 60_000
        (drawn_words, drawn_numbers), (shown_words, shown_numbers) = map(words, map(texts, (tmp_path / name, shown)))
        assert len(shown_words) > 10 and drawn_words == shown_words
        assert drawn_numbers == pytest.approx(shown_numbers, rel=1e-2)
