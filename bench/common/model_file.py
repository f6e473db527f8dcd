"""Reads arrays of a model file: 8 bytes length, a JSON header, the arrays (docs/model_file.md)."""
import json
import struct

import numpy as np

TYPES = {"F64": np.float64, "F32": np.float32, "I64": np.int64, "I32": np.int32}


def read_header(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(length)), 8 + length


def read_arrays(path, names):
    """Returns the named arrays, without those that the file does not contain."""
    header, start = read_header(path)
    arrays = {}
    for name in names:
        if name not in header:
            continue
        entry = header[name]
        dtype = np.dtype(TYPES[entry["dtype"]])
        begin, end = entry["data_offsets"]
        flat = np.fromfile(path, dtype=dtype, count=(end - begin) // dtype.itemsize, offset=start + begin)
        arrays[name] = flat.reshape(entry["shape"])
    return arrays


def row_count(path):
    """Returns the number of rows in the model: all training rows, or its landmarks."""
    header, _ = read_header(path)
    if "rows" in header:
        return header["rows"]["shape"][0]
    return header["row_offsets"]["shape"][0] - 1 if "row_offsets" in header else None
