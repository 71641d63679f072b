# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags

from labelsift.datasets import make_planted
from labelsift.model_selection import KnockoffSelector, StabilitySelection
from labelsift.model_selection.meta_selector import (
    fit_quietly,
    seeded_clone,
    warn_once,
)
from labelsift.selection import RFS, RLEFS, FisherScore, GreedyRLS, RandomRanking


def test_tags_are_those_of_the_selector_within():
    assert get_tags(StabilitySelection(RLEFS())).input_tags.positive_only
    assert not get_tags(StabilitySelection()).input_tags.positive_only
    assert get_tags(StabilitySelection()).input_tags.sparse
    assert not get_tags(KnockoffSelector()).input_tags.sparse


def test_a_clone_gets_its_own_seed_where_it_draws():
    selector = RandomRanking(5, random_state=0)
    copy = seeded_clone(selector, 7, n_features_to_select=2)
    assert (copy.random_state, copy.n_features_to_select) == (7, 2)
    assert (selector.random_state, selector.n_features_to_select) == (0, 5)
    assert seeded_clone(FisherScore(3), 7).get_params() == FisherScore(3).get_params()


def test_warnings_of_a_fit_are_handed_over_and_not_shown():
    data = make_planted(40, 10, 3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told = fit_quietly(RFS(3, max_iter=1), data.X, data.Y)
        Y = data.Y.copy()
        Y[:, 0] = 0
        assert fit_quietly(GreedyRLS(3), data.X, Y) == []
    [(sentence, category)] = told
    assert "did not converge in max_iter=1" in sentence
    assert category is ConvergenceWarning


def test_many_warnings_are_counted_and_the_first_is_shown():
    told = [[], [("one", UserWarning), ("two", UserWarning)], [("three", UserWarning)]]
    with pytest.warns(UserWarning, match="2 of the 3 fits on halves warned, the first"):
        warn_once(told, "on halves")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_once([[], []], "on halves")


def test_frames_keep_their_names_through_halves():
    pandas = pytest.importorskip("pandas")
    data = make_planted(100, 10, 3, n_relevant=3, random_state=0)
    frame = pandas.DataFrame(data.X, columns=[f"f{i}" for i in range(10)])
    model = StabilitySelection(n_pairs=5, random_state=0).fit(frame, data.Y)
    expected = [f"f{i}" for i in data.relevant]
    np.testing.assert_array_equal(model.get_feature_names_out(), expected)
    assert list(model.set_output(transform="pandas").transform(frame)) == expected
