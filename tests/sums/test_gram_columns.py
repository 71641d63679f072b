# SPDX-License-Identifier: BSD-3-Clause
"""Columns of X'X from batches, against the definition in extended precision."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.sums import Sums
from labelsift.sums.gram_columns import gram_columns


def _definition(X, weights, features):
    """Centred products, with one number after the other."""
    X, weights = X.astype(np.longdouble), weights.astype(np.longdouble)
    mean = weights @ X / weights.sum()
    centred = X - mean
    return np.array([(weights * centred[:, b]) @ centred for b in features])


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_the_definition(offset, form, weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12)) * (rng.uniform(size=(90, 12)) < 0.5) + offset
    X[:, 4] = 2.0
    Y = rng.integers(0, 2, (90, 2))
    weights = rng.integers(0, 3, 90) * 0.5 if weighted else np.ones(90)
    parts = np.array_split(np.arange(90), [1, 30, 30, 70])

    def read():
        for rows in parts:
            batch = form(X[rows]), Y[rows]
            yield (*batch, weights[rows]) if weighted else batch

    sums = Sums(feature_products=False).update_batches(read)
    features = np.array([7, 0, 4])
    actual = gram_columns(read, sums, features)
    expected = _definition(X, weights, features)
    tol = 1e-8 if offset and form is not np.asarray else 1e-12
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tol * expected.max())
    assert not actual[:, 4].any()


def test_dense_batches_are_centred_some_rows_at_a_time(monkeypatch):
    X = np.random.default_rng(0).normal(size=(50, 4))
    Y = np.arange(50) % 2
    sums = Sums(feature_products=False).update(X, Y)
    monkeypatch.setattr("labelsift.sums.gram_columns._ENTRIES", 28)
    actual = gram_columns(lambda: iter([(X, Y)]), sums, np.array([2, 1]))
    expected = _definition(X, np.ones(50), [2, 1]).astype(float)
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)
