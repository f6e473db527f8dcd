"""HDF5 files that nobody should trust: they end with one line, in little time and memory, and open no other file."""
import os
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.sparse
from measured import refuse
from workplace import HANG_GUARD


def write_sparse(path, X, **links):
    """Writes a file as anndata does; `links` replace datasets of the same name."""
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"] = "csr_matrix"
        group.attrs["shape"] = np.array(X.shape)
        for part in ["data", "indices", "indptr"]:
            group[part] = links.get(part, getattr(X, part))
    return path.name


@pytest.fixture
def matrix():
    return scipy.sparse.random(20, 5, density=0.4, format="csr", random_state=1)


def heap_at(content):
    return content.index(b"GCOL")


def patched(content, at, number, width):
    return content[:at] + number.to_bytes(width, "little") + content[at + width:]


# The heap has a header of 16 bytes, then objects: index (2 bytes), references (2), unused (4), size (8) and the text.
HEAPS = {
    "no step forward": lambda b: patched(b, heap_at(b) + 16 + 8, 2**64 - 16, 8),
    "a step back": lambda b: patched(b, heap_at(b) + 16 + 8, 2**64 - 4096, 8),
    "free space of no size": lambda b: patched(patched(b, heap_at(b) + 16, 0, 2), heap_at(b) + 16 + 8, 0, 8),
    "object beyond the heap": lambda b: patched(b, heap_at(b) + 16 + 8, 10**6, 8),
    "huge heap": lambda b: patched(b, heap_at(b) + 8, 2**62, 8),
    "tiny heap": lambda b: patched(b, heap_at(b) + 8, 0, 8),
    "another version": lambda b: patched(b, heap_at(b) + 4, 9, 1),
    "reference to a missing object": lambda b: patched(b, b.index(heap_at(b).to_bytes(8, "little")) + 8, 60000, 4),
    "reference beyond the file": lambda b: patched(b, b.index(heap_at(b).to_bytes(8, "little")), 2**60, 8),
    "text longer than its object": lambda b: patched(b, b.index(heap_at(b).to_bytes(8, "little")) - 4, 50, 4),
    "text of 4 GB": lambda b: patched(b, b.index(heap_at(b).to_bytes(8, "little")) - 4, 2**32 - 1, 4),
}


@pytest.mark.parametrize("kind", HEAPS)
@pytest.mark.parametrize("name", ["X.h5ad", "X.h5"])
def test_text_of_variable_length(place, matrix, kind, name):
    write_sparse(place.path / name, matrix)
    good = (place.path / name).read_bytes()
    place.succeed("convert", name, "out.npy", "--quiet")
    assert np.array_equal(np.load(place.path / "out.npy"), matrix.toarray())
    if kind == "huge heap":  # the object is at the expected place
        place.write(name, HEAPS[kind](good))
        place.run("convert", name, "again.npy", timeout=HANG_GUARD)
        return
    place.write(name, HEAPS[kind](good))
    place.fail(3, "convert", name, "again.npy", says=name, timeout=HANG_GUARD)


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("userblock", [0, 1024])
def test_text_is_found_wherever_it_stands(place, matrix, libver, userblock):
    with h5py.File(place.path / "X.h5ad", "w", libver=libver, userblock_size=userblock) as file:
        for i in range(300):  # several heaps, and texts longer than those that are searched for
            file.attrs[f"note {i}"] = "long text " * 50
        group = file.create_group("X")
        for i in range(20):
            group.attrs[f"note {i}"] = f"text {i}"
        group.attrs["encoding-type"] = "csr_matrix"
        group.attrs["shape"] = np.array(matrix.shape)
        for part in ["data", "indices", "indptr"]:
            group[part] = getattr(matrix, part)
    place.succeed("convert", "X.h5ad", "out.npy", "--quiet")
    assert np.array_equal(np.load(place.path / "out.npy"), matrix.toarray())


def test_links_to_other_files(place, matrix):
    with h5py.File(place.path / "secret.h5", "w") as file:
        file["a/X"] = np.ones((4, 3))
    with h5py.File(place.path / "links.h5", "w") as file:
        file["external"] = h5py.ExternalLink("secret.h5", "/a/X")
        file["soft"] = h5py.SoftLink("/external")
        file["group"] = h5py.ExternalLink("secret.h5", "/a")
        file["inner"] = np.eye(3)
        file["alias"] = h5py.SoftLink("/inner")
    for name in ["external", "soft", "group/X", "group"]:
        refuse(place, "convert", f"links.h5:/{name}", "out.csv", says=[f"links.h5:/{name}", "another file", "'secret.h5'"])
    place.succeed("convert", "links.h5", "out.npy", "--quiet")
    place.succeed("convert", "links.h5:/alias", "out.npy", "--quiet")
    assert np.array_equal(np.load(place.path / "out.npy"), np.eye(3))


@pytest.mark.parametrize("part", ["data", "indices", "indptr"])
def test_parts_of_a_sparse_matrix_in_other_files(place, matrix, part):
    write_sparse(place.path / "secret.h5", matrix)
    name = write_sparse(place.path / "X.h5ad", matrix, **{part: h5py.ExternalLink("secret.h5", f"/X/{part}")})
    refuse(place, "convert", name, "out.csv", says=[f"X.h5ad:/X/{part}", "another file", "'secret.h5'"])


def test_matrix_in_another_file(place, matrix):
    write_sparse(place.path / "secret.h5", matrix)
    with h5py.File(place.path / "X.h5ad", "w") as file:
        file["X"] = h5py.ExternalLink("secret.h5", "/X")
    refuse(place, "convert", "X.h5ad", "out.csv", says=["X.h5ad:/X", "another file", "'secret.h5'"])


def test_groups_nested_without_end(place):
    with h5py.File(place.path / "deep.h5", "w", libver="latest") as file:
        group = file
        for _ in range(20_000):
            group = group.create_group("g")
        group["X"] = np.ones((3, 2))
    place.fail(3, "convert", "deep.h5", "out.csv", says=["deep.h5", "too deep"], timeout=HANG_GUARD)


def test_a_group_inside_itself(place):
    with h5py.File(place.path / "loop.h5", "w") as file:
        file["a/X"] = np.eye(3)
        file["a/b/c"] = file["a"]
        file["also"] = file["a/X"]
    place.succeed("convert", "loop.h5", "out.npy", "--quiet")
    assert np.array_equal(np.load(place.path / "out.npy"), np.eye(3))


@pytest.mark.skipif(bool(os.environ.get("DUALKPCA_SANITIZE")), reason="the checkers report the crash")
def test_a_crash_of_libhdf5_is_told(place):
    """The fuzzer found this file: libhdf5 1.10 reads from address 0. A later version may refuse the file, as the command
    does."""
    shutil.copy(Path(__file__).parent / "data" / "crashes_libhdf5.h5", place.path / "X.h5")
    place.fail(3, "convert", "X.h5", "out.csv", says="damaged")
