# SPDX-License-Identifier: BSD-3-Clause
"""npz files: one compressed file per set, with a meta.json beside it for the names."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelsift.core.data import MultiLabelData, numbered_names

_SPARSE_KEYS = ("X_data", "X_indices", "X_indptr", "X_shape")


def read_npz(path: str | Path) -> MultiLabelData:
    """Read a data set from an npz file.

    The file holds X (dense) or X_data, X_indices, X_indptr, X_shape (CSR), Y as 0/1
    and, where there is a split, train_idx and test_idx. Names of features and labels
    come from a ``meta.json`` in the same folder; without it columns are numbered.
    Pickled content is refused.

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
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} does not exist: check the path.") from None
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, KeyError) as error:
        raise ValueError(
            f"{path} cannot be read as an npz file ({error}): write it again."
        ) from error
    X = _features(arrays, path)
    Y = _labels(arrays, path)
    meta = read_meta(path.with_name("meta.json"))
    return MultiLabelData(
        X=X,
        Y=Y,
        feature_names=_names(meta, "feature_names", "x", X.shape[1]),
        label_names=_names(meta, "label_names", "y", Y.shape[1]),
        train_idx=_rows(arrays, "train_idx"),
        test_idx=_rows(arrays, "test_idx"),
        name=str(meta.get("name") or _default_name(path)),
    )


def read_meta(path: Path) -> dict[str, Any]:
    """Read what is known about a set beside its numbers; empty where no file is."""
    if not path.exists():
        return {}
    try:
        meta = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not valid JSON ({error}): mend it.") from error
    if not isinstance(meta, dict):
        raise ValueError(f"{path} must hold a JSON object, got {type(meta).__name__}.")
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
    except (ValueError, TypeError) as error:
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
    return numbered_names(prefix, count) if not names else tuple(map(str, names))


def _rows(arrays: dict[str, Any], key: str) -> Any:
    return arrays[key].astype(np.intp) if key in arrays else None
