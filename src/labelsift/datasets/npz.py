# SPDX-License-Identifier: BSD-3-Clause
"""npz files: one compressed file per set, which may carry its names.

What is known beside the numbers (names, source, licence) is a JSON object: the bytes
of the array ``meta`` in the file, or a ``meta.json`` in the same folder.
"""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.datasets.atomic import replacing
from labelsift.datasets.frame import numeric_matrix
from labelsift.datasets.npz_frame import pack_frame, unpack_frame
from labelsift.datasets.textfile import one_line, unpacked_limit

_SPARSE_KEYS = ("X_data", "X_indices", "X_indptr", "X_shape")
_META = "meta"


def read_npz(path: str | Path) -> MultiLabelData:
    """Read a data set from an npz file.

    The file holds X (dense) or X_data, X_indices, X_indptr, X_shape (CSR), Y as 0/1
    and, where there is a split, train_idx and test_idx. Names of features and labels
    come from the file's ``meta`` or from a ``meta.json`` in the same folder; without
    them columns are numbered. In place of X a file may hold a table, which is read as
    a pandas DataFrame. Pickled content and files that unpack to more than 100
    times their size (and 64 MiB) are refused.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    MultiLabelData
        The data; X in the precision of the file.
    """
    path = Path(path)
    arrays = _load(path, None)
    meta = _meta(arrays, path)
    X, table = _features(arrays, path) if "columns" not in meta else None, None
    Y = _labels(arrays, path)
    try:
        if X is None:
            table = unpack_frame(arrays, meta)
            X = numeric_matrix(table)
            X = table if X is None else X
        return MultiLabelData(
            X=X,
            Y=Y,
            feature_names=_names(meta, "feature_names", "x", X.shape[1]),
            label_names=_names(meta, "label_names", "y", Y.shape[1]),
            frame=table,
            train_idx=_rows(arrays, "train_idx"),
            test_idx=_rows(arrays, "test_idx"),
            name=str(meta.get("name") or _default_name(path)),
        )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_meta(path: Path) -> dict[str, Any]:
    """Read what an npz file says beside its numbers; empty where it says nothing."""
    return _meta(_load(path, _META), path)


def _load(path: Path, only: str | None) -> dict[str, Any]:
    """All arrays of a file, or one of them where the file has it."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist: check the path.")
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > unpacked_limit(path.stat().st_size):
            raise ValueError(f"it would unpack to {unpacked} bytes")
        with np.load(path, allow_pickle=False) as file:
            keys = [key for key in file.files if only in (None, key)]
            return {key: np.asarray(file[key]) for key in keys}
    # A stranger's bytes make zipfile and numpy raise nearly anything.
    except Exception as error:
        raise ValueError(
            f"{path} cannot be read as an npz file ({one_line(error)}): write it again "
            "with numpy.savez."
        ) from error


def _meta(arrays: dict[str, Any], path: Path) -> dict[str, Any]:
    beside = path.with_name("meta.json")
    if _META in arrays:
        text, where = arrays[_META].tobytes(), str(path)
    elif beside.exists():
        text, where = beside.read_bytes(), str(beside)
    else:
        return {}
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where} is not valid JSON ({error}): fix it.") from error
    if not isinstance(meta, dict):
        raise ValueError(f"{where} must hold a JSON object, got {type(meta).__name__}.")
    return meta


def _default_name(path: Path) -> str:
    return path.parent.name if path.name == "data.npz" else path.stem


def _features(arrays: dict[str, Any], path: Path) -> Any:
    if "X" in arrays:
        X = arrays["X"]
        if X.ndim != 2 or X.dtype.kind not in "biuf":
            raise ValueError(
                f"{path}: X must be a matrix of numbers, got {X.ndim} dimensions of "
                f"dtype {X.dtype}."
            )
        return X
    missing = [key for key in _SPARSE_KEYS if key not in arrays]
    if missing:
        raise ValueError(
            f"{path} has neither X nor all of {', '.join(_SPARSE_KEYS)}: "
            f"{', '.join(missing)} missing."
        )
    data, indices, indptr, shape = (arrays[key] for key in _SPARSE_KEYS)
    try:
        X = sp.csr_array((data, indices, indptr), shape=tuple(map(int, shape)))
        X.check_format(full_check=True)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{path}: X is not a CSR matrix ({error}).") from error
    return X


def _labels(arrays: dict[str, Any], path: Path) -> Any:
    if "Y" not in arrays:
        raise ValueError(f"{path} has no Y: add the n x t label matrix of 0/1.")
    Y = arrays["Y"]
    if Y.ndim != 2 or not np.isin(Y, (0, 1)).all():
        raise ValueError(f"{path}: Y must be an n x t matrix of 0/1.")
    return Y


def _names(meta: dict[str, Any], key: str, prefix: str, count: int) -> tuple[str, ...]:
    names = meta.get(key)
    if names is not None and not isinstance(names, list):
        raise ValueError(f"{key} must be a list of names, got {type(names).__name__}.")
    return numbered_names(prefix, count) if not names else tuple(map(str, names))


def _rows(arrays: dict[str, Any], key: str) -> Any:
    if key not in arrays:
        return None
    rows = arrays[key]
    if rows.ndim != 1 or rows.dtype.kind not in "iu":
        raise ValueError(f"{key} must be a list of row numbers, got {rows.dtype}.")
    return rows.astype(np.intp)


def write_npz(
    data: MultiLabelData, path: str | Path, *, source: str = "", licence: str = ""
) -> None:
    """Write a data set as one npz file, names and split included.

    Parameters
    ----------
    data : MultiLabelData
        What to write.
    path : str or Path
        Where to; an existing file is replaced when all is written.
    source, licence : str, optional
        Where the data come from and on what terms.
    """
    arrays: dict[str, Any] = {"Y": data.Y}
    table: dict[str, Any] = {}
    if data.frame is not None:
        columns, table = pack_frame(data.frame)
        arrays |= columns
    elif sp.issparse(data.X):
        X = data.X.tocsr()
        arrays |= dict(
            zip(_SPARSE_KEYS, (X.data, X.indices, X.indptr, X.shape), strict=True)
        )
    else:
        arrays["X"] = data.X
    split = {"train_idx": data.train_idx, "test_idx": data.test_idx}
    arrays |= {key: rows for key, rows in split.items() if rows is not None}
    meta = {
        "name": data.name,
        "n": data.n_samples,
        "d": data.n_features,
        "t": data.n_labels,
        "cardinality": data.cardinality,
        "source": source,
        "licence": licence,
        "feature_names": data.feature_names,
        "label_names": data.label_names,
        **table,
    }
    arrays[_META] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)
    with replacing(Path(path)) as part, part.open("wb") as file:
        np.savez_compressed(file, **arrays)
