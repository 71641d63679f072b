# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import RandomRanking
from reference.random_ranking import random_order


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("seed", [0, 7])
def test_equals_the_reference(form, seed):
    data = make_planted(30, 12, 3, n_relevant=4, random_state=0)
    X = data.X.copy()
    X[:, [2, 5]] = 0
    selector = RandomRanking(4, random_state=seed).fit(form(X), data.Y)
    np.testing.assert_array_equal(selector.feature_order_, random_order(X, seed))


def test_labels_are_not_looked_at():
    data = make_planted(30, 12, 3, n_relevant=4, random_state=0)
    one = RandomRanking(random_state=1).fit(data.X, data.Y)
    other = RandomRanking(random_state=1).fit(data.X, 1 - data.Y)
    np.testing.assert_array_equal(one.scores_, other.scores_)


def test_recovers_planted_features_no_better_than_chance():
    data = make_planted(50, 100, 3, n_relevant=20, random_state=0)
    hits = [
        RandomRanking(20, random_state=seed).fit(data.X, data.Y).support_[data.relevant]
        for seed in range(200)
    ]
    assert np.mean(hits) == pytest.approx(0.2, abs=0.02)


def test_a_generator_moves_on():
    data = make_planted(30, 12, 3, n_relevant=4, random_state=0)
    selector = RandomRanking(random_state=np.random.RandomState(0))
    first = selector.fit(data.X, data.Y).feature_order_
    assert (selector.fit(data.X, data.Y).feature_order_ != first).any()


def test_bad_seed():
    with pytest.raises(ValueError, match="'random_state' parameter"):
        RandomRanking(random_state="x").fit(np.eye(3), [0, 1, 0])
