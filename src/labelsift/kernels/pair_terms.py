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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel
from labelsift.kernels.pair_lists import tiny

# Bounds are at most so much below scores, relative to scores above 1: what rounding
# does to sums, and the 10 decimals to which scores are compared.
_MARGIN = 1e-9


class Scores(NamedTuple):
    """Relevance less ``total`` / step: redundancies in the first ``upto`` steps.

    ``last`` is the score in the step when it was last asked for.
    """

    relevance: NDArray[Any]
    total: NDArray[Any]
    upto: NDArray[Any]
    last: NDArray[Any]


@kernel()
def _t(table: NDArray[Any], count: int) -> Any:
    """An entry of the table; unsigned, so that the sign is not looked at."""
    return table[np.uint64(count)]


@kernel()
def _around(table: NDArray[Any], size: int, labelled: int, k: int, k_y: int) -> Any:
    """What a label adds outside the columns of the feature."""
    others = size - labelled - k
    without = _t(table, max(others, 0))
    outside = _t(table, labelled - k_y) - _t(table, labelled)
    return outside + _t(table, others + k_y) - without


@kernel(inline="always")
def _without(
    part: int, k: int, labelled: NDArray[Any], known: NDArray[Any], table: NDArray[Any]
) -> Any:
    """G(k) of a part."""
    stored = k < known.shape[0]
    if stored and known[k, part] != 0:
        return known[k, part]
    n_labels, total = labelled.shape[1] - 1, 0
    size = labelled[part, n_labels]
    for y in range(n_labels):
        rest = size - labelled[part, y]
        total -= _t(table, rest) - _t(table, max(rest - k, 0))
    total += n_labels * (_t(table, size) - _t(table, size - k))
    if stored:
        known[k, part] = total
    return total


