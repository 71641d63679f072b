# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import D2F, SCLS
from reference.d2f import d2f
from reference.information import coded_data, halves


@pytest.mark.parametrize("redundancy", ["sum", "mean"])
@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 4, 5])
def test_equals_the_reference(rng, n_bins, label_density, redundancy):
    codes, Y = coded_data(rng, n_bins, label_density)
    combine = {"sum": np.sum, "mean": np.mean}[redundancy]
    order, _ = d2f(codes, Y, codes.shape[1], combine)
    selector = D2F(1.0, redundancy=redundancy, discretize=None)
    for form in (np.asarray, sp.csr_array):
        selector.fit(form(codes), Y)
        np.testing.assert_array_equal(selector.feature_order_, order)


def test_labels_given_twice_keep_the_order(rng):
    codes, Y = coded_data(rng, 4, 0.3)
    once = D2F(1.0, discretize=None).fit(codes, Y)
    twice = D2F(1.0, discretize=None).fit(codes, np.hstack([Y, Y]))
    np.testing.assert_array_equal(twice.feature_order_, once.feature_order_)


def test_what_features_share_beyond_the_labels_costs_nothing(rng):
    """0 and 1 tell a label each and share a coin; 2 tells the second label, rather."""
    first, second, coin = rng.integers(2, size=(3, 2000))
    rather = np.where(rng.random(2000) < 0.95, second, 1 - second)
    X = np.column_stack([first + 2 * coin, second + 2 * coin, rather])
    Y = np.column_stack([first, first, second])
    assert D2F(2, discretize=None).fit(X, Y).feature_order_.tolist() == [0, 1]
    assert SCLS(2, discretize=None).fit(X, Y).feature_order_.tolist() == [0, 2]


def test_real_data_equals_the_reference(real):
    data = real("emotions")
    X, Y = data.X[data.train_idx, :12], data.Y[data.train_idx]
    order, _ = d2f(halves(X), Y, 5)
    np.testing.assert_array_equal(D2F(5).fit(X, Y).feature_order_, order)


def test_calibration(real):
    """Values measured on histograms of pairs, features cut above the lower median."""
    data = real("emotions")
    X, Y = data.X[data.train_idx], data.Y[data.train_idx]
    first = [46, 0, 27, 2, 24, 48, 29, 55]
    assert D2F(8, discretize=None).fit(halves(X), Y).feature_order_.tolist() == first
    assert D2F(8).fit(X, Y).feature_order_.tolist() == first
