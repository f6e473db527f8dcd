"""Runs the command that the environment variable DUALKPCA_COMMAND names, and looks at the files it leaves behind."""
import contextlib
import io
import os
import signal
import subprocess
import time

import numpy as np
import pytest

COMMAND = os.path.abspath(os.environ["DUALKPCA_COMMAND"])

# Seconds after which a command counts as hanging. No test is about time: nothing else may depend on how long a command takes,
# because a slow or busy machine can need a hundred times as long.
HANG_GUARD = 600


def with_threads(count):
    """Returns an environment for commands whose memory is measured or limited. Every thread has its own stack, blocks of rows
    and BLAS buffers; with several threads the peak depends on which of them happen to be full at once."""
    return os.environ | {"OMP_NUM_THREADS": str(count), "OPENBLAS_NUM_THREADS": str(count)}


ONE_THREAD, TWO_THREADS = with_threads(1), with_threads(2)


# The address checker uses memory of its own, and the data-race checker writes a file of its own.
measures_memory = pytest.mark.skipif(bool(os.environ.get("DUALKPCA_SANITIZE")), reason="built with sanitizers")
limits_file_size = pytest.mark.skipif(os.environ.get("DUALKPCA_SANITIZE") == "thread", reason="built with the data-race checker")


class Workplace:
    """A directory of its own to run the command in."""

    def __init__(self, path):
        self.path = path

    def run(self, *args, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": HANG_GUARD} | options
        return subprocess.run([COMMAND, *map(str, args)], cwd=self.path, encoding="utf-8", **options)

    @contextlib.contextmanager
    def start(self, *args, **options):
        """Yields a process that does not outlive the block: a test that fails leaves no endless work behind."""
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        with subprocess.Popen([COMMAND, *map(str, args)], cwd=self.path, encoding="utf-8", **options) as process:
            try:
                yield process
            finally:
                process.kill()

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


def wait_until(event, process):
    """Waits until event() is true; the process has to cause this while it lives."""
    begin = time.monotonic()
    while not event():
        assert process.poll() is None or event(), f"the command has ended with {process.returncode}"
        assert time.monotonic() < begin + HANG_GUARD, "the command hangs"
        time.sleep(0.01)


def handles(process, number):
    """Whether the process catches this signal by now; before, it would end it."""
    with open(f"/proc/{process.pid}/status") as status:
        caught = next(line.split()[1] for line in status if line.startswith("SigCgt:"))
    return bool(int(caught, 16) >> (number - 1) & 1)


def waits_for_input(process):
    """Whether the process, which reads a silent pipe, sleeps in the read, from which a signal has to wake it."""
    if not handles(process, signal.SIGINT):
        return False
    with open(f"/proc/{process.pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] == "S"


def has_open_file(process, folder):
    """Whether the process has a file of this folder open. If the file has no name, Linux gives that of the folder."""
    with contextlib.suppress(FileNotFoundError):  # closed in the meantime
        numbers = os.listdir(f"/proc/{process.pid}/fd")
        return any(os.readlink(f"/proc/{process.pid}/fd/{number}").startswith(f"{folder.resolve()}/") for number in numbers)
    return False


def interrupt_while_rows_come(place, process, number, columns):
    """Sends the signal to a process that reads NPY from its standard input, once it has begun to write its output. It cannot
    reach the end of the rows before. Returns the exit code and standard error."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**9, columns)})
    rows = np.random.default_rng(0).normal(size=(2 * 4096, columns)).astype("<f4").tobytes()  # two blocks
    process.stdin.buffer.write(header.getvalue() + rows)
    wait_until(lambda: has_open_file(process, place.path), process)
    process.send_signal(number)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.buffer.write(rows)  # a signal that came between two reads is noticed with the next block
        process.stdin.buffer.flush()
    code = process.wait(timeout=HANG_GUARD)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    return code, process.stderr.read()


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
