# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scikit_posthocs import posthoc_wilcoxon
from scipy.stats import wilcoxon as scipy_wilcoxon
from statsmodels.stats.multitest import multipletests

from labelsift.stats import hodges_lehmann, holm, rank_biserial, wilcoxon_holm
from reference import stats as reference


@pytest.mark.parametrize("name", ["values", "tied"])
def test_pairs_agree_with_all_choices_of_signs(name, request):
    values = {k: v[:12] for k, v in request.getfixturevalue(name).items()}
    for test in wilcoxon_holm(values):
        differences = values[test.first] - values[test.second]
        left = differences[differences != 0].tolist()
        expected = reference.signed_rank_p_value(left)
        assert test.p_value == pytest.approx(expected, rel=1e-12)
        assert test.mean_difference == pytest.approx(differences.mean())


def test_five_blocks_show_nothing():
    values = {"a": [1, 2, 3, 4, 5, 6, 7], "b": [0, 0, 0, 0, 0, 6, 7]}
    assert wilcoxon_holm(values)[0].p_value == 2 / 2**5


@pytest.mark.parametrize("n_blocks", [12, 40, 70])
def test_pairs_agree_with_scipy_and_scikit_posthocs(n_blocks, rng):
    matrix = rng.normal([0, 0, 0.3, 0.6], size=(n_blocks, 4))
    values = dict(zip("abcd", matrix.T, strict=True))
    peer = posthoc_wilcoxon(list(values.values()), p_adjust="holm").to_numpy()
    for test in wilcoxon_holm(values):
        expected = scipy_wilcoxon(values[test.first], values[test.second])
        assert test.statistic == expected.statistic
        assert test.p_value == pytest.approx(expected.pvalue, rel=1e-12)
        i, j = "abcd".index(test.first), "abcd".index(test.second)
        assert test.adjusted == pytest.approx(peer[i, j], rel=1e-9)


def test_a_control_is_compared_with_every_other(values):
    tests = wilcoxon_holm(values, control="c")
    assert [(test.first, test.second) for test in tests] == [
        ("c", "a"),
        ("c", "b"),
        ("c", "d"),
    ]
    # Three comparisons cost less than six.
    every = {frozenset((t.first, t.second)): t for t in wilcoxon_holm(values)}
    for test in tests:
        other = every[frozenset((test.first, test.second))]
        assert test.p_value == other.p_value
        assert test.adjusted <= other.adjusted


def test_methods_that_are_equal_everywhere_are_not_told_apart():
    good = [0.1, 0.2, 0.3]
    tests = wilcoxon_holm({"a": good, "b": [1, 2, 3], "c": good})
    [equal] = [test for test in tests if (test.first, test.second) == ("a", "c")]
    assert (equal.p_value, equal.adjusted, equal.effect) == (1, 1, 0)
    assert (equal.wins, equal.losses, equal.shift.estimate) == (0, 0, 0)


def test_a_pair_has_an_effect_and_an_interval_beside_its_p_value(values):
    for test in wilcoxon_holm(values, confidence=0.9):
        differences = values[test.first] - values[test.second]
        assert test.effect == rank_biserial(differences)
        assert test.shift == hodges_lehmann(differences, confidence=0.9)
        assert test.wins + test.losses == test.n_blocks == 12
        assert test.wins == (differences > 0).sum()
        # The interval and the test are one: what excludes 0 is significant.
        assert (test.shift.low > 0 or test.shift.high < 0) == (test.p_value <= 0.1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_what_it_is_defined_to_be(p_values):
    adjusted = holm(p_values)
    np.testing.assert_allclose(adjusted, reference.holm(p_values), rtol=1e-12)
    assert (adjusted >= p_values).all()


def test_holm_agrees_with_statsmodels(rng):
    """Few calls: each of them collects the garbage of all tests."""
    for p_values in ([0.03], [0.01, 0.01, 1.0, 0.0], rng.random(12) ** 3):
        expected = multipletests(p_values, method="holm")[1]
        np.testing.assert_allclose(holm(p_values), expected, rtol=1e-12)


@pytest.mark.parametrize("bad", [[], [0.1, 1.2], [np.nan], [[0.1]]])
def test_holm_refuses_what_is_no_p_value(bad):
    with pytest.raises(ValueError, match="each from 0 to 1"):
        holm(bad)


def test_a_data_frame_is_a_mapping_of_its_columns(values):
    frame = pd.DataFrame(values)
    assert wilcoxon_holm(frame, control="b") == wilcoxon_holm(values, control="b")


def test_bad_values_are_named(values):
    good = [0.1, 0.2, 0.3]
    with pytest.raises(ValueError, match="1 methods: pass at least 2"):
        wilcoxon_holm({"a": good})
    with pytest.raises(ValueError, match=r"'a' have the shape \(1,\).* least 2"):
        wilcoxon_holm({"a": [0.1], "b": [0.2]})
    with pytest.raises(ValueError, match=r"numbers of blocks \({'a': 3, 'b': 2}\)"):
        wilcoxon_holm({"a": good, "b": [0.1, 0.2]})
    with pytest.raises(ValueError, match="control 'e' is not a method: choose from a"):
        wilcoxon_holm(values, control="e")
