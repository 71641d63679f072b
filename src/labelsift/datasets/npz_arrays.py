# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of an npz file from a stranger, checked before scipy sees them.

scipy trusts the parts of a CSR matrix where it counts no entries, and its compiled
loops then read outside them.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

SPARSE_KEYS = ("X_data", "X_indices", "X_indptr", "X_shape")
_KINDS = {
    "c": "complex numbers",
    "m": "time spans",
    "M": "dates",
    "O": "objects",
    "S": "byte strings",
    "T": "text",
    "U": "text",
    "V": "records",
}


def features(arrays: dict[str, Any]) -> Any:
    """X, dense or from its CSR parts."""
    X = _numbers(arrays["X"], "X", 2) if "X" in arrays else _sparse(arrays)
    stored = X.data if sp.issparse(X) else X
    if not all(X.shape):
        raise ValueError(
            f"X has {X.shape[0]} rows and {X.shape[1]} columns: it needs some of each."
        )
    if stored.dtype.kind == "f" and np.isinf(stored).any():
        raise ValueError("X holds infinite values: write NaN where one is missing.")
    return X


def labels(
    arrays: dict[str, Any], target: str = "labels", unknown: bool = False
) -> NDArray[Any]:
    """Y, columns of 0/1, or values; none where a table without labels was reduced."""
    if "Y" not in arrays:
        raise ValueError("there is no Y: add the n x t label matrix of 0/1.")
    Y = _numbers(arrays["Y"], "Y", 2)
    if target == "labels" and not ((Y == 0) | (Y == 1) | (unknown & np.isnan(Y))).all():
        raise ValueError("Y must be an n x t matrix of 0/1.")
    return Y


def rows(arrays: dict[str, Any], key: str) -> NDArray[np.intp] | None:
    """Row numbers of one side of a split, where the file has them."""
    return row_numbers(arrays[key], key) if key in arrays else None


def row_numbers(array: Any, key: str) -> NDArray[np.intp]:
    """A list of row numbers; whether there are such rows is for others to see."""
    numbers = _integers(array, key)
    if len(numbers) and numbers.max() > np.iinfo(np.intp).max:
        raise ValueError(f"{key} holds {numbers.max()}, which is no row.")
    return numbers.astype(np.intp)


def _sparse(arrays: dict[str, Any]) -> Any:
    missing = [key for key in SPARSE_KEYS if key not in arrays]
    if missing:
        raise ValueError(
            f"there is neither X nor all of {', '.join(SPARSE_KEYS)}: "
            f"{', '.join(missing)} missing."
        )
    return _csr(*(arrays[key] for key in SPARSE_KEYS))


def _csr(data: Any, indices: Any, indptr: Any, shape: Any) -> Any:
    """A CSR matrix in canonical form whose every index was compared with its bound."""
    data = _numbers(data, "X_data", 1)
    indices, indptr = _integers(indices, "X_indices"), _integers(indptr, "X_indptr")
    n_rows, n_columns = _shape(shape)
    if len(data) != len(indices):
        raise _not_csr(f"{len(data)} values have {len(indices)} indices")
    if len(indptr) != n_rows + 1:
        raise _not_csr(f"{n_rows} rows need {n_rows + 1} row starts in X_indptr")
    # Compared, not subtracted: differences of 64-bit integers overflow.
    if indptr[0] != 0 or indptr[-1] != len(data) or (indptr[1:] < indptr[:-1]).any():
        raise _not_csr(f"X_indptr must rise from 0 to {len(data)}")
    if len(indices) and (indices.min() < 0 or indices.max() >= n_columns):
        raise _not_csr(f"X_indices must be 0 to {n_columns - 1}")
    if data.dtype == np.float16:  # scipy has no sparse matrix of these
        data = data.astype(np.float32)
    short = indices.dtype == np.int32 and len(data) <= np.iinfo(np.int32).max
    index = np.int32 if short else np.int64
    X = sp.csr_array(
        (data, indices.astype(index, copy=False), indptr.astype(index, copy=False)),
        shape=(n_rows, n_columns),
    )
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def _shape(shape: Any) -> tuple[int, int]:
    sizes = _integers(shape, "X_shape").tolist()
    limit = np.iinfo(np.int64).max
    if len(sizes) != 2 or not all(0 <= size < limit for size in sizes):
        raise _not_csr(f"X_shape must be two sizes, got {sizes[:3]}")
    return sizes[0], sizes[1]


def _numbers(array: Any, name: str, ndim: int) -> Any:
    """An array of numbers in the byte order of this machine."""
    if array.ndim != ndim or array.dtype.kind not in "biuf":
        kind = _KINDS.get(array.dtype.kind, "numbers")
        what = "a matrix" if ndim == 2 else "a list"
        raise ValueError(
            f"{name} must be {what} of numbers, got {array.ndim} dimensions of {kind} "
            f"(dtype {array.dtype.name})."
        )
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _integers(array: Any, name: str) -> Any:
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be a list of whole numbers, got {array.ndim} dimensions of "
            f"dtype {array.dtype.name}."
        )
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _not_csr(sentence: str) -> ValueError:
    return ValueError(f"X is not a CSR matrix: {sentence}.")
