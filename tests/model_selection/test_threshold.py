# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from labelsift.classification import BinaryRidge, BinarySVM, MLkNN
from labelsift.core.base import BaseLabelRanker
from labelsift.datasets import make_planted
from labelsift.metrics import macro_f1
from labelsift.model_selection import ThresholdedClassifier
from labelsift.model_selection.threshold import sample_thresholds, scut_thresholds
from labelsift.selection import FisherScore
from reference.threshold import best_f1, f1, sample_threshold


@pytest.fixture
def planted():
    return make_planted(200, 12, 5, n_relevant=5, noise=0.5, random_state=0)


@pytest.fixture
def folds():
    return KFold(4, shuffle=True, random_state=0)


@given(
    st.lists(
        st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=12
    ).filter(lambda pairs: any(y for _, y in pairs))
)
def test_scut_reaches_the_best_f1_of_all_thresholds(pairs):
    scores = np.array([score / 3 for score, _ in pairs])
    y = np.array([int(label) for _, label in pairs])
    [threshold] = scut_thresholds(scores[:, np.newaxis], y[:, np.newaxis])
    assert f1(scores, y, threshold) == pytest.approx(best_f1(scores, y))


@given(st.integers(0, 1000), st.floats(0.05, 1))
def test_scut_falls_back_to_the_highest_score(seed, min_f1):
    rng = np.random.default_rng(seed)
    scores, y = rng.normal(size=(15, 1)), (rng.random((15, 1)) < 0.2).astype(int)
    y[0] = 1
    [threshold] = scut_thresholds(scores, y, min_f1)
    if best_f1(scores[:, 0], y[:, 0]) < min_f1:
        assert threshold == scores.max()
    else:
        assert threshold < scores.max()


def test_scut_lies_midway_and_predicts_least():
    scores = np.array([[4.0], [3.0], [1.0], [0.0]])
    assert scut_thresholds(scores, np.array([[1], [1], [0], [0]])) == 2.0
    # Cutting after the first or after the third is equally good: F1 is 2/3.
    assert scut_thresholds(scores, np.array([[1], [0], [0], [1]])) == 3.5


def test_scut_separates_neighbouring_numbers():
    low = 1.0
    high = np.nextafter(low, 2)
    threshold = scut_thresholds(np.array([[high], [low]]), np.array([[1], [0]]))
    assert low <= threshold[0] < high


def test_scut_of_a_stack_is_that_of_its_layers(rng):
    stack = rng.normal(size=(5, 40, 3)).round(1)
    Y = (rng.random((40, 3)) < [0.1, 0.4, 0.9]).astype(int)
    for weights in (None, rng.random(40)):
        expected = [scut_thresholds(layer, Y, 0.2, weights) for layer in stack]
        found = scut_thresholds(stack, Y, 0.2, weights)
        np.testing.assert_array_equal(found, expected)


def test_scut_with_whole_weights_is_that_of_repeated_rows(rng):
    scores, weights = rng.normal(size=(30, 4)).round(1), rng.integers(1, 4, 30)
    Y = (rng.random((30, 4)) < 0.3).astype(int)
    rows = np.repeat(np.arange(30), weights)
    repeated = scut_thresholds(scores[rows], Y[rows], 0.1)
    np.testing.assert_array_equal(scut_thresholds(scores, Y, 0.1, weights), repeated)


@given(st.integers(0, 10**6))
def test_thresholds_of_samples_follow_equation_34(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(6, 4))
    Y = (rng.random((6, 4)) < rng.choice([0.1, 0.5, 0.9])).astype(int)
    rows = zip(scores.tolist(), Y.tolist(), strict=True)
    expected = [sample_threshold(row, y) for row, y in rows]
    np.testing.assert_allclose(sample_thresholds(scores, Y), expected)


@pytest.mark.parametrize("strategy", ["scut", "regression", "fixed"])
@pytest.mark.parametrize("scores_from", ["out_of_fold", "train"])
@pytest.mark.parametrize("features", ["scores", "x"])
def test_scores_are_shifted_by_their_thresholds(
    planted, folds, strategy, scores_from, features
):
    X, Y = planted.X, planted.Y
    model = ThresholdedClassifier(
        BinaryRidge(),
        strategy=strategy,
        threshold=-0.2,
        scores_from=scores_from,
        features=features,
        cv=folds,
    ).fit(X, Y)
    ridge = BinaryRidge().fit(X, Y)
    scores = ridge.decision_function(X)
    seen = (
        scores
        if scores_from == "train"
        else cross_val_predict(ridge, X, Y, cv=folds, method="decision_function")
    )
    if strategy == "fixed":
        thresholds = -0.2
    elif strategy == "scut":
        thresholds = scut_thresholds(seen, Y, 0.1)
    else:
        line = LinearRegression()
        line.fit(seen if features == "scores" else X, sample_thresholds(seen, Y))
        thresholds = line.predict(scores if features == "scores" else X)[:, np.newaxis]
    shifted = model.decision_function(X)
    np.testing.assert_allclose(shifted, scores - thresholds, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), shifted > 0)


