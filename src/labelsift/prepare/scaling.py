# SPDX-License-Identifier: BSD-3-Clause
"""The scaling of arrays as a preparation: plain numbers that can be saved."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.prepare.table_preparation import TablePreparation


def affine_preparation(
    names: Sequence[str], mean: NDArray[Any], scale: NDArray[Any]
) -> TablePreparation:
    """A fitted preparation that maps x to (x - mean) / scale, column by column.

    Parameters
    ----------
    names : sequence of str
        Of the columns.
    mean, scale : ndarray
        Of each column.

    Returns
    -------
    TablePreparation
        As if it were read from a document.
    """
    columns = [
        {
            "name": str(name),
            "kind": "number",
            "fill": float(centre),
            "low": None,
            "high": None,
            "mean": float(centre),
            "scale": float(unit),
        }
        for name, centre, unit in zip(names, mean, scale, strict=True)
    ]
    return TablePreparation.from_document({"missing": [], "columns": columns})


def scaler_numbers(scaler: Any, n_columns: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """What a fitted scaler of scikit-learn subtracts and divides by."""
    if hasattr(scaler, "data_min_"):
        return scaler.data_min_, 1 / scaler.scale_
    mean = getattr(scaler, "mean_", None)
    scale = getattr(scaler, "scale_", None)
    return (
        np.zeros(n_columns) if mean is None else mean,
        np.ones(n_columns) if scale is None else scale,
    )
