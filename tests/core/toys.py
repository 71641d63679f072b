# SPDX-License-Identifier: BSD-3-Clause
"""The smallest estimators that fulfil each contract: they test the base classes."""

from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from labelsift.core.base import (
    BaseLabelRanker,
    BaseSelector,
    BaseSubspace,
    LinearRankerMixin,
)
from labelsift.core.result import Ranking, SolverResult


def _dense(X):
    return X.toarray() if sp.issparse(X) else X


def _ridge(X, Y):
    """Least squares of the -1/+1 labels on centred X with a little ridge."""
    mean = X.mean(axis=0)
    codes = 2.0 * Y - 1
    centred = X - mean
    gram = centred.T @ centred + 1e-3 * np.eye(X.shape[1])
    coef = np.linalg.solve(gram, centred.T @ (codes - codes.mean(axis=0))).T
    return coef, codes.mean(axis=0) - coef @ mean


class ToyRanker(LinearRankerMixin, BaseLabelRanker):
    def _fit(self, X, Y):
        self.coef_, self.intercept_ = _ridge(_dense(X).astype(float), Y)


class ToySubspace(BaseSubspace):
    def __init__(self, n_components=1):
        self.n_components = n_components

    _parameter_constraints: ClassVar = {"n_components": [int]}

    def _fit(self, X, Y):
        X = _dense(X)
        self.mean_ = X.mean(axis=0)
        _, _, directions = np.linalg.svd(X - self.mean_, full_matrices=False)
        self.components_ = directions[: self.n_components]


class ToyGreedy(LinearRankerMixin, BaseSelector):
    """A greedy method that predicts: variance order, ridge on the first k."""

    ranks_all = False

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _rank(self, X, Y):
        X = _dense(X).astype(float)
        order = np.argsort(-X.var(axis=0), kind="stable")[: self.n_features_]
        self._fits = [_ridge(X[:, order[:k]], Y) for k in range(1, len(order) + 1)]
        ranking = Ranking.from_order(order, X.shape[1], SolverResult(None, n_iter=1))
        self._weights(ranking.order)
        return ranking

    def _weights(self, order):
        weights, self.intercept_ = self._fits[len(order) - 1]
        self.coef_ = np.zeros((len(weights), self.n_features_in_))
        self.coef_[:, order] = weights

    def _cut(self, count):
        super()._cut(count)
        self._weights(self.feature_order_)


class ToyUnlabelled(BaseSelector):
    allow_unlabelled = True

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _rank(self, X, Y):
        self.labelled_rows_ = ~np.isnan(Y).all(axis=1)
        return Ranking.from_scores(np.arange(X.shape[1]))


class ToyOneBudget(ToyUnlabelled):
    nested_budgets = False
