# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.solvers import fingerprint
from labelsift.solvers.fingerprint import fingerprints, uniform


def samples(seed, binary):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 25)) * (rng.uniform(size=(40, 25)) < 0.4)
    return (X != 0).astype(float) if binary else X, rng.integers(0, 2, size=(40, 3))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.booleans())
def test_keys_follow_permuted_rows_and_columns(seed, binary):
    X, Y = samples(seed, binary)
    rows, columns = fingerprints(X, Y)
    rng = np.random.default_rng(seed)
    i, j = rng.permutation(len(X)), rng.permutation(X.shape[1])
    moved = fingerprints(X[i][:, j], Y[i])
    np.testing.assert_array_equal(moved[0], rows[i])
    np.testing.assert_array_equal(moved[1], columns[j])


@pytest.mark.parametrize("binary", [True, False])
def test_rows_and_columns_with_other_values_have_other_keys(binary):
    X, Y = samples(0, binary)
    rows, columns = fingerprints(X, Y)
    whole = np.hstack([X, Y])
    assert len(np.unique(rows)) == len(np.unique(whole, axis=0))
    assert len(np.unique(columns)) == len(np.unique(X.T, axis=0))


def test_sparse_and_dense_agree_whatever_is_stored(monkeypatch):
    X, Y = samples(1, False)
    X[0, :5] = -0.0
    dense = fingerprints(X, Y)
    stored = sp.csr_array(X)
    stored.data[:3] = 0.0
    other = fingerprints(stored.toarray(), Y)
    for form in (sp.csr_array, sp.csc_array):
        for got, expected in zip(fingerprints(form(X), Y), dense, strict=True):
            np.testing.assert_array_equal(got, expected)
    for got, expected in zip(fingerprints(stored, Y), other, strict=True):
        np.testing.assert_array_equal(got, expected)
    monkeypatch.setattr(fingerprint, "_BLOCK", 60)  # two rows at a time
    for got, expected in zip(fingerprints(X, Y), dense, strict=True):
        np.testing.assert_array_equal(got, expected)


def test_numbers_are_uniform_and_follow_the_seed():
    keys = fingerprints(*samples(2, False))[0]
    many = uniform(np.arange(20000, dtype=np.uint64), 4, seed=3)
    assert many.min() >= 0
    assert many.max() < 1
    np.testing.assert_allclose(many.mean(axis=0), 0.5, atol=0.01)
    np.testing.assert_allclose(many.var(axis=0), 1 / 12, atol=0.002)
    assert abs(np.corrcoef(many.T)[np.triu_indices(4, 1)]).max() < 0.03
    np.testing.assert_array_equal(uniform(keys, 3, 7), uniform(keys, 3, 7))
    assert not (uniform(keys, 3, 7) == uniform(keys, 3, 8)).any()
