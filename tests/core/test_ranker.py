# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from core.toys import ToyGreedy, ToyRanker
from labelsift.core.ranker import RankerMixin
from labelsift.datasets import make_planted


@pytest.fixture
def data():
    return make_planted(80, 5, 3, n_relevant=5, random_state=1)


@pytest.mark.parametrize("cls", [ToyRanker, ToyGreedy])
@pytest.mark.parametrize("dtype", [int, np.uint8, bool, float])
def test_predictions_speak_the_coding_of_y(cls, dtype, data):
    Y = data.Y.astype(dtype)
    ranker = cls().fit(data.X, Y)
    predicted = ranker.predict(data.X)
    assert predicted.dtype == Y.dtype
    np.testing.assert_array_equal(predicted, ranker.decision_function(data.X) > 0)


def test_minus_one_plus_one_in_and_out(data):
    ranker = ToyRanker().fit(data.X, 2 * data.Y.astype(int) - 1)
    plain = ToyRanker().fit(data.X, data.Y)
    expected = 2 * plain.predict(data.X).astype(int) - 1
    np.testing.assert_array_equal(ranker.predict(data.X), expected)


def test_two_classes_give_one_column_of_scores(data):
    y = np.where(data.Y[:, 0], "yes", "no")
    ranker = ToyRanker().fit(data.X, y)
    scores = ranker.decision_function(data.X)
    assert scores.shape == (80,)
    one_label = ToyRanker().fit(data.X, data.Y[:, :1])
    np.testing.assert_allclose(scores, one_label.decision_function(data.X)[:, 0])
    np.testing.assert_array_equal(ranker.predict(data.X) == "yes", scores > 0)


def test_many_classes_give_the_best_class(data):
    y = np.array(["a", "b", "c"])[data.Y[:, 0] + data.Y[:, 1]]
    ranker = ToyRanker().fit(data.X, y)
    best = np.argmax(ranker.decision_function(data.X), axis=1)
    np.testing.assert_array_equal(ranker.predict(data.X), ranker.classes_[best])


def test_a_view_predicts_with_its_own_weights(data):
    view = ToyGreedy(5).fit(data.X, data.Y).with_budget(2)
    assert np.count_nonzero(view.coef_.any(axis=0)) == 2


def test_a_ranker_must_write_its_scores():
    with pytest.raises(NotImplementedError, match="must implement _scores"):
        RankerMixin()._scores(np.ones((1, 1)))
