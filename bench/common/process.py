"""Runs a program as a process of its own: seconds, largest resident set, a limit of time and one of memory."""
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile

# The operating system counts the memory of the forking process as the child's, so a small process has to fork.
LAUNCHER = """
import json, resource, subprocess, sys, time
limit = int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
start = time.perf_counter()
code = subprocess.call(sys.argv[3:])
seconds = time.perf_counter() - start
with open(sys.argv[1], "w") as out:
    json.dump([seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, code], out)
"""


@dataclasses.dataclass
class Run:
    status: str  # "ok", "timeout", or the failure in a few words
    seconds: float = float("nan")
    peak_bytes: float = float("nan")
    code: int = -1
    stdout: str = ""
    stderr: str = ""


def thread_settings(threads):
    """Returns environment variables that give every program the same number of threads."""
    names = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]
    return {name: str(threads) for name in names}


def run(command, threads, timeout, memory_limit=0, accepted_codes=(0,)):
    """Runs a command; memory_limit is in bytes of data (mapped files do not count), 0 for no limit."""
    with tempfile.NamedTemporaryFile("r") as measured:
        launcher = [sys.executable, "-S", "-c", LAUNCHER, measured.name, str(int(memory_limit))]
        child = subprocess.Popen(launcher + [str(part) for part in command], stdin=subprocess.DEVNULL, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                 env=os.environ | thread_settings(threads))
        try:
            stdout, stderr = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return Run("timeout")
        seconds, peak, code = json.loads(measured.read())
    status = "ok" if code in accepted_codes else failure(code, stderr)
    return Run(status, seconds, peak, code, stdout, stderr)


def failure(code, stderr):
    if "MemoryError" in stderr or "cannot allocate" in stderr or code == -signal.SIGKILL:
        return "out of memory"
    lines = stderr.strip().splitlines() or [f"exit code {code}"]
    return lines[-1][:160]


def available_memory():
    """Returns the bytes of memory that are available."""
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0
