"""Runs the command and measures its memory."""
import subprocess
import sys
import tempfile

from workplace import COMMAND, HANG_GUARD, ONE_THREAD, assert_one_line

MOST_MEMORY = 300 << 20


# Linux counts the memory of the process that forks as the child's own, so only a small process can measure.
LAUNCHER = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as out:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, file=out)
sys.exit(code)
"""


def run_measured(place, *args, stdin=subprocess.DEVNULL):
    """Returns exit code, stderr and the largest resident set in bytes."""
    with tempfile.NamedTemporaryFile("r") as memory:
        result = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, memory.name, COMMAND, *map(str, args)],
                                cwd=place.path, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                encoding="utf-8", env=ONE_THREAD, timeout=HANG_GUARD)
        return result.returncode, result.stderr, int(memory.read())


def peak_memory(place, *args):
    """Largest resident set in bytes of a command that must succeed."""
    code, stderr, memory = run_measured(place, *args)
    assert code == 0, stderr
    return memory


def refuse(place, *args, says=(), stdin=subprocess.DEVNULL):
    """The command must refuse bad data in one line, in little memory, and change no file."""
    before = place.files()
    code, stderr, memory = run_measured(place, *args, stdin=stdin)
    assert code == 3, stderr
    assert_one_line(stderr, says)
    assert memory < MOST_MEMORY
    assert place.files() == before
    return stderr
