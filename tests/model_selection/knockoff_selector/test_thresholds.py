# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.model_selection.knockoff_selector.thresholds import (
    e_bh_count,
    e_values,
    knockoff_threshold,
)
from reference.knockoff_selector import selected, threshold

# Few distinct values: ties and zeros abound.
STATISTICS = st.lists(st.integers(-4, 12), min_size=1, max_size=40)
LEVELS = st.sampled_from([0.05, 0.1, 0.2, 0.29, 0.5])


@given(STATISTICS, LEVELS)
def test_the_threshold_is_that_of_the_definition(W, fdr):
    W = np.array(W) / 4
    assert knockoff_threshold(W, fdr) == threshold(W, fdr)


def test_zeros_are_never_selected_and_ties_stay_together():
    W = np.array([0.0] * 50 + [2.0] * 10 + [1.0] * 10 + [-1.0])
    assert knockoff_threshold(W, 0.1) == 1.0
    assert knockoff_threshold(W, 0.099) == np.inf  # 2 of 20, and 1 of 10
    assert knockoff_threshold(np.zeros(20), 0.5) == np.inf


def test_the_one_is_added():
    W = np.ones(9)
    assert knockoff_threshold(W, 0.1) == np.inf
    assert knockoff_threshold(np.ones(10), 0.1) == 1.0
    assert knockoff_threshold(np.ones(29), 0.29) == 1.0  # not lost to rounding


@given(st.lists(STATISTICS, min_size=1, max_size=4), LEVELS)
def test_e_values_select_what_the_definition_selects(draws, fdr):
    size = min(map(len, draws))
    W = np.array([row[:size] for row in draws]) / 4
    thresholds = np.array([knockoff_threshold(row, fdr / 2) for row in W])
    e = e_values(W, thresholds, size)
    count = e_bh_count(e, size, fdr)
    chosen = set(np.argsort(-e, kind="stable")[:count].tolist())
    assert chosen == selected(W, fdr, size)
    # No feature is worth more than the mean of d by its share of wins.
    assert e.max() <= size


def test_nothing_found_is_nothing_selected():
    """Also where every e-value is 0, the largest is not selected."""
    assert e_bh_count(np.zeros(30), 30, 0.2) == 0
    assert e_bh_count(np.r_[30.0 * np.ones(4), np.zeros(26)], 30, 0.2) == 0
    assert e_bh_count(np.r_[30.0 * np.ones(5), np.zeros(25)], 30, 0.2) == 5


@pytest.mark.parametrize("fdr", [0.1, 0.2])
def test_coins_are_seldom_called_features(fdr):
    """W with random signs: the share of answers that are not empty is at most fdr."""
    rng = np.random.default_rng(0)
    found = [knockoff_threshold(rng.normal(size=60), fdr) < np.inf for _ in range(1000)]
    assert np.mean(found) <= fdr
