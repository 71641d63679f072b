# SPDX-License-Identifier: BSD-3-Clause
"""64-bit numbers that tell rows and columns by their values, whatever their order.

A solver that draws a start, or an order of its samples, from these numbers in place of
positions gives the same answer, up to rounding, for permuted rows and columns.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

Keys = NDArray[np.uint64]

# Entries of dense X that are worked on at a time.
_BLOCK = 2**22


def fingerprints(X: Any, Y: NDArray[Any]) -> tuple[Keys, Keys]:
    """A number for every row and for every column of X.

    A row is told by its labels, then a column by its values and their rows, then a row
    by its values and their columns, then a column once more. Sums of mixed bits do not
    depend on the order of what is summed; zeros add nothing, so that sparse and dense X
    agree.
    """
    n, d = X.shape
    labels = _mix(np.arange(Y.shape[1], dtype=np.uint64))
    rows = (Y != 0).astype(np.uint64) @ labels
    columns = _sums(X, rows, np.zeros(d, np.uint64))[1]
    rows = _mix(rows) + _sums(X, np.zeros(n, np.uint64), columns)[0]
    columns = _sums(X, rows, np.zeros(d, np.uint64))[1]
    return rows, columns


def distinct_fingerprints(X: Any, Y: NDArray[Any]) -> tuple[Keys, Keys]:
    """The same numbers however often a row is repeated."""
    places = _mix(np.arange(X.shape[1], dtype=np.uint64))
    labels = _mix(np.arange(Y.shape[1], dtype=np.uint64))
    rows = (Y != 0).astype(np.uint64) @ labels
    rows = _mix(rows) + _sums(X, np.zeros(len(Y), np.uint64), places)[0]
    _, first, copies = np.unique(rows, return_index=True, return_inverse=True)
    rows, columns = fingerprints(X[first], Y[first])
    return rows[copies], columns


def uniform(keys: Keys, count: int, seed: int) -> NDArray[np.float64]:
    """A row of ``count`` uniform numbers in [0, 1) for every key."""
    salts = _mix(np.arange(count, dtype=np.uint64) + _mix(np.array([seed], np.uint64)))
    mixed = _mix(_mix(keys)[:, np.newaxis] ^ salts)
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _sums(X: Any, rows: Keys, columns: Keys) -> tuple[Keys, Keys]:
    """Sums over rows and over columns of the mixed bits of all entries but zeros."""
    by_row, by_column = np.zeros_like(rows), np.zeros_like(columns)
    if sp.issparse(X):
        entries = X.tocoo()
        used = entries.data != 0
        i, j = entries.row[used], entries.col[used]
        mixed = _mix(_bits(entries.data[used]) + rows[i] + columns[j])
        np.add.at(by_row, i, mixed)
        np.add.at(by_column, j, mixed)
        return by_row, by_column
    for part in gen_batches(len(X), max(1, _BLOCK // X.shape[1])):
        block = X[part]
        mixed = _mix(_bits(block) + rows[part, np.newaxis] + columns)
        mixed[block == 0] = 0
        by_row[part] = mixed.sum(axis=1)
        by_column += mixed.sum(axis=0)
    return by_row, by_column


def _bits(values: NDArray[Any]) -> Keys:
    return np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)


def _mix(z: Keys) -> Keys:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit matters."""
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
