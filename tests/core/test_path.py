# SPDX-License-Identifier: BSD-3-Clause
from typing import ClassVar

import numpy as np
import pytest

from core.toys import ToyRanker
from labelsift.core.path import RankerPathMixin


class ToyGrid(RankerPathMixin, ToyRanker):
    """Scores that are shifted by a parameter."""

    def __init__(self, shift=0.0):
        self.shift = shift

    _parameter_constraints: ClassVar = {"shift": [float]}

    def _fit_each(self, X, Y, models):
        ToyRanker._fit(self, X, Y)
        for model in models:
            model.coef_ = self.coef_
            model.intercept_ = self.intercept_ + model.shift
            yield model


@pytest.fixture
def samples(rng):
    X = rng.normal(size=(30, 4))
    return X, (X[:, :2] > 0).astype(int)


def test_a_single_fit_is_a_path_of_one_point(samples):
    model = ToyGrid(2.0).fit(*samples)
    [(params, alone)] = ToyGrid().fit_path(*samples, {"shift": [2.0]})
    assert params == {"shift": 2.0}
    np.testing.assert_array_equal(alone.intercept_, model.intercept_)


def test_path_leaves_the_estimator_as_it_is_and_fills_in_the_rest(samples):
    base = ToyGrid()
    fitted = [model for _, model in base.fit_path(*samples, {"shift": [0.0, 1.0]})]
    assert not hasattr(base, "n_features_in_")
    assert [model.shift for model in fitted] == [0.0, 1.0]
    assert all(model.n_features_in_ == 4 for model in fitted)
    assert fitted[1].predict(samples[0]).shape == (30, 2)


def test_every_value_of_a_grid_is_checked(samples):
    with pytest.raises(ValueError, match="'shift' parameter of ToyGrid"):
        next(ToyGrid().fit_path(*samples, {"shift": [0.0, "far"]}))
    with pytest.raises(ValueError, match="Invalid parameter 'tilt'"):
        next(ToyGrid().fit_path(*samples, {"tilt": [0.0]}))


def test_fold_scores_are_those_of_single_fits(samples):
    X, Y = samples
    folds = [(np.arange(10, 30), np.arange(10)), (np.arange(20), np.arange(20, 30))]
    points = [{"shift": 0.0}, {"shift": 3.0}]
    [(positions, scores)] = ToyGrid().fold_scores(X, Y, folds, points)
    assert positions == [0, 1]
    for (train, test), stack in zip(folds, scores, strict=True):
        for point, layer in zip(points, stack, strict=True):
            alone = ToyGrid(**point).fit(X[train], Y[train])
            np.testing.assert_allclose(layer, alone.decision_function(X[test]))
