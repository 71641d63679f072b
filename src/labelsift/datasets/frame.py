# SPDX-License-Identifier: BSD-3-Clause
"""DataFrames of pandas or polars, by duck typing: neither is imported."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.cells import (
    Cells,
    is_sparse_frame,
    read_cells,
    take_columns,
    take_rows,
)
from labelsift.core.data import MultiLabelData
from labelsift.datasets.columns import Patterns, check_unique
from labelsift.datasets.label_forms import read_labels
from labelsift.datasets.label_patterns import Labels, split_table
from labelsift.datasets.problems import TableError
from labelsift.datasets.values import check_target, read_values


def from_frame(
    frame: Any,
    labels: Labels,
    *,
    drop: Patterns = (),
    name: str = "data",
    label_missing: str | None = None,
    target: str | None = None,
) -> MultiLabelData:
    """Convert a DataFrame to a data set.

    Parameters
    ----------
    frame : DataFrame of pandas or polars
        One row per sample. Features may be anything that
        ``labelsift.prepare.TablePreparation`` makes numbers of. A pandas frame whose
        features are all sparse gives a csr_array.
    labels : str, iterable of str, mapping or None
        Names or patterns (``"tag_*"``) of the label columns. Their cells are of one
        pair (0/1, -1/+1, true/false, yes/no, y/n, ja/nein, oui/non) or one mark and
        blanks. ``"name:|"`` (or ``:;`` ``:,`` ``:/``) declares lists, ``"name:class"``
        classes, as do ``{"name": "|"}`` and ``{"name": "class"}``. None: every column
        is a feature, and there are no labels.
    drop : str or iterable of str, default=()
        Names or patterns of columns to leave out, such as ids.
    name : str, default="data"
        Name of the data set.
    label_missing : {"no", "drop", "unknown"} or None, default=None
        What a blank in a pair or a class means: that the label is absent, that the row
        is left out, or that nobody knows (NaN); None: an error asks.
    target : {"labels", "values"} or None, default=None
        What these columns hold; values are numbers, such as measurements. None: labels.

    Returns
    -------
    MultiLabelData
        The data. Where all features are finite numbers, X holds them (float32 where
        every feature is, else float64); otherwise X is the frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from labelsift.datasets import from_frame
    >>> frame = pd.DataFrame({"id": ["a", "b"], "x": [1.5, 2], "tag_y": ["no", "yes"]})
    >>> data = from_frame(frame, "tag_*", drop="id")
    >>> data.feature_names, data.Y.ravel().tolist()
    (('x',), [0, 1])
    """
    return from_columns(
        frame, labels, drop, name, name, label_missing=label_missing, target=target
    )


def from_columns(
    frame: Any,
    labels: Labels,
    drop: Patterns,
    name: str,
    where: str,
    *,
    label_missing: str | None = None,
    target: str | None = None,
    notes: Sequence[str] = (),
) -> MultiLabelData:
    """``from_frame`` with another name of the frame in errors."""
    check_target(target)
    if label_missing not in (None, "no", "drop", "unknown"):
        raise ValueError(
            f"label_missing={label_missing!r} is not known: use no, drop, unknown."
        )
    columns = list(frame.columns)
    names = [str(column) for column in columns]
    check_unique(names, where)
    features, forms = split_table(names, labels, drop, where)
    if not len(frame):
        raise ValueError(f"{where} has no rows: it is empty.")
    label_names: tuple[str, ...] = ()
    Y = np.empty((len(frame), 0), dtype=np.int8)
    told: list[str] = []
    if forms:
        cells = [(names[i], read_cells(frame[columns[i]]), f) for i, f in forms.items()]
        read: Any = read_values if target == "values" else read_labels
        label_names, Y, gone, told = read(cells, label_missing, where)
        if gone.any():
            what = "target" if target == "values" else "label"
            frame, Y = take_rows(frame, ~gone), Y[~gone]
            told = [*told, f"{gone.sum():,} rows with a blank {what} left out"]
    table = take_columns(frame, features)
    sparse = is_sparse_frame(table)
    X = _sparse(table, where) if sparse else numeric_matrix(table)
    return MultiLabelData(
        X=table if X is None else X,
        Y=Y,
        feature_names=tuple(names[i] for i in features),
        label_names=label_names,
        name=name,
        frame=None if sparse else table,
        notes=_sentence([*notes, *told]),
        target=target or "labels",
    )


def _sentence(notes: Sequence[str]) -> tuple[str, ...]:
    """What there is to announce, in one line."""
    if not notes:
        return ()
    line = "; ".join(notes)
    return (f"{line[0].upper()}{line[1:]}.",)


def _sparse(table: Any, where: str) -> Any:
    X = sp.csr_array(table.sparse.to_coo())
    if X.dtype.kind not in "biuf" or not np.isfinite(X.data).all():
        raise ValueError(f"{where} has sparse columns that are not finite numbers.")
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def numeric_matrix(table: Any) -> NDArray[Any] | None:
    """A table of finite numbers as an array; None where it holds anything else."""
    columns: list[NDArray[Any]] = []
    for column in list(table.columns):
        cells = read_cells(table[column])
        if cells.numbers is None or _trouble(cells) is not None:
            return None
        columns.append(cells.numbers)
    single = all(numbers.dtype == np.float32 for numbers in columns)
    X = np.empty((len(table), len(columns)), np.float32 if single else np.float64)
    for j, numbers in enumerate(columns):
        X[:, j] = numbers
    return X


def _trouble(cells: Cells) -> str | None:
    """Why a column is no finite numbers as it is; None where it is."""
    if cells.numbers is None:
        return "holds text"
    if cells.is_date:
        return "holds dates"
    wrong = np.flatnonzero(~np.isfinite(cells.numbers))
    return f"is missing or not finite in row {wrong[0] + 1}" if len(wrong) else None


def as_numbers(data: MultiLabelData) -> MultiLabelData:
    """Data whose table is taken as the numbers that it holds, without preparation.

    An error tells every column that is no finite number.
    """
    if data.frame is None:
        return data
    if data.X is data.frame:
        troubles = [
            (str(column), _trouble(read_cells(data.frame[column])))
            for column in list(data.frame.columns)
        ]
        raise TableError(
            [
                f"{data.name}: column {name!r} {trouble}, and nothing is prepared: "
                f"leave it out with --drop, or let it be prepared."
                for name, trouble in troubles
                if trouble is not None
            ]
        )
    return replace(data, frame=None)
