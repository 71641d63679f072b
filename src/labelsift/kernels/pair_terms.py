# SPDX-License-Identifier: BSD-3-Clause
"""What sparse features tell about the labels given one of them, and about that one.

T(x) = x log x is read from a table of integers, as in ``counts.py``. A part is a set of
rows: those in one column of the given feature s (parts 1, 2, ...), or those in none of
them (part 0). Of the N rows of a part let N_y have the label y, k be in a column of the
feature f, and k_y both; with k_a and k_ay in its column a,

    sum_y N I(f; y) = G(k) + sum_(y: k_y > 0) [ T(N_y - k_y) - T(N_y)
        + T(N - N_y - k + k_y) - T(N - N_y - k)
        + sum_a { T(k_ay) + T(k_a - k_ay) - T(k_a) } ],
    G(k) = sum_y [ T(N) - T(N - N_y) - T(N - k) + T(N - N_y - k) ].

T(N - N_y - k) is in both lines and may be any number where it is below 0. A rare
feature has few labels with k_y > 0, and most pairs of features share no row, so that
part 0 is all there is. Sums of integers may wrap around on the way; results do not.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

_UNKNOWN = np.iinfo(np.int64).min


@kernel()
def list_labels(
    by_label: NDArray[Any], first_column: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The labels that occur with each feature, and how often.

    ``by_label[j, y]`` counts the rows of column j with label y. Feature f has
    ``labels[starts[f]:starts[f + 1]]``, as often as ``together`` says; ``cells`` has a
    number for each of its columns and labels, those of f from ``first_cell[f]``.
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
def _t(table: NDArray[Any], count: int) -> Any:
    """An entry of the table; unsigned, so that the sign is not looked at."""
    return table[np.uint64(count)]


@kernel()
def _spread(table: NDArray[Any], inside: int, whole: int) -> Any:
    """What a label in some rows of a column adds inside the column."""
    return _t(table, inside) + _t(table, whole - inside) - _t(table, whole)


@kernel()
def _around(table: NDArray[Any], size: int, labelled: int, k: int, k_y: int) -> Any:
    """What it adds outside the columns of the feature."""
    others = size - labelled - k
    without = _t(table, max(others, 0))
    outside = _t(table, labelled - k_y) - _t(table, labelled)
    return outside + _t(table, others + k_y) - without


@kernel()
def sum_spreads(
    layout: Any, totals: NDArray[Any], table: NDArray[Any], out: NDArray[Any]
) -> None:
    """out[f] = sum over labels and columns of T(k_ay) + T(k_a - k_ay) - T(k_a)."""
    first_column, starts, _, _, first_cell, cells = layout
    for f in range(len(out)):
        low, width = first_column[f], first_column[f + 1] - first_column[f]
        for i in range(starts[f + 1] - starts[f]):
            for a in range(width):
                inside = cells[first_cell[f] + i * width + a]
                out[f] += _spread(table, inside, totals[low + a])


@kernel(inline="always")
def _without(known: Any, part: int, k: int, parts: Any, table: NDArray[Any]) -> Any:
    """G(k) of a part, which is stored."""
    first, values = known
    place = first[part] + k
    if values[place] == _UNKNOWN:
        sizes, labelled = parts
        size, total = sizes[part], 0
        for y in range(labelled.shape[1]):
            rest = size - labelled[part, y]
            total -= _t(table, rest) - _t(table, max(rest - k, 0))
        once = _t(table, size) - _t(table, size - k)
        values[place] = total + labelled.shape[1] * once
    return values[place]


@kernel()
def list_hits(
    groups: Any, entries: Any, feature_of: NDArray[Any], d: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """For each feature its entries in rows of the groups: column, group + 1 and row."""
    group_starts, rows = groups
    indptr, indices = entries
    starts = np.zeros(d + 1, np.int64)
    for row in rows:
        for e in range(indptr[row], indptr[row + 1]):
            starts[feature_of[indices[e]] + 1] += 1
    for f in range(d):
        starts[f + 1] += starts[f]
    free = starts[:-1].copy()
    columns = np.empty(starts[d], np.int32)
    part, row_of = np.empty_like(columns), np.empty_like(columns)
    for c in range(len(group_starts) - 1):
        for i in range(group_starts[c], group_starts[c + 1]):
            row = rows[i]
            for e in range(indptr[row], indptr[row + 1]):
                f = feature_of[indices[e]]
                columns[free[f]] = indices[e]
                part[free[f]], row_of[free[f]] = c + 1, row
                free[f] += 1
    return starts, columns, part, row_of


@kernel(inline="always")
def _count_hits(
    hits: Any, low: int, high: int, first: int, samples: Any, scratch: Any
) -> None:
    """Count the hits of a feature by part, column and label; part 0 has them all."""
    _, columns, parts, rows = hits
    indptr, indices = samples
    in_column, by_label, present, seen, n_seen = scratch
    for h in range(low, high):
        a, c = columns[h] - first, parts[h]
        in_column[c, a] += 1
        in_column[0, a] += 1
        for e in range(indptr[rows[h]], indptr[rows[h] + 1]):
            y = indices[e]
            if present[c, y] == 0:
                seen[c, n_seen[c]] = y
                n_seen[c] += 1
            present[c, y] += 1
            present[0, y] += 1
            by_label[c, y, a] += 1
            by_label[0, y, a] += 1


@kernel(inline="always")
def _of_part(
    c: int, width: int, parts: Any, known: Any, table: NDArray[Any], scratch: Any
) -> tuple[int, int]:
    """N times the information about the labels in a part with hits, and T of cells.

    What was counted is set back to 0.
    """
    sizes, labelled = parts
    in_column, by_label, present, seen, n_seen = scratch
    k, cells = 0, 0
    for a in range(width):
        k += in_column[c, a]
        cells += _t(table, in_column[c, a])
    cells += _t(table, sizes[c] - k)
    total = _without(known, c, k, parts, table) if k else 0
    for i in range(n_seen[c]):
        y = seen[c, i]
        total += _around(table, sizes[c], labelled[c, y], k, present[c, y])
        for a in range(width):
            total += _spread(table, by_label[c, y, a], in_column[c, a])
            by_label[c, y, a] = 0
        present[c, y] = 0
    n_seen[c] = 0
    for a in range(width):
        in_column[c, a] = 0
    return total, cells


@kernel(inline="always")
def _of_rest(
    f: int,
    layout: Any,
    totals: NDArray[Any],
    parts: Any,
    known: Any,
    table: NDArray[Any],
    scratch: Any,
) -> tuple[int, int]:
    """The same for part 0, whose counts are those of the hits: the others count."""
    first_column, starts, labels, together, first_cell, counts = layout
    sizes, labelled = parts
    in_column, by_label, present, _, _ = scratch
    low, width = first_column[f], first_column[f + 1] - first_column[f]
    k, cells = 0, 0
    for a in range(width):
        in_column[0, a] = totals[low + a] - in_column[0, a]
        k += in_column[0, a]
        cells += _t(table, in_column[0, a])
    total, n_left, size = _without(known, 0, k, parts, table), 0, sizes[0]
    place = first_cell[f]
    for i in range(starts[f], starts[f + 1]):
        y = np.uint64(labels[i])
        k_y = together[i] - present[0, y]
        if k_y:
            total += _around(table, size, labelled[0, y], k, k_y)
            n_left += 1
        for a in range(width):
            inside = counts[place + a] - by_label[0, y, a]
            by_label[0, y, a] = 0
            if k_y:
                total += _t(table, inside) + _t(table, in_column[0, a] - inside)
        present[0, y] = 0
        place += width
    total -= n_left * cells
    cells += _t(table, size - k)
    for a in range(width):
        in_column[0, a] = 0
    return total, cells


@kernel()
def _of_kinds(kinds: Any, parts: Any, table: NDArray[Any]) -> NDArray[Any]:
    """``_around`` in part 0 for each label, k and k_y that a feature has."""
    labels, k, k_label = kinds
    sizes, labelled = parts
    out = np.zeros(len(labels), np.int64)
    for i in range(len(labels)):
        of_label = labelled[0, labels[i]]
        # Or each feature of this kind has hits.
        fits = k_label[i] <= of_label and k[i] - k_label[i] <= sizes[0] - of_label
        if fits:
            out[i] = _around(table, sizes[0], of_label, k[i], k_label[i])
    return out


@kernel()
def _of_sizes(
    sizes: NDArray[Any], parts: Any, known: Any, table: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """G(k) of part 0 for these k, and n I(f; s) of a feature without hits."""
    rest, n = parts[0][0], len(table) - 1
    given, shared = np.empty(len(sizes), np.int64), np.empty(len(sizes), np.int64)
    for i in range(len(sizes)):
        k = sizes[i]
        fits = k <= rest  # or each feature of this size has hits
        given[i] = _without(known, 0, k, parts, table) if fits else 0
        shared[i] = _t(table, n) - _t(table, rest) - _t(table, n - k)
        shared[i] += _t(table, rest - k) if fits else 0
    return given, shared


@kernel()
def _add_apart(
    hit_starts: NDArray[Any],
    starts: NDArray[Any],
    kind_of: NDArray[Any],
    around: NDArray[Any],
    size_of: NDArray[Any],
    of_size: NDArray[Any],
    shared_by_size: NDArray[Any],
    spreads: NDArray[Any],
    given: NDArray[Any],
    shared: NDArray[Any],
) -> None:
    """What is asked for, of the features without hits; arrays only, which is faster."""
    for f in range(len(given)):
        if hit_starts[f] != hit_starts[f + 1]:
            continue
        size = np.uint64(size_of[f])
        total = spreads[f] + of_size[size]
        for i in range(starts[f], starts[f + 1]):
            total += around[np.uint64(kind_of[i])]
        given[f], shared[f] = total, shared_by_size[size]


@kernel()
def pair_terms(
    hits: Any,
    samples: Any,
    parts: Any,
    layout: Any,
    kinds: Any,
    totals: NDArray[Any],
    own: Any,
    table: NDArray[Any],
    given: NDArray[Any],
    shared: NDArray[Any],
) -> None:
    """given[f] = n sum_y I(f; y | s) and shared[f] = n I(f; s), s making the parts.

    ``kinds`` has the distinct (y, k, k_y), which of them each label of each feature is,
    the distinct k, and which of them each feature has. ``own`` has T summed over the
    bins of each feature, and what ``sum_spreads`` gives.
    """
    first_column, starts, sizes = layout[0], layout[1], parts[0]
    own_cells, spreads = own
    different, kind_of, different_sizes, size_of = kinds
    around = _of_kinds(different, parts, table)
    n_parts, n_labels = parts[1].shape
    first = np.zeros(n_parts + 1, np.int64)
    outside, width = 0, 0
    for c in range(n_parts):
        first[c + 1] = first[c] + sizes[c] + 1
        outside += _t(table, sizes[c])
    known = first, np.full(first[n_parts], _UNKNOWN)
    for f in range(len(given)):
        width = max(width, first_column[f + 1] - first_column[f])
    scratch = (
        np.zeros((n_parts, width), np.int64),
        np.zeros((n_parts, n_labels, width), np.int64),
        np.zeros((n_parts, n_labels), np.int64),
        np.empty((n_parts, n_labels), np.int64),
        np.zeros(n_parts, np.int64),
    )
    hit_starts, by_size = hits[0], _of_sizes(different_sizes, parts, known, table)
    _add_apart(
        hit_starts,
        starts,
        kind_of,
        around,
        size_of,
        by_size[0],
        by_size[1],
        spreads,
        given,
        shared,
    )
    n = len(table) - 1
    for f in range(len(given)):
        if hit_starts[f] == hit_starts[f + 1]:
            continue
        low, high = first_column[f], first_column[f + 1]
        _count_hits(hits, hit_starts[f], hit_starts[f + 1], low, samples, scratch)
        shared[f] = _t(table, n) - outside - own_cells[f]
        for c in range(1, n_parts):
            inside, cells = _of_part(c, high - low, parts, known, table, scratch)
            given[f] += inside
            shared[f] += cells
        inside, cells = _of_rest(f, layout, totals, parts, known, table, scratch)
        given[f] += inside
        shared[f] += cells


def warm_up() -> None:
    """Compile all kernels for the types that the library calls them with."""
    first_column, table = np.array([0, 1]), np.zeros(3, np.int64)
    totals, by_label = np.ones(1, np.int32), np.ones((1, 1), np.int32)
    layout = (first_column, *list_labels(by_label, first_column))
    given, shared, own = np.zeros((3, 1), np.int64)
    sum_spreads(layout, totals, table, own)
    rows = np.array([0, 0, 1], np.int32), np.zeros(1, np.int32)
    groups, one = (np.array([0, 1]), np.ones(1, np.int32)), np.ones(1, np.int64)
    hits = list_hits(groups, rows, np.zeros(1, np.int32), 1)
    parts = np.array([1, 1]), np.array([[0], [1]])
    first = np.zeros(1, np.int32)
    kinds = (0 * one, one, one), first, one, first
    pair_terms(
        hits, rows, parts, layout, kinds, totals, (own, own), table, given, shared
    )
