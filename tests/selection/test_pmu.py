# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import D2F, LRFS, PMU
from reference.information import coded_data, halves
from reference.pmu import pmu


@pytest.mark.parametrize("pairs", ["sum", "mean"])
@pytest.mark.parametrize("redundancy", ["sum", "mean"])
@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 5])
def test_equals_the_reference(rng, n_bins, label_density, redundancy, pairs):
    codes, Y = coded_data(rng, n_bins, label_density)
    combine = {"sum": np.sum, "mean": np.mean}[redundancy]
    order, _ = pmu(codes, Y, codes.shape[1], pairs, combine)
    selector = PMU(1.0, pairs=pairs, redundancy=redundancy, discretize=None)
    for form in (np.asarray, sp.csr_array):
        selector.fit(form(codes), Y)
        np.testing.assert_array_equal(selector.feature_order_, order)


@pytest.mark.parametrize("pairs", ["sum", "mean"])
def test_one_label_has_no_pairs(rng, pairs):
    codes, Y = coded_data(rng, 4, 0.3)
    order = PMU(1.0, pairs=pairs, discretize=None).fit(codes, Y[:, :1]).feature_order_
    expected = D2F(1.0, discretize=None).fit(codes, Y[:, :1]).feature_order_
    np.testing.assert_array_equal(order, expected)


def test_the_mean_of_the_pairs_begins_as_lrfs(rng):
    for _ in range(10):
        codes, Y = coded_data(rng, 3, 0.4)
        first = PMU(1, pairs="mean", discretize=None).fit(codes, Y).feature_order_
        expected = LRFS(1, discretize=None).fit(codes, Y).feature_order_
        np.testing.assert_array_equal(first, expected)


def test_labels_given_twice_change_the_order(rng):
    """Pairs of equal labels share all that a feature says about them."""
    codes, Y = coded_data(rng, 4, 0.3)
    once = PMU(1.0, discretize=None).fit(codes, Y)
    twice = PMU(1.0, discretize=None).fit(codes, np.hstack([Y, Y]))
    assert once.feature_order_.tolist() != twice.feature_order_.tolist()


def test_the_sum_of_the_pairs_outweighs_relevance(rng):
    """Of five labels that agree, the feature that tells them all is taken last."""
    y = rng.integers(2, size=(400, 1))
    Y = np.where(rng.random((400, 5)) < 0.9, y, 1 - y)
    noise = rng.integers(2, size=(400, 3))
    X = np.column_stack([y, noise])
    assert PMU(1.0, discretize=None).fit(X, Y).feature_order_[-1] == 0
    assert PMU(1, pairs="mean", discretize=None).fit(X, Y).feature_order_[0] == 0


def test_real_data_equals_the_reference(real):
    data = real("emotions")
    X, Y = data.X[data.train_idx, :12], data.Y[data.train_idx]
    order, _ = pmu(halves(X), Y, 5)
    np.testing.assert_array_equal(PMU(5).fit(X, Y).feature_order_, order)


def test_calibration(real):
    """Values measured on histograms of pairs, features cut above the lower median."""
    data = real("emotions")
    X, Y = data.X[data.train_idx], data.Y[data.train_idx]
    first = [26, 2, 24, 31, 48, 23, 29, 55]
    assert PMU(8, discretize=None).fit(halves(X), Y).feature_order_.tolist() == first
    assert PMU(8).fit(X, Y).feature_order_.tolist() == first
