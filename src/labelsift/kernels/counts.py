# SPDX-License-Identifier: BSD-3-Clause
"""Counting samples by bin and group, and summing x log x over the counts.

Features come as 0/1 columns, one per bin but for one bin of each feature, which is
counted by subtraction; ``first_column[f]:first_column[f + 1]`` are the columns of
feature f. A group is a set of samples: ``rows[starts[g]:starts[g + 1]]``. Counts are
integers and x log x is read from a table of integers, so that sums are exact: they do
not depend on the order of summation.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

# Rows whose 0/1 bytes are added at once, and how many fit before a byte overflows.
_AT_ONCE = 4
_BYTE_ROWS = 252


@kernel()
def count_codes(codes: NDArray[Any], counts: NDArray[Any]) -> None:
    """counts[f, b] = samples of feature f in bin b."""
    for i in range(codes.shape[0]):
        for f in range(codes.shape[1]):
            counts[f, codes[i, f]] += 1


@kernel()
def fill_one_hot(
    codes: NDArray[Any], column: NDArray[Any], one_hot: NDArray[Any]
) -> None:
    """Set the byte of each sample's bin; column[f, b] < 0 marks bins without one."""
    for i in range(codes.shape[0]):
        for f in range(codes.shape[1]):
            j = column[f, codes[i, f]]
            if j >= 0:
                one_hot[i, j] = 1


@kernel()
def list_members(one_hot: NDArray[Any], column: int, rows: NDArray[Any]) -> None:
    """Samples of this column, of the next one, ... until ``rows`` is full."""
    filled = 0
    while filled < len(rows):
        for i in range(one_hot.shape[0]):
            if one_hot[i, column]:
                rows[filled] = i
                filled += 1
        column += 1


