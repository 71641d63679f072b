# SPDX-License-Identifier: BSD-3-Clause
"""Bounds that tell which sparse features may be the next of a greedy order.

The score of f is sum_y I(f; y) plus the mean of sum_y I(f; y | s) - I(f; s) over the
features s that were taken. Of n rows let n_y have the label y, k be in a column of f
and d in one of s, k_y and d_y of them with y; a hit is a row of both. Of L labels,

    n [ sum_y I(f; y | s) - I(f; s) ] <= n sum_y I(f; y) + k b + sum_y k_y a_y
        + sum of w over the hits,

and nothing has to be counted for it but the hits. The reasons, with T and parts as in
``pair_terms.py``: let g(M, V) = T(M + V) - T(M) - T(V), which is the entropy of a label
that M of M + V rows have, times these. It grows with M and V, and is concave.

1. Parts with hits. Their information about y is at most g less what is left of g when
   the hits are removed. As g is concave, that is at most g / M for each hit with y and
   g / V for each without. A column of f from which hits are removed gains no more than
   the same of its own M and V: w has both.
2. Part 0, if it had all rows. The others lose what the hits were worth there: at least
   log((n - k) / n_y) for each with y and log((n - k) / (n - n_y)) for each without.
3. Part 0 has not all rows. With t(x, d, k) = T(x) - T(x - d) - T(x - k) + T(x - d - k)
   this adds t(n_y, d_y, k_y) and the same of rows without y, and takes t(n, d, k), for
   each y. These grow with k and are convex, 0 at 0: slopes are at most those of the
   largest k, and at least log(n / (n - d)). Counted with hits, which are not there,
   this is at most L log(n / (n - d)) too low for each.
4. n I(f; s) >= h (log(h n / (k d)) - 1) with h hits, as two cells tell less than all.

What 1, 2, 3 and 4 say of a hit is a sum of numbers of its entries in f and in s, so
that one weight for each entry is all that is needed.
"""

from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel
from labelsift.kernels.pair_lists import tiny


class Entries(NamedTuple):
    """Row i has the entries from ``indptr[i]`` on, of these features and weights."""

    indptr: NDArray[Any]
    feature: NDArray[Any]
    weights: NDArray[Any]


class Bounds(NamedTuple):
    """What is known of the score of each feature after some steps.

    It is at most 2 ``relevance`` + (``rise`` + ``scale`` m) / steps, where ``slopes``
    sum a_y, b and m, the largest of them, over the steps. Of the first ``fresh`` steps
    ``rise`` has a_y and b in place of m. ``largest`` is what ``find_largest`` returns.
    The last two are room for a list of features and their bounds.
    """

    relevance: NDArray[Any]
    rise: NDArray[Any]
    scale: NDArray[Any]
    fresh: NDArray[Any]
    slopes: NDArray[Any]
    largest: NDArray[Any]
    listed: NDArray[Any]
    values: NDArray[Any]


@kernel()
def find_largest(relevance: NDArray[Any], features: Any) -> NDArray[Any]:
    """The largest k_y for each label, and the largest k, of all candidates."""
    largest = np.zeros(len(features.label_sizes) + 1, np.int64)
    for f in range(len(relevance)):
        if relevance[f] == -np.inf:
            continue
        first, last = features.first_column[f], features.first_column[f + 1]
        k = features.first_row[last] - features.first_row[first]
        largest[-1] = max(largest[-1], k)
        for i in range(features.starts[f], features.starts[f + 1]):
            y = features.labels[i]
            largest[y] = max(largest[y], features.together[i])
    return largest


@kernel()
def _g(table: NDArray[Any], inside: int, whole: int) -> Any:
    """The entropy of a label that some of these rows have, times the rows."""
    return table[whole] - table[inside] - table[whole - inside]


@kernel()
def _weigh_columns(by_label: NDArray[Any], features: Any) -> NDArray[Any]:
    """What an entry without a label weighs in each column."""
    first_column, first_row = features.first_column, features.first_row
    n, n_labels = len(features.table) - 1, len(features.label_sizes)
    out = np.empty(len(first_row) - 1)
    for f in range(len(first_column) - 1):
        k = first_row[first_column[f + 1]] - first_row[first_column[f]]
        for j in range(first_column[f], first_column[f + 1]):
            whole = first_row[j + 1] - first_row[j]
            # A bound of part 0 without rows may be any number that is large enough.
            lost = n_labels * log(n / max(n - k, 1))
            out[j] = (log(k) + lost - (log(n) - 1) / 2) / n
            for y in range(n_labels):
                rest = whole - by_label[j, y]
                if rest > 0:
                    g = _g(features.table, by_label[j, y], whole)
                    out[j] += g * features.unit / rest
    return out


