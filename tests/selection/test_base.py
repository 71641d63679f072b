# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest

from labelsift.core.result import SolverResult
from labelsift.selection.base import RowSparseSelector


class Fixed(RowSparseSelector):
    """Gives weights to the features it is told to, whatever the data."""

    def __init__(self, n_features_to_select=None, *, weights=()):
        self.n_features_to_select = n_features_to_select
        self.weights = weights

    def _rank(self, X, Y):
        W = np.zeros((X.shape[1], Y.shape[1]))
        for feature, weight in self.weights:
            W[feature] = weight
        return self._rank_rows(X, W, Y - Y.mean(axis=0), SolverResult(W))


@pytest.fixture
def data(rng):
    X = rng.normal(size=(50, 6))
    Y = np.column_stack([X[:, 3] > 0, X[:, 3] + X[:, 1] > 0]).astype(int)
    X[:, 5] = 7.0
    return X, Y


def test_weights_come_first_then_products_then_constant_columns(data):
    X, Y = data
    selector = Fixed(2, weights=[(0, 1.0), (4, 2.0), (5, 9.0)]).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_[:2], [4, 0])
    np.testing.assert_array_equal(selector.feature_order_[2:4], [3, 1])
    assert selector.feature_order_[-1] == 5
    assert (selector.scores_[[0, 4]] > 0).all()
    assert (selector.scores_[[1, 2, 3]] < 0).all()
    assert selector.n_weighted_ == 2
    assert selector.coef_.shape == (2, 6)


def test_a_budget_beyond_the_weights_is_told_in_fit_and_in_views(data):
    with pytest.warns(UserWarning, match=r"only 1 of the 3 selected .* the other 2"):
        selector = Fixed(3, weights=[(0, 1.0)]).fit(*data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        selector.with_budget(1)
    with pytest.warns(UserWarning, match="lower gamma"):
        selector.with_budget(2)


def test_without_any_products_the_order_is_that_of_the_columns():
    X = np.zeros((4, 3))
    X[0, :] = X[1, :] = 1.0
    Y = np.array([[0], [1], [0], [1]])
    with pytest.warns(UserWarning, match="weight to only 0 of the 1"):
        selector = Fixed(1).fit(X, Y)
    np.testing.assert_array_equal(selector.feature_order_, [0, 1, 2])
