# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.kernels import pair_bounds, pair_lists, pair_terms
from labelsift.selection import MDMR
from labelsift.solvers.information.bins import make_bins
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.order import greedy_order
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


def sums_of_terms(pairs, steps, asked=None):
    """Total of each feature over the steps; counted in all of them or in some."""
    relevance = np.zeros(pairs._bins.n_features)
    features, _, taken, scores, _ = pairs._start(relevance, len(steps))
    every, no_bound = np.arange(len(relevance)), np.full(len(relevance), np.inf)
    for step, s in enumerate(steps, 1):
        pair_lists.take(s, step - 1, features, taken)
        if step in (asked or [len(steps)]):
            pair_terms.score_best(every, no_bound, step, features, taken, scores)
    return scores.total


def general_terms(information, steps):
    """The same from the counts of all features."""
    total = 0.0
    for s in steps:
        given = information.about_labels_given_feature(s)
        total = total + (information.about_feature(s) - given)
    return total


@pytest.mark.parametrize("n_bins", [2, 3, 5, 9])
def test_equals_the_general_information_to_the_last_bit(rng, n_bins):
    codes, Y = rare_data(rng, n_bins=n_bins)
    bins = make_bins(sp.csc_array(codes))
    pairs, general = SparsePairs(bins, Y), Information(bins, Y)
    for s in range(codes.shape[1]):
        expected = general_terms(general, [s])
        np.testing.assert_array_equal(sums_of_terms(pairs, [s]), expected)


@pytest.mark.parametrize("asked", [None, [1, 2, 9], [5]])
def test_steps_counted_later_are_the_same_to_the_last_bit(rng, asked):
    codes, Y = rare_data(rng)
    bins = make_bins(sp.csc_array(codes))
    steps = [12, 0, 29, 8, 4, 5, 21, 9, 17]
    expected = general_terms(Information(bins, Y), steps)
    last = asked[-1] if asked else len(steps)
    if last < len(steps):
        expected = general_terms(Information(bins, Y), steps[:last])
    found = sums_of_terms(SparsePairs(bins, Y), steps[:last], asked)
    np.testing.assert_array_equal(found, expected)


def test_long_features_need_no_stored_sums(rng, monkeypatch):
    monkeypatch.setattr(pair_lists, "_MOST_STORED", 3)
    codes, Y = rare_data(rng)
    bins = make_bins(sp.csc_array(codes))
    expected = general_terms(Information(bins, Y), [20, 3, 12])
    found = sums_of_terms(SparsePairs(bins, Y), [20, 3, 12])
    np.testing.assert_array_equal(found, expected)


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
        found = sums_of_terms(pairs, [s])
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


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
        expected = general_terms(general, [s])
        np.testing.assert_array_equal(sums_of_terms(pairs, [s]), expected)


def hit_together(rng, n=150, d=60):
    """Many rows in common, labels that say much, columns that are never empty."""
    Y = (rng.random((n, 4)) < [0.02, 0.1, 0.5, 0.4]).astype(np.uint8)
    codes = ((rng.random((n, d)) < 0.1) | (Y[:, rng.integers(4, size=d)] > 0)).astype(
        int
    )
    codes[rng.random((n, d)) < 0.3] *= 2
    codes[:, 0], codes[:, 1] = 1 + Y[:, 2], 1 + (rng.random(n) < 0.1)
    return codes, Y


def rare_words(rng, n=400, d=2000):
    """Words of few rows, half of them more often where a label is."""
    Y = (rng.random((n, 6)) < 0.2).astype(np.uint8)
    rate = np.where(rng.random(d) < 0.5, Y[:, rng.integers(6, size=d)], 0.2)
    return (rng.random((n, d)) < 0.05 * rate).astype(np.uint8), Y


