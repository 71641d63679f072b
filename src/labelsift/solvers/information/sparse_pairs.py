# SPDX-License-Identifier: BSD-3-Clause
"""Redundancy of sparse features about the labels, from the rows that they share."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.information.bins import Bins, IndexedBins
from labelsift.solvers.information.mutual import Information

# Columns of a feature up to which counts by column, part and label stay small.
_MOST_COLUMNS = 16


class SparsePairs(Information):
    """``Information`` of sparse features, where most pairs of them share no row.

    Numbers are those of ``Information``, to the last bit. Cost of a round: the entries
    in the rows of s, and a sum over the labels that occur with each feature. Memory
    beyond that of ``Information``: 4 bytes for each entry of the bins and 12 for each
    in the rows of s; 12 for each feature and label that occur together.
    """

    def __init__(self, bins: Bins, Y: NDArray[Any]) -> None:
        super().__init__(bins, Y)
        rows = bins.indicator()
        self._entries = rows.indptr, rows.indices
        width = np.diff(bins.first_column)
        self._feature_of = np.repeat(np.arange(bins.n_features, dtype=np.int32), width)

    @staticmethod
    def serves(bins: Bins) -> bool:
        """Whether features have few columns, and two of them less than a common row."""
        if not isinstance(bins, IndexedBins):
            return False
        if np.diff(bins.first_column).max(initial=0) > _MOST_COLUMNS:
            return False
        lengths = np.diff(bins.indicator().indptr).astype(np.float64)
        return bool(lengths @ lengths < float(bins.n_features) ** 2)

    @cached_property
    def _layout(self) -> Any:
        from labelsift.kernels import pair_terms as kernel

        by_label = np.ascontiguousarray(self._label_counts.T)
        first_column = self._bins.first_column
        return first_column, *kernel.list_labels(by_label, first_column)

    @cached_property
    def _kinds(self) -> Any:
        """Distinct (label, rows of the feature, rows of both), and where each is.

        The same of the rows of the features.
        """
        _, starts, labels, together, _, _ = self._layout
        rows = np.bincount(self._feature_of, self._bins.totals, self._bins.n_features)
        sizes, size_of = np.unique(rows.astype(np.int64), return_inverse=True)
        rows = np.repeat(sizes[size_of], np.diff(starts))
        base = self._bins.n_samples + 1
        # Below n_labels n^2, and so below 2^63 where the counts are.
        keys = (labels.astype(np.int64) * base + rows) * base + together
        keys, kind_of = np.unique(keys, return_inverse=True)
        kinds = keys // base**2, keys // base % base, keys % base
        return kinds, kind_of.astype(np.int32), sizes, size_of.astype(np.int32)

    @cached_property
    def _own(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        from labelsift.kernels import pair_terms as kernel

        spreads = np.zeros(self._bins.n_features, dtype=np.int64)
        kernel.sum_spreads(self._layout, self._bins.totals, self._table, spreads)
        return self._own_cells, spreads

    def redundancy(self, feature: int) -> NDArray[Any]:
        """I(f; s) less the sum of I(f; y | s) over labels y, for s = ``feature``."""
        from labelsift.kernels import pair_terms as kernel

        bins = self._bins
        members = self._samples_of.members(feature)
        groups = members.starts, members.rows
        hits = kernel.list_hits(
            groups, self._entries, self._feature_of, bins.n_features
        )
        given, shared = np.zeros((2, bins.n_features), dtype=np.int64)
        kernel.pair_terms(
            hits,
            (self._samples.indptr, self._samples.indices),
            self._parts(feature),
            self._layout,
            self._kinds,
            bins.totals,
            self._own,
            self._table,
            given,
            shared,
        )
        unit = self._unit / bins.n_samples
        return np.asarray(shared * unit - given * unit)

    def _parts(self, feature: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Rows of each part and how many have each label; part 0 is in no column."""
        columns = slice(*self._bins.first_column[feature : feature + 2])
        sizes = self._bins.totals[columns].astype(np.int64)
        labelled = self._label_counts[:, columns].T.astype(np.int64)
        rest = self._label_sizes - labelled.sum(axis=0)
        sizes = np.append(self._bins.n_samples - sizes.sum(), sizes)
        return sizes, np.ascontiguousarray(np.vstack([rest, labelled]))
