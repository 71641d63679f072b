# SPDX-License-Identifier: BSD-3-Clause
"""npz files: one compressed file per data set, optionally with names.

The metadata (names, source, licence) are a JSON object: the bytes
of the array ``meta`` in the file, or a ``meta.json`` in the same folder.
"""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.core.files import check_file, read_document
from labelsift.datasets.atomic import replacing
from labelsift.datasets.frame import numeric_matrix
from labelsift.datasets.memory import COLUMN_BYTES, MemoryBound, MemoryBoundError, Size
from labelsift.datasets.npz_arrays import SPARSE_KEYS, features, labels, rows
from labelsift.datasets.npz_frame import pack_frame, unpack_frame
from labelsift.datasets.textfile import one_line, unpacked_limit

_META = "meta"
# What a byte of an array takes at the most, one of the names' JSON, and a cell of a
# table.
_ARRAY_BYTES, _META_BYTES, _CELL_BYTES = 2, 40, 32


def read_npz(path: str | Path, *, memory: Size = None) -> MultiLabelData:
    """Read a data set from an npz file.

    The file holds X (dense) or X_data, X_indices, X_indptr, X_shape (CSR), Y as 0/1
    (or values, where its ``meta`` says ``"target": "values"``) and, optionally,
    train_idx, test_idx and weights of the rows. Names of features and labels come from
    the file's ``meta`` or a ``meta.json`` in the same folder; without them columns are
    numbered.
    NaN stands for a missing value. In place of X a file may hold a table, which is read
    as a pandas DataFrame.

    Refused in a sentence: pickled content, files that unpack to more than 100 times
    their size (and 64 MiB), CSR parts that do not fit together, infinite values, and a
    Y that is not a matrix of 0/1 in numbers or bool. The memory is at most twice the
    arrays, 40 times the names, 32 bytes a cell of a table, and 64 bytes a column even
    if nothing is stored in it.

    Parameters
    ----------
    path : str or Path
        The file.
    memory : int, str or None, default=None
        What reading may take, in bytes or as "8G"; None: 2G. More is a ValueError.

    Returns
    -------
    MultiLabelData
        The data; X in the precision of the file.
    """
    path = Path(path)
    bound = MemoryBound(path, memory)
    arrays = read_arrays(path, bound=bound)
    meta = _meta(arrays, path)
    try:
        if "columns" in meta:
            n_cells = sum(array.size for array in arrays.values())
            bound.check(_CELL_BYTES * n_cells, "its table")
            table = unpack_frame(arrays, meta)
            X = numeric_matrix(table)
            X = table if X is None else X
        else:
            X, table = features(arrays), None
        target = str(meta.get("target", "labels"))
        Y = labels(arrays, target, meta.get("unknown") is True)
        n_columns = X.shape[1] + Y.shape[1]
        bound.check(COLUMN_BYTES * n_columns, f"its {n_columns} columns")
        return MultiLabelData(
            X=X,
            Y=Y,
            feature_names=_names(meta, "feature_names", "x", X.shape[1]),
            label_names=_names(meta, "label_names", "y", Y.shape[1]),
            frame=table,
            train_idx=rows(arrays, "train_idx"),
            test_idx=rows(arrays, "test_idx"),
            name=str(meta.get("name") or _default_name(path)),
            target=target,
            weights=arrays.get("weights"),
        )
    except MemoryBoundError:
        raise
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_meta(path: Path) -> dict[str, Any]:
    """Read the metadata of an npz file; empty where it has none."""
    return _meta(read_arrays(path, _META), path)


def read_arrays(
    path: Path, only: str | None = None, bound: MemoryBound | None = None
) -> dict[str, Any]:
    """All arrays of an untrusted file, or only one."""
    check_file(path)
    bound = bound or MemoryBound(path)
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {member.filename: member.file_size for member in archive.infolist()}
        unpacked, names = sum(sizes.values()), sizes.get(f"{_META}.npy", 0)
        if unpacked > unpacked_limit(path.stat().st_size):
            raise ValueError(f"it would unpack to {unpacked} bytes")
        bound.check(_ARRAY_BYTES * unpacked + _META_BYTES * names, "its arrays")
        with np.load(path, allow_pickle=False) as file:
            keys = [key for key in file.files if only in (None, key)]
            return {key: np.asarray(file[key]) for key in keys}
    except MemoryBoundError:
        raise
    # On untrusted bytes zipfile and numpy may raise any exception.
    except Exception as error:
        raise ValueError(
            f"{path} cannot be read as an npz file ({one_line(error)}): write it again "
            "with numpy.savez."
        ) from error


def _meta(arrays: dict[str, Any], path: Path) -> dict[str, Any]:
    sidecar = path.with_name("meta.json")
    if _META in arrays:
        text, where = arrays[_META].tobytes(), str(path)
    elif sidecar.exists():
        text, where = read_document(sidecar), str(sidecar)
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


def _names(meta: dict[str, Any], key: str, prefix: str, count: int) -> tuple[str, ...]:
    names = meta.get(key)
    if names is not None and not isinstance(names, list):
        raise ValueError(f"{key} must be a list of names, got {type(names).__name__}.")
    return numbered_names(prefix, count) if not names else tuple(map(str, names))


def write_npz(
    data: MultiLabelData,
    path: str | Path,
    *,
    source: str = "",
    licence: str = "",
    compress: bool = True,
) -> None:
    """Write a data set as one npz file, names and split included.

    Parameters
    ----------
    data : MultiLabelData
        The data to write.
    path : str or Path
        The file; an existing one is replaced only after a complete write.
    source, licence : str, optional
        Origin and licence of the data.
    compress : bool, default=True
        Whether to compress the file, which takes longer than anything else.
    """
    arrays: dict[str, Any] = {"Y": data.Y}
    table: dict[str, Any] = {}
    if data.frame is not None:
        columns, table = pack_frame(data.frame)
        arrays |= columns
    elif sp.issparse(data.X):
        X = data.X.tocsr()
        arrays |= dict(
            zip(SPARSE_KEYS, (X.data, X.indices, X.indptr, X.shape), strict=True)
        )
    else:
        arrays["X"] = data.X
    of_rows = ("train_idx", "test_idx", "weights")
    given = {key: getattr(data, key) for key in of_rows}
    arrays |= {key: rows for key, rows in given.items() if rows is not None}
    meta = {
        "name": data.name,
        "n": data.n_samples,
        "d": data.n_features,
        "t": data.n_labels,
        "cardinality": data.cardinality,
        "source": source,
        "licence": licence,
        "feature_names": list(data.feature_names),
        "label_names": list(data.label_names),
        **table,
    }
    if data.target != "labels":
        meta |= {"target": data.target, "cardinality": None}
    if data.kind != data.target:
        meta["unknown"] = True
    arrays[_META] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)
    with replacing(Path(path)) as part, part.open("wb") as file:
        (np.savez_compressed if compress else np.savez)(file, **arrays)
