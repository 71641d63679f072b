# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import FIMF, MRMR, PMU
from reference.fimf import fimf
from reference.information import coded_data, entropy, halves


@pytest.mark.parametrize("n_labels", [1, 2, 3, 9])
@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 5])
def test_equals_the_reference(rng, n_bins, label_density, n_labels):
    codes, Y = coded_data(rng, n_bins, label_density)
    expected = np.array(fimf(codes, Y, n_labels))
    varied = np.delete(np.arange(codes.shape[1]), 4)
    for form in (np.asarray, sp.csr_array):
        selector = FIMF(1.0, n_labels=n_labels, discretize=None).fit(form(codes), Y)
        np.testing.assert_allclose(
            selector.scores_[varied], expected[varied], rtol=0, atol=1e-9
        )
        order = varied[np.argsort(-np.round(expected[varied], 10), kind="stable")]
        np.testing.assert_array_equal(selector.feature_order_, [*order, 4])


def test_all_labels_begin_as_pmu_and_one_label_as_information_alone(rng):
    for _ in range(10):
        codes, Y = coded_data(rng, 3, 0.4)
        for cls, n_labels in ((PMU, 4), (MRMR, 1)):
            best = cls(1, discretize=None).fit(codes, Y).feature_order_[0]
            ranking = FIMF(1, n_labels=n_labels, discretize=None).fit(codes, Y)
            assert ranking.feature_order_[0] == best


def test_features_that_are_no_candidates_follow_by_entropy(rng):
    codes, Y = coded_data(rng, 4, 0.3)
    codes[:, 2] = np.minimum(codes[:, 2], 1)
    codes[:, 5] = codes[:, 5] == 0
    every = FIMF(discretize=None).fit(codes, Y)
    some = FIMF(discretize=None, n_candidates=5).fit(codes, Y)
    entropies = [round(entropy(f), 10) for f in codes.T]
    order = np.argsort(-np.array(entropies), kind="stable")
    assert set(some.feature_order_[:5]) == set(order[:5])
    np.testing.assert_array_equal(some.feature_order_[5:], order[5:])
    np.testing.assert_array_equal(some.scores_[order[:5]], every.scores_[order[:5]])
    assert some.scores_[order[5:]].max() <= some.scores_[order[:5]].min() - 1
    many = FIMF(discretize=None, n_candidates=100).fit(codes, Y)
    np.testing.assert_array_equal(many.scores_, every.scores_)


def test_one_bin_comes_last_even_where_relevance_counts_against_a_feature(rng):
    y = rng.integers(2, size=(400, 1))
    Y = np.where(rng.random((400, 6)) < 0.9, y, 1 - y)
    X = np.column_stack([np.full(400, 2.0), y, rng.integers(2, size=400)]) + 1.0
    X[0, 0] = 9.0  # not constant, but in one bin
    selector = FIMF(1.0, discretize="presence").fit(np.where(X == 1, 0, X), Y)
    assert selector.scores_[1] < 0
    assert selector.feature_order_.tolist() == [2, 1, 0]


def test_the_labels_of_largest_entropy_count(rng):
    """Only the two labels near one half share a pair; rare ones change nothing."""
    codes, Y = coded_data(rng, 3, 0.5, n=200)
    rare = (rng.random((200, 3)) < 0.05).astype(int)
    common = (rng.random((200, 2)) < 0.95).astype(int)
    with_others = FIMF(n_labels=4, discretize=None).fit(
        codes, np.hstack([rare, Y, common])
    )
    others = FIMF(n_labels=1, discretize=None).fit(codes, np.hstack([rare, common]))
    alone = FIMF(n_labels=4, discretize=None).fit(codes, Y)
    varied = np.delete(np.arange(codes.shape[1]), 4)
    np.testing.assert_allclose(
        with_others.scores_[varied],
        (alone.scores_ + others.scores_)[varied],
        atol=1e-9,
    )


def test_calibration(real):
    """Values measured on histograms of pairs, features cut above the lower median."""
    data = real("emotions")
    X, Y = data.X[data.train_idx], data.Y[data.train_idx]
    for selector, features in [
        (FIMF(n_labels=5), X),
        (FIMF(n_labels=5, discretize=None), halves(X)),
    ]:
        order = selector.fit(features, Y).feature_order_
        assert order[:8].tolist() == [46, 1, 4, 17, 2, 35, 47, 16]
