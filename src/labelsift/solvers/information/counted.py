# SPDX-License-Identifier: BSD-3-Clause
"""Information from counts that were made elsewhere, without the rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.information.bins import BinColumns, columns_of
from labelsift.solvers.information.mutual import Information, Split, log_table


@dataclass(frozen=True)
class Layout:
    """Counts by columns: one for each bin of a feature but its fullest."""

    n_samples: int
    first_column: NDArray[Any]
    totals: NDArray[Any]
    pairs: NDArray[Any]  # of columns
    by_label: NDArray[Any] | None  # the same among the rows with each label
    sets: NDArray[Any]  # distinct label sets as 0/1
    set_counts: NDArray[Any]  # of each set by columns
    set_sizes: NDArray[Any]

    @classmethod
    def of(
        cls,
        n_samples: int,
        cells: NDArray[Any],
        pairs: NDArray[Any],
        by_label: NDArray[Any] | None,
        sets: NDArray[Any],
        set_counts: NDArray[Any],
        set_sizes: NDArray[Any],
    ) -> "Layout":
        """Keep the columns that are needed, of counts by all bins."""
        has_column = cells > 0
        has_column[np.arange(len(cells)), cells.argmax(axis=1)] = False
        kept = np.flatnonzero(has_column)
        return cls(
            n_samples,
            np.append(0, np.cumsum(has_column.sum(axis=1))),
            cells[has_column],
            pairs[np.ix_(kept, kept)],
            None if by_label is None else by_label[:, kept[:, np.newaxis], kept],
            sets,
            set_counts[:, kept],
            set_sizes,
        )

    def only(self, features: NDArray[np.intp]) -> "Layout":
        """The columns of some features, in ascending order."""
        first, columns = columns_of(features, self.first_column)
        each = columns[:, np.newaxis], columns
        return replace(
            self,
            first_column=first,
            totals=self.totals[columns],
            pairs=self.pairs[each],
            by_label=None if self.by_label is None else self.by_label[:, *each],
            set_counts=self.set_counts[:, columns],
        )


class CountedBins(BinColumns):
    """The columns without their samples."""

    def __init__(self, layout: Layout) -> None:
        self.n_samples, self.first_column = layout.n_samples, layout.first_column
        self.totals = layout.totals


class CountedInformation(Information):
    """``Information`` whose counts are all there before the first question."""

    def __init__(self, layout: Layout) -> None:
        sizes = layout.set_sizes @ layout.sets.astype(np.int64)
        live = (sizes > 0) & (sizes < layout.n_samples)
        self._layout, self._live = layout, np.flatnonzero(live)
        self._sets = layout.sets[:, live].astype(np.int64)
        self._bins = self.bins = CountedBins(layout)
        self._table, self._unit = log_table(layout.n_samples, len(self._live))
        self._label_sizes = sizes[live]
        self._label_counts = self._sets.T @ layout.set_counts
        self._own_cells = self._cells_of_all()

    def only(self, features: NDArray[np.intp]) -> "CountedInformation":
        return CountedInformation(self._layout.only(features))

    @property
    def n_labels(self) -> int:
        return len(self._live)

    def _split_by_feature(self, feature: int) -> Iterator[Split]:
        layout = self._layout
        if layout.by_label is None:
            raise ValueError(
                "These Counts hold no pairs of bins by label: make them with "
                "by_label=True."
            )
        for column in range(*layout.first_column[feature : feature + 2]):
            counts = np.ascontiguousarray(layout.by_label[self._live, column])
            sizes = self._label_counts[:, column]
            yield layout.pairs[column], int(layout.totals[column]), counts, sizes

    def _split_by_labels(self) -> Iterator[Iterable[Split]]:
        for label in range(self.n_labels):
            inside = self._sets * self._sets[:, [label]]
            counts = inside.T @ self._layout.set_counts
            sizes = self._layout.set_sizes @ inside
            whole = self._label_counts[label], int(self._label_sizes[label])
            yield [(*whole, counts, sizes)]

    def _feature_counts(self, feature: int) -> tuple[NDArray[Any], NDArray[Any]]:
        columns = slice(*self._layout.first_column[feature : feature + 2])
        return self._layout.pairs[columns], self._layout.totals[columns]
