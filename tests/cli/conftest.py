"""What the tests of the command share. The command itself is named by the environment variable DUALKPCA_COMMAND."""
import os
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_iris

COMMAND = os.environ.get("DUALKPCA_COMMAND", "dualkpca")


class Workplace:
    """A directory of its own to run the command in."""

    def __init__(self, path):
        self.path = path

    def run(self, *args, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120} | options
        return subprocess.run([COMMAND, *map(str, args)], cwd=self.path, text=True, **options)

    def start(self, *args, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return subprocess.Popen([COMMAND, *map(str, args)], cwd=self.path, text=True, **options)

    def succeed(self, *args, **options):
        result = self.run(*args, **options)
        assert result.returncode == 0, result.stderr
        assert not result.stderr
        return result

    def fail(self, code, *args, says=(), **options):
        """Runs the command, which must fail with this exit code, one line on stderr and no file made or changed."""
        before = self.files()
        result = self.run(*args, **options)
        assert result.returncode == code, result.stderr
        assert_one_line(result.stderr, says)
        assert self.files() == before
        return result

    def files(self):
        return {file.name: file.read_bytes() for file in self.path.iterdir() if file.is_file()}

    def write(self, name, content):
        (self.path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def save(self, name, array, **options):
        np.save(self.path / name, array, **options)
        return name

    def read_scores(self, name):
        return np.loadtxt(self.path / name, delimiter=",", skiprows=1, ndmin=2)


def assert_one_line(stderr, says=()):
    assert stderr.startswith("dualkpca: "), stderr
    assert stderr.endswith("\n") and stderr.count("\n") == 1, stderr
    for words in [says] if isinstance(says, str) else says:
        assert words in stderr


def csv_text(X, names=None, labels=None):
    lines = [",".join(names)] if names else []
    for i, row in enumerate(X):
        lines.append(",".join([*map(repr, map(float, row)), *([labels[i]] if labels is not None else [])]))
    return "\n".join(lines) + "\n"


@pytest.fixture
def place(tmp_path):
    return Workplace(tmp_path)


@pytest.fixture(scope="session")
def iris():
    return load_iris()


@pytest.fixture
def iris_csv(place, iris):
    names = ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"]
    return place.write("iris.csv", csv_text(iris.data, names, [iris.target_names[t] for t in iris.target]))


@pytest.fixture
def model(place, iris_csv):
    """A fitted model of iris, beside iris.csv."""
    place.succeed("fit", iris_csv, "--label-col", "species", "-o", "iris.dkpca", "--quiet")
    return "iris.dkpca"
