# SPDX-License-Identifier: BSD-3-Clause
"""Exact nearest rows, with a bound that avoids most distance computations.

The squared distance of two rows is |q|^2 + |x|^2 - 2 q'x. With the products q'x from
a fast matrix product that value is off by at most ``slack`` (|q|^2 + |x|^2), so a row
whose value less the slack exceeds the worst neighbour found so far is skipped; for the
few others the distance is summed feature by feature. Zeros add nothing to that sum, so
dense and sparse rows give the same bits, and ties are real ties. A query with as many
copies of itself as neighbours is done: no later row is nearer.

Among sparse rows the products of a row are formed as it is reached, with the rows
before it only: a pair serves both of its rows. They come by ascending norm, as short
rows are near to most others: few distances are summed up.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def dense_neighbours(
    queries: NDArray[Any],
    rows: NDArray[Any],
    products: NDArray[Any],
    query_norms: NDArray[Any],
    row_norms: NDArray[Any],
    slack: float,
    own: NDArray[Any],
    indices: NDArray[Any],
    distances: NDArray[Any],
) -> None:
    """Fill indices and squared distances of the nearest rows of each query.

    Row ``own[i]`` (-1: none) is left out for query i. Neighbours come by increasing
    distance, ties by increasing index.
    """
    k = indices.shape[1]
    for i in range(queries.shape[0]):
        filled = 0
        for j in range(rows.shape[0]):
            total = query_norms[i] + row_norms[j]
            bound = total - 2 * products[i, j] - slack * total
            if j == own[i] or (filled == k and bound > distances[i, k - 1]):
                continue
            distance = 0.0
            for f in range(rows.shape[1]):
                gap = np.float64(queries[i, f]) - np.float64(rows[j, f])
                distance += gap * gap
            filled = _insert(indices[i], distances[i], filled, j, distance)
            if filled == k and distances[i, k - 1] == 0:
                break


@kernel()
def sparse_neighbours(
    query_values: NDArray[Any],
    query_columns: NDArray[Any],
    query_starts: NDArray[Any],
    row_values: NDArray[Any],
    row_columns: NDArray[Any],
    row_starts: NDArray[Any],
    products: NDArray[Any],
    query_norms: NDArray[Any],
    row_norms: NDArray[Any],
    slack: float,
    own: NDArray[Any],
    indices: NDArray[Any],
    distances: NDArray[Any],
) -> None:
    """The same for queries and rows in canonical CSR."""
    k = indices.shape[1]
    for i in range(len(query_starts) - 1):
        filled = 0
        query = slice(query_starts[i], query_starts[i + 1])
        for j in range(len(row_starts) - 1):
            total = query_norms[i] + row_norms[j]
            bound = total - 2 * products[i, j] - slack * total
            if j == own[i] or (filled == k and bound > distances[i, k - 1]):
                continue
            row = slice(row_starts[j], row_starts[j + 1])
            distance = _sparse_distance(
                query_values[query],
                query_columns[query],
                row_values[row],
                row_columns[row],
            )
            filled = _insert(indices[i], distances[i], filled, j, distance)
            if filled == k and distances[i, k - 1] == 0:
                break


@kernel()
def nearest_pairs(
    rows: Any,
    columns: Any,
    names: NDArray[Any],
    norms: NDArray[Any],
    slack: float,
    indices: NDArray[Any],
    distances: NDArray[Any],
) -> None:
    """Fill names and squared distances of the nearest other rows of each row.

    X is given by rows and by columns, both as (data, indices, indptr) in canonical
    form, with the names of its rows and their squared norms, which ascend: near rows
    come early, and copies by ascending names. Neighbours come by increasing distance,
    ties by increasing name.
    """
    data, features, starts = rows
    values, members, begins = columns
    reached = begins[:-1].copy()  # in each column, behind the entries of rows so far
    n_rows, k = indices.shape
    products, worst = np.zeros(n_rows), np.full(n_rows, np.inf)
    indices[:] = n_rows
    distances[:] = np.inf
    for i in range(n_rows):
        row = slice(starts[i], starts[i + 1])
        for entry in range(starts[i], starts[i + 1]):
            value, feature = data[entry], features[entry]
            for other in range(begins[feature], reached[feature]):
                # Unsigned: no look at whether the index counts from the end.
                products[np.uint64(members[other])] += value * values[other]
            reached[feature] += 1
        for j in range(i):
            total = norms[i] + norms[j]
            bound = total - 2 * products[j] - slack * total
            products[j] = 0.0
            if bound > worst[i] and bound > worst[j]:
                continue
            before = slice(starts[j], starts[j + 1])
            distance = _sparse_distance(
                data[row], features[row], data[before], features[before]
            )
            for one, other in ((i, j), (j, i)):
                _insert_pair(indices[one], distances[one], names[other], distance)
                last = distances[one, k - 1]
                worst[one] = last if last > 0.0 else -np.inf  # all copies


@kernel()
def _sparse_distance(
    query_values: NDArray[Any],
    query_columns: NDArray[Any],
    row_values: NDArray[Any],
    row_columns: NDArray[Any],
) -> float:
    """Squared distance of two sparse rows, summed by increasing column."""
    distance = 0.0
    a, b = 0, 0
    while a < len(query_columns) or b < len(row_columns):
        gap = 0.0
        only_row = a == len(query_columns)
        only_query = b == len(row_columns)
        if not only_row and not only_query:
            only_row = row_columns[b] < query_columns[a]
            only_query = query_columns[a] < row_columns[b]
        if not only_row:
            gap += np.float64(query_values[a])
            a += 1
        if not only_query:
            gap -= np.float64(row_values[b])
            b += 1
        distance += gap * gap
    return distance


@kernel()
def _insert(
    indices: NDArray[Any],
    distances: NDArray[Any],
    filled: int,
    index: int,
    distance: float,
) -> int:
    """Insert a row into the sorted list of the nearest.

    Rows come by increasing index, so a tie is inserted after earlier rows.
    """
    k = len(indices)
    if filled == k and not distance < distances[k - 1]:
        return filled
    place = min(filled, k - 1)
    while place > 0 and distances[place - 1] > distance:
        indices[place] = indices[place - 1]
        distances[place] = distances[place - 1]
        place -= 1
    indices[place] = index
    distances[place] = distance
    return min(filled + 1, k)


@kernel()
def _insert_pair(
    indices: NDArray[Any], distances: NDArray[Any], name: int, distance: float
) -> None:
    """Insert a row into the list of the nearest, if it is nearer than the last."""
    place = len(indices)
    while place > 0 and (
        distance < distances[place - 1]
        or (distance == distances[place - 1] and name < indices[place - 1])
    ):
        place -= 1
        if place + 1 < len(indices):
            indices[place + 1] = indices[place]
            distances[place + 1] = distances[place]
    if place < len(indices):
        indices[place] = name
        distances[place] = distance


def warm_up() -> None:
    """Compile the kernels on tiny input."""
    own = np.array([0], dtype=np.intp)
    starts = np.array([0, 1], dtype=np.int32)
    columns = np.zeros(1, dtype=np.int32)
    norms = np.ones(1)
    for dtype in (np.float64, np.float32):
        row = np.ones((1, 1), dtype=dtype)
        result = np.empty((1, 1), dtype=np.intp), np.empty((1, 1))
        dense_neighbours(row, row, row, norms, norms, 0.0, own, *result)
        csr = row[0], columns, starts
        sparse_neighbours(*csr, *csr, row, norms, norms, 0.0, own, *result)
    entries = norms, columns, starts
    nearest_pairs(entries, entries, own, norms, 0.0, *result)
