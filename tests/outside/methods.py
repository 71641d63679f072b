# SPDX-License-Identifier: BSD-3-Clause
"""A selector with labelsift's contract, and estimators that know nothing of it."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SelectKBest, f_classif

from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking
from labelsift.metrics import Measure
from outside.weights import spread


class SpreadSelector(BaseSelector):
    """Ranks features by their spread, times a factor that changes nothing."""

    def __init__(self, n_features_to_select=None, *, factor=1.0):
        self.n_features_to_select = n_features_to_select
        self.factor = factor

    def _rank(self, X, Y):
        return Ranking.from_scores(self.factor * spread(X))


class PlainSelector(SelectKBest):
    """A selector of scikit-learn's kind."""

    def __init__(self, score_func=f_classif, *, k=10):
        super().__init__(score_func, k=k)


class CorrelationImportance(BaseEstimator, ClassifierMixin):
    """An estimator of one label with importances: absolute correlations."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        centred = X - X.mean(axis=0)
        products = np.abs(centred.T @ (y - y.mean()))
        self.feature_importances_ = products / (np.linalg.norm(centred, axis=0) + 1e-12)
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])


def _share_of_hits(truth, labels):
    return float((truth == labels).mean())


HITS = Measure("hits", "share of hits", _share_of_hits, True, "labels")
