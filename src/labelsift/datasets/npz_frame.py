# SPDX-License-Identifier: BSD-3-Clause
"""A table inside an npz file: an array for each column, its texts in ``meta``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.cells import Cells, read_cells
from labelsift.core.optional import import_extra


def pack_frame(frame: Any) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Arrays and what ``meta`` says about them, from which the cells come back."""
    arrays, columns = {}, []
    for i, name in enumerate(list(frame.columns)):
        cells = read_cells(frame[name])
        values = cells.numbers if cells.codes is None else cells.codes
        assert values is not None
        arrays[f"column_{i}"] = values
        texts = None if cells.codes is None else list(cells.values)
        columns.append({"texts": texts, "declared": cells.declared})
    return arrays, {"columns": columns}


def unpack_frame(arrays: dict[str, Any], meta: dict[str, Any]) -> Any:
    """The table of an npz file as a pandas DataFrame."""
    pandas = import_extra("pandas", "Reading a table from npz")
    names, columns = meta.get("feature_names"), meta["columns"]
    if not isinstance(names, list) or not isinstance(columns, list):
        raise ValueError("columns and feature_names must be lists.")
    names = [str(name) for name in names]
    if len(columns) != len(set(names)):
        raise ValueError("columns and feature_names must be as many, and distinct.")
    made = {}
    for i, (name, column) in enumerate(zip(names, columns, strict=True)):
        cells = _cells(arrays.get(f"column_{i}"), column)
        if cells is None:
            raise ValueError(f"column {i + 1} of the table is damaged.")
        made[name] = _series(pandas, cells)
    if len({len(column) for column in made.values()}) > 1:
        raise ValueError("the columns of the table have different lengths.")
    return pandas.DataFrame(made, columns=names)


def _cells(values: Any, column: Any) -> Cells | None:
    """Cells of an array and what is said of it; None where that does not fit."""
    match column:
        case {"texts": None}:
            known = values is not None and values.dtype.kind in "biufM"
            return Cells(numbers=values) if known and values.ndim == 1 else None
        case {"texts": list(texts), "declared": bool(declared)}:
            right = (
                values is not None
                and values.ndim == 1
                and values.dtype.kind == "i"
                and all(isinstance(text, str) for text in texts)
                and len(set(texts)) == len(texts)
                and ((values >= -1) & (values < len(texts))).all()
            )
            if right:
                codes = values.astype(np.int32)
                return Cells(codes=codes, values=tuple(texts), declared=declared)
    return None


def _series(pandas: Any, cells: Cells) -> Any:
    if cells.codes is None:
        return pandas.Series(cells.numbers)
    if cells.declared:
        return pandas.Series(pandas.Categorical.from_codes(cells.codes, cells.values))
    texts = np.array([*cells.values, None], dtype=object)
    return pandas.Series(texts[cells.codes], dtype=object)
