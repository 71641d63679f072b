# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.selection import MDMR, MRMR
from reference.information import coded_data
from reference.mdmr import mdmr


@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 4, 5])
def test_equals_the_reference(rng, n_bins, label_density):
    codes, Y = coded_data(rng, n_bins, label_density)
    order, _ = mdmr(codes, Y, codes.shape[1])
    selector = MDMR(1.0, discretize=None).fit(codes, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)


def test_a_feature_that_helps_another_is_taken(rng):
    """Label = exclusive or of 0 and 1: alone neither says a thing, together all."""
    X = rng.integers(2, size=(1000, 20))
    helper = X[:, 0] ^ X[:, 1]
    easy = np.where(rng.random(1000) < 0.7, X[:, 0], rng.integers(2, size=1000))
    Y = np.column_stack([helper, easy])
    assert MDMR(2, discretize=None).fit(X, Y).feature_order_.tolist() == [0, 1]
    assert MRMR(2, discretize=None).fit(X, Y).feature_order_[1] != 1


def test_real_data_equals_the_reference(real):
    data = real("emotions")
    X, Y = data.X[data.train_idx, :12], data.Y[data.train_idx]
    low, high = X.min(axis=0), X.max(axis=0)
    codes = np.minimum((3 * (X - low) / (high - low)).astype(int), 2)
    order, _ = mdmr(codes, Y, 5)
    np.testing.assert_array_equal(MDMR(5).fit(X, Y).feature_order_, order)
