"""Every command ends under any limit of memory: with 0 if the work fits, with 5 and one line if it does not."""
import os
import resource

import numpy as np
import pytest
from workplace import assert_one_line, measures_memory

pytestmark = measures_memory  # the sanitizers' own memory is beyond any limit

MB = 10**6
LIMITS = [80, 150, 260, 800]
LOADER_FAILED = 127  # the shared libraries alone do not fit: no code of the command has run yet


@pytest.fixture
def model(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(300, 5)))
    place.succeed("fit", "X.npy", "-o", "m.dkpca", "--quiet")
    return "m.dkpca"


def run_limited(place, kind, megabytes, args, threads):
    def limit():
        resource.setrlimit(kind, (megabytes * MB, megabytes * MB))

    variables = {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    return place.run(*args, preexec_fn=limit, env=os.environ | variables)


@pytest.mark.parametrize("kind, threads", [(resource.RLIMIT_AS, 16), (resource.RLIMIT_DATA, 2)], ids=["address space", "data"])
@pytest.mark.parametrize("args", [["--version"], ["info", "m.dkpca"], ["convert", "X.npy", "out.csv"],
                                  ["transform", "m.dkpca", "X.npy", "-o", "out.csv"],
                                  ["score", "m.dkpca", "X.npy", "-o", "out.csv"],
                                  ["fit", "X.npy", "-o", "new.dkpca", "--quiet"]], ids=lambda args: args[0])
def test_every_command_ends(place, model, kind, threads, args):
    codes = []
    before = place.files()
    for megabytes in LIMITS:
        result = run_limited(place, kind, megabytes, args, threads)
        codes.append(result.returncode)
        if result.returncode == 5:
            assert_one_line(result.stderr)
        if result.returncode != 0:
            assert place.files() == before
        for name in place.files().keys() - before.keys():
            (place.path / name).unlink()
    assert set(codes) <= {0, 5, LOADER_FAILED}, codes
    assert codes[-1] == 0, codes
    assert codes == sorted(codes, key=[LOADER_FAILED, 5, 0].index), f"more memory is not worse: {codes}"


def test_the_limit_counts_in_the_budget(place):
    place.save("X.npy", np.random.default_rng(0).normal(size=(20000, 5)).astype(np.float32))
    result = run_limited(place, resource.RLIMIT_AS, 1000, ["fit", "X.npy", "--solver", "krylov", "-o", "m.dkpca"], 2)
    assert result.returncode == 5  # the Gram matrix alone takes 1.6 GB
    assert_one_line(result.stderr, ["20000 rows"])


def test_threads_that_cannot_be_started_are_done_without(place, model):
    expected = place.succeed("transform", model, "X.npy", "-o", "-").stdout
    result = run_limited(place, resource.RLIMIT_AS, 500, ["transform", model, "X.npy", "-o", "-", "--threads", "200"], 2)
    assert result.returncode == 0
    assert result.stdout == expected
