# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest
from scikit_posthocs import posthoc_nemenyi_friedman
from scipy.stats import friedmanchisquare

from labelsift.bench import published_cells
from labelsift.stats import friedman_nemenyi, statlog_ranks
from reference import stats as reference

# Quantiles of the studentized range over sqrt(2) as Demsar (2006, table 5) prints them.
Q_05 = {3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}


@pytest.mark.parametrize("name", ["values", "tied"])
def test_friedman_agrees_with_its_formula_and_scipy(name, request):
    values = request.getfixturevalue(name)
    test = friedman_nemenyi(values)
    expected = friedmanchisquare(*values.values())
    assert test.statistic == pytest.approx(expected.statistic)
    assert test.p_value == pytest.approx(expected.pvalue)
    rows = np.column_stack(list(values.values())).tolist()
    assert test.statistic == pytest.approx(reference.friedman_statistic(rows))
    ranks = [reference.mid_ranks([-value for value in row]) for row in rows]
    np.testing.assert_allclose(list(test.ranks.values()), np.mean(ranks, axis=0))


@pytest.mark.parametrize("name", ["values", "tied"])
def test_nemenyi_agrees_with_scikit_posthocs(name, request):
    values = request.getfixturevalue(name)
    peer = posthoc_nemenyi_friedman(np.column_stack(list(values.values()))).to_numpy()
    test = friedman_nemenyi(values)
    assert len(test.p_values) == 6
    for (one, other), p_value in test.p_values.items():
        expected = peer["abcd".index(one), "abcd".index(other)]
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
    for name in values:
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
    cells = published_cells("jian")
    sums = cells[cells["measure"] == "rank"].groupby("data")["mean"].sum()
    assert sums.min() == pytest.approx(13.35)
    assert sums.max() == pytest.approx(14.8)


def test_rlefs_leads_its_own_tables():
    """The claim of the paper, on its printed means."""
    places = ["table", "data"]
    cells = published_cells("rlefs")
    test = friedman_nemenyi(cells.pivot(index=places, columns="method", values="mean"))
    assert min(test.ranks, key=test.ranks.get) == "rlefs"
    assert test.p_value < 1e-10


def test_a_data_frame_is_a_mapping_of_its_columns(tied):
    # Fewer blocks than methods: its length counts its rows.
    few = {name: column[:3] for name, column in tied.items()}
    frame = pd.DataFrame(few, index=["scene", "yeast", "emotions"])
    assert friedman_nemenyi(frame) == friedman_nemenyi(few)
    assert statlog_ranks(frame.iloc[:1]) == statlog_ranks(
        {name: column[:1] for name, column in few.items()}
    )


def test_bad_values_are_named(values):
    good = [0.1, 0.2, 0.3]
    with pytest.raises(ValueError, match="2 methods: pass at least 3"):
        friedman_nemenyi({"a": good, "b": good})
    with pytest.raises(ValueError, match="'b' hold NaN or infinity at block 1"):
        statlog_ranks({"a": good, "b": [0.1, np.nan, np.nan]})
    with pytest.raises(ValueError, match=r"shape \(1, 3\)"):
        statlog_ranks({"a": [good], "b": [good]})
    with pytest.raises(ValueError, match="All methods are equal in every block"):
        friedman_nemenyi({"a": good, "b": good, "c": good})
    with pytest.raises(ValueError, match="alpha == 1, must be < 1"):
        friedman_nemenyi(values, alpha=1)
    with pytest.raises(TypeError, match="values is of type ndarray: pass a mapping"):
        friedman_nemenyi(np.ones((3, 3)))
    with pytest.raises(ValueError, match=r"'a' have the shape \(3, 2\)"):
        friedman_nemenyi(pd.DataFrame([[1, 2, 3]] * 3, columns=["a", "a", "b"]))
