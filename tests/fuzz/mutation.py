# SPDX-License-Identifier: BSD-3-Clause
"""Random changes of inputs: bytes and words for text, whole arrays for npz."""

import io
import json
import warnings
from collections.abc import Sequence

import numpy as np

WORDS = [
    b"nan", b"inf", b"-inf", b"1e999", b"-1", b"0", b"9" * 25, b"9" * 400, b"1e-400",
    b"\x00", b"\xff", b"\xf0\x9f\x8e\xbc", b"\xef\xbb\xbf", b"\x1f\x8b", b"\n", b"\r",
    b"\r\n", b"\t", b" ", b"", b"'", b'"', b"\\", b",", b";", b":", b"=", b"#", b"%",
    b"?", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"&", b"@data", b"@attribute",
    b"{0,1}", b"numeric", b"string", b"true", b"null", b"\\ud800", b"../../x", b"1:1",
    b"-1:1", b"1:1 1:1", b"<label name='a'/>", b"<!DOCTYPE a>", b"extends", b"splits",
    b"order", b"X", b"Y", b"\xe2\x80\xae", b"\x1b[2J", b"1_0", b"0x1f", b"\xd9\xa1",
]  # fmt: skip
EXTREMES = [
    0, 1, -1, 2, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53, 2**62, 2**63 - 1, -(2**63),
    10**8, 10**9,
]  # fmt: skip
FLOATS = [0.0, -0.0, 1.0, np.nan, np.inf, -np.inf, 1e308, 1e-308, 5e-324, 2.0**60, 0.5]
DTYPES = ["?", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8", ">f8", "c16", "U3", "S3",
          "M8[s]", "m8[s]", "V4", "g"]  # fmt: skip


def mutated(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """One to eight small changes of some bytes."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 9))):
        _change(data, others, rng)
    return bytes(data[:20000])


def _change(data: bytearray, others: Sequence[bytes], rng: np.random.Generator) -> None:
    size = len(data)
    at = int(rng.integers(0, size + 1))
    length = int(min(rng.geometric(0.1), size - at))
    kind = rng.integers(8)
    if kind == 0 and size:
        data[at % size] ^= 1 << int(rng.integers(8))
    elif kind == 1 and size:
        data[at % size] = int(rng.integers(256))
    elif kind == 2:
        del data[at : at + length]
    elif kind == 3:  # what is there, again, perhaps often
        data[at:at] = data[at : at + length] * int(rng.choice([1, 2, 50]))
    elif kind == 4:
        data[at:at] = WORDS[rng.integers(len(WORDS))]
    elif kind == 5:
        data[at : at + length] = WORDS[rng.integers(len(WORDS))]
    elif kind == 6:
        other = others[rng.integers(len(others))]
        start = int(rng.integers(0, len(other) + 1))
        data[at : at + length] = other[start : start + int(rng.geometric(0.05))]
    else:  # a line goes elsewhere
        lines = bytes(data).splitlines(keepends=True)
        if len(lines) > 1:
            lines.insert(int(rng.integers(len(lines))), lines.pop(at % len(lines)))
            data[:] = b"".join(lines)


def random_arrays(rng: np.random.Generator) -> bytes:
    """An npz file that is nearly a data set: one or two of its parts are wrong."""
    n, d, t = (int(k) for k in rng.integers(1, 6, size=3))
    data = rng.normal(size=(n, d)) * (rng.uniform(size=(n, d)) < 0.6)
    arrays = {"Y": rng.integers(0, 2, size=(n, t))}
    if rng.integers(2):
        rows, columns = np.nonzero(data)
        arrays |= {
            "X_data": data[rows, columns],
            "X_indices": columns,
            "X_indptr": np.concatenate(
                [[0], np.cumsum(np.bincount(rows, minlength=n))]
            ),
            "X_shape": np.array([n, d]),
        }
    else:
        arrays["X"] = data
    if rng.integers(3) == 0:
        arrays |= {"train_idx": np.arange(n), "test_idx": np.arange(n)}
    if rng.integers(3) == 0:
        meta = {"name": "a", "feature_names": [f"f{j}" for j in range(d)], "n": n}
        arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    for _ in range(int(rng.integers(0, 4))):
        if not arrays:
            break
        name = str(rng.choice(list(arrays)))
        wrong = _wrong(arrays.pop(name), rng)
        if wrong is not None:
            arrays[name] = wrong
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _wrong(array: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """An array with another value, shape or type; None: left out."""
    kind = rng.integers(6)
    if kind == 0 and array.size and array.dtype.kind in "iuf":
        array = array.astype(np.int64 if array.dtype.kind in "iu" else np.float64)
        values = EXTREMES if array.dtype.kind == "i" else FLOATS
        array.flat[rng.integers(array.size)] = values[rng.integers(len(values))]
        return array
    if kind == 1:
        return _of_type(array, DTYPES[rng.integers(len(DTYPES))])
    if kind == 2 and array.ndim:
        return array[: rng.integers(len(array) + 1)]
    if kind == 3:
        picked = rng.integers(len(EXTREMES), size=array.size)
        return np.array([EXTREMES[i] for i in picked], dtype=np.int64)
    if kind == 4:
        return np.zeros(tuple(rng.integers(0, 4, size=rng.integers(0, 4))), array.dtype)
    return None


def _of_type(array: np.ndarray, dtype: str) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return array.astype(dtype)
        except (TypeError, ValueError, RuntimeError, OverflowError):
            return np.zeros(array.shape, dtype)
