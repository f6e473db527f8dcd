"""The model file: readable by the public safetensors rules, and refused if anything is wrong with it."""
import json
import zlib

import numpy as np
import pytest
from workplace import assert_one_line

TYPES = {"F32": np.float32, "F64": np.float64}


def read_safetensors(path):
    """Reads a file by the specification at https://github.com/huggingface/safetensors#format, with json and numpy only."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    assert content[8:9] == b"{"
    header = json.loads(content[8:8 + length].decode("utf-8"))
    metadata = header.pop("__metadata__")
    assert all(isinstance(key, str) and isinstance(value, str) for key, value in metadata.items())
    data, arrays, end = content[8 + length:], {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, after = entry["data_offsets"]
        assert begin == end, f"a hole before {name}"
        dtype = np.dtype(TYPES[entry["dtype"]]).newbyteorder("<")
        assert (8 + length + begin) % dtype.itemsize == 0
        arrays[name] = np.frombuffer(data[begin:after], dtype).reshape(entry["shape"])
        end = after
    assert end == len(data)
    assert (8 + length) % 64 == 0
    return metadata, arrays


def forge(content, part, field, value):
    """Writes the file with another value (... for none) in its `params` or `report`."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + length])
    inner = json.loads(header["__metadata__"][part])
    inner[field] = value
    if value is ...:
        del inner[field]
    header["__metadata__"][part] = json.dumps(inner)
    return with_header(header, content[8 + length:])


def with_header(header, arrays):
    """Writes a file of header and arrays, with the right checksum."""
    header["__metadata__"]["checksum"] = "00000000"
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    forged = len(text).to_bytes(8, "little") + text + arrays
    return forged.replace(b'"checksum":"00000000"', b'"checksum":"%08x"' % zlib.crc32(forged), 1)


@pytest.fixture
def fit_file(place, iris):
    place.save("X.npy", iris.data)
    place.save("K.npy", iris.data @ iris.data.T)

    def fit(*options, data="X.npy"):
        place.succeed("fit", data, "-o", "m.dkpca", "--quiet", "--n-components", "3", *options)
        return read_safetensors(place.path / "m.dkpca")

    return fit


def test_layout(fit_file, iris):
    metadata, arrays = fit_file("--precision", "float64", "--gamma", "0.2")
    assert metadata["format"] == "dualkpca"
    assert metadata["format_version"] == "1"
    assert metadata["version"].count(".") == 2
    assert json.loads(metadata["params"])["gamma"] == 0.2
    assert json.loads(metadata["report"])["n_samples"] == 150
    shapes = {name: array.shape for name, array in arrays.items()}
    assert shapes == {"rows": (150, 4), "dual_variables": (150, 3), "rotation": (3, 3), "offset": (3,),
                      "kernel_mean": (1,), "scores": (150, 3), "shift": (4,), "score_mean": (3,),
                      "score_covariance": (3, 3), "row_spe": (150,)}
    np.testing.assert_allclose(arrays["rows"] + arrays["shift"], iris.data)


def test_float32_rows(fit_file):
    _, arrays = fit_file("--precision", "float32")
    assert arrays["rows"].dtype == np.float32
    assert arrays["scores"].dtype == np.float64


def test_scaler(fit_file, iris):
    _, arrays = fit_file("--scale", "standard")
    np.testing.assert_allclose(arrays["scaler_center"], iris.data.mean(axis=0))
    np.testing.assert_allclose(arrays["scaler_scale"], iris.data.std(axis=0))


def test_precomputed_has_no_rows(fit_file):
    _, arrays = fit_file("--kernel", "precomputed", data="K.npy")
    assert "rows" not in arrays


def test_scores_follow_from_the_arrays(fit_file, iris):
    _, arrays = fit_file("--precision", "float64", "--kernel", "linear")
    X = arrays["rows"]
    A = arrays["dual_variables"] @ arrays["rotation"]
    scores = X @ X.T @ (A - A.mean(axis=0)) - arrays["offset"]
    np.testing.assert_allclose(scores, arrays["scores"], atol=1e-9)


