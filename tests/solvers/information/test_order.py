# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import LRFS, MRMR, SCLS
from labelsift.solvers.information import order as module
from labelsift.solvers.information.bins import make_bins
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.order import SharedInformation, greedy_order
from labelsift.solvers.information.targets import TargetInformation
from reference.information import coded_data
from reference.lrfs import lrfs
from reference.mdmr import mdmr
from reference.mrmr import mrmr


@pytest.mark.parametrize("n_bins", [2, 3, 5])
def test_worth_of_each_step_equals_the_references(rng, n_bins):
    codes, Y = coded_data(rng, n_bins, 0.3)
    bins = make_bins(codes)
    information = Information(bins, Y)
    about, beyond = information.about_feature, information.about_labels_given_feature
    criteria = [
        (mrmr, information.about_labels(), about),
        (mdmr, information.about_labels(), lambda s: about(s) - beyond(s)),
        (lrfs, information.about_labels_given_labels(), about),
    ]
    for reference, relevance, redundancy in criteria:
        order, worth = reference(codes, Y, 8)
        taken, gains = greedy_order(relevance, redundancy, ~bins.is_constant, 8)
        np.testing.assert_array_equal(taken, order)
        np.testing.assert_allclose(gains, worth, rtol=0, atol=1e-10)


def test_redundancies_may_add_up():
    relevance, everything = np.array([4.0, 3.9, 3.0]), np.ones(3, dtype=bool)
    losses = np.array([[0, 0, 1], [0.0, 0, 2], [0, 0, 0]])
    _, mean = greedy_order(relevance, losses.__getitem__, everything, 3)
    _, total = greedy_order(relevance, losses.__getitem__, everything, 3, average=False)
    np.testing.assert_allclose(mean, [4.0, 3.9, 1.5])
    np.testing.assert_allclose(total, [4.0, 3.9, 0.0])


def test_ties_go_to_the_lowest_index():
    relevance = np.array([1.0, 2.0, 2.0 + 1e-13, 2.0 - 1e-13])
    every = np.ones(4, dtype=bool)
    order, _ = greedy_order(relevance, lambda s: np.zeros(4), every, 4)
    assert order.tolist() == [1, 2, 3, 0]


def test_redundancy_is_asked_once_for_each_feature_taken_but_the_last():
    asked = []

    def redundancy(s):
        asked.append(s)
        return np.zeros(3)

    candidates = np.array([True, False, True])
    order, _ = greedy_order(np.arange(3.0), redundancy, candidates, 3)
    assert order.tolist() == [2, 0]
    assert asked == [2]


def informations(rng, d=60):
    """Information of dense, sparse and weighted features of different relevance."""
    Y = (rng.random((80, 4)) < 0.4).astype(int)
    codes = np.where(rng.random((80, d)) < 0.6, 0, rng.integers(1, 4, size=(80, d)))
    for f in range(d):  # the later, the more rows say something about the labels
        rows = rng.random(80) < f / (2 * d)
        codes[rows, f] = Y[rows, f % 4]
    yield Information(make_bins(codes), Y)
    yield Information(make_bins(sp.csc_array(codes)), Y)
    yield TargetInformation(make_bins(codes), Y, rng.random(80))


@pytest.fixture
def sizes(monkeypatch):
    """How many features each order was followed among."""
    seen, follow = [], module._follow

    def recorded(relevance, *others):
        seen.append(len(relevance))
        return follow(relevance, *others)

    monkeypatch.setattr(module, "_follow", recorded)
    return seen


@pytest.mark.parametrize("average", [True, False])
def test_the_most_relevant_features_give_the_same_order(rng, sizes, average):
    for information in informations(rng):
        relevance = information.about_labels()
        weight = rng.random(60) / 10
        candidates = rng.random(60) < 0.8
        for n_steps in (1, 3, 8):
            rest = candidates, n_steps
            redundancy = SharedInformation(information, weight)
            expected = greedy_order(
                relevance, redundancy.__call__, *rest, average=average
            )
            sizes.clear()
            found = greedy_order(relevance, redundancy, *rest, average=average)
            assert sizes[0] == 2 * n_steps
            np.testing.assert_array_equal(found[0], expected[0])
            np.testing.assert_array_equal(found[1], expected[1])


def test_more_features_are_looked_at_where_copies_crowd_the_first(rng, sizes):
    # All features that are looked at first share their information with the one taken.
    Y = (rng.random((200, 3)) < 0.5).astype(int)
    codes = rng.integers(0, 2, size=(200, 100))
    codes[:, :10] = Y[:, :1]
    codes[:, 90:92] = np.where(rng.random((200, 2)) < 0.8, Y[:, 1:], 0)
    information = Information(make_bins(codes), Y)
    relevance, every = information.about_labels(), np.ones(100, dtype=bool)
    redundancy = SharedInformation(information, 3.0)
    expected = greedy_order(relevance, redundancy.__call__, every, 3)
    sizes.clear()
    found = greedy_order(relevance, redundancy, every, 3)
    assert sizes == [6, 24]
    np.testing.assert_array_equal(found[0], expected[0])
    assert set(found[0]) == {0, 90, 91}


def test_a_feature_that_could_tie_is_looked_at(sizes):
    # Where worth falls to the relevance of others, the lowest index is among these.
    class Alike:
        def __init__(self, n):
            self.n = n

        def about_feature(self, s):
            return np.zeros(self.n)

        def only(self, features):
            return Alike(len(features))

    every = np.ones(30, dtype=bool)
    relevance = np.append(np.full(27, 1.0), [3.0, 2.0, 1.0])
    order, _ = greedy_order(relevance, SharedInformation(Alike(30)), every, 4)
    assert order.tolist() == [27, 28, 0, 1]
    assert sizes == [8, 30]


@pytest.mark.parametrize("selector", [MRMR, LRFS, SCLS])
def test_selectors_ask_few_features_at_few_steps(rng, sizes, selector):
    X, Y = coded_data(rng, 3, 0.3)
    wide = np.hstack([X, rng.integers(0, 3, size=(len(X), 200))]).astype(float)
    fitted = selector(3, discretize=None).fit(wide, Y)
    assert sizes[0] == 6
    rest = selector(3, discretize=None).fit(sp.csr_array(wide), Y)
    np.testing.assert_array_equal(fitted.feature_order_, rest.feature_order_)