@kernel()
def split_by_label(
    rows: NDArray[Any], indptr: NDArray[Any], indices: NDArray[Any], n_labels: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Split samples into one group per label; a sample joins each of its labels."""
    starts = np.zeros(n_labels + 1, np.int64)
    for row in rows:
        for k in range(indptr[row], indptr[row + 1]):
            starts[indices[k] + 1] += 1
    for label in range(n_labels):
        starts[label + 1] += starts[label]
    free = starts[:-1].copy()
    members = np.empty(starts[-1], np.int32)
    for row in rows:
        for k in range(indptr[row], indptr[row + 1]):
            members[free[indices[k]]] = row
            free[indices[k]] += 1
    return starts, members


@kernel()
def count_one_hot(
    one_hot: NDArray[Any],
    starts: NDArray[Any],
    rows: NDArray[Any],
    counts: NDArray[Any],
) -> None:
    """counts[g, j] = samples of group g in column j, adding rows of bytes."""
    width = one_hot.shape[1]
    part = np.empty(width, np.uint8)
    for g in range(len(starts) - 1):
        for low in range(starts[g], starts[g + 1], _BYTE_ROWS):
            high = min(low + _BYTE_ROWS, starts[g + 1])
            paired = low + (high - low) // _AT_ONCE * _AT_ONCE
            for j in range(width):
                part[j] = 0
            for i in range(low, paired, _AT_ONCE):
                a, b, c, d = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
                for j in range(width):
                    part[j] += (
                        one_hot[a, j] + one_hot[b, j] + one_hot[c, j] + one_hot[d, j]
                    )
            for i in range(paired, high):
                a = rows[i]
                for j in range(width):
                    part[j] += one_hot[a, j]
            for j in range(width):
                counts[g, j] += part[j]


@kernel()
def pack_columns(one_hot: NDArray[Any], bits: NDArray[Any]) -> None:
    """Bit i % 64 of bits[j, i // 64] = byte of sample i in column j."""
    n, width = one_hot.shape
    words = np.empty(width, np.uint64)
    for w in range(bits.shape[1]):
        for j in range(width):
            words[j] = 0
        for i in range(64 * w, min(64 * w + 64, n)):
            for j in range(width):
                words[j] |= np.uint64(one_hot[i, j]) << np.uint64(i % 64)
        for j in range(width):
            bits[j, w] = words[j]


@kernel()
def pack_groups(starts: NDArray[Any], rows: NDArray[Any], bits: NDArray[Any]) -> None:
    """Bit i % 64 of bits[g, i // 64] = whether sample i is in group g."""
    for g in range(len(starts) - 1):
        for i in range(starts[g], starts[g + 1]):
            bits[g, rows[i] // 64] |= np.uint64(1) << np.uint64(rows[i] % 64)


@kernel()
def _popcount(word: Any) -> Any:
    """Number of set bits; the compiler knows this pattern and has an instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel()
def count_bits(
    columns: NDArray[Any], groups: NDArray[Any], counts: NDArray[Any]
) -> None:
    """counts[g, j] = samples of group g in column j, from the bits that they share."""
    for g in range(groups.shape[0]):
        for j in range(columns.shape[0]):
            shared = np.uint64(0)
            for w in range(columns.shape[1]):
                shared += _popcount(columns[j, w] & groups[g, w])
            counts[g, j] = shared


@kernel()
def count_entries(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    starts: NDArray[Any],
    rows: NDArray[Any],
    counts: NDArray[Any],
) -> None:
    """counts[g, j] = samples of group g in column j, from the stored entries."""
    for g in range(len(starts) - 1):
        for i in range(starts[g], starts[g + 1]):
            for k in range(indptr[rows[i]], indptr[rows[i] + 1]):
                counts[g, indices[k]] += 1


@kernel()
def add_cells(
    counts: NDArray[Any],
    sizes: NDArray[Any],
    first_column: NDArray[Any],
    table: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """out[f] += sum over groups and bins of x log x of the count."""
    for g in range(counts.shape[0]):
        for f in range(len(out)):
            rest = sizes[g]
            cells = 0
            for j in range(first_column[f], first_column[f + 1]):
                cells += table[counts[g, j]]
                rest -= counts[g, j]
            out[f] += cells + table[rest]


@kernel()
def add_joint_cells(
    counts: NDArray[Any],
    sizes: NDArray[Any],
    totals: NDArray[Any],
    n: int,
    first_column: NDArray[Any],
    table: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """``add_cells`` over the groups and over the samples that are in none of them."""
    add_cells(counts, sizes, first_column, table, out)
    others = n - np.sum(sizes)
    for f in range(len(out)):
        rest = others
        for j in range(first_column[f], first_column[f + 1]):
            left = totals[j]
            for g in range(counts.shape[0]):
                left -= counts[g, j]
            out[f] += table[left]
            rest -= left
        out[f] += table[rest]


@kernel()
def _at(table: NDArray[Any], count: int) -> Any:
    """An entry of the table; unsigned, as a check of the sign would cost a third."""
    return table[np.uint64(count)]


@kernel()
def _occurring(counts: NDArray[Any], first_column: NDArray[Any]) -> NDArray[Any]:
    """Features with a sample in one of their columns."""
    occurring = np.empty(len(first_column) - 1, np.int64)
    n_occurring = 0
    for f in range(len(occurring)):
        for j in range(first_column[f], first_column[f + 1]):
            if counts[j] > 0:
                occurring[n_occurring] = f
                n_occurring += 1
                break
    return occurring[:n_occurring]


@kernel()
def add_information(
    inside: NDArray[Any],
    sizes: NDArray[Any],
    whole: NDArray[Any],
    size: int,
    first_column: NDArray[Any],
    table: NDArray[Any],
    out: NDArray[Any],
) -> None:
    """out[f] += size * I(f; y) over labels y, among the ``size`` samples of a part.

    whole[j] counts the samples of the part in column j, inside[y, j] and sizes[y]
    those with label y.
    """
    base = np.zeros_like(out)
    add_cells(whole.reshape(1, -1), np.array([size]), first_column, table, base)
    features = _occurring(whole, first_column)  # the others say nothing
    first, last = first_column[features], first_column[features + 1]
    outside = np.full(len(features), size)
    for i in range(len(features)):
        for j in range(first[i], last[i]):
            outside[i] -= whole[j]
    for y in range(inside.shape[0]):
        if sizes[y] == 0 or sizes[y] == size:
            continue  # a label that does not vary says nothing
        offset = table[size] - table[sizes[y]] - table[size - sizes[y]]
        row = inside[y]
        for i in range(len(features)):
            rest, cells = sizes[y], offset - base[features[i]]
            for j in range(first[i], last[i]):
                cells += _at(table, row[j]) + _at(table, whole[j] - row[j])
                rest -= row[j]
            out[features[i]] += cells + _at(table, rest) + _at(table, outside[i] - rest)


def warm_up() -> None:
    """Compile all kernels for the types that the library calls them with."""
    starts, rows = np.array([0, 2]), np.array([0, 1], np.int32)
    sizes, whole = np.array([2]), np.array([1], np.int32)
    indices = np.array([0], np.int32)
    indptr = np.array([0, 0, 1], np.int32)
    one_hot = np.array([[0], [1]], np.uint8)
    counts, out = np.zeros((1, 1), np.int32), np.zeros(1, np.int64)
    bits = np.zeros((1, 1), np.uint64)
    first_column, table = np.array([0, 1]), np.zeros(3, np.int64)
    count_codes(one_hot, np.zeros((1, 2), np.int32))
    fill_one_hot(one_hot, np.array([[-1, 0]]), one_hot)
    list_members(one_hot, 0, rows[:1])
    split_by_label(rows, indptr, indices, 1)
    count_one_hot(one_hot, starts, rows, counts)
    pack_columns(one_hot, bits)
    pack_groups(starts, rows, bits)
    count_bits(bits, bits, counts)
    count_entries(indptr, indices, starts, rows, counts)
    add_cells(whole[np.newaxis], sizes, first_column, table, out)
    add_joint_cells(whole[np.newaxis], sizes, whole, 2, first_column, table, out)
    add_information(whole[np.newaxis], sizes, whole, 2, first_column, table, out)
