# SPDX-License-Identifier: BSD-3-Clause
"""Counts: information methods without rows, bit for bit."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.selection import LRFS, MDMR, MRMR, PPT
from labelsift.sums import Counts, Sums


def _data(seed, n=120):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 7)).round(1)
    X[:, 5], X[:, 6] = 2.0, (np.arange(n) == 3) * 100.0  # one value, all but one bin
    Y = (X[:, :3] + rng.normal(size=(n, 3)) > 0.3).astype(int)
    return X, np.column_stack([Y, 1 - Y[:, 0]])


def _read(X, Y, cuts=(0, 1, 40, 40)):
    def read():
        bounds = [*cuts, len(Y)]
        for low, high in zip(bounds, bounds[1:], strict=False):  # noqa: RUF007
            yield X[low:high], Y[low:high]

    return read


@pytest.mark.parametrize("method", [MRMR, MDMR, LRFS])
@pytest.mark.parametrize("how", [("width", 3), ("width", 5), ("presence", 3)])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_counts_give_what_the_rows_give(method, how, form):
    X, Y = _data(0)
    X = form(X * (np.random.default_rng(1).uniform(size=X.shape) < 0.7))
    options = {"discretize": how[0], "n_bins": how[1]}
    fitted = method(6, **options).fit(X, Y)
    counted = method(6, **options).fit_counts(
        Counts.from_batches(_read(X, Y), **options)
    )
    np.testing.assert_array_equal(counted.feature_order_, fitted.feature_order_)
    np.testing.assert_array_equal(counted.scores_, fitted.scores_)
    assert counted.n_samples_seen_ == 120


@pytest.mark.parametrize("by_label", [False, True])
@pytest.mark.parametrize("method", [MRMR, LRFS])
def test_few_steps_look_at_few_features_in_counts_as_in_rows(method, by_label):
    X, Y = _data(3)
    noise = np.random.default_rng(4).normal(size=(120, 40)).round(1)
    wide = np.hstack([noise, X])
    counts = Counts.from_batches(_read(wide, Y), by_label=by_label)
    fitted, counted = method(3).fit(wide, Y), method(3).fit_counts(counts)
    np.testing.assert_array_equal(counted.feature_order_, fitted.feature_order_)
    assert set(fitted.feature_order_[:2]) <= set(range(40, 47))


@pytest.mark.filterwarnings("ignore:min_count", "ignore:Label sets that reach")
@pytest.mark.parametrize("criterion", ["mi", "chi2"])
@pytest.mark.parametrize("strategy", ["prune", "reassign"])
@pytest.mark.parametrize("min_count", [1, 10, 20, 100])
def test_label_sets(criterion, strategy, min_count):
    X, Y = _data(4)
    method = PPT(3, criterion=criterion, strategy=strategy, min_count=min_count)
    scores = method.fit(X, Y).scores_.copy()
    share = method.kept_share_
    method.fit_counts(Counts.from_batches(_read(X, Y), by_label=False))
    np.testing.assert_array_equal(method.scores_, scores)
    assert method.kept_share_ == pytest.approx(share)


def test_the_information_is_the_same_to_the_last_bit():
    from labelsift.solvers.information.bins import bin_features
    from labelsift.solvers.information.counted import CountedInformation
    from labelsift.solvers.information.mutual import Information

    X, Y = _data(2)
    rows = Information(bin_features(X, "width", 3), Y)
    counts = CountedInformation(Counts.from_batches(_read(X, Y)).layout())
    for name in ("about_labels", "about_labels_given_labels", "entropies"):
        np.testing.assert_array_equal(getattr(counts, name)(), getattr(rows, name)())
    for feature in range(7):
        for name in ("about_feature", "about_labels_given_feature"):
            actual, expected = (getattr(i, name)(feature) for i in (counts, rows))
            np.testing.assert_array_equal(actual, expected)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), cuts=st.lists(st.integers(0, 120), max_size=4))
def test_any_split_in_any_order(seed, cuts):
    X, Y = _data(seed)
    ranges = Sums().update(X, Y).x_range
    whole = Counts(ranges).update(X, Y)
    total = Counts(ranges)
    for block in list(_read(X, Y, (0, *sorted(cuts)))())[::-1]:
        total.add(Counts(ranges).update(*block))
    np.testing.assert_array_equal(total.pairs, whole.pairs)
    np.testing.assert_array_equal(total.by_label, whole.by_label)
    assert total.label_sets.keys() == whole.label_sets.keys()
    assert total.rows == whole.rows == 120


def test_one_sentence_for_what_cannot_be():
    X, Y = _data(3)
    counts = Counts.from_batches(_read(X, Y), by_label=False)
    MRMR(3).fit_counts(counts)
    LRFS(3).fit_counts(counts)
    cases = [
        (lambda: MDMR(3).fit_counts(counts), "by_label=True"),
        (lambda: MRMR(3, n_bins=4).fit_counts(counts), "make them alike"),
        (lambda: Counts(counts.x_range, discretize="quantile"), "all values"),
        (lambda: Counts.from_batches(iter([])), "must be a function"),
        (lambda: Counts(counts.x_range).layout(), "no rows"),
        (lambda: counts.update(X[:, 1:], Y), "X has 6 features and x_range 7"),
        (lambda: counts.add(Counts(counts.x_range).update(X, Y)), "different bins"),
        (lambda: Counts(counts.x_range, memory="1M").update(X, Y), "take about"),
    ]
    for call, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            call()
    with pytest.raises(TypeError, match="counts must be"):
        MRMR(3).fit_counts(X)