@kernel()
def weigh_entries(
    by_label: NDArray[Any], indptr: NDArray[Any], columns: NDArray[Any], features: Any
) -> NDArray[Any]:
    """The weight of each entry; those of f and s in a row add up to w.

    ``by_label[j, y]`` counts the rows of column j with label y.
    """
    first_row, sizes, table = features.first_row, features.label_sizes, features.table
    by_column = _weigh_columns(by_label, features)
    n, weights, plain = len(table) - 1, np.empty(len(columns)), 0.0
    for y in range(len(sizes)):
        plain += log(n / (n - sizes[y])) / 2 / n
    for i in range(n):
        labels = features.indices[features.indptr[i] : features.indptr[i + 1]]
        worth = plain
        for y in labels:
            worth += log((n - sizes[y]) / sizes[y]) / 2 / n
        for e in range(indptr[i], indptr[i + 1]):
            j = columns[e]
            weights[e] = by_column[j] - worth
            whole = first_row[j + 1] - first_row[j]
            for y in labels:
                inside = by_label[j, y]
                g = _g(table, inside, whole) * features.unit
                weights[e] += g / inside - g / max(whole - inside, 1)
    return weights


@kernel()
def _slope(table: NDArray[Any], size: int, lost: int, largest: int) -> float:
    """The largest slope of t(size, lost, k) in k."""
    k = min(largest, size - lost)
    if k <= 0:
        return 0.0
    rest = table[size - lost] - table[size - lost - k]
    return (table[size] - table[size - k] - rest) / k


@kernel()
def _add_slopes(step: int, features: Any, taken: Any, bounds: Any) -> None:
    """Add a_y, b and the largest of them for the feature taken in this step."""
    table, sizes, unit = features.table, features.label_sizes, features.unit
    n, n_labels, part = len(table) - 1, len(sizes), taken.first_part[step]
    old, new = bounds.slopes[step], bounds.slopes[step + 1]
    left, steepest = taken.labelled[part, -1], 0.0
    lost, b = n - left, n_labels * log(left / n) / n if left > 0 else 0.0
    for y in range(n_labels):
        labelled = sizes[y] - taken.labelled[part, y]
        other = unit * _slope(table, n - sizes[y], lost - labelled, bounds.largest[-1])
        a = unit * _slope(table, sizes[y], labelled, bounds.largest[y]) - other
        b += other
        steepest = max(steepest, a)
        new[y] = old[y] + a
    new[n_labels] = old[n_labels] + b
    new[n_labels + 1] = old[n_labels + 1] + max(steepest, b)


@kernel()
def rise(
    s: int, step: int, features: Any, entries: Any, taken: Any, bounds: Any
) -> None:
    """Let the bounds hold with feature s, which was taken in this step."""
    _add_slopes(step, features, taken, bounds)
    indptr, feature, weights = entries.indptr, entries.feature, entries.weights
    rows, rises = features.rows, bounds.rise
    first, last = features.first_column[s], features.first_column[s + 1]
    for i in range(features.first_row[first], features.first_row[last]):
        low, high = indptr[rows[i]], indptr[rows[i] + 1]
        own = low
        while feature[own] != s:
            own += 1
        for e in range(low, high):
            rises[feature[e]] += weights[own] + weights[e]


@kernel()
def set_bounds(
    which: NDArray[Any], step: int, total: NDArray[Any], bounds: Any
) -> None:
    """Let bounds of features be their scores, by their redundancies in all steps."""
    for f in which:
        level = bounds.scale[f] * bounds.slopes[step, -1]
        bounds.rise[f] = -total[f] - step * bounds.relevance[f] - level
        bounds.fresh[f] = step


@kernel()
def _tighten(f: int, step: int, features: Any, bounds: Any) -> None:
    """Let the bound of a feature have a_y and b of all steps."""
    before, now = bounds.slopes[bounds.fresh[f]], bounds.slopes[step]
    first, last = features.first_column[f], features.first_column[f + 1]
    k = features.first_row[last] - features.first_row[first]
    change = k * (now[-2] - before[-2]) - bounds.scale[f] * (now[-1] - before[-1])
    for i in range(features.starts[f], features.starts[f + 1]):
        y = features.labels[i]
        change += features.together[i] * (now[y] - before[y])
    bounds.rise[f] += change
    bounds.fresh[f] = step


@kernel()
def list_above(
    score: float, step: int, features: Any, bounds: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The features whose bound reaches a score, and their bounds."""
    relevance, rises, scale = bounds.relevance, bounds.rise, bounds.scale
    level, share, listed = bounds.slopes[step, -1], 1 / step, 0
    for f in range(len(relevance)):
        if 2 * relevance[f] + (rises[f] + scale[f] * level) * share < score:
            continue
        _tighten(f, step, features, bounds)
        bound = 2 * relevance[f] + (rises[f] + scale[f] * level) * share
        if bound >= score:
            bounds.listed[listed], bounds.values[listed] = f, bound
            listed += 1
    return bounds.listed[:listed], bounds.values[:listed]


def warm_up() -> None:
    """Compile all kernels for the types that the library calls them with."""
    features, taken = tiny()
    indptr, indices = np.array([0, 2, 2], np.int32), np.array([0, 1], np.int32)
    by_label = np.ones((2, 1), np.int32)
    weights = weigh_entries(by_label, indptr, indices, features)
    room, place, slopes = np.zeros((4, 2)), np.zeros(2, np.int64), np.zeros((2, 3))
    largest = find_largest(room[0], features)
    bounds = Bounds(
        room[0], room[1], room[2], place, slopes, largest, place.copy(), room[3]
    )
    entries = Entries(indptr, indices, weights)
    rise(0, 0, features, entries, taken, bounds)
    list_above(0.0, 1, features, bounds)
    set_bounds(place, 1, room[0], bounds)
