# SPDX-License-Identifier: BSD-3-Clause
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from core.toys import ToyGreedy, ToyRanker
from labelsift.datasets import make_planted
from labelsift.metrics import MEASURES, evaluate, scorer
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.selection import FisherScore

ALL = pytest.mark.parametrize("name", MEASURES)


@pytest.fixture
def data():
    return make_planted(120, 10, 4, n_relevant=3, random_state=0)


class OnlyPredicts(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.arange(y.shape[1])
        return self

    def predict(self, X):
        return (X[:, : len(self.classes_)] > 0).astype(int)


def _signed(name, value):
    return value if MEASURES[name].greater_is_better else -value


@ALL
@pytest.mark.parametrize("coding", [lambda Y: Y, lambda Y: 2.0 * Y - 1, sp.csr_array])
def test_equal_to_evaluate_with_larger_better(name, coding, data):
    model = ToyRanker().fit(data.X, coding(data.Y))
    expected = evaluate(data.Y, model.decision_function(data.X))[name]
    found = scorer(name)(model, data.X, coding(data.Y))
    assert found == _signed(name, expected)


@ALL
def test_in_a_search_over_a_pipeline_with_a_selector(name, data):
    search = GridSearchCV(
        make_pipeline(FisherScore(), ToyRanker()),
        {"fisherscore__n_features_to_select": [1, 3, 10]},
        scoring=scorer(name),
        cv=IterativeStratifiedKFold(3, random_state=0),
        error_score="raise",
    ).fit(data.X, data.Y)
    values = search.cv_results_["mean_test_score"]
    assert np.isfinite(values).all()
    assert search.best_index_ == np.argmax(values)
    assert scorer(name)(search, data.X, data.Y) == search.score(data.X, data.Y)


def test_all_at_once_in_cross_validate(data):
    result = cross_validate(
        ToyGreedy(4),
        data.X,
        data.Y,
        scoring={name: scorer(name) for name in MEASURES},
        cv=3,
        error_score="raise",
    )
    for name, measure in MEASURES.items():
        assert ((result[f"test_{name}"] <= 0) != measure.greater_is_better).all()


@ALL
def test_estimators_that_only_predict(name, data):
    model = OnlyPredicts().fit(data.X, data.Y)
    if MEASURES[name].needs == "labels":
        expected = MEASURES[name].function(data.Y, model.predict(data.X))
        assert scorer(name)(model, data.X, data.Y) == _signed(name, expected)
    else:
        with pytest.raises(ValueError, match="OnlyPredicts has neither decision_func"):
            scorer(name)(model, data.X, data.Y)


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(),
        RandomForestClassifier(5, random_state=0),
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
    ],
    ids=["neighbours", "forest", "pipeline"],
)
@pytest.mark.parametrize("negative", [0, -1])
def test_probabilities_serve_as_scores(model, negative, data):
    """scikit-learn gives one (n, 2) array per label; constant labels give (n, 1)."""
    Y = np.column_stack([data.Y, np.zeros(120, int), np.ones(120, int)])
    Y = np.where(Y == 1, 1, negative)
    model = clone(model).fit(data.X, Y)
    probabilities = model.predict_proba(data.X)
    scores = np.column_stack(
        [p[:, -1] for p in probabilities[:4]] + [np.zeros(120), np.ones(120)]
    )
    for name in ("one_error", "coverage", "ranking_loss", "macro_auc"):
        expected = MEASURES[name].function(Y, scores)
        assert scorer(name)(model, data.X, Y) == _signed(name, expected)


def test_probabilities_as_one_matrix(data):
    class Probabilities(OneVsRestClassifier):
        decision_function = property()  # raises AttributeError: there is none

    model = Probabilities(LogisticRegression()).fit(data.X, data.Y)
    assert not hasattr(model, "decision_function")
    expected = MEASURES["macro_auc"].function(data.Y, model.predict_proba(data.X))
    assert scorer("macro_auc")(model, data.X, data.Y) == expected


def test_it_travels_to_other_processes():
    for name in MEASURES:
        assert pickle.loads(pickle.dumps(scorer(name))) == scorer(name)


def test_bad_input(data):
    with pytest.raises(ValueError, match="name='f1' is not a measure: choose one of "):
        scorer("f1")
    model = ToyRanker().fit(data.X, data.Y)
    with pytest.raises(ValueError, match=r"Y_true must have shape \(n_samples, n_la"):
        scorer("macro_auc")(model, data.X, data.Y[:, 0])
