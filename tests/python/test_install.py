"""The package as a user gets it: a source archive, and a wheel built from it, installed and used in another folder.

Environment: DUALKPCA_CMAKE_BUILD_DIR, a build directory to take the extension module and the command from. Without it
the wheel is built from nothing, which takes minutes unless ccache has seen it.
"""
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(dualkpca VERSION (\S+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]
MODULE = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
PACKAGE = REPOSITORY / "python" / "dualkpca"
PYTHON_FILES = {path.name for pattern in ("*.py", "*.pyi", "py.typed") for path in PACKAGE.glob(pattern)}

pytestmark = pytest.mark.skipif(not shutil.which("cmake"), reason="there is no cmake")


def run(arguments, cwd, **variables):
    """Runs a program without the variables of the caller that add to the search path of Python."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    if environment.get("DUALKPCA_CMAKE_BUILD_DIR"):
        environment["DUALKPCA_CMAKE_BUILD_DIR"] = os.path.abspath(environment["DUALKPCA_CMAKE_BUILD_DIR"])
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", **variables}
    return subprocess.run([str(a) for a in arguments], cwd=cwd, env=environment, capture_output=True, text=True)


def checked(result):
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-5000:]
    return result.stdout


def pip(*arguments, cwd):
    return checked(run([sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", *arguments], cwd))


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Unpacks the source archive. It is made in a copy of the repository, because setuptools writes beside the files it packs:
    another run may do the same, or this user may not write there."""
    folder = tmp_path_factory.mktemp("sources")
    copy = tmp_path_factory.mktemp("repository") / "dualkpca"
    made = {str(REPOSITORY): {"build", ".git"}}
    shutil.copytree(REPOSITORY, copy, ignore=lambda path, names: made.get(path, set()) | {"__pycache__"})
    command = ["setup.py", "-q", "egg_info", "--egg-base", folder, "sdist", "--dist-dir", folder]
    checked(run([sys.executable, *command], copy))
    with tarfile.open(folder / f"dualkpca-{VERSION}.tar.gz") as archive:
        archive.extractall(folder)
    return folder / f"dualkpca-{VERSION}"


@pytest.fixture(scope="module")
def wheel(sources, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ".", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder, cwd=sources)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-deps", "--no-index", "--target", folder, wheel, cwd=folder)
    return folder


def test_source_archive_has_all_that_a_build_reads(sources):
    def files(root):
        folders = ("apps", "cmake", "include", "python", "src")
        found = {path.relative_to(root) for folder in folders for path in (root / folder).rglob("*") if path.is_file()}
        made = {"__pycache__", "dualkpca.egg-info", "bin"}
        return {path for path in found if not made & set(path.parts) and path.suffix != ".so"}

    assert files(sources) == files(REPOSITORY)
    for name in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "pyproject.toml", "scripts/install-deps"):
        assert (sources / name).read_bytes() == (REPOSITORY / name).read_bytes()
    assert not list(sources.rglob("*.so")) and not list(sources.rglob("bin"))


def test_wheel_has_the_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        entries = {entry.filename: entry for entry in archive.infolist() if ".dist-info/" not in entry.filename}
        metadata = Parser().parsestr(archive.read(f"dualkpca-{VERSION}.dist-info/METADATA").decode())
    assert set(entries) == {f"dualkpca/{name}" for name in PYTHON_FILES | {MODULE, "bin/dualkpca"}}
    assert stat.S_IMODE(entries["dualkpca/bin/dualkpca"].external_attr >> 16) & 0o111 == 0o111
    assert {"py.typed", "_core.pyi", "_kernel_pca.pyi"} <= PYTHON_FILES
    assert (metadata["Version"], metadata["License"]) == (VERSION, "BSD-3-Clause")
    required = {re.sub(r"[ ()]|;.*", "", line) for line in metadata.get_all("Requires-Dist")}
    assert required == {"numpy", "scipy", "scikit-learn>=1.2", "matplotlib"}
    assert wheel.stat().st_size < 10e6  # with debug information it would be several times that


def test_binaries_have_no_debug_information(installed):
    for path in (installed / "dualkpca" / MODULE, installed / "dualkpca" / "bin" / "dualkpca"):
        assert ".debug_info" not in checked(run(["readelf", "--section-headers", path], installed))


def test_installed_package_fits(installed, tmp_path):
    program = """
import sys, dualkpca
from sklearn.datasets import load_digits
X = load_digits().data
Z = dualkpca.KernelPCA(n_components=7, kernel="rbf", gamma="median").fit_transform(X)
print(dualkpca.__file__, dualkpca._core.__file__, dualkpca.__version__, Z.shape[0], Z.shape[1], sep="\\n")
"""
    words = checked(run([sys.executable, "-c", program], tmp_path, PYTHONPATH=str(installed))).splitlines()
    folder = installed / "dualkpca"
    assert words == [str(folder / "__init__.py"), str(folder / MODULE), VERSION, "1797", "7"]
    assert [p.name for p in installed.rglob("*.so*")] == [MODULE]


@pytest.mark.parametrize("command", [["-m", "dualkpca"], ["bin/dualkpca"]], ids=["python -m dualkpca", "dualkpca"])
def test_installed_command_runs(installed, tmp_path, command):
    program = [sys.executable, *command] if command[0] == "-m" else [installed / command[0]]
    shutil.copy(REPOSITORY / "examples" / "data" / "iris.csv", tmp_path)
    here = {"cwd": tmp_path, "PYTHONPATH": str(installed)}
    assert VERSION in checked(run([*program, "--version"], **here))
    checked(run([*program, "fit", "iris.csv", "--label-col", "species", "-o", "iris.safetensors"], **here))
    assert run([*program, "fit", "nothing.csv", "-o", "m"], **here).returncode == 3


def test_missing_tools_are_named(sources, tmp_path):
    here = {"cwd": sources, "PATH": str(tmp_path), "DUALKPCA_CMAKE_BUILD_DIR": ""}
    for tool, package in (("cmake", "cmake"), ("ninja", "ninja-build"), ("c++", "g++")):
        result = run([sys.executable, "setup.py", "-q", "build"], **here)
        last = result.stderr.splitlines()[-1]
        assert result.returncode != 0 and last.startswith(f"error: {tool} is missing")
        assert f"apt-get install {package}," in last and "scripts/install-deps" in last
        (tmp_path / tool).symlink_to("/bin/true")  # another part is missing the next time


def test_missing_library_is_named(sources, tmp_path):
    prefixes = [f"{root}/{part}" for root in ("", "/usr", "/usr/local") for part in ("lib", "share")]
    hidden = f"-DCMAKE_IGNORE_PATH='{';'.join(f'{prefix}/cmake/pybind11' for prefix in prefixes)}'"
    copy = tmp_path / "sources"
    shutil.copytree(sources, copy, ignore=shutil.ignore_patterns("build"))
    result = run([sys.executable, "setup.py", "-q", "build"], copy, CMAKE_ARGS=hidden, DUALKPCA_CMAKE_BUILD_DIR="")
    assert result.returncode != 0
    assert result.stderr.splitlines()[-1].startswith("error: pybind11 is missing")
    assert "apt-get install pybind11-dev" in result.stderr
    assert "CMake Error" in result.stdout


def test_build_directory_of_something_else_is_refused(sources, tmp_path):
    result = run([sys.executable, "setup.py", "-q", "build"], sources, DUALKPCA_CMAKE_BUILD_DIR=str(tmp_path))
    assert result.returncode != 0
    assert str(tmp_path) in result.stderr.splitlines()[-1]
