"""The Python examples run, their figures support what the pages say, and the pictures in docs are theirs."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("dualkpca")

REPOSITORY = Path(__file__).resolve().parents[2]
PICTURES = REPOSITORY / "docs" / "pictures"
PAGES = {name: (REPOSITORY / name).read_text(encoding="utf-8")
         for name in ("README.md", "docs/python.md", "docs/parameters.md", "docs/monitoring.md")}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs an example once; returns what it printed and the picture that it wrote."""
    folder = tmp_path_factory.mktemp("examples")
    finished = {}

    def once(name, extension):
        if name not in finished:
            picture = folder / f"{name}.{extension}"
            result = subprocess.run([sys.executable, REPOSITORY / "examples" / f"{name}.py", picture], cwd=folder, text=True,
                                    capture_output=True, env={"OMP_NUM_THREADS": "1"} | os.environ | {"MPLBACKEND": "Agg"})
            assert result.returncode == 0, result.stdout + result.stderr
            finished[name] = result.stdout, picture
        return finished[name]
    return once


def number(pattern, text):
    return float(re.search(pattern, text)[1])


def quoted(pattern, *pages):
    """Returns the only number that the pages give for a figure."""
    found = {float(match) for page in pages for match in re.findall(pattern, PAGES[page])}
    assert len(found) == 1, (pattern, found)
    return found.pop()


# Rows near a limit and digits of the solutions differ between machines: percentages may differ by two, ratios by 0.02.
def test_outliers_in_a_table(run):
    text, picture = run("outliers_in_a_table", "png")
    assert number(r"AUROC of SPE ([\d.]+)\n", text) > 0.85
    gross_spe, gross_weight = map(float, re.search(r"gross errors: AUROC of SPE ([\d.]+), of 1 - row weight ([\d.]+)", text).groups())
    assert abs(gross_spe - quoted(r"puts them first \(AUROC ([\d.]+\d)\)", "docs/python.md")) < 0.02
    assert abs(gross_weight - quoted(r"are ordinary \(AUROC ([\d.]+\d),", "docs/python.md")) < 0.02
    shown = quoted(r"(\d+) % of the malignant rows", "docs/python.md"), quoted(r"and (\d+) % are above a limit", "docs/python.md")
    found = number(r"benign rows only: (\d+) %", text), number(r"20 malignant rows: (\d+) %", text)
    assert found == pytest.approx(shown, abs=2)
    plain, robust = number(r"loss square: (\d+) %", text), number(r"kappa_ratio 0.05: (\d+) %", text)
    everywhere = list(PAGES)
    assert plain == pytest.approx(quoted(r"(?:square loss|ordinary|ones).*? (77) %", *everywhere), abs=2)
    assert robust == pytest.approx(quoted(r"(?:robust ones|`huber`).*? (96) %", *everywhere), abs=2)
    assert number(r"kappa_ratio 0.02: (\d+) %", text) == pytest.approx(robust, abs=2)
    for ratio in (0.2, 0.5):
        shown = quoted(rf"\b{re.escape(str(ratio))} (?:it is|gives) (\d+) %", "docs/python.md", "docs/parameters.md")
        assert number(rf"kappa_ratio {ratio}: (\d+) %", text) == pytest.approx(shown, abs=2)
    assert picture.stat().st_size > 10_000


def test_denoising_digits(run):
    text, picture = run("denoising_digits", "png")
    noisy, ours, theirs, linear = (number(rf"{name}: mean squared error ([\d.]+)", text) for name in (
        "noisy images", "dualkpca denoise", "scikit-learn at its best setting", "linear PCA at its best setting"))
    assert ours < 0.9 * theirs < 0.9 * linear < 0.5 * noisy
    assert picture.stat().st_size > 10_000


def test_small_fast_model(run):
    text, picture = run("small_fast_model", "svg")
    models = {}
    for name, rows, r2 in re.findall(r"^([a-z ]+): (\d+) rows, R2 (-?[\d.]+)", text, re.MULTILINE):
        models.setdefault(name, {})[int(rows)] = float(r2)
    assert set(models) == {"landmarks", "random subset", "sparse fit"}
    both = "docs/python.md", "docs/parameters.md"
    assert models["landmarks"][480] == pytest.approx(quoted(r"480 landmarks.*?R2 ([\d.]+\d)", *both), abs=2e-4)
    assert models["random subset"][480] == pytest.approx(quoted(r"480 random rows with ([\d.]+\d)", "docs/python.md"), abs=0.02)
    reported, true = map(float, re.search(r"eta of 480 landmarks: reported ([\d.]+), true ([\d.]+)", text).groups())
    shown = re.search(r"For the 480 landmarks below it was ([\d.]+), where the true error was ([\d.]+\d)\.", PAGES["docs/parameters.md"])
    assert [reported, true] == pytest.approx([float(value) for value in shown.groups()], rel=0.2)
    sparse_rows = quoted(r"with (\d+) rows with", *both)
    rows, r2 = min(models["sparse fit"].items(), key=lambda found: abs(found[0] - sparse_rows))
    assert rows == pytest.approx(sparse_rows, rel=0.03)
    assert r2 == pytest.approx(quoted(r"with \d+ rows with (?:R2 )?([\d.]+\d)", *both), abs=0.05)
    assert picture.stat().st_size > 10_000


@pytest.mark.parametrize("name", ["outliers_in_a_table.png", "denoising_digits.png", "small_fast_model.svg"])
def test_the_pictures_are_shown(name):
    assert (PICTURES / name).stat().st_size < 150_000
    assert f"(pictures/{name})" in PAGES["docs/python.md"]
    assert f"examples/{name.split('.')[0]}.py" in PAGES["docs/python.md"]
