# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import MDMR
from labelsift.solvers.information.bins import make_bins
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.sparse_pairs import SparsePairs
from reference.information import (
    coded_data,
    conditional_information,
    mutual_information,
)
from reference.mdmr import mdmr


def rare_data(rng, n=120, d=30, n_bins=4):
    """Features of one row and more, a copy, a constant, an empty and a full one."""
    Y = (rng.random((n, 5)) < [0.05, 0.2, 0.5, 0.9, 0.3]).astype(np.uint8)
    codes = rng.integers(1, n_bins, size=(n, d))
    codes[rng.random((n, d)) > np.linspace(0.01, 0.95, d)] = 0
    codes[:, 3], codes[:, 4], codes[:, 5] = 0, 2, codes[:, 12]
    codes[:, 6], codes[:, 7] = 0, Y[:, 0]
    codes[11, 6] = 1
    codes[:, 8] = 1 + Y[:, 1]
    codes[:, 9] = np.where(codes[:, 10] > 0, 0, codes[:, 9])  # no row of feature 10
    return codes, Y


@pytest.mark.parametrize("n_bins", [2, 3, 5, 9])
def test_equals_the_general_information_to_the_last_bit(rng, n_bins):
    codes, Y = rare_data(rng, n_bins=n_bins)
    bins = make_bins(sp.csc_array(codes))
    pairs, general = SparsePairs(bins, Y), Information(bins, Y)
    for s in range(codes.shape[1]):
        expected = general.about_feature(s) - general.about_labels_given_feature(s)
        np.testing.assert_array_equal(pairs.redundancy(s), expected)


@pytest.mark.parametrize("n_bins", [2, 4])
def test_equals_the_definitions(rng, n_bins):
    codes, Y = rare_data(rng, n=50, d=14, n_bins=n_bins)
    pairs = SparsePairs(make_bins(sp.csc_array(codes)), Y)
    for s in (0, 4, 7, 13):
        given = codes[:, s]
        expected = [
            mutual_information(f, given)
            - sum(conditional_information(f, y, given) for y in Y.T)
            for f in codes.T
        ]
        np.testing.assert_allclose(pairs.redundancy(s), expected, rtol=0, atol=1e-10)


def test_a_label_in_all_rows_of_a_part(rng):
    """There the counts of rows without it begin below 0."""
    Y = np.zeros((40, 2), np.uint8)
    Y[:25, 0], Y[20:, 1] = 1, 1
    codes = np.zeros((40, 4), int)
    codes[:20, 0], codes[:15, 1], codes[10:22, 2] = 1, 1, 2
    codes[25:, 3] = 1
    bins = make_bins(sp.csc_array(codes))
    pairs, general = SparsePairs(bins, Y), Information(bins, Y)
    for s in range(4):
        expected = general.about_feature(s) - general.about_labels_given_feature(s)
        np.testing.assert_array_equal(pairs.redundancy(s), expected)


@pytest.mark.parametrize("n_bins", [2, 3, 5])
def test_sparse_features_are_taken_in_the_order_of_the_reference(
    rng, monkeypatch, n_bins
):
    codes, Y = coded_data(rng, n_bins, 0.3)
    codes[rng.random(codes.shape) < 0.6] = 0
    codes[:, 4], codes[:, 7] = 1, codes[:, 0]
    order, _ = mdmr(codes, Y, codes.shape[1])
    monkeypatch.setattr(SparsePairs, "serves", lambda bins: True)
    selector = MDMR(1.0, discretize=None).fit(sp.csr_array(codes), Y)
    monkeypatch.undo()
    np.testing.assert_array_equal(selector.feature_order_, order)
    dense = MDMR(1.0, discretize=None).fit(codes, Y)
    np.testing.assert_array_equal(selector.feature_order_, dense.feature_order_)


def test_rare_features_are_served(rng):
    rare = sp.random_array((200, 80), density=0.02, rng=rng, format="csc")
    rare.data[:] = 1
    assert SparsePairs.serves(make_bins(rare.astype(np.uint8)))
    Y = rng.integers(2, size=(200, 3))
    selector = MDMR(40, discretize=None).fit(rare, Y)
    dense = MDMR(40, discretize=None).fit(rare.toarray(), Y)
    np.testing.assert_array_equal(selector.feature_order_, dense.feature_order_)


def test_other_features_take_the_general_way(rng):
    codes = rng.integers(30, size=(200, 4))
    assert not SparsePairs.serves(make_bins(sp.csc_array(codes)))
    assert not SparsePairs.serves(make_bins(codes % 3))
    assert not SparsePairs.serves(make_bins(sp.csc_array(codes % 3)))
