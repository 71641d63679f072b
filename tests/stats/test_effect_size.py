# SPDX-License-Identifier: BSD-3-Clause
import math

import pytest
from scipy.stats import wilcoxon

from labelsift.stats import hodges_lehmann, rank_biserial
from reference import stats as reference


@pytest.mark.parametrize("n_blocks", [1, 4, 7, 12])
def test_the_estimate_is_the_median_of_walsh_averages(n_blocks, rng):
    differences = rng.normal(size=n_blocks)
    expected = reference.hodges_lehmann(differences.tolist())
    assert hodges_lehmann(differences).estimate == pytest.approx(expected)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("n_blocks", [8, 12, 25])
def test_the_interval_holds_what_scipy_s_test_does_not_reject(
    n_blocks, confidence, rng
):
    differences = rng.normal(0.3, size=n_blocks)
    shift = hodges_lehmann(differences, confidence=confidence)
    assert shift.low < shift.estimate < shift.high

    def p_value(guess):
        return wilcoxon(differences - guess, method="exact").pvalue

    for inside in (shift.low + 1e-9, shift.estimate, shift.high - 1e-9):
        assert p_value(inside) > 1 - confidence
    for outside in (shift.low - 1e-9, shift.high + 1e-9):
        assert p_value(outside) <= 1 - confidence


def test_the_interval_covers_the_shift_as_often_as_it_says(rng):
    hits = 0
    for _ in range(1000):
        shift = hodges_lehmann(0.5 + rng.normal(size=9), confidence=0.9)
        hits += shift.low <= 0.5 <= shift.high
    assert 0.88 < hits / 1000 < 0.95


def test_few_blocks_have_no_interval():
    shift = hodges_lehmann([0.1, 0.2, 0.3, 0.4, 0.5])
    assert (shift.low, shift.high) == (-math.inf, math.inf)
    assert shift.estimate == pytest.approx(0.3)
    six = hodges_lehmann([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert (six.low, six.high) == (0.1, 0.6)


@pytest.mark.parametrize("n_blocks", [3, 10, 30])
def test_the_correlation_follows_from_scipy_s_statistic(n_blocks, rng):
    differences = rng.normal(0.2, size=n_blocks)
    positive = wilcoxon(differences, alternative="greater").statistic
    expected = 2 * positive / (n_blocks * (n_blocks + 1) / 2) - 1
    assert rank_biserial(differences) == pytest.approx(expected)
    assert rank_biserial(-differences) == pytest.approx(-expected)
    assert rank_biserial(7 * differences) == pytest.approx(expected)


def test_the_correlation_at_its_ends_with_ties_and_zeros():
    assert rank_biserial([1, 2, 3]) == 1
    assert rank_biserial([-1, -1, 0]) == -1
    assert rank_biserial([1, -1, 0, 0]) == 0
    assert rank_biserial([0.0, 0.0]) == 0
    tied = [1, 1, -1, 2, 0]
    assert rank_biserial(tied) == pytest.approx(reference.rank_biserial(tied))


@pytest.mark.parametrize("wrong", [[], [[1.0]], [0.1, math.nan]])
def test_bad_input(wrong):
    for function in (hodges_lehmann, rank_biserial):
        with pytest.raises(ValueError, match="one per block"):
            function(wrong)
    with pytest.raises(ValueError, match="confidence == 1, must be < 1"):
        hodges_lehmann([0.1], confidence=1)
