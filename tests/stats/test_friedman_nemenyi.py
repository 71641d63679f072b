# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scikit_posthocs import posthoc_nemenyi_friedman, posthoc_wilcoxon
from scipy.stats import friedmanchisquare
from scipy.stats import wilcoxon as scipy_wilcoxon
from statsmodels.stats.multitest import multipletests

from labelsift.results import (
    friedman_nemenyi,
    holm,
    published_cells,
    statlog_ranks,
    wilcoxon_holm,
)
from reference import stats as reference

# Quantiles of the studentized range over sqrt(2) as Demsar (2006, table 5) prints them.
Q_05 = {3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}

METHODS = ("a", "b", "c", "d")


@pytest.fixture
def values(rng):
    """Four methods over twelve blocks, the last two better, no ties."""
    matrix = rng.normal([0, 0, 0.8, 1.5], size=(12, 4))
    return dict(zip(METHODS, matrix.T, strict=True))


@pytest.fixture
def tied(rng):
    matrix = rng.integers(0, 4, size=(15, 4)) + np.array([0, 0, 1, 2])
    return dict(zip(METHODS, matrix.T, strict=True))


def frame(values):
    return np.column_stack(list(values.values()))


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
    values = dict(zip(METHODS, matrix.T, strict=True))
    peer = posthoc_wilcoxon(list(values.values()), p_adjust="holm").to_numpy()
    for test in wilcoxon_holm(values):
        expected = scipy_wilcoxon(values[test.first], values[test.second])
        assert test.statistic == expected.statistic
        assert test.p_value == pytest.approx(expected.pvalue, rel=1e-12)
        i, j = METHODS.index(test.first), METHODS.index(test.second)
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


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_what_it_is_defined_to_be(p_values):
    adjusted = holm(p_values)
    np.testing.assert_allclose(adjusted, reference.holm(p_values), rtol=1e-12)
    np.testing.assert_allclose(
        adjusted, multipletests(p_values, method="holm")[1], rtol=1e-12
    )
    assert (adjusted >= p_values).all()


@pytest.mark.parametrize("bad", [[], [0.1, 1.2], [np.nan], [[0.1]]])
def test_holm_refuses_what_is_no_p_value(bad):
    with pytest.raises(ValueError, match="each from 0 to 1"):
        holm(bad)


@pytest.mark.parametrize("name", ["values", "tied"])
def test_friedman_agrees_with_its_formula_and_scipy(name, request):
    values = request.getfixturevalue(name)
    test = friedman_nemenyi(values)
    expected = friedmanchisquare(*values.values())
    assert test.statistic == pytest.approx(expected.statistic)
    assert test.p_value == pytest.approx(expected.pvalue)
    rows = frame(values).tolist()
    assert test.statistic == pytest.approx(reference.friedman_statistic(rows))
    ranks = [reference.mid_ranks([-value for value in row]) for row in rows]
    np.testing.assert_allclose(list(test.ranks.values()), np.mean(ranks, axis=0))


@pytest.mark.parametrize("name", ["values", "tied"])
def test_nemenyi_agrees_with_scikit_posthocs(name, request):
    values = request.getfixturevalue(name)
    peer = posthoc_nemenyi_friedman(frame(values)).to_numpy()
    test = friedman_nemenyi(values)
    assert len(test.p_values) == 6
    for (one, other), p_value in test.p_values.items():
        expected = peer[METHODS.index(one), METHODS.index(other)]
        assert p_value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("k", Q_05)
def test_the_critical_difference_is_the_printed_one(k, rng):
    values = dict(enumerate(rng.normal(size=(k, 14))))
    expected = Q_05[k] * np.sqrt(k * (k + 1) / (6 * 14))
    found = friedman_nemenyi(values).critical_difference
    assert found == pytest.approx(expected, rel=5e-4)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.5])
def test_ranks_as_far_as_the_critical_difference_differ(values, alpha):
    test = friedman_nemenyi(values, alpha=alpha)
    for (one, other), p_value in test.p_values.items():
        apart = abs(test.ranks[one] - test.ranks[other])
        assert (apart > test.critical_difference) == (p_value < alpha)


def test_direction_turns_the_ranks_round(values):
    up = friedman_nemenyi(values)
    down = friedman_nemenyi(values, greater_is_better=False)
    for name in METHODS:
        assert up.ranks[name] + down.ranks[name] == pytest.approx(5)
    assert up.ranks["d"] == min(up.ranks.values())
    assert up.statistic == pytest.approx(down.statistic)


def test_statlog_gives_equal_methods_the_better_rank():
    values = {"a": [0.9, 0.5], "b": [0.9, 0.5], "c": [0.9, 0.1], "d": [0.2, 0.6]}
    assert statlog_ranks(values) == {"a": 1.5, "b": 1.5, "c": 2.5, "d": 2.5}
    losses = statlog_ranks(values, greater_is_better=False)
    assert losses == {"a": 2.0, "b": 2.0, "c": 1.5, "d": 2.5}
    assert statlog_ranks({"a": [1], "b": [2]}) == {"a": 2.0, "b": 1.0}


def test_printed_statlog_ranks_do_not_give_ties_their_mean_rank():
    """What the docstring of statlog_ranks says of the paper."""
    sums = {}
    for cell in published_cells("jian"):
        if cell.measure == "rank":
            sums[cell.data] = sums.get(cell.data, 0) + cell.mean
    assert min(sums.values()) == pytest.approx(13.35)
    assert max(sums.values()) == pytest.approx(14.8)


def test_rlefs_leads_its_own_tables():
    """The claim of the paper, on its printed means."""
    values = {}
    for cell in published_cells("rlefs"):
        values.setdefault(cell.method, []).append(cell.mean)
    test = friedman_nemenyi(values)
    assert min(test.ranks, key=test.ranks.get) == "rlefs"
    assert test.p_value < 1e-10


def test_bad_values_are_named():
    good = [0.1, 0.2, 0.3]
    with pytest.raises(ValueError, match="1 methods: pass at least 2"):
        wilcoxon_holm({"a": good})
    with pytest.raises(ValueError, match="2 methods: pass at least 3"):
        friedman_nemenyi({"a": good, "b": good})
    with pytest.raises(ValueError, match="'b' hold NaN or infinity at block 1"):
        statlog_ranks({"a": good, "b": [0.1, np.nan, np.nan]})
    with pytest.raises(ValueError, match=r"'a' have the shape \(1,\).* least 2"):
        wilcoxon_holm({"a": [0.1], "b": [0.2]})
    with pytest.raises(ValueError, match=r"shape \(1, 3\)"):
        statlog_ranks({"a": [good], "b": [good]})
    with pytest.raises(ValueError, match=r"numbers of blocks \({'a': 3, 'b': 2}\)"):
        wilcoxon_holm({"a": good, "b": [0.1, 0.2]})


def test_methods_that_no_test_can_tell_apart_are_named():
    same = [0.1, 0.2, 0.3]
    with pytest.raises(ValueError, match="'a' and 'c' are equal in every block"):
        wilcoxon_holm({"a": same, "b": [1, 2, 3], "c": same})
    with pytest.raises(ValueError, match="All methods are equal in every block"):
        friedman_nemenyi({"a": same, "b": same, "c": same})


def test_bad_arguments_are_named(values):
    with pytest.raises(ValueError, match="control 'e' is no method: choose one of a"):
        wilcoxon_holm(values, control="e")
    with pytest.raises(ValueError, match="alpha == 1, must be < 1"):
        friedman_nemenyi(values, alpha=1)
