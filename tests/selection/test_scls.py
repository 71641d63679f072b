# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import MRMR, SCLS
from reference.information import coded_data, halves
from reference.scls import scls


@pytest.mark.parametrize("redundancy", ["sum", "mean"])
@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 4, 5])
def test_equals_the_reference(rng, n_bins, label_density, redundancy):
    codes, Y = coded_data(rng, n_bins, label_density)
    combine = {"sum": np.sum, "mean": np.mean}[redundancy]
    order, worth = scls(codes, Y, codes.shape[1], combine)
    below = np.flatnonzero(np.round(worth, 10) <= 0)
    selector = SCLS(1.0, redundancy=redundancy, discretize=None)
    for form in (np.asarray, sp.csr_array):
        selector.fit(form(codes), Y)
        np.testing.assert_array_equal(selector.feature_order_, order)
        assert selector.turning_point_ == (below[0] if len(below) else None)


def test_a_copy_of_a_feature_taken_is_worth_nothing(rng):
    codes, Y = coded_data(rng, 3, 0.3)
    X = np.column_stack([codes[:, 0], codes[:, 0]])
    selector = SCLS(2, discretize=None).fit(X, Y)
    assert selector.feature_order_.tolist() == [0, 1]
    assert selector.turning_point_ == 1
    assert selector.with_budget(1).turning_point_ is None


def test_it_turns_over_and_the_mean_does_not(rng):
    """After the turning point the least relevant features come first."""
    Y = rng.integers(2, size=(300, 4))
    shared = rng.integers(2, size=(300, 1))
    X = np.where(rng.random((300, 30)) < 0.5, Y[:, :1], shared)
    flipped = rng.random((300, 30)) < np.linspace(0.0, 0.4, 30)
    X = np.where(flipped, rng.integers(2, size=(300, 30)), X)
    summed = SCLS(1.0, discretize=None).fit(X, Y)
    assert 1 < summed.turning_point_ < 25
    relevance = np.argsort(MRMR(1.0, discretize=None).fit(X, Y).feature_order_)
    after = summed.feature_order_[summed.turning_point_ :]
    assert np.corrcoef(relevance[after], np.arange(len(after)))[0, 1] < 0
    mean = SCLS(1.0, redundancy="mean", discretize=None).fit(X, Y)
    assert mean.turning_point_ is None


def test_labels_given_twice_keep_the_order(rng):
    codes, Y = coded_data(rng, 4, 0.3)
    once = SCLS(1.0, discretize=None).fit(codes, Y)
    twice = SCLS(1.0, discretize=None).fit(codes, np.hstack([Y, Y]))
    np.testing.assert_array_equal(twice.feature_order_, once.feature_order_)


def test_real_data_equals_the_reference(real):
    data = real("emotions")
    X, Y = data.X[data.train_idx, :12], data.Y[data.train_idx]
    order, _ = scls(halves(X), Y, 5)
    np.testing.assert_array_equal(SCLS(5).fit(X, Y).feature_order_, order)


def test_calibration(real):
    """Values measured on histograms of pairs, features cut above the lower median."""
    data = real("emotions")
    X, Y = data.X[data.train_idx], data.Y[data.train_idx]
    exact = SCLS(1.0, discretize=None).fit(halves(X), Y)
    assert exact.feature_order_[:8].tolist() == [46, 35, 1, 62, 0, 2, 38, 66]
    assert exact.turning_point_ == 36
    np.testing.assert_array_equal(
        SCLS(8).fit(X, Y).feature_order_, exact.feature_order_[:8]
    )
