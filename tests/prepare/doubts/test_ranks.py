# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from labelsift.prepare.doubts import ranks as module
from labelsift.prepare.doubts.ranks import Ranks
from reference.doubts import auc, rank_correlation


def _columns(rng, n=60):
    """Ties, negative values, zeros, copies up to sign and monotone change."""
    X = rng.normal(size=(n, 8)) * (rng.random((n, 8)) < 0.6)
    X[:, 1] = X[:, 0] ** 3
    X[:, 2] = -X[:, 0]
    X[:, 3] = np.round(X[:, 3])
    X[:, 4] = 0.0
    X[:, 5] = 4.0 - X[:, 5]  # no zeros
    return X


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_auc_is_the_share_of_pairs(rng, form):
    X, Y = _columns(rng), (rng.random((60, 4)) < 0.3).astype(np.int8)
    Y[:, 3] = 0
    expected = [[auc(x, y) for y in Y.T] for x in X.T]
    assert_allclose(Ranks(form(X)).auc(Y), expected, atol=1e-12)


def test_missing_is_below_all(rng):
    X, Y = _columns(rng), (rng.random((60, 2)) < 0.5).astype(np.int8)
    X[rng.random(X.shape) < 0.2] = np.nan
    expected = [[auc(x, y) for y in Y.T] for x in X.T]
    assert_allclose(Ranks(X).auc(Y), expected, atol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.98])
def test_pairs_are_those_of_spearmans_correlation(rng, form, threshold):
    X = _columns(rng)
    expected = [
        (i, j)
        for i in range(8)
        for j in range(i + 1, 8)
        if 4 not in (i, j) and abs(rank_correlation(X[:, i], X[:, j])) > threshold
    ]
    assert expected
    assert sorted(Ranks(form(X)).equal_pairs(threshold)) == expected


def test_no_pair_of_many_sparse_columns_is_missed(rng):
    X = rng.poisson(rng.uniform(0.005, 1.5, size=300), size=(2000, 300)).astype(float)
    X[:, 200:250] = -3 * X[:, :50]  # copies, of which some rows differ
    X[rng.integers(2000, size=50), np.arange(200, 250)] = 2.0
    dense = Ranks(X).equal_pairs(0.98)
    assert 20 < len(dense) < 50
    assert Ranks(sp.csr_array(X)).equal_pairs(0.98) == dense


def test_pairs_found_in_a_part_of_the_rows_are_judged_by_all(rng, monkeypatch):
    X = rng.normal(size=(4000, 6))
    X[:, 1] = X[:, 0] + 1e-3 * rng.normal(size=4000)
    X[:, 3] = np.where(np.arange(4000) % 4, rng.normal(size=4000), X[:, 2])
    monkeypatch.setattr(module, "_MOST_WORK", 36 * 1000)
    ranks = Ranks(X)
    assert ranks._step(6) == 4  # where columns 2 and 3 are the same
    assert ranks.equal_pairs(0.98) == [(0, 1)]


def test_many_columns_are_taken_in_blocks(rng, monkeypatch):
    X = rng.normal(size=(50, 30))
    X[:, 29] = X[:, 2]
    monkeypatch.setattr(module, "_BLOCK", 7)
    Y = (rng.random((50, 3)) < 0.5).astype(np.int8)
    expected = [[auc(x, y) for y in Y.T] for x in X.T]
    for form in (X, sp.csr_array(X)):
        assert Ranks(form).equal_pairs(0.98) == [(2, 29)]
        assert_allclose(Ranks(form).auc(Y), expected, atol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sp.csc_array])
def test_correlations_with_targets_are_those_of_scipy(rng, form):
    X = rng.poisson(0.7, size=(60, 4)).astype(float)
    X[:, 3] = 2.0
    values = rng.normal(size=(60, 2)).round(1)
    found = Ranks(form(X)).correlations(values)
    expected = [[rank_correlation(x, y) for y in values.T] for x in X.T[:3]]
    np.testing.assert_allclose(found[:3], expected, atol=1e-6)
    assert not found[3].any()