def test_truncated(place, model):
    content = (place.path / model).read_bytes()
    for length in (0, 5, 8, 100, len(content) // 2, len(content) - 1):
        place.write("short.dkpca", content[:length])
        place.fail(3, "info", "short.dkpca", says="short.dkpca")
    place.fail(3, "info", "short.dkpca", says=f"is truncated: {len(content) - 1} of {len(content)} bytes")


def test_flipped_bits(place, model, iris_csv):
    content = bytearray((place.path / model).read_bytes())
    for at in np.linspace(0, len(content) - 1, 40).astype(int):
        bad = content.copy()
        bad[at] ^= 16
        place.write("bad.dkpca", bytes(bad))
        place.fail(3, "info", "bad.dkpca", says="bad.dkpca")
    place.fail(3, "transform", "bad.dkpca", iris_csv, "--label-col", "species",
               says="bad.dkpca: checksum mismatch: the file is damaged")


def test_later_format(place, model):
    content = (place.path / model).read_bytes().replace(b'"format_version":"1"', b'"format_version":"3"')
    place.write("later.dkpca", content)
    place.fail(3, "info", "later.dkpca", says="has format version 3; this program reads versions up to 2")


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\x00" * 4096, b"\xff" * 64, b"\x02" + b"\x00" * 7 + b"{}"])
def test_something_else(place, content):
    place.write("other.dkpca", content)
    place.fail(3, "info", "other.dkpca", says="other.dkpca: is not a dualkpca model")


def test_missing(place):
    place.fail(3, "info", "nothing.dkpca", says=["nothing.dkpca", "No such file"])
    place.fail(3, "info", ".", says="directory")


def test_checksum_is_the_crc_of_the_file(place, model):
    place.write("forged.dkpca", forge((place.path / model).read_bytes(), "params", "seed", 12345))
    assert json.loads(place.succeed("info", "forged.dkpca", "--json").stdout)["seed"] == 12345


def forgeries():
    fields = {"params": ["n_components", "kernel", "gamma", "degree", "center", "scale", "seed", "precision",
                         "threads"],
              "report": ["status", "gamma", "n_samples", "n_features", "n_components", "precision", "eigenvalues",
                         "explained_variance_ratio", "plan", "seconds", "notes"]}
    return [(part, field) for part in fields for field in fields[part]]


@pytest.mark.parametrize("part, field", forgeries())
def test_forged_metadata_never_crash(place, model, iris, part, field):
    content = (place.path / model).read_bytes()
    place.save("new.npy", iris.data)
    for value in (..., None, "text", -1, 0, 1e300, 2**63, [], {}, [1], True):
        place.write("forged.dkpca", forge(content, part, field, value))
        result = place.run("transform", "forged.dkpca", "new.npy")
        assert result.returncode in (0, 3), (value, result.stderr)
        if result.returncode == 3:
            assert_one_line(result.stderr, "forged.dkpca: ")


@pytest.mark.parametrize("part, field, value", [("report", "n_samples", 149), ("report", "n_features", 5),
                                                ("report", "n_components", 1), ("report", "precision", "float64"),
                                                ("report", "gamma", None), ("params", "kernel", "gauss"),
                                                ("params", "scale", "robust"), ("report", "status", ...),
                                                ("params", "seed", 1e300), ("params", "seed", 2**64),
                                                ("params", "seed", -1), ("params", "threads", 1.5),
                                                ("params", "threads", 2**40)])
def test_forged_contradictions_are_refused(place, model, part, field, value):
    place.write("forged.dkpca", forge((place.path / model).read_bytes(), part, field, value))
    place.fail(3, "info", "forged.dkpca", says="forged.dkpca: is damaged")


def forge_array(content, field, value):
    """Writes a model whose first array declares something else about itself."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + length])
    name = next(name for name in header if name != "__metadata__")
    header[name][field] = value(header[name][field])
    return with_header(header, content[8 + length:])


@pytest.mark.parametrize("field, value", [("data_offsets", lambda old: [1e300, old[1]]),
                                          ("data_offsets", lambda old: [old[0], old[1] + 0.5]),
                                          ("data_offsets", lambda old: [-1, old[1]]),
                                          ("shape", lambda old: [length + 0.5 for length in old]),
                                          ("shape", lambda old: [2**64, *old])],
                         ids=["1e300", "fraction", "negative", "fractions", "2^64"])
def test_sizes_of_arrays_are_whole_numbers(place, model, field, value):
    place.write("forged.dkpca", forge_array((place.path / model).read_bytes(), field, value))
    place.fail(3, "info", "forged.dkpca", says=["forged.dkpca: is damaged", "is not a size"])
