# SPDX-License-Identifier: BSD-3-Clause
from fractions import Fraction
from math import ceil, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.model_selection.stability_selection.bounds import (
    ASSUMPTIONS,
    largest_tail,
    least_count,
    most_features,
    selection_bound,
)
from reference.stability_selection import largest_tail as slow_tail
from reference.stability_selection import largest_unimodal_tail

# Most features per fit for a bound of 1 with 50 pairs: none / unimodal / r-concave.
FEATURES = {
    (50, 60): (3, 4, 6), (50, 75): (5, 7, 11), (50, 90): (6, 10, 18),
    (100, 60): (4, 6, 9), (100, 75): (7, 9, 17), (100, 90): (8, 15, 29),
    (200, 60): (6, 8, 13), (200, 75): (10, 14, 25), (200, 90): (12, 21, 44),
    (500, 60): (9, 13, 22), (500, 75): (15, 22, 42), (500, 90): (20, 34, 76),
    (1000, 60): (14, 19, 31), (1000, 75): (22, 31, 61), (1000, 90): (28, 48, 113),
}  # fmt: skip
# Bounds for 30 of 500 features and thresholds of .6, .75, .9, as printed.
BOUNDS = [
    (50, "none", ("9.0", "3.6", "2.25")),
    (50, "unimodal", ("4.74", "1.84", "0.776")),
    (50, "r-concave", ("1.91", "0.476", "0.125")),
    (25, "r-concave", ("2.37", "0.534", "0.159")),
    (100, "r-concave", ("1.64", "0.411", "0.106")),
]
SMALL = [
    (Fraction(1, 10), 5, 8, -1 / 2),
    (Fraction(1, 10), 8, 8, -1 / 4),
    (Fraction(1, 20), 4, 8, -1 / 4),
    (Fraction(1, 5), 5, 8, -1 / 4),
    (Fraction(3, 20), 4, 8, -1 / 2),
    (Fraction(27, 100), 6, 8, -1 / 4),
    (Fraction(21, 50), 8, 8, -1 / 4),
]


@pytest.mark.parametrize(("size", "expected"), FEATURES.items())
def test_features_per_fit_are_those_of_the_table(size, expected):
    d, count = size
    found = tuple(most_features(1.0, d, count, 50, name) for name in ASSUMPTIONS)
    assert found == expected


@pytest.mark.parametrize(("n_pairs", "assumption", "expected"), BOUNDS)
def test_bounds_are_those_of_the_table(n_pairs, assumption, expected):
    for threshold, text in zip((0.6, 0.75, 0.9), expected, strict=True):
        count = ceil(round(2 * n_pairs * threshold, 9))
        bound = selection_bound(30, 500, count, n_pairs, assumption)
        digits = len(text.partition(".")[2])
        assert abs(bound - float(text)) <= 0.5 * 10**-digits + 1e-9


@pytest.mark.parametrize(("xi", "cut", "m", "r"), SMALL)
def test_the_largest_tail_is_that_of_a_general_optimiser(xi, cut, m, r):
    expected = slow_tail(float(xi), cut, m, r)
    assert largest_tail(xi, cut, m, r) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("q", "d", "count"),
    [(3, 40, 12), (3, 40, 13), (5, 40, 15), (3, 12, 16), (4, 40, 20)],
)
def test_the_unimodal_bound_is_that_of_the_worst_unimodal_distribution(q, d, count):
    """Of the share of pairs that agree, whose mean is at most theta squared."""
    worst = largest_unimodal_tail((q / d) ** 2, count - 10, 10)
    bound = selection_bound(q, d, count, 10, "unimodal")
    assert bound == pytest.approx(d * worst, rel=1e-9)


@given(
    d=st.integers(1, 300),
    q=st.integers(1, 299),
    n_pairs=st.integers(1, 30),
    share=st.floats(0.51, 1),
)
@settings(max_examples=60, deadline=None)
def test_a_bound_rises_with_features_and_falls_with_the_threshold(d, q, n_pairs, share):
    q, count = min(q, d), min(2 * n_pairs, max(n_pairs + 1, int(2 * n_pairs * share)))
    for name in ASSUMPTIONS:
        bound = selection_bound(q, d, count, n_pairs, name)
        assert 0 < bound <= d
        assert bound <= selection_bound(q, d, count, n_pairs, "none")
        if q < d:
            more = selection_bound(q + 1, d, count, n_pairs, name)
            assert more >= bound * (1 - 1e-9)
        if count < 2 * n_pairs:
            higher = selection_bound(q, d, count + 1, n_pairs, name)
            assert higher <= bound * (1 + 1e-9)


@pytest.mark.parametrize("assumption", ASSUMPTIONS)
def test_the_searches_stop_exactly_at_the_limit(assumption):
    d, n_pairs = 80, 20
    q = most_features(2.0, d, 30, n_pairs, assumption)
    assert selection_bound(q, d, 30, n_pairs, assumption) <= 2
    assert selection_bound(q + 1, d, 30, n_pairs, assumption) > 2
    count = least_count(2.0, q + 1, d, n_pairs, assumption)
    assert count > 30
    assert selection_bound(q + 1, d, count, n_pairs, assumption) <= 2
    assert selection_bound(q + 1, d, count - 1, n_pairs, assumption) > 2
    assert most_features(1e-9, d, 30, n_pairs, assumption) == 0
    assert least_count(1e-9, q, d, n_pairs, assumption) is None
    assert least_count(inf, q, d, n_pairs, assumption) == n_pairs + 1


def test_below_half_of_the_halves_there_is_no_bound_without_assumptions():
    assert selection_bound(3, 50, 50, 50, "none") == 50
    assert selection_bound(3, 50, 50, 50, "unimodal") == 50
    assert selection_bound(3, 50, 50, 50, "r-concave") < 5
