"""docs/denoising.md: its commands run and give its numbers, and its C++ example is the one that is compiled."""
import os
import re
import shlex
import subprocess
import textwrap
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("sklearn")

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "denoising.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digits")
    command = Path(os.environ["DUALKPCA_COMMAND"]).resolve()
    block = "\n".join(blocks("sh")).replace("examples/", f"{shlex.quote(str(REPOSITORY))}/examples/")
    result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, capture_output=True, text=True,
                            env=os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}"})
    assert result.returncode == 0, result.stderr
    (folder / "stdout").write_text(result.stdout)
    return folder


def error(folder, name):
    return np.square(np.load(folder / name) - np.load(folder / "clean.npy")).mean()


def test_the_errors_are_those_of_the_text(digits):
    before, after = map(float, re.search(r"falls from ([\d.]+) to ([\d.]+)\.", PAGE).groups())
    assert abs(error(digits, "noisy.npy") - before) < 1e-3
    assert abs(error(digits, "denoised.npy") - after) < 1e-3
    assert abs(error(digits, "rows.npy") - float(re.search(r"the error is ([\d.]+\d)", PAGE).group(1))) < 1e-3


def test_the_noise_is_found_as_the_text_says(digits):
    pattern = r"pre-images +ridge, gamma [\d.]+, alpha [\d.]+, 2000 centres, .*noise ([\d.]+) learnt"
    found, shown = (float(re.search(pattern, text).group(1)) for text in ((digits / "stdout").read_text(), PAGE))
    assert abs(found - shown) < 1e-3
    true = np.load(digits / "digits.npy").std()
    assert f"a standard deviation of {true:.4f}," in PAGE and abs(found - true) < 0.01


def test_the_cpp_example_is_the_one_that_is_compiled():
    source = (REPOSITORY / "examples" / "denoise.cpp").read_text(encoding="utf-8")
    region = re.search(r"^ *// \[docs\]\n(.*?)^ *// \[/docs\]$", source, re.MULTILINE | re.DOTALL).group(1)
    assert blocks("cpp") == [textwrap.dedent(region)]


def test_the_picture_is_small():
    assert (REPOSITORY / "docs/pictures/denoising.png").stat().st_size < 150_000