@pytest.mark.parametrize("ranker", [BinaryRidge(), BinarySVM(random_state=0), MLkNN()])
def test_scut_improves_macro_f1_on_unseen_samples(ranker):
    data = make_planted(900, 20, 6, n_relevant=6, noise=1.0, random_state=0)
    train, test = slice(0, 500), slice(500, None)
    model = ThresholdedClassifier(ranker, random_state=0)
    model.fit(data.X[train], data.Y[train])
    plain = macro_f1(data.Y[test], model.estimator_.predict(data.X[test]))
    assert macro_f1(data.Y[test], model.predict(data.X[test])) > plain


def test_folds_are_seeded_and_do_not_depend_on_jobs(planted):
    alone, again = (
        ThresholdedClassifier(BinaryRidge(), random_state=3, n_jobs=jobs).fit(
            planted.X, planted.Y
        )
        for jobs in (None, 2)
    )
    np.testing.assert_array_equal(alone.thresholds_, again.thresholds_)


def test_regression_on_sparse_samples_equals_dense(planted, folds):
    X = np.where(np.abs(planted.X) < 0.5, 0, planted.X)
    model = ThresholdedClassifier(
        BinaryRidge(), strategy="regression", features="x", cv=folds
    )
    dense = model.fit(X, planted.Y).decision_function(X)
    sparse = model.fit(sp.csr_array(X), planted.Y).decision_function(sp.csr_array(X))
    np.testing.assert_allclose(sparse, dense, atol=1e-5)


def test_classes_are_predicted_without_thresholds(planted, rng):
    y = rng.choice(["a", "b", "c"], size=len(planted.X))
    model = ThresholdedClassifier(BinaryRidge(), strategy="fixed", threshold=5.0)
    ridge = BinaryRidge().fit(planted.X, y)
    model.fit(planted.X, y)
    np.testing.assert_array_equal(model.predict(planted.X), ridge.predict(planted.X))


def test_pipelines_and_foreign_classifiers_can_be_cut(planted):
    for estimator in (
        make_pipeline(FisherScore(6), BinaryRidge()),
        OneVsRestClassifier(LogisticRegression()),
    ):
        model = ThresholdedClassifier(estimator, random_state=0)
        labels = model.fit(planted.X, planted.Y).predict(planted.X)
        assert (labels == planted.Y).mean() > 0.8


@pytest.mark.parametrize("strategy", ["scut", "regression", "fixed"])
def test_a_label_with_one_value_keeps_its_constant_score(planted, strategy):
    Y = planted.Y.copy()
    Y[:, 1], Y[:, 3] = 0, 1
    model = ThresholdedClassifier(BinaryRidge(), strategy=strategy, threshold=3.0)
    with pytest.warns(UserWarning, match="2 of 5 labels") as caught:
        model.fit(planted.X, Y)
    assert len(caught) == 1
    scores = model.decision_function(planted.X)
    np.testing.assert_allclose(scores[:, [1, 3]], [[-1, 1]] * len(Y))


def test_a_label_with_one_positive_is_not_predicted_everywhere(planted, recwarn):
    Y = planted.Y.copy()
    Y[:, 0] = np.arange(len(Y)) == 7
    model = ThresholdedClassifier(BinaryRidge(), random_state=0).fit(planted.X, Y)
    assert not recwarn.list
    assert model.predict(planted.X)[:, 0].sum() < 5


def test_fewer_samples_than_folds_are_refused(planted):
    with pytest.raises(ValueError, match="n_splits=9 is more than the 6 samples"):
        ThresholdedClassifier(BinaryRidge(), cv=9).fit(planted.X[:6], np.eye(6, 2))


def test_folds_that_are_no_partition_are_refused(planted):
    model = ThresholdedClassifier(BinaryRidge(), cv=ShuffleSplit(3, random_state=0))
    with pytest.raises(ValueError, match=r"each of the 200 samples into exactly one"):
        model.fit(planted.X, planted.Y)


def test_a_fold_without_anything_to_learn_is_refused(planted):
    Y = (np.arange(len(planted.X)) == 0)[:, np.newaxis].astype(int)
    with pytest.raises(ValueError, match="no label has both values: use fewer folds"):
        ThresholdedClassifier(BinaryRidge()).fit(planted.X, Y)


def test_one_label_cannot_be_compared_with_others(planted):
    model = ThresholdedClassifier(BinaryRidge(), strategy="regression")
    with pytest.raises(ValueError, match='use strategy="scut"'):
        model.fit(planted.X, planted.Y[:, :1])


def test_an_estimator_without_scores_is_refused(planted):
    with pytest.raises(ValueError, match="has no decision_function"):
        ThresholdedClassifier(KNeighborsClassifier()).fit(planted.X, planted.Y)


class NanRanker(BaseLabelRanker):
    def _fit(self, X, Y):
        self.n_labels_ = Y.shape[1]

    def _scores(self, X):
        return np.full((X.shape[0], self.n_labels_), np.nan)


class OneScore(NanRanker):
    def _scores(self, X):
        return np.zeros((X.shape[0], 1))


def test_scores_that_are_not_numbers_are_refused(planted):
    with pytest.raises(ValueError, match="scores of estimator contains NaN"):
        ThresholdedClassifier(NanRanker()).fit(planted.X, planted.Y)


def test_scores_of_another_shape_are_refused(planted):
    with pytest.raises(ValueError, match=r"shape .* labels: it must score every label"):
        ThresholdedClassifier(OneScore()).fit(planted.X, planted.Y)
