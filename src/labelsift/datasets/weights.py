# SPDX-License-Identifier: BSD-3-Clause
"""A column of the data that says how often each row counts."""

from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.cells import read_cells
from labelsift.core.data import MultiLabelData
from labelsift.datasets.columns import keep_features
from labelsift.datasets.textfile import shown


def with_weights(data: MultiLabelData, column: str | None) -> MultiLabelData:
    """Data whose rows count by a column, which is then no feature; None: as it is."""
    if column is None:
        return data
    if column not in data.feature_names:
        raise ValueError(_absent(data, column))
    if data.n_features == 1:
        raise ValueError(f"--weights {shown(column)}: no feature is left without it.")
    place = data.feature_names.index(column)
    weights = _numbers(data, place, column)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        value = weights[wrong[0]]
        held = "is blank" if np.isnan(value) else f"holds {value:g}"
        raise ValueError(
            f"--weights {shown(column)} {held} in row {wrong[0] + 1}: a weight is a "
            "number of at least 0; write 0 to leave a row out."
        )
    if np.count_nonzero(weights) < 2:
        raise ValueError(
            f"--weights {shown(column)} is positive for fewer than two rows, so that "
            "there is nothing to learn from: check the column."
        )
    others = [i for i in range(data.n_features) if i != place]
    note = f"Rows count by {shown(column)}, {weights.min():g} to {weights.max():g}."
    kept = keep_features(data, others)
    return replace(kept, weights=weights, notes=(*data.notes, note))


def _absent(data: MultiLabelData, column: str) -> str:
    """Why a name is no column of weights, in one sentence."""
    if column in data.label_names:
        return (
            f"--weights {shown(column)} is a label or target of {data.name}: name a "
            "column of its own."
        )
    close = get_close_matches(column, data.feature_names[:10_000], n=1)
    hint = f" (did you mean {shown(close[0])}?)" if close else ""
    return (
        f"--weights: {data.name} has no column {shown(column)}{hint}: check the name."
    )


def _numbers(data: MultiLabelData, place: int, column: str) -> NDArray[np.float64]:
    """The numbers of a column of features."""
    if data.frame is None:
        values: Any = data.X[:, [place]]
        dense = values.toarray() if sp.issparse(values) else values
        return np.asarray(dense, dtype=np.float64).ravel()
    cells = read_cells(data.frame[list(data.frame.columns)[place]])
    if cells.numbers is not None and not cells.is_date:
        return np.asarray(cells.numbers, dtype=np.float64)
    example = "dates" if cells.is_date else shown(next(filter(_is_text, cells.values)))
    raise ValueError(
        f"--weights {shown(column)} holds {example}, which is no number: a weight is a "
        "number of at least 0."
    )


def _is_text(value: str) -> bool:
    """Whether a cell cannot be read as a number."""
    try:
        float(value)
    except ValueError:
        return True
    return False
