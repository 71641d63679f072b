# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    MultiTaskLasso,
    Ridge,
    RidgeClassifier,
)
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from labelsift.classification import BinaryRidge, LabelScorer
from labelsift.datasets import make_planted
from reference.label_scorer import label_scores

CHAIN = ClassifierChain(LogisticRegression(), random_state=0)


@pytest.fixture(scope="module")
def planted():
    data = make_planted(90, 6, 3, n_relevant=4, random_state=1)
    return data.X[:60], data.Y[:60], data.X[60:]


class Majority(ClassifierMixin, BaseEstimator):
    """A classifier that can only predict: 1 where the first feature is positive."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        LinearSVC(random_state=0),
        SVC(),
        GaussianNB(),
        HistGradientBoostingClassifier(max_iter=3),
        Majority(),
        SVR(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(LogisticRegression(), {"C": [0.1, 10.0]}, cv=2),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_equals_a_model_per_label(planted, estimator):
    X, Y, samples = planted
    model = LabelScorer(estimator).fit(X, Y)
    assert len(model.estimators_) == 3
    expected = label_scores(lambda: clone(estimator), X, Y, samples)
    np.testing.assert_allclose(model.decision_function(samples), expected, rtol=1e-9)


@pytest.mark.parametrize(
    "estimator",
    [
        RidgeClassifier(),
        Ridge(),
        LinearRegression(),
        KNeighborsClassifier(3),
        KNeighborsRegressor(3),
        BinaryRidge(),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_one_fit_of_the_matrix_equals_a_model_per_label(planted, estimator):
    """Where an estimator treats its labels one by one."""
    X, Y, samples = planted
    model = LabelScorer(estimator).fit(X, Y)
    assert len(model.estimators_) == 1
    alone = LabelScorer(estimator, per_label=True).fit(X, Y)
    assert len(alone.estimators_) == 3
    expected = label_scores(lambda: clone(estimator), X, Y, samples)
    for scorer in (model, alone):
        found = scorer.decision_function(samples)
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize(
    "estimator",
    [
        RidgeClassifier(),
        KNeighborsClassifier(4),
        DecisionTreeClassifier(random_state=0),
        ExtraTreesClassifier(4, random_state=0),
        MLPClassifier((4,), max_iter=20, random_state=0),
        CHAIN,
        ClassifierChain(GaussianNB(), random_state=0),
        MultiOutputClassifier(LogisticRegression()),
        MultiOutputClassifier(KNeighborsClassifier(4)),
        OneVsRestClassifier(LogisticRegression()),
        OneVsRestClassifier(GaussianNB()),
        make_pipeline(StandardScaler(), ExtraTreesClassifier(4, random_state=0)),
        GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 4]}, cv=2),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_what_is_predicted_is_what_the_classifier_predicts(planted, estimator):
    """From scores, lists of probabilities or one table of them; ties mean absent."""
    X, Y, samples = planted
    model = LabelScorer(estimator).fit(X, Y)
    assert len(model.estimators_) == 1
    expected = clone(estimator).fit(X, Y).predict(samples)
    np.testing.assert_array_equal(model.predict(samples), expected)


@pytest.mark.parametrize(
    "estimator",
    [KNeighborsRegressor(4), RandomForestRegressor(4, random_state=0), Ridge()],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_regressor_predicts_a_label_above_one_half(planted, estimator):
    X, Y, samples = planted
    predicted = clone(estimator).fit(X, Y.astype(float)).predict(samples)
    scores = LabelScorer(estimator).fit(X, Y).decision_function(samples)
    np.testing.assert_array_equal(scores, predicted - 0.5)


def test_probabilities_are_scores_less_one_half(planted):
    X, Y, samples = planted
    forest = ExtraTreesClassifier(7, random_state=0)
    scores = LabelScorer(forest).fit(X, Y).decision_function(samples)
    parts = clone(forest).fit(X, Y).predict_proba(samples)
    expected = np.column_stack([part[:, 1] for part in parts]) - 0.5
    np.testing.assert_array_equal(scores, expected)


def test_sparse_answers_of_other_packages_are_read(planted):
    class Sparse(ExtraTreesClassifier):
        def predict_proba(self, X):
            parts = super().predict_proba(X)
            return sp.csr_matrix(np.column_stack([part[:, 1] for part in parts]))

    X, Y, samples = planted
    plain = LabelScorer(ExtraTreesClassifier(3, random_state=0)).fit(X, Y)
    model = LabelScorer(Sparse(3, random_state=0)).fit(X, Y)
    expected = plain.decision_function(samples)
    np.testing.assert_array_equal(model.decision_function(samples), expected)


@pytest.mark.parametrize(
    "estimator",
    [
        None, CHAIN, Ridge(), MultiTaskLasso(0.01), GaussianNB(),
        KNeighborsClassifier(3), ExtraTreesClassifier(3, random_state=0),
        MultiOutputClassifier(GaussianNB()),
    ],
    ids=lambda estimator: type(estimator).__name__,
)  # fmt: skip
@pytest.mark.parametrize("learnable", [1, 3])
def test_labels_with_one_value_are_shown_to_no_estimator(planted, estimator, learnable):
    X, Y, samples = planted
    Y = Y[:, :learnable]
    padded = np.insert(Y, [0, learnable], [0, 1], axis=1)
    plain = LabelScorer(estimator).fit(X, Y)
    with pytest.warns(UserWarning, match="hold one value only"):
        model = LabelScorer(estimator).fit(X, padded)
    scores = model.decision_function(samples)
    np.testing.assert_array_equal(scores[:, [0, -1]], [[-1, 1]] * len(samples))
    expected = plain.decision_function(samples).reshape(len(samples), -1)
    np.testing.assert_array_equal(scores[:, 1:-1], expected)
    np.testing.assert_array_equal(model.predict(samples)[:, [0, -1]], [[0, 1]] * 30)


def test_the_default_is_logistic_regression(planted):
    X, Y, samples = planted
    scores = LabelScorer().fit(X, Y).decision_function(samples)
    expected = LabelScorer(LogisticRegression(max_iter=1000)).fit(X, Y)
    np.testing.assert_array_equal(scores, expected.decision_function(samples))


@pytest.mark.parametrize("estimator", [GaussianNB(), KNeighborsRegressor(3)])
def test_classes_of_one_target_come_back(planted, estimator):
    X, _, samples = planted
    two = np.where(X[:, 0] > 0, "up", "down")
    model = LabelScorer(estimator).fit(X, two)
    assert model.decision_function(samples).shape == (30,)
    assert model.score(X, two) > 0.8
    three = np.where(X[:, 1] > 0.5, "side", two)
    model = LabelScorer(estimator).fit(X, three)
    assert model.decision_function(samples).shape == (30, 3)
    assert set(model.predict(samples)) <= {"up", "down", "side"}


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_sparse_data_reaches_the_estimator_sparse(planted, form):
    X, Y, samples = planted
    model = LabelScorer(LogisticRegression(tol=1e-8)).fit(form(X), Y)
    dense = LabelScorer(LogisticRegression(tol=1e-8)).fit(X, Y)
    np.testing.assert_allclose(
        model.decision_function(form(samples)),
        dense.decision_function(samples),
        atol=1e-4,
    )
    with pytest.raises(TypeError, match="dense data is required"):
        LabelScorer(GaussianNB()).fit(form(X), Y)


def test_tags_follow_the_estimator():
    assert get_tags(LabelScorer()).input_tags.sparse
    assert not get_tags(LabelScorer(GaussianNB())).input_tags.sparse
    assert get_tags(LabelScorer(GaussianNB())).classifier_tags.multi_label
    assert get_tags(LabelScorer(Ridge())).estimator_type == "classifier"


@pytest.mark.parametrize(
    "wrong",
    [{"estimator": StandardScaler()}, {"estimator": "svm"}, {"per_label": "never"}],
)
def test_wrong_arguments_are_named(planted, wrong):
    [name] = wrong
    with pytest.raises(ValueError, match=f"'{name}' parameter of LabelScorer"):
        LabelScorer(**wrong).fit(*planted[:2])
