"""Builds the wheel. CMake builds the extension module and the command; setuptools packs them with the Python files.

Environment:
  DUALKPCA_CMAKE_BUILD_DIR    build directory that has both; nothing is built then
  CMAKE_ARGS                  additional arguments for CMake
  CMAKE_BUILD_PARALLEL_LEVEL  number of compilers at a time; by default one per processor
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError

ROOT = Path(__file__).resolve().parent
COMMAND = "dualkpca/bin/dualkpca"
DEBIAN_PACKAGES = {
    "cmake": "cmake", "ninja": "ninja-build", "c++": "g++", "pybind11": "pybind11-dev", "Python": "python3-dev"
}


def version():
    return re.search(r"^project\(dualkpca VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


class MissingPart(BaseError):
    def __init__(self, name):
        package = DEBIAN_PACKAGES.get(name)
        remedy = f"apt-get install {package}, or " if package else ""
        super().__init__(f"{name} is missing, and building dualkpca needs it; on Debian: {remedy}scripts/install-deps")


def check_tools():
    compiler = shlex.split(os.environ.get("CXX", ""))[:1] or ["c++"]
    for tool in ["cmake", "ninja", *compiler]:
        if not shutil.which(tool):
            raise MissingPart(tool)


def run(arguments, environment):
    """Runs a program and shows its output. Returns the exit code and the output."""
    arguments = [str(argument) for argument in arguments]
    print(shlex.join(arguments), flush=True)
    output = []
    with subprocess.Popen(arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            output.append(line)
    return process.returncode, "".join(output)


def configure(build_dir, environment):
    code, output = run(
        ["cmake", "--preset", "release", "-B", build_dir, "-DDUALKPCA_BUILD_TESTS=OFF",
         f"-DPython_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("CMAKE_ARGS", ""))], environment)
    if code == 0:
        return
    # CMake reports a missing package in three ways: its own modules, the files of packages, and cmake/hdf5.cmake.
    missing = re.search(r'Could NOT find (\w+)|provided\s+by\s+"(\w+)"|Could not find DUALKPCA_([A-Z0-9]+)_',
                        output.partition("CMake Error")[2])
    if missing:
        raise MissingPart(missing[missing.lastindex])
    raise BaseError("CMake could not configure the build: see its message above")


def build_with_cmake():
    """Builds the package and returns the build directory, which is kept, so a second build compiles only changed files."""
    check_tools()
    build_dir = ROOT / "build" / "wheel" / sys.implementation.cache_tag
    environment = {
        "CMAKE_BUILD_PARALLEL_LEVEL": str(len(os.sched_getaffinity(0))),
        # Only the debug information contains the directory, and it is stripped, so builds elsewhere can share the cache.
        "CCACHE_BASEDIR": str(ROOT),
        "CCACHE_NOHASHDIR": "1",
        **os.environ,
    }
    configure(build_dir, environment)
    code, _ = run(["cmake", "--build", build_dir, "--target", "dualkpca_app", "dualkpca_python"], environment)
    if code:
        raise BaseError("the compiler failed: see its message above")
    return build_dir


class CMakeBuildExt(build_ext):
    """Step that builds the extension module and the command with CMake."""

    def run(self):
        given = os.environ.get("DUALKPCA_CMAKE_BUILD_DIR")
        build_dir = Path(given).resolve() if given else build_with_cmake()
        folder = (ROOT / "python" if self.inplace else Path(self.build_lib)).resolve()
        code, _ = run(["cmake", "--install", build_dir, "--component", "python", "--strip", "--prefix", folder], None)
        missing = [name for name in self._names() if not (folder / name).is_file()]
        if code or missing:
            raise BaseError(f"{build_dir} gave no {' and no '.join(missing) or 'result'}")

    def _names(self):
        return [self.get_ext_filename(extension.name) for extension in self.extensions] + [COMMAND]

    def get_outputs(self):
        return [os.path.join(self.build_lib, name) for name in self._names()]

    def get_output_mapping(self):
        """Returns, for an editable install, the place in the source tree of each file of a wheel."""
        names = self._names() if self.inplace else []
        return {os.path.join(self.build_lib, name): os.path.join("python", name) for name in names}


class FreshBuild(build):
    """Build step that first removes the files of earlier builds, since the package may no longer have them."""

    def run(self):
        shutil.rmtree(Path(self.build_lib) / "dualkpca", ignore_errors=True)
        super().run()


setup(
    version=version(),
    ext_modules=[Extension("dualkpca._core", sources=[])],
    cmdclass={"build": FreshBuild, "build_ext": CMakeBuildExt},
)
