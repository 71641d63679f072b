# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import MultiLabelData, describe, make_planted, summary


def slow_summary(X, Y):
    """Pair by pair, row by row."""
    n, d = X.shape
    constant = [j for j in range(d) if len(set(X[:, j])) == 1]
    duplicates = []
    for j in range(d):
        same = [i for i in range(j) if (X[:, i] == X[:, j]).all()]
        if same and j not in constant:
            duplicates.append([j, same[0]])
    return {
        "label_counts": [sum(column) for column in Y.T],
        "co_occurrence": [
            [int(a @ b) for b in Y.T.astype(int)] for a in Y.T.astype(int)
        ],
        "constant_features": constant,
        "duplicate_features": duplicates,
        "empty_rows": [i for i in range(n) if not X[i].any()],
        "unlabelled_rows": [i for i in range(n) if not Y[i].any()],
        "n_label_sets": len({tuple(row) for row in Y}),
        "filled": np.count_nonzero(X) / X.size,
    }


@pytest.fixture(params=[np.asarray, sp.csr_array, sp.csc_array])
def doubtful(request, rng):
    """Data with every fault that a summary knows."""
    X = rng.integers(0, 3, size=(12, 9)).astype(float)
    X[:, 4] = X[:, 1]
    X[:, 7] = X[:, 1]
    X[X[:, 4] == 0, 4] = -0.0
    X[:, 2] = X[:, 5] = 0
    X[:, 6] = 1
    X[[3, 8]] = 0
    X[3, 6] = X[8, 6] = 0
    Y = rng.integers(0, 2, size=(12, 3))
    Y[5] = 0
    matrix = request.param(X)
    names = tuple(f"x{j}" for j in range(9))
    return X, Y, MultiLabelData(matrix, Y, names, ("a", "b", "c"))


@pytest.mark.parametrize("block_bytes", [1, 2**24])
def test_equals_the_slow_way(doubtful, monkeypatch, block_bytes):
    monkeypatch.setattr(summary, "_BLOCK_BYTES", block_bytes)
    X, Y, data = doubtful
    found = describe(data)
    for name, value in slow_summary(X, Y).items():
        np.testing.assert_array_equal(getattr(found, name), value, err_msg=name)
    assert found.sparse == sp.issparse(data.X)
    assert found.cardinality == pytest.approx(Y.sum(axis=1).mean())
    assert found.duplicate_features.tolist() == [[4, 1], [7, 1]]
    assert found.checksum == data.checksum


def test_missing_values_are_counted():
    data = make_planted(6, 4, 2, n_relevant=2, random_state=0)
    data.X[2, 1] = data.X[3, 1] = np.nan
    found = describe(data)
    assert found.n_missing == 2
    assert len(found.constant_features) == 0


def test_stored_zeros_do_not_count():
    X = sp.csr_array(([0.0, 2.0], [0, 1], [0, 1, 2]), shape=(2, 2))
    found = describe(MultiLabelData(X, np.eye(2), ("a", "b"), ("p", "q")))
    assert found.empty_rows.tolist() == [0]
    assert found.constant_features.tolist() == [0]
    assert found.filled == 0.25


def test_real_sets_agree_with_their_notes(real, data_home):
    assert len(describe(real("rcv1-subset1")).constant_features) == 27686
    assert describe(real("yeast")).n_label_sets == 198
