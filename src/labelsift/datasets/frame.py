# SPDX-License-Identifier: BSD-3-Clause
"""DataFrames of pandas or polars, by duck typing: neither is imported."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.data import MultiLabelData
from labelsift.datasets.columns import Patterns, check_unique, split_columns

# How pandas and polars represent a missing value.
_MISSING_TYPES = ("NoneType", "NAType")


def from_frame(
    frame: Any, labels: Patterns | None, *, drop: Patterns = (), name: str = "data"
) -> MultiLabelData:
    """Convert a DataFrame to a data set.

    Parameters
    ----------
    frame : DataFrame of pandas or polars
        One row per sample. Features are numbers or bool without missing values. A
        pandas frame whose features are all sparse gives a csr_array.
    labels : str, iterable of str or None
        Names or patterns (``"tag_*"``) of the label columns, which hold 0/1 or bool;
        None: every column is a feature, without labels.
    drop : str or iterable of str, default=()
        Names or patterns of columns to leave out, such as ids.
    name : str, default="data"
        Name of the data set.

    Returns
    -------
    MultiLabelData
        The data; X is float32 where every feature is, else float64.

    Examples
    --------
    >>> import pandas as pd
    >>> from labelsift.datasets import from_frame
    >>> frame = pd.DataFrame({"id": ["a", "b"], "x": [1.5, 2], "tag_y": [0, 1]})
    >>> data = from_frame(frame, "tag_*", drop="id")
    >>> data.feature_names, data.Y.ravel().tolist()
    (('x',), [0, 1])
    """
    return take_columns(frame, labels, drop, name, where=name)


def take_columns(
    frame: Any, labels: Patterns | None, drop: Patterns, name: str, where: str
) -> MultiLabelData:
    """``from_frame`` with another name of the frame in errors."""
    columns = list(frame.columns)
    names = [str(column) for column in columns]
    check_unique(names, where)
    features, chosen = split_columns(names, labels, drop, where)
    if not len(frame):
        raise ValueError(f"{where} has no rows: it is empty.")
    return MultiLabelData(
        X=_features(frame, [columns[i] for i in features], where),
        Y=_labels(frame, [columns[i] for i in chosen], where),
        feature_names=tuple(names[i] for i in features),
        label_names=tuple(names[i] for i in chosen),
        name=name,
    )


def _labels(frame: Any, columns: list[Any], where: str) -> NDArray[np.int8]:
    Y = np.empty((len(frame), len(columns)), dtype=np.int8)
    for j, column in enumerate(columns):
        Y[:, j] = _label(frame, column, where)
    return Y


def _features(frame: Any, columns: list[Any], where: str) -> Any:
    # Only the sparse dtype of pandas has a fill value.
    if all(hasattr(frame[column].dtype, "fill_value") for column in columns):
        X = sp.csr_array(frame[columns].sparse.to_coo())
        if X.dtype.kind not in "biuf" or not np.isfinite(X.data).all():
            raise ValueError(f"{where} has sparse columns that are not finite numbers.")
        return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
    series = [_numbers(frame[column], column, where) for column in columns]
    single = all(values.dtype == np.float32 for values in series)
    X = np.empty((len(frame), len(columns)), np.float32 if single else np.float64)
    for j, (column, values) in enumerate(zip(columns, series, strict=True)):
        X[:, j] = values
        bad = np.flatnonzero(~np.isfinite(X[:, j]))
        if len(bad):
            raise ValueError(
                f"{where}: column {column!r} is missing or not finite in row "
                f"{bad[0] + 1}: fill it in or leave it out with "
                f"drop=[{str(column)!r}]."
            )
    return X


def _numbers(series: Any, column: Any, where: str) -> NDArray[Any]:
    """The values of a column, or an error with the remedy."""
    values = np.asarray(series)
    if values.dtype.kind == "O":
        values = _unboxed(values)
    if values.dtype.kind not in "biuf":
        raise ValueError(
            f"{where}: column {column!r} holds {series.dtype} values, which are not "
            f"numbers: code it as numbers or leave it out with drop=[{str(column)!r}]."
        )
    return values


def _unboxed(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers stored as objects because some are missing, as floats."""
    cells = values.tolist()
    missing = {kind for kind in map(type, cells) if kind.__name__ in _MISSING_TYPES}
    if not set(map(type, cells)) <= missing | {int, float, bool}:
        return values
    try:
        return np.array([np.nan if type(c) in missing else c for c in cells], float)
    except OverflowError:  # a whole number beyond float64
        return values


def _label(frame: Any, column: Any, where: str) -> NDArray[np.int8]:
    values = _numbers(frame[column], column, where)
    wrong = np.flatnonzero(~np.isin(values, (0, 1)))
    if len(wrong):
        raise ValueError(
            f"{where}: label column {column!r} is {values[wrong[0]]} in row "
            f"{wrong[0] + 1}: code each label as 0 or 1."
        )
    return values.astype(np.int8)