@kernel()
def _list_hits(
    f: int, low: int, high: int, features: Any, taken: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows of f in a column of a feature taken in the last steps, low to high - 1.

    For each step where its hits start, and for each hit its column, part and row.
    """
    first_row, rows = features.first_row, features.rows
    newest, older, step, part = taken.newest, taken.older, taken.step, taken.part
    first, last = features.first_column[f], features.first_column[f + 1]
    starts = np.zeros(high - low + 2, np.int64)
    for i in range(first_row[first], first_row[last]):
        p = newest[rows[i]]
        while p >= 0 and step[p] >= low:
            starts[step[p] - low + 2] += 1
            p = older[p]
    for t in range(2, len(starts)):
        starts[t] += starts[t - 1]
    hits = np.empty((starts[-1], 3), np.int32)
    for j in range(first, last):
        for i in range(first_row[j], first_row[j + 1]):
            p = newest[rows[i]]
            while p >= 0 and step[p] >= low:
                h = starts[step[p] - low + 1]
                hits[h, 0], hits[h, 1], hits[h, 2] = j - first, part[p], rows[i]
                starts[step[p] - low + 1] += 1
                p = older[p]
    return starts, hits


@kernel()
def _count_all(f: int, features: Any, counts: NDArray[Any]) -> None:
    """Count the rows of f by label and column, in part 0.

    After the labels come all rows, after its columns those in any of them.
    """
    first, last = features.first_column[f], features.first_column[f + 1]
    place, width = features.first_cell[f], last - first
    counts[0, -1, width] = 0
    for a in range(width):
        rows = features.first_row[first + a + 1] - features.first_row[first + a]
        counts[0, -1, a] = rows
        counts[0, -1, width] += rows
    for i in range(features.starts[f], features.starts[f + 1]):
        y = features.labels[i]
        counts[0, y, width] = features.together[i]
        for a in range(width):
            counts[0, y, a] = features.cells[place]
            place += 1


@kernel(inline="always")
def _move_hits(
    change: int,
    width: int,
    hits: NDArray[Any],
    indptr: NDArray[Any],
    indices: NDArray[Any],
    counts: NDArray[Any],
) -> None:
    """Count hits in their parts and no more in part 0, or -1 times this."""
    n_labels = counts.shape[1] - 1
    for h in range(len(hits)):
        a, c, row = hits[h, 0], hits[h, 1], hits[h, 2]
        counts[0, n_labels, a] -= change
        counts[0, n_labels, width] -= change
        counts[c, n_labels, a] += change
        counts[c, n_labels, width] += change
        for e in range(indptr[row], indptr[row + 1]):
            y = indices[e]
            counts[0, y, a] -= change
            counts[0, y, width] -= change
            counts[c, y, a] += change
            counts[c, y, width] += change


@kernel(inline="always")
def _of_part(
    c: int,
    part: int,
    width: int,
    counts: NDArray[Any],
    labels: NDArray[Any],
    labelled: NDArray[Any],
    known: NDArray[Any],
    table: NDArray[Any],
) -> tuple[int, int]:
    """N times the information about the labels, and what the part adds to n I(f; s)."""
    n_labels = counts.shape[1] - 1
    size, k = labelled[part, n_labels], counts[c, n_labels, width]
    if k == 0:
        return 0, 0
    total, cells, n_present = _without(part, k, labelled, known, table), 0, 0
    for i in range(len(labels)):
        y = np.uint64(labels[i])
        k_y = counts[c, y, width]
        if k_y == 0:
            continue
        n_present += 1
        total += _around(table, size, labelled[part, y], k, k_y)
        for a in range(width):
            inside = counts[c, y, a]
            total += _t(table, inside) + _t(table, counts[c, n_labels, a] - inside)
    for a in range(width):
        cells += _t(table, counts[c, n_labels, a])
    total -= n_present * cells
    return total, cells + _t(table, size - k) - _t(table, size)


@kernel()
def _sum_hits(f: int, low: int, hits: Any, features: Any, taken: Any, out: Any) -> None:
    """Set ``out`` for the steps with hits: all parts, each by its counts.

    Without the constant of ``_add_terms`` it holds n sum_y I(f; y | s) and n I(f; s).
    """
    indptr, indices, table = features.indptr, features.indices, features.table
    labels = features.labels[features.starts[f] : features.starts[f + 1]]
    width = features.first_column[f + 1] - features.first_column[f]
    first_part, labelled, known = taken.first_part, taken.labelled, taken.known
    counts = taken.counts
    starts, listed = hits
    _count_all(f, features, counts)
    for t in range(out.shape[1]):
        if starts[t] == starts[t + 1]:
            continue
        first, here = first_part[low + t], listed[starts[t] : starts[t + 1]]
        _move_hits(1, width, here, indptr, indices, counts)
        given, shared = 0, 0
        for part in range(first, first_part[low + t + 1]):
            total, cells = _of_part(
                part - first, part, width, counts, labels, labelled, known, table
            )
            given += total
            shared += cells
        _move_hits(-1, width, here, indptr, indices, counts)
        out[0, t], out[1, t] = given, shared


@kernel()
def _sum_rest(f: int, low: int, hits: Any, features: Any, taken: Any, out: Any) -> None:
    """Set it for the other steps, where all rows of f are in part 0."""
    labels, together, table = features.labels, features.together, features.table
    first_row, starts = features.first_row, hits[0]
    first_part, labelled, known = taken.first_part, taken.labelled, taken.known
    first, last = features.first_column[f], features.first_column[f + 1]
    n_labels = len(features.label_sizes)
    begin, end = features.starts[f], features.starts[f + 1]
    k, spread, cells = first_row[last] - first_row[first], 0, 0
    for j in range(first, last):
        spread += features.spreads[j]
        cells += _t(table, first_row[j + 1] - first_row[j])
    for t in range(out.shape[1]):
        if starts[t] != starts[t + 1]:
            continue
        part = first_part[low + t]
        size = labelled[part, n_labels]
        total = spread + _without(part, k, labelled, known, table)
        for i in range(begin, end):
            total += _around(table, size, labelled[part, labels[i]], k, together[i])
        out[0, t] = total
        out[1, t] = cells + _t(table, size - k) - _t(table, size)


@kernel()
def _add_terms(f: int, high: int, features: Any, taken: Any, scores: Any) -> None:
    """Add I(f; s) - sum_y I(f; y | s) for the s of all steps below ``high``."""
    table, unit, total = features.table, features.unit, scores.total[f]
    low = scores.upto[f]
    hits = _list_hits(f, low, high, features, taken)
    out = np.empty((2, high - low), np.int64)
    if len(hits[1]) > 0:
        _sum_hits(f, low, hits, features, taken, out)
    _sum_rest(f, low, hits, features, taken, out)
    outside = _t(table, len(table) - 1) - features.own_cells[f]
    for t in range(high - low):
        total += (out[1, t] + outside) * unit - out[0, t] * unit
    scores.total[f], scores.upto[f] = total, high


@kernel()
def score_best(
    which: NDArray[Any],
    bounds: NDArray[Any],
    step: int,
    features: Any,
    taken: Any,
    scores: Any,
) -> float:
    """Score features whose bound reaches the best of them; returns what reaches it."""
    reach = -np.inf
    for i in range(len(which)):
        f = which[i]
        if bounds[i] < reach:
            continue
        if scores.upto[f] < step:
            _add_terms(f, step, features, taken, scores)
        score = scores.relevance[f] - scores.total[f] / step
        scores.last[f] = score
        reach = max(reach, score - _MARGIN * max(1.0, abs(score)))
    return reach


def warm_up() -> None:
    """Compile all kernels for the types that the library calls them with."""
    features, taken = tiny()
    room = np.zeros((3, 2))
    scores = Scores(room[0], room[1], np.zeros(2, np.int64), room[2])
    score_best(np.array([1]), np.zeros(1), 1, features, taken, scores)