@pytest.mark.parametrize("data", [rare_data, hit_together, rare_words])
def test_scores_never_pass_their_bounds(rng, data):
    codes, Y = data(rng)
    bins = make_bins(sp.csc_array(codes))
    pairs, general = SparsePairs(bins, Y), Information(bins, Y)
    relevance, total = pairs.about_labels(), 0.0
    relevance[bins.is_constant] = -np.inf
    steps = rng.permutation(np.flatnonzero(~bins.is_constant))[:20]
    features, entries, taken, _, bounds = pairs._start(relevance, len(steps))
    for step, s in enumerate(steps, 1):
        pair_lists.take(s, step - 1, features, taken)
        pair_bounds.rise(s, step - 1, features, entries, taken, bounds)
        total = total + general_terms(general, [s])
        score = relevance - total / step
        level = bounds.scale * bounds.slopes[step, -1]
        loose = 2 * relevance + (bounds.rise + level) / step
        listed, tight = pair_bounds.list_above(-1e9, step, features, bounds)
        np.testing.assert_array_equal(listed, np.flatnonzero(~bins.is_constant))
        assert np.all(tight >= score[listed] - 1e-12)
        assert np.all(loose[listed] >= tight - 1e-12)
        if step % 7 == 0:
            pair_bounds.set_bounds(listed[::2].copy(), step, total, bounds)


def test_set_bounds_are_the_scores(rng):
    codes, Y = rare_data(rng)
    bins = make_bins(sp.csc_array(codes))
    pairs = SparsePairs(bins, Y)
    relevance, steps = pairs.about_labels(), [12, 20]
    features, entries, taken, _, bounds = pairs._start(relevance, 2)
    for step, s in enumerate(steps):
        pair_lists.take(s, step, features, taken)
        pair_bounds.rise(s, step, features, entries, taken, bounds)
    total = general_terms(Information(bins, Y), steps)
    every = np.arange(len(relevance))
    pair_bounds.set_bounds(every, 2, total, bounds)
    listed, values = pair_bounds.list_above(-1e9, 2, features, bounds)
    np.testing.assert_array_equal(listed, every)
    np.testing.assert_allclose(values, relevance - total / 2, rtol=0, atol=1e-12)


@pytest.mark.parametrize("data", [rare_data, hit_together])
@pytest.mark.parametrize("n_steps", [1, 2, 9, 100])
def test_the_order_is_that_of_scoring_all_features(rng, data, n_steps):
    codes, Y = data(rng)
    codes = np.hstack([codes, codes[:, ::-3]])  # ties
    bins = make_bins(sp.csc_array(codes))
    general = Information(bins, Y)
    expected, _ = greedy_order(
        general.about_labels(),
        lambda s: general_terms(general, [s]),
        ~bins.is_constant,
        n_steps,
    )
    found = SparsePairs(bins, Y).order(~bins.is_constant, n_steps)
    np.testing.assert_array_equal(found, expected)


def test_few_pairs_are_counted(rng, monkeypatch):
    codes, Y = rare_words(rng)
    bins, n_steps = make_bins(sp.csc_array(codes)), 100
    pairs, general = SparsePairs(bins, Y), Information(bins, Y)
    seen = []
    start = SparsePairs._start

    def watched(self, *arguments):
        seen.extend(start(self, *arguments))
        return seen

    monkeypatch.setattr(SparsePairs, "_start", watched)
    found = pairs.order(~bins.is_constant, n_steps)
    terms = general.about_labels(), lambda s: general_terms(general, [s])
    expected, _ = greedy_order(*terms, ~bins.is_constant, n_steps)
    np.testing.assert_array_equal(found, expected)
    assert seen[3].upto.sum() < codes.shape[1] * n_steps / 10


@pytest.mark.parametrize(("below", "scored"), [(0, 1), (2e-10, 1), (1e-6, 0)])
def test_features_that_may_tie_are_scored(rng, below, scored):
    codes, Y = rare_data(rng)
    pairs = SparsePairs(make_bins(sp.csc_array(codes)), Y)
    features, _, taken, scores, _ = pairs._start(pairs.about_labels(), 1)
    pair_lists.take(12, 0, features, taken)
    steps = 1, features, taken, scores
    pair_terms.score_best(np.array([20]), np.array([np.inf]), *steps)
    bounds = np.array([np.inf, scores.last[20] - below])
    pair_terms.score_best(np.array([20, 2]), bounds, *steps)
    assert scores.upto[2] == scored


def test_no_candidate_gives_no_order(rng):
    bins = make_bins(sp.csc_array(np.zeros((8, 3), int)))
    Y = rng.integers(2, size=(8, 2))
    Y[:2] = [[0, 1], [1, 0]]
    assert len(SparsePairs(bins, Y).order(~bins.is_constant, 2)) == 0


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
