# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    chi2,
)
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

from labelsift.datasets import make_planted
from labelsift.model_selection.stability_selection.votes import Votes, collect_votes
from labelsift.selection import FisherScore, GreedyRLS, MTLasso, RandomRanking

ALONE = {"block": np.arange(12), "n_jobs": None}


@pytest.fixture
def problem(rng):
    data = make_planted(60, 12, 3, n_relevant=3, density=0.5, random_state=0)
    order = rng.permutation(60)
    pairs = [(order[:30], order[30:]), (order[::2], order[1::2])]
    return data.X.toarray(), data.Y, pairs, np.array([1, 2])


def test_votes_are_counted_by_feature_and_by_block():
    chosen = [np.array(row) for row in ([0, 2], [2, 1], [2, 0], [1, 0])]
    votes = Votes(chosen, nested=True, q=2, block=np.array([0, 1, 2, 2]))
    halves, pairs, place = votes.tally()
    np.testing.assert_array_equal(halves, [3, 2, 3, 3])
    np.testing.assert_array_equal(pairs, [1, 0, 1, 1])
    np.testing.assert_allclose(place, [4 / 4, 5 / 4, 3 / 4, 3 / 4])
    expected = [[1, 1, 2, 2], [3, 2, 3, 3]]
    np.testing.assert_allclose(votes.path(), np.array(expected) / 4)


@pytest.mark.parametrize(
    "selector",
    [
        FisherScore(),
        MTLasso(),
        SelectKBest(chi2),
        SelectFromModel(Ridge(), threshold=-np.inf),
        RFE(Ridge()),
    ],
    ids=lambda selector: type(selector).__name__,
)
@pytest.mark.filterwarnings("ignore:.* fits on halves warned")
def test_selectors_of_both_libraries_vote(selector, problem):
    X, Y, pairs, seeds = problem
    votes = collect_votes(selector, X, Y, pairs, seeds, q=3, **ALONE)
    assert [len(set(blocks)) for blocks in votes.chosen] == [3] * 4
    assert votes.nested == isinstance(selector, FisherScore)


def test_a_block_is_chosen_where_one_of_its_features_is(problem):
    X, Y, pairs, seeds = problem
    block = np.arange(12) // 3
    features = collect_votes(GreedyRLS(), X, Y, pairs, seeds, q=4, **ALONE)
    blocks = collect_votes(
        GreedyRLS(), X, Y, pairs, seeds, q=4, block=block, n_jobs=None
    )
    for found, members in zip(blocks.chosen, features.chosen, strict=True):
        assert list(found) == list(dict.fromkeys(block[members].tolist()))


def test_chance_does_not_agree_with_itself(problem):
    """The seed of the selector itself would give the same ranking on every half."""
    X, Y, pairs, seeds = problem
    selector = RandomRanking(random_state=0)
    votes = collect_votes(selector, X, Y, pairs, seeds, q=3, **ALONE)
    assert len({tuple(blocks) for blocks in votes.chosen}) == 4
    again = collect_votes(selector, X, Y, pairs, seeds, q=3, **ALONE)
    np.testing.assert_array_equal(votes.chosen, again.chosen)


def test_many_warnings_become_one(problem, recwarn):
    X, Y, pairs, seeds = problem
    lasso = MTLasso(alpha=1e6)
    collect_votes(lasso, X, Y, pairs, seeds, q=3, **ALONE)
    [told] = [str(warning.message) for warning in recwarn]
    assert told.startswith("4 of the 4 fits on halves warned, the first: Only 0 featu")


def test_what_is_no_selector_with_a_budget_is_refused(problem):
    X, Y, pairs, seeds = problem
    for selector in (StandardScaler(), "greedy"):
        with pytest.raises(ValueError, match="has no get_support: pass a feature sel"):
            collect_votes(selector, X, Y, pairs, seeds, q=3, **ALONE)
    with pytest.raises(ValueError, match="no parameter for a number of features"):
        collect_votes(SelectPercentile(chi2), X, Y, pairs, seeds, q=3, **ALONE)
