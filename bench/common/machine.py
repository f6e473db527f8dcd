"""Speed of the machine in this run: a time means little without it."""
import os
import platform
import re
import subprocess
import time

import numpy as np

import ours
import process


def describe(threads, quick=False):
    """Returns lines to print above a table."""
    free = process.available_memory() / 2**30
    lines = [f"{time.strftime('%Y-%m-%d')}, {processor()}, {threads} threads, {free:.1f} GiB free, "
             f"load {os.getloadavg()[0]:.1f}",
             f"sgemm by numpy: {sgemm_rate(512 if quick else 4096):.0f} Gflop/s"]
    return lines + ([] if quick else gram_bench(threads))


def cpuinfo(name):
    """Returns a field of the first processor in /proc/cpuinfo; empty if it is missing."""
    with open("/proc/cpuinfo") as file:
        found = re.search(rf"^{name}\s*:\s*(.*)$", file.read(), re.MULTILINE)
    return found.group(1).strip() if found else ""


def processor():
    return cpuinfo("model name") or platform.machine()


def hardware(threads):
    """Returns processor, widest vector unit, cores in use and memory, which do not change from run to run."""
    flags = cpuinfo("flags").split()
    unit = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse2", "SSE2")) if flag in flags),
                "no vector unit known")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{processor()}, {unit}, {threads} of {os.cpu_count()} cores, {memory:.0f} GiB"


def sgemm_rate(n):
    """Returns the rate of numpy's product of two n x n matrices in float32, best of three."""
    A = np.random.default_rng(0).standard_normal((n, n), dtype=np.float32)
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        A @ A
        best = min(best, time.perf_counter() - start)
    return 2 * n**3 / best / 1e9


def gram_bench(threads):
    """Runs gram_bench, if it was built."""
    program = ours.build_folder() / "bench/gram_bench"
    if not program.exists():
        return ["gram_bench: not built (make bench)"]
    words = [str(program), "8000", "256", "32", str(threads), "3"]
    try:
        result = subprocess.run(words, stdout=subprocess.PIPE, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return ["gram_bench: took too long"]
    kept = [line for line in result.stdout.splitlines() if re.match(r"n =|assembly, rbf|product", line)]
    return ["gram_bench: " + " ".join(line.split()) for line in kept]
