# SPDX-License-Identifier: BSD-3-Clause
"""What is doubtful about data, before anything is learned from it."""

from collections.abc import Callable, Iterable

from labelsift.core.data import MultiLabelData
from labelsift.prepare.doubts.columns import constants, duplicates, ids, outliers
from labelsift.prepare.doubts.doubt import Doubt
from labelsift.prepare.doubts.evidence import Evidence, gather
from labelsift.prepare.doubts.labels import rare_labels, telling_gaps
from labelsift.prepare.doubts.leaks import leaks, value_leaks
from labelsift.prepare.doubts.row_order import row_order
from labelsift.prepare.table_preparation import TablePreparation

__all__ = ["Doubt", "doubts"]

Checks = tuple[Callable[[Evidence], Iterable[Doubt]], ...]

# In the order in which they are told; each is exact and cheap, with a threshold that
# real data do not reach: perf/doubts.py counts false alarms.
CHECKS = (
    leaks, outliers, ids, duplicates, constants, rare_labels, row_order, telling_gaps,
)  # fmt: skip
# Where Y has gaps, only what needs no Y.
COLUMN_CHECKS: Checks = (outliers, ids, duplicates, constants)
CHECKS_OF: dict[str, Checks] = {
    "labels": CHECKS,
    "values": (value_leaks, *COLUMN_CHECKS),
}


def doubts(
    data: MultiLabelData, preparation: TablePreparation | None = None
) -> tuple[Doubt, ...]:
    """Look for what makes an answer doubtful: leaks, outliers, ids, equal columns, ...

    Nothing is learned and nothing is changed. At most 20,000 rows are looked at, among
    them every positive row of labels with fewer than 200.

    Parameters
    ----------
    data : MultiLabelData
        A table, dense or sparse data.
    preparation : TablePreparation or None, default=None
        Fitted on the table; None: one with default parameters is.

    Returns
    -------
    tuple of Doubt
        Leaks first.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.prepare import doubts
    >>> [doubt.sentence for doubt in doubts(load_dataset("traits"))]
    ["3 columns hold one value ('pixel_0_0', 'pixel_4_0' and 'pixel_4_7')."]
    """
    if data.frame is not None and preparation is None:
        preparation = TablePreparation().fit(data.frame)
    evidence = gather(data, preparation if data.frame is not None else None)
    checks = CHECKS_OF.get(data.kind, COLUMN_CHECKS)
    return tuple(doubt for check in checks for doubt in check(evidence))
