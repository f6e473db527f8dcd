"""Runs the command, which the environment variable DUALKPCA_COMMAND names, and looks at what it leaves behind."""
import os
import subprocess

import numpy as np
import pytest

COMMAND = os.path.abspath(os.environ["DUALKPCA_COMMAND"])


# The address checker takes memory of its own.
measures_memory = pytest.mark.skipif(bool(os.environ.get("DUALKPCA_SANITIZE")), reason="built with sanitizers")


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
