# SPDX-License-Identifier: BSD-3-Clause
"""Every column of a table at a glance: what it is, why, its gaps and its range."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelsift.core.cells import Cells, read_cells
from labelsift.core.data import MultiLabelData
from labelsift.prepare.column import n_outputs
from labelsift.prepare.kinds import WHY, gaps, missing_texts, settled
from labelsift.prepare.table_preparation import TablePreparation

# Values of a category that are named.
_NAMED = 3


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    name : str
        Its name.
    kind : str
        "number", "category", "date" or "drop".
    why : str
        Why it is left out; empty where it is used.
    missing : int
        Rows without a value.
    distinct : int
        Different values.
    range : str
        From the smallest to the largest, or the most frequent values.
    outputs : int
        Columns that are made of it.
    """

    name: str
    kind: str
    why: str
    missing: int
    distinct: int
    range: str
    outputs: int


def survey(data: MultiLabelData, preparation: TablePreparation) -> list[Column]:
    """Describe the columns of a table by a preparation that is fitted on it.

    Parameters
    ----------
    data : MultiLabelData
        A table.
    preparation : TablePreparation
        Fitted on ``data.frame``.

    Returns
    -------
    list of Column
        In the order of the table.
    """
    absent = missing_texts(preparation.missing)
    found = []
    for column, entry in zip(
        list(data.frame.columns), preparation.columns_, strict=True
    ):
        cells = settled(read_cells(data.frame[column]), absent)
        gone = gaps(cells)
        distinct, words = _values(cells, ~gone)
        found.append(
            Column(
                name=entry["name"],
                kind=entry["kind"],
                why=WHY.get(entry.get("why", ""), ""),
                missing=int(gone.sum()),
                distinct=distinct,
                range=words,
                outputs=n_outputs(entry),
            )
        )
    return found


def _values(cells: Cells, filled: NDArray[np.bool_]) -> tuple[int, str]:
    """How many different values, and which."""
    if cells.numbers is not None:
        values = np.unique(cells.numbers[filled])
        if not len(values):
            return 0, ""
        ends = values[[0, -1]]
        words = [str(v)[:16] if cells.is_date else f"{v:g}" for v in ends.tolist()]
        return len(values), words[0] if len(values) == 1 else " to ".join(words)
    assert cells.codes is not None
    counts = np.bincount(cells.codes[filled], minlength=len(cells.values))
    order = np.argsort(-counts, kind="stable")
    named = [cells.values[i] for i in order[:_NAMED]]
    more = ", ..." if len(cells.values) > _NAMED else ""
    return len(cells.values), ", ".join(named) + more
