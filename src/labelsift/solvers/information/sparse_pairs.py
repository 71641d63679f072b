# SPDX-License-Identifier: BSD-3-Clause
"""Greedy order of sparse features, from the rows that they share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.information.bins import Bins, Groups, IndexedBins
from labelsift.solvers.information.mutual import DECIMALS, Information

# Columns of a feature up to which counts by column, part and label stay small.
_MOST_COLUMNS = 16


class SparsePairs(Information):
    """``Information`` of sparse features, where most pairs of them share no row.

    A feature is scored only in steps where a bound on its score reaches the best one.
    Scores are those of ``greedy_order`` with ``Information``, to the last bit. Cost of
    a step: the entries in the rows of the feature taken, a look at the bound of each
    feature, and a sum over its labels for each pair of features that is counted. Memory
    beyond that of ``Information``: 28 bytes for each entry of the bins, 4 for each
    label and column, 12 for each feature and label that occur together; for each
    feature taken and each of its columns 8 bytes a label and up to 1 KiB.
    """

    @staticmethod
    def serves(bins: Bins) -> bool:
        """Whether features have few columns, and two of them less than a common row."""
        if not isinstance(bins, IndexedBins):
            return False
        if np.diff(bins.first_column).max(initial=0) > _MOST_COLUMNS:
            return False
        lengths = np.diff(bins.indicator().indptr).astype(np.float64)
        return bool(lengths @ lengths < float(bins.n_features) ** 2)

    def order(self, candidates: NDArray[np.bool_], n_steps: int) -> NDArray[np.intp]:
        """Take the candidate f of largest score, again and again; ties: lowest index.

        The score is the sum of I(f; y) over the labels y, less the mean over the
        features s that were taken of I(f; s) - the sum of I(f; y | s).
        """
        from labelsift.kernels import pair_bounds, pair_lists, pair_terms

        n_steps = min(n_steps, int(candidates.sum()))
        relevance = np.where(candidates, self._about_labels, -np.inf)
        features, entries, taken, scores, bounds = self._start(relevance, n_steps)
        near, order = np.flatnonzero(candidates), np.empty(n_steps, np.intp)
        for step in range(n_steps):
            if step > 0:
                last, before = order[step - 1], step - 1
                relevance[last] = scores.last[last] = -np.inf
                pair_lists.take(last, before, features, taken)
                pair_bounds.rise(last, before, features, entries, taken, bounds)
                known = step, features, taken, scores
                likely = np.argmax(scores.last, keepdims=True)
                reach = pair_terms.score_best(likely, np.array([np.inf]), *known)
                near, values = pair_bounds.list_above(reach, step, features, bounds)
                pair_terms.score_best(near, values, *known)
                near = near[scores.upto[near] == step]
                pair_bounds.set_bounds(near, step, scores.total, bounds)
            order[step] = near[np.argmax(np.round(scores.last[near], DECIMALS))]
        return order

    def _start(self, relevance: NDArray[Any], n_steps: int) -> tuple[Any, ...]:
        """What the kernels read and write, with no feature taken."""
        from labelsift.kernels import pair_bounds, pair_lists, pair_terms

        d, by_label = len(relevance), np.ascontiguousarray(self._label_counts.T)
        features = self._features(by_label)
        taken = pair_lists.none_taken(features, n_steps)
        scores = pair_terms.Scores(
            relevance, np.zeros(d), np.zeros(d, np.int64), relevance.copy()
        )
        rows = np.diff(features.first_row[features.first_column])
        with_label = np.append(0, np.cumsum(features.together))[features.starts]
        bounds = pair_bounds.Bounds(
            relevance,
            np.zeros(d),
            (rows + np.diff(with_label)).astype(np.float64),
            np.zeros(d, np.int64),
            np.zeros((n_steps + 1, self.n_labels + 2)),
            pair_bounds.find_largest(relevance, features),
            np.zeros(d, np.int64),
            np.zeros(d),
        )
        return features, self._entries(features, by_label), taken, scores, bounds

    def _features(self, by_label: NDArray[Any]) -> Any:
        """The features with their rows and labels."""
        from labelsift.kernels import pair_lists as kernel

        columns = Groups.of_columns(self._samples_of.indicator())
        return kernel.Features(
            self._bins.first_column,
            columns.starts,
            columns.rows,
            self._samples.indptr,
            self._samples.indices,
            self._label_sizes,
            kernel.sum_spreads(by_label, self._bins.totals, self._table),
            self._own_cells,
            self._table,
            self._unit / self._bins.n_samples,
            *kernel.list_labels(by_label, self._bins.first_column),
        )

    def _entries(self, features: Any, by_label: NDArray[Any]) -> Any:
        """The features of each row, and what their entries weigh in bounds."""
        from labelsift.kernels import pair_bounds as kernel

        rows, width = self._samples_of.indicator(), np.diff(features.first_column)
        feature_of = np.repeat(np.arange(len(width), dtype=np.int32), width)
        weights = kernel.weigh_entries(by_label, rows.indptr, rows.indices, features)
        return kernel.Entries(rows.indptr, feature_of[rows.indices], weights)
