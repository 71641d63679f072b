# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from labelsift.solvers.row_sparse.sparse_rows import SparseRows


def _matrix(places, seed=0):
    W = np.zeros((9, 3))
    W[places] = np.random.default_rng(seed).normal(size=(len(places), 3))
    return W


def test_all_rows_come_back():
    W = _matrix([1, 4, 8])
    rows = SparseRows.of(W)
    assert rows.count == 3
    np.testing.assert_array_equal(rows.dense(), W)


def test_rows_at_some_places():
    W = _matrix([1, 4, 8])
    for places in ([0, 1, 2, 4], [4], [2, 3], [], [0, 8], list(range(9))):
        found = SparseRows.of(W).among(np.array(places, dtype=np.intp))
        np.testing.assert_array_equal(found, W[places])


def test_a_line_to_another_keeps_rows_without_weights():
    start, end = _matrix([1, 4, 8]), _matrix([0, 4, 5], seed=1)
    moved = SparseRows.of(start).towards(SparseRows.of(end), 0.25).dense()
    expected = np.where(start != 0, start + 0.25 * (end - start), 0.0)
    np.testing.assert_allclose(moved, expected)
