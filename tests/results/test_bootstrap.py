# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from scipy.stats import bootstrap

from labelsift.results import bootstrap_difference


def test_a_paired_interval_is_scipys_of_the_differences(rng):
    first, second = rng.normal(size=(2, 12))
    found = bootstrap_difference(first, second, level=0.9, random_state=3)
    expected = bootstrap(
        (first - second,),
        np.mean,
        confidence_level=0.9,
        random_state=np.random.RandomState(3),
    ).confidence_interval
    assert (found.lower, found.upper) == pytest.approx(tuple(expected))
    assert found.mean == pytest.approx(np.mean(first - second))
    assert found.level == 0.9


@pytest.mark.parametrize("paired", [True, False])
def test_an_interval_covers_the_truth_as_often_as_it_says(paired, rng):
    covered = 0
    for seed in range(200):
        block = rng.normal(size=20) if paired else 0
        found = bootstrap_difference(
            block + rng.normal(0.3, 1, size=20),
            block + rng.normal(0, 1, size=20),
            paired=paired,
            level=0.9,
            n_resamples=499,
            random_state=seed,
        )
        covered += found.lower <= 0.3 <= found.upper
    assert 0.82 <= covered / 200 <= 0.95


def test_pairs_take_away_what_blocks_share(rng):
    blocks = 10 * rng.normal(size=15)
    first, second = blocks + rng.normal(1, 0.1, size=15), blocks
    paired = bootstrap_difference(first, second, random_state=0)
    apart = bootstrap_difference(first, second, paired=False, random_state=0)
    assert paired.mean == pytest.approx(apart.mean)
    assert paired.upper - paired.lower < 0.1 * (apart.upper - apart.lower)


def test_the_seed_decides(rng):
    first, second = rng.normal(size=(2, 8))
    one, same, other = (
        bootstrap_difference(first, second, n_resamples=99, random_state=seed)
        for seed in (0, 0, 1)
    )
    assert one == same
    assert one != other


def test_samples_that_are_not_paired_may_differ_in_number():
    found = bootstrap_difference([1, 2, 3], [0, 1], paired=False, random_state=0)
    assert found.lower <= found.mean == 1.5 <= found.upper


@pytest.mark.parametrize("paired", [True, False])
def test_equal_values_have_an_interval_without_width(paired):
    found = bootstrap_difference([0.5, 0.5], [0.25, 0.25], paired=paired)
    assert found.lower == found.mean == found.upper == 0.25


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="different numbers of blocks"):
        bootstrap_difference([1, 2, 3], [0, 1])
    with pytest.raises(ValueError, match=r"'second' have the shape \(1,\)"):
        bootstrap_difference([1, 2, 3], [0], paired=False)
    with pytest.raises(ValueError, match="'first' hold NaN"):
        bootstrap_difference([1, np.nan], [0, 1])
    with pytest.raises(ValueError, match="level == 0, must be > 0"):
        bootstrap_difference([1, 2], [0, 1], level=0)
    with pytest.raises(ValueError, match="n_resamples == 0, must be >= 1"):
        bootstrap_difference([1, 2], [0, 1], n_resamples=0)
