# SPDX-License-Identifier: BSD-3-Clause
"""The columns that doubts are about, of a table or of an array, on a sample of rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.cells import Cells, read_cells, take_rows
from labelsift.core.data import MultiLabelData
from labelsift.prepare.column import as_numbers, as_text
from labelsift.prepare.doubts.ranks import Ranks, column_of_each, equal_values
from labelsift.prepare.kinds import gaps, missing_texts, settled
from labelsift.prepare.table_preparation import TablePreparation

# Rows that are looked at; every positive row of a label with fewer than so many stays.
MOST_ROWS, RARE_ROWS = 20_000, 200
# Values of a column that is looked at value by value.
MOST_VALUES = 50
# Rows with a value other than 0 that a sparse column needs to be looked at.
FEWEST_VALUES = 10
# Sparse columns that are counted at a time.
_BLOCK = 256


class ValueCounts(NamedTuple):
    """Rows, and positive rows by label, of each value of some columns.

    The values of a column follow each other; ``begins`` says where they begin.
    """

    names: Sequence[str]
    begins: NDArray[np.intp]
    rows: NDArray[Any]
    positives: NDArray[Any]


@dataclass(frozen=True)
class Evidence:
    """What the tests of doubts look at.

    Parameters
    ----------
    data : MultiLabelData
        The data.
    preparation : TablePreparation or None
        Fitted on all rows; None for arrays.
    names : tuple of str
        The columns that can be ranked: numbers, and categories of two values.
    X : ndarray or csc_array of shape (n_rows, n_columns)
        These columns; NaN where they are missing.
    Y : ndarray of shape (n_rows, n_labels)
        The labels or values of the same rows.
    categories : dict of str to Cells
        The other columns, as coded text.
    """

    data: MultiLabelData
    preparation: TablePreparation | None
    names: tuple[str, ...]
    X: Any
    Y: NDArray[Any]
    categories: dict[str, Cells]

    @cached_property
    def ranks(self) -> Ranks:
        """Midranks of the columns."""
        return Ranks(self.X)

    @cached_property
    def auc(self) -> NDArray[np.float64]:
        """Of every column for every label."""
        return self.ranks.auc(self.Y)

    @cached_property
    def rarer(self) -> NDArray[np.float64]:
        """Of every label the rows with the value that fewer rows have."""
        positive = self.Y.sum(axis=0, dtype=np.float64)
        return np.minimum(positive, len(self.Y) - positive)

    @cached_property
    def missing(self) -> dict[str, NDArray[np.bool_]]:
        """Where each column is missing; only columns that are so somewhere."""
        if sp.issparse(self.X):
            return {}
        found = {
            name: np.isnan(self.X[:, j])
            for j, name in enumerate(self.names)
            if np.isnan(self.X[:, j]).any()
        }
        found |= {
            name: gaps(cells)
            for name, cells in self.categories.items()
            if gaps(cells).any()
        }
        return found

    def value_counts(self) -> Iterator[ValueCounts]:
        """How many rows of each label have each value; of columns of at most 50.

        A gap is a value too.
        """
        if sp.issparse(self.X):
            yield from _sparse_value_counts(self.names, self.X, self.Y)
            return
        coded: list[tuple[str, NDArray[Any] | None]] = [
            (name, _codes(self.X[:, j])) for j, name in enumerate(self.names)
        ]
        coded += [
            (name, None if cells.codes is None else cells.codes + 1)
            for name, cells in self.categories.items()
            if len(cells.values) <= MOST_VALUES
        ]
        rows, Y = np.arange(len(self.Y)), self.Y.astype(np.float64)
        for name, codes in coded:
            if codes is not None:
                totals = np.bincount(codes)
                shape = (len(totals), len(rows))
                one_hot = sp.csr_array((np.ones(len(rows)), (codes, rows)), shape=shape)
                yield ValueCounts([name], np.zeros(1, int), totals, one_hot @ Y)


def _codes(values: NDArray[np.float64]) -> NDArray[np.intp] | None:
    """Which value each row holds; None where there are too many."""
    if len(np.unique(values[: 10 * MOST_VALUES])) > MOST_VALUES:
        return None
    distinct, codes = np.unique(values, return_inverse=True)
    return codes if len(distinct) <= MOST_VALUES else None


def _sparse_value_counts(
    names: tuple[str, ...], X: Any, Y: NDArray[Any]
) -> Iterator[ValueCounts]:
    """The same from the stored values of sparse columns; zero is what is left."""
    order, first = equal_values(X)
    ends, owner = np.append(first, len(order)), column_of_each(X)[first]
    shape = (len(first), len(Y))
    one_hot = sp.csr_array((np.ones(len(order)), X.indices[order], ends), shape=shape)
    few = np.flatnonzero(np.bincount(owner)[owner] < MOST_VALUES)
    one_hot, owner, Y = one_hot[few], owner[few], Y.astype(np.float64)
    for start in range(0, len(names), _BLOCK):
        part = slice(*np.searchsorted(owner, [start, start + _BLOCK]))
        columns, begins = np.unique(owner[part], return_index=True)
        if not len(columns):
            continue
        rows, hits = np.diff(one_hot[part].indptr), one_hot[part] @ Y
        behind = np.append(begins[1:], len(rows))  # zero comes last
        rest = len(Y) - np.add.reduceat(rows, begins)
        hits_of_rest = Y.sum(axis=0) - np.add.reduceat(hits, begins)
        yield ValueCounts(
            [names[j] for j in columns],
            begins + np.arange(len(columns)),
            np.insert(rows, behind, rest),
            np.insert(hits, behind, hits_of_rest, axis=0),
        )


def gather(data: MultiLabelData, preparation: TablePreparation | None) -> Evidence:
    """The columns that are used, on at most 20,000 rows."""
    # Values are never rare.
    rows = _sampled_rows(data.Y if data.kind == "labels" else data.Y[:, :0])
    Y = data.Y[rows]
    if preparation is None:
        X = data.X if len(rows) == data.n_samples else data.X[rows]
        names = data.feature_names
        if sp.issparse(X):
            stored = sp.csc_array(X, dtype=np.float64, copy=True)
            X, names = _often_stored(stored, names)
        else:
            X = np.asarray(X, dtype=np.float64)
        return Evidence(data, None, names, X, Y, {})
    frame = take_rows(data.frame, rows)
    absent = missing_texts(preparation.missing)
    numbers: dict[str, NDArray[np.float64]] = {}
    categories: dict[str, Cells] = {}
    kinds = {entry["name"]: entry["kind"] for entry in preparation.columns_}
    for column in list(frame.columns):
        name = str(column)
        kind = kinds.get(name, "drop")
        if kind == "drop":
            continue
        cells = settled(read_cells(frame[column]), absent)
        if kind != "category":
            numbers[name] = as_numbers(cells, kind)
            continue
        text = as_text(cells)
        if text.codes is not None and len(text.values) == 2:
            numbers[name] = np.where(text.codes < 0, np.nan, text.codes)
        else:
            categories[name] = text
    X = np.column_stack([*numbers.values()]) if numbers else np.empty((len(rows), 0))
    return Evidence(data, preparation, tuple(numbers), X, Y, categories)


def _often_stored(X: Any, names: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
    """Sparse columns with values in 10 rows: fewer can be no evidence."""
    X.eliminate_zeros()
    often = np.flatnonzero(np.diff(X.indptr) >= FEWEST_VALUES)
    return X[:, often], tuple(names[j] for j in often)


def _sampled_rows(Y: NDArray[np.int8]) -> NDArray[np.intp]:
    """All rows, or a sample of them in their order that spares the rare labels."""
    if len(Y) <= MOST_ROWS:
        return np.arange(len(Y))
    counts = Y.sum(axis=0, dtype=np.int64)
    spared = Y[:, counts < RARE_ROWS].any(axis=1)
    others = np.flatnonzero(~spared)
    room = max(0, MOST_ROWS - int(spared.sum()))
    drawn = np.random.default_rng(0).choice(others, min(room, len(others)), False)
    return np.sort(np.concatenate([np.flatnonzero(spared), drawn]))
