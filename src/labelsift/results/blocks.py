# SPDX-License-Identifier: BSD-3-Clause
"""Values of methods over blocks: the data sets, splits or folds that all ran."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_blocks(
    values: Mapping[str, Any], *, least_methods: int, least_blocks: int = 2
) -> tuple[list[str], NDArray[np.float64]]:
    """Read the values of methods over the same blocks.

    Parameters
    ----------
    values : mapping of str to array of shape (n_blocks,)
        Of each method.
    least_methods, least_blocks : int
        How many there must be.

    Returns
    -------
    names : list of str
        The methods.
    matrix : ndarray of shape (n_blocks, n_methods)
        Their values.
    """
    if len(values) < least_methods:
        raise ValueError(
            f"values has {len(values)} methods: pass at least {least_methods} to "
            "compare."
        )
    columns = [
        read_column(name, column, least_blocks) for name, column in values.items()
    ]
    counts = {name: len(column) for name, column in zip(values, columns, strict=True)}
    if len(set(counts.values())) > 1:
        raise ValueError(
            f"The methods have different numbers of blocks ({counts}): pass the values "
            "of all over the same ones."
        )
    return list(values), np.column_stack(columns)


def read_column(name: str, values: Any, least: int) -> NDArray[np.float64]:
    """Read the values of one method.

    Parameters
    ----------
    name : str
        The method, for errors.
    values : array of shape (n_blocks,)
        Its values.
    least : int
        How many there must be.

    Returns
    -------
    ndarray of shape (n_blocks,)
        Every one of them a number.
    """
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1 or len(column) < least:
        raise ValueError(
            f"The values of {name!r} have the shape {column.shape}: pass a list of at "
            f"least {least}, one for each block."
        )
    if not np.isfinite(column).all():
        raise ValueError(
            f"The values of {name!r} hold NaN or infinity at block "
            f"{int(np.argmin(np.isfinite(column)))}: leave out blocks that some method "
            "has not finished."
        )
    return column
