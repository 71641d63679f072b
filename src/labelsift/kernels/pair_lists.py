# SPDX-License-Identifier: BSD-3-Clause
"""Sparse features as lists of rows and labels, and those that were taken in steps."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

# Rows of a feature up to which sums over all labels are stored for each part.
_MOST_STORED = 128


class Features(NamedTuple):
    """Features, their columns and the labels that occur with them.

    Feature f has the columns ``first_column[f]:first_column[f + 1]`` and the labels
    ``labels[starts[f]:starts[f + 1]]``, in ``together`` of its rows; ``cells`` has the
    rows of each of its labels and columns, those of f from ``first_cell[f]``. Column j
    has ``rows[first_row[j]:first_row[j + 1]]``, and row i the labels
    ``indices[indptr[i]:indptr[i + 1]]``. ``spreads`` is what ``sum_spreads``
    returns, ``own_cells`` sums T over the bins of each feature. 1 in the table counts
    as ``unit`` nats.
    """

    first_column: NDArray[Any]
    first_row: NDArray[Any]
    rows: NDArray[Any]
    indptr: NDArray[Any]
    indices: NDArray[Any]
    label_sizes: NDArray[Any]
    spreads: NDArray[Any]
    own_cells: NDArray[Any]
    table: NDArray[Any]
    unit: float
    starts: NDArray[Any]
    labels: NDArray[Any]
    together: NDArray[Any]
    first_cell: NDArray[Any]
    cells: NDArray[Any]


class Taken(NamedTuple):
    """The parts that features make which were taken, one in each step.

    Step t has the parts ``first_part[t]:first_part[t + 1]``; ``labelled`` counts their
    rows by label and, at last, all of them. ``known[k]`` has G(k) of each part for
    small k, or 0 before it was asked for; ``counts`` is room for counts of a feature by
    part, label and column. Place p in the rows of ``Features`` was taken in ``step[p]``
    and is in the part ``part[p]`` of that step; ``newest[i]`` is the last place of row
    i that was taken, and ``older[p]`` the one before, or negative.
    """

    first_part: NDArray[Any]
    labelled: NDArray[Any]
    known: NDArray[Any]
    counts: NDArray[Any]
    newest: NDArray[Any]
    older: NDArray[Any]
    step: NDArray[Any]
    part: NDArray[Any]


@kernel()
def list_labels(
    by_label: NDArray[Any], first_column: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The labels that occur with each feature, and how often; see ``Features``.

    ``by_label[j, y]`` counts the rows of column j with label y.
    """
    d, n_labels = len(first_column) - 1, by_label.shape[1]
    starts, first_cell = np.zeros(d + 1, np.int64), np.zeros(d + 1, np.int64)
    labels = np.empty(by_label.size, np.int32)
    together, cells = np.zeros_like(labels), np.zeros_like(labels)
    for f in range(d):
        low, width = first_column[f], first_column[f + 1] - first_column[f]
        listed, filled = starts[f], first_cell[f]
        for y in range(n_labels):
            rows = 0
            for a in range(width):
                rows += by_label[low + a, y]
            if rows == 0:
                continue
            for a in range(width):
                cells[filled + a] = by_label[low + a, y]
            labels[listed], together[listed] = y, rows
            listed += 1
            filled += width
        starts[f + 1], first_cell[f + 1] = listed, filled
    n_listed = starts[d]
    kept = labels[:n_listed].copy(), together[:n_listed].copy()
    return starts, kept[0], kept[1], first_cell, cells[: first_cell[d]].copy()


@kernel()
def sum_spreads(
    by_label: NDArray[Any], totals: NDArray[Any], table: NDArray[Any]
) -> NDArray[Any]:
    """For each column the sum over labels of T(k_ay) + T(k_a - k_ay) - T(k_a)."""
    out = np.zeros(len(totals), np.int64)
    for j in range(len(totals)):
        for y in range(by_label.shape[1]):
            inside = by_label[j, y]
            out[j] += table[inside] + table[totals[j] - inside] - table[totals[j]]
    return out


@kernel()
def take(s: int, step: int, features: Any, taken: Any) -> None:
    """Set the parts that feature s makes, taken in this step, and their rows."""
    first_row, rows, labels = features.first_row, features.rows, features.labels
    first, last = features.first_column[s], features.first_column[s + 1]
    rest, place = taken.first_part[step], features.first_cell[s]
    taken.first_part[step + 1] = rest + 1 + last - first
    for y in range(len(features.label_sizes)):
        taken.labelled[rest, y] = features.label_sizes[y]
    taken.labelled[rest, -1] = len(taken.newest) - first_row[last] + first_row[first]
    for i in range(features.starts[s], features.starts[s + 1]):
        taken.labelled[rest, labels[i]] -= features.together[i]
        for c in range(1, 1 + last - first):
            taken.labelled[rest + c, labels[i]] = features.cells[place]
            place += 1
    for c in range(1, 1 + last - first):
        low, high = first_row[first + c - 1], first_row[first + c]
        taken.labelled[rest + c, -1] = high - low
        for p in range(low, high):
            taken.older[p], taken.newest[rows[p]] = taken.newest[rows[p]], p
            taken.step[p], taken.part[p] = step, c


def none_taken(features: Features, n_steps: int) -> Taken:
    """Room for the parts of so many features; what is not used costs nothing."""
    widths = -np.sort(-np.diff(features.first_column))
    longest = int(np.diff(features.first_row[features.first_column]).max())
    n_parts, most = n_steps + int(widths[:n_steps].sum()), int(widths[0]) + 1
    n_labels, n_samples = len(features.label_sizes), len(features.indptr) - 1
    return Taken(
        np.zeros(n_steps + 1, np.int64),
        np.zeros((n_parts, n_labels + 1), np.int32),
        np.zeros((min(_MOST_STORED, longest) + 1, n_parts), np.int64),
        np.zeros((most, n_labels + 1, most), np.int64),
        np.full(n_samples, -1, np.int32),
        *np.zeros((3, len(features.rows)), np.int32),
    )


def tiny() -> tuple[Features, Taken]:
    """Two features of one row, which has the only label, and one taken: to compile."""
    ends, table, own = np.arange(3), np.zeros(3, np.int64), np.zeros(2, np.int64)
    rows, by_label = np.zeros(2, np.int32), np.ones((2, 1), np.int32)
    features = Features(
        ends,
        ends,
        rows,
        np.array([0, 1, 1], np.int32),
        rows[:1],
        np.ones(1, np.int64),
        sum_spreads(by_label, by_label[:, 0].copy(), table),
        own,
        table,
        1.0,
        *list_labels(by_label, ends),
    )
    taken = none_taken(features, 1)
    take(0, 0, features, taken)
    return features, taken


def warm_up() -> None:
    """Compile all kernels for the types that the library calls them with."""
    tiny()
