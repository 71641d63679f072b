# SPDX-License-Identifier: BSD-3-Clause
"""The one way in which a command opens its DATA argument."""

from collections.abc import Sequence
from pathlib import Path

from labelsift.core.data import MultiLabelData
from labelsift.datasets.npz import read_npz
from labelsift.datasets.registry import load_dataset


def open_data(
    source: str | Path,
    *,
    labels: str | None = None,
    drop: Sequence[str] = (),
    data_home: str | Path | None = None,
) -> MultiLabelData:
    """Open a registered name or an npz file.

    Parameters
    ----------
    source : str or Path
        The name or the file.
    labels : str or None, default=None
        Which columns are labels; for files that do not say.
    drop : sequence of str, default=()
        Columns to leave out; for files with named columns.
    data_home : str, Path or None, default=None
        Where registered sets are.

    Returns
    -------
    MultiLabelData
        The data.
    """
    if labels is not None or drop:
        raise ValueError(
            f"{source} says itself which columns are labels: leave out labels and drop."
        )
    if Path(source).suffix == ".npz":
        return read_npz(source)
    return load_dataset(str(source), data_home)
