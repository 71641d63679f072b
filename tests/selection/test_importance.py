# SPDX-License-Identifier: BSD-3-Clause
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SequentialFeatureSelector,
    f_classif,
    mutual_info_classif,
)
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from labelsift.datasets import make_planted
from labelsift.selection import FisherScore, ImportanceSelector
from labelsift.selection.importance import PermutationImportance
from reference.importance import combined_order, combined_scores, permutation_importance

COMBINE = ["mean", "max", "round-robin"]


@pytest.fixture(scope="module")
def planted():
    return make_planted(60, 12, 3, n_relevant=4, random_state=1)


class Given(ClassifierMixin, BaseEstimator):
    """Importances of each label as they are given, by the label's share of rows."""

    def __init__(self, table=None):
        self.table = table

    def fit(self, X, y):
        self.feature_importances_ = np.array(self.table[int(np.sum(y))])[: X.shape[1]]
        return self


def given(rows):
    """A selector whose label with l + 1 positive rows has the importances rows[l]."""
    table = {place + 1: list(row) for place, row in enumerate(rows)}
    return ImportanceSelector(Given(table))


def labels(count):
    """The columns have 1, 2, ... positive rows."""
    return (np.arange(count + 2)[:, np.newaxis] <= np.arange(count)).astype(int)


@pytest.mark.parametrize("combine", COMBINE)
@pytest.mark.parametrize("n_features", [1, 2, 7, 20])
@pytest.mark.parametrize("n_labels", [1, 2, 5])
@pytest.mark.parametrize("levels", [3, 1000])
def test_labels_are_combined_as_the_formulas_say(
    combine, n_features, n_labels, levels, rng
):
    rows = rng.integers(levels, size=(n_labels, n_features)).astype(float)
    X = rng.normal(size=(n_labels + 2, n_features))
    model = given(rows).set_params(combine=combine).fit(X, labels(n_labels))
    np.testing.assert_array_equal(model.importances_, rows)
    if combine != "round-robin":
        expected = combined_scores(rows, combine)
        np.testing.assert_allclose(model.scores_, expected, rtol=1e-12, atol=1e-15)
    if levels == 3 and combine == "mean":
        return  # equal sums of shares may differ in the last digit
    np.testing.assert_array_equal(model.feature_order_, combined_order(rows, combine))


def test_round_robin_skips_what_is_taken_and_stays_with_its_label():
    rows = [[9, 8, 7, 1, 0], [9, 8, 1, 7, 0]]
    X = np.random.default_rng(0).normal(size=(4, 5))
    model = given(rows).set_params(combine="round-robin").fit(X, labels(2))
    # Label 0 takes 0; label 1 wants 0, takes 1; label 0 wants 1, takes 2; ...
    np.testing.assert_array_equal(model.feature_order_, [0, 1, 2, 3, 4])
    np.testing.assert_array_equal(model.scores_, [5, 4, 3, 2, 1])


@pytest.mark.parametrize("combine", COMBINE)
def test_constant_columns_take_no_turn(combine, rng):
    """Also where other features have no importance either."""
    rows = np.array([[3, 0, 0, 0], [2, 0, 0, 5]])
    X = rng.normal(size=(4, 4))
    plain = given(rows).set_params(combine=combine).fit(X, labels(2))
    wide = np.insert(X, [0, 1, 4], 7.0, axis=1)
    padded = given(rows).set_params(combine=combine).fit(wide, labels(2))
    places = np.array([1, 3, 4, 5])  # of the four among the seven
    order = padded.feature_order_
    np.testing.assert_array_equal(order[:4], places[plain.feature_order_])
    np.testing.assert_array_equal(padded.scores_[places], plain.scores_)
    assert set(order[4:]) == {0, 2, 6}


def test_a_label_has_one_vote_however_large_its_importances(rng):
    X = rng.normal(size=(5, 3))
    small = given([[1, 0, 2], [3, 0, 1], [0, 4, 1]]).fit(X, labels(3)).scores_
    large = given([[1, 0, 2], [3e300, 0, 1e300], [0, 4, 1]]).fit(X, labels(3)).scores_
    np.testing.assert_allclose(large, small)


def test_importances_that_are_not_numbers(rng):
    """A perfect feature may have an infinite test value, a useless one none."""
    X = rng.normal(size=(3, 5))
    model = given([[np.inf, -2.0, np.nan, -np.inf, 3.0]]).fit(X, labels(1))
    largest = np.finfo(float).max
    np.testing.assert_array_equal(model.importances_, [[largest, 0, 0, 0, 5]])
    np.testing.assert_array_equal(model.feature_order_, [0, 4, 1, 2, 3])
    assert np.isfinite(model.scores_).all()


def test_the_default_is_the_f_test_of_each_label(planted):
    model = ImportanceSelector(n_features_to_select=4).fit(planted.X, planted.Y)
    tests = np.array([f_classif(planted.X, y)[0] for y in planted.Y.T])
    np.testing.assert_allclose(model.importances_, tests)
    np.testing.assert_array_equal(model.feature_order_, combined_order(tests, "mean"))


def test_of_one_label_the_f_test_orders_as_the_fisher_score(planted):
    X, y = planted.X, planted.Y[:, :1]
    order = ImportanceSelector().fit(X, y).feature_order_
    np.testing.assert_array_equal(order, FisherScore().fit(X, y).feature_order_)


@pytest.mark.parametrize("per_label", ["auto", False, True])
def test_an_estimator_of_a_label_matrix_is_fitted_once(planted, per_label):
    trees = ExtraTreesClassifier(5, random_state=0)
    model = ImportanceSelector(trees, per_label=per_label).fit(planted.X, planted.Y)
    parts = planted.Y.T if per_label is True else [planted.Y]
    expected = [clone(trees).fit(planted.X, y).feature_importances_ for y in parts]
    np.testing.assert_allclose(model.importances_, expected)
    assert len(model.estimators_) == len(parts)
    assert not hasattr(trees, "estimators_")


def test_labels_with_one_value_are_shown_to_no_estimator(planted):
    """They would change what an estimator of the whole matrix learns."""
    Y = np.insert(planted.Y, [0, 3], [0, 1], axis=1)
    judge = PermutationImportance(Ridge(), scoring="r2", random_state=0)
    for estimator in (judge, ExtraTreesClassifier(5, random_state=0)):
        plain = ImportanceSelector(estimator).fit(planted.X, planted.Y)
        with pytest.warns(UserWarning, match="2 of 5 labels hold one value only"):
            padded = ImportanceSelector(estimator).fit(planted.X, Y)
        np.testing.assert_array_equal(padded.importances_, plain.importances_)


def test_strangers_get_integers_whose_products_do_not_overflow(planted):
    class Products(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.feature_importances_ = np.full(X.shape[1], float(y @ y))
            return self

    X = np.random.default_rng(0).normal(size=(300, 3))
    y = (np.arange(300) > 0).astype(int)[:, np.newaxis]
    importances = ImportanceSelector(Products()).fit(X, y).importances_
    np.testing.assert_array_equal(importances, [[299, 299, 299]])


@pytest.mark.parametrize(
    "estimator",
    [
        SelectKBest(partial(mutual_info_classif, random_state=0)),
        RidgeClassifier(),
        LogisticRegression(),
        RandomForestClassifier(3, random_state=0),
        SelectFromModel(LogisticRegression()),
        RFE(RidgeClassifier()),
        make_pipeline(StandardScaler(), RFE(RidgeClassifier())),
        make_pipeline(StandardScaler(), SelectKBest()),
    ],
    ids=lambda estimator: str(estimator).partition("(")[0],
)
def test_budgets_nest_where_importances_do_not_depend_on_them(planted, estimator):
    model = ImportanceSelector(estimator, n_features_to_select=10)
    assert model.nested_budgets
    model.fit(planted.X, planted.Y)
    assert model.nested_budgets
    for budget in (1, 3, 7):
        alone = clone(model).set_params(n_features_to_select=budget)
        alone.fit(planted.X, planted.Y)
        view = model.with_budget(budget)
        np.testing.assert_array_equal(view.scores_, alone.scores_)
        np.testing.assert_array_equal(view.support_, alone.support_)


@pytest.mark.parametrize(
    "estimator",
    [
        SequentialFeatureSelector(RidgeClassifier(), cv=2),
        make_pipeline(
            StandardScaler(), SequentialFeatureSelector(RidgeClassifier(), cv=2)
        ),
        RFE(RidgeClassifier(), step=3),
        RFE(LogisticRegression(), step=0.3),
    ],
    ids=["sequential", "pipeline", "rfe", "rfe per label"],
)
def test_selectors_that_depend_on_the_budget_are_fitted_for_each(planted, estimator):
    model = ImportanceSelector(estimator, n_features_to_select=4)
    assert model.nested_budgets
    model.fit(planted.X, planted.Y)
    assert not model.nested_budgets
    with pytest.raises(ValueError, match="solves each budget on its own: fit it again"):
        model.with_budget(2)


@pytest.mark.parametrize("step", [1, 3, 0.4])
@pytest.mark.parametrize("budget", [1, 2, 5, 9])
def test_rfe_selects_what_rfe_selects(planted, step, budget):
    """Features removed in one step tie, so that a ranking of all would not do."""
    rfe = RFE(RidgeClassifier(), n_features_to_select=budget, step=step)
    expected = clone(rfe).fit(planted.X, planted.Y).support_
    model = ImportanceSelector(rfe, n_features_to_select=budget)
    model.fit(planted.X, planted.Y)
    np.testing.assert_array_equal(model.support_, expected)
    scaled = make_pipeline(StandardScaler(), rfe)
    piped = ImportanceSelector(scaled, n_features_to_select=budget)
    piped.fit(planted.X, planted.Y)
    scaled.fit(planted.X, planted.Y)
    np.testing.assert_array_equal(piped.support_, scaled[-1].support_)


@pytest.mark.parametrize("budget", [2, 12])
def test_a_selector_with_support_only_selects_the_same(planted, budget):
    """Also all features, which sequential selection refuses."""
    sequential = SequentialFeatureSelector(RidgeClassifier(), cv=2)
    X, y = planted.X, planted.Y[:, 0]
    model = ImportanceSelector(sequential, n_features_to_select=budget)
    model.fit(X, y[:, np.newaxis])
    if budget == 12:
        assert model.support_.all()
        return
    expected = clone(sequential).set_params(n_features_to_select=budget).fit(X, y)
    np.testing.assert_array_equal(model.support_, expected.get_support())


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
@pytest.mark.parametrize(
    "estimator",
    [
        RidgeClassifier(solver="lsqr", tol=1e-10),
        RandomForestClassifier(3, random_state=0),
        RFE(RidgeClassifier(solver="lsqr", tol=1e-10), step=0.4),
        LogisticRegression(solver="liblinear", random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_sparse_equals_dense_for_estimators_of_both(planted, estimator, form):
    X = np.abs(planted.X) * (planted.X > 0.3)
    X[:, 5] = 0
    dense = ImportanceSelector(estimator).fit(X, planted.Y)
    sparse = ImportanceSelector(estimator).fit(form(X), planted.Y)
    np.testing.assert_allclose(sparse.importances_, dense.importances_, rtol=1e-5)
    np.testing.assert_array_equal(sparse.support_, dense.support_)


def test_tags_follow_the_estimator():
    def tags(estimator):
        return get_tags(ImportanceSelector(estimator)).input_tags

    assert tags(None).sparse
    assert tags(RidgeClassifier()).sparse
    assert not tags(PermutationImportance(Ridge())).sparse
    assert not tags(RidgeClassifier()).positive_only
    assert tags(_Positive()).positive_only


class _Positive(RidgeClassifier):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def test_a_dense_estimator_refuses_sparse_data_in_its_own_words(planted):
    judge = ImportanceSelector(PermutationImportance(Ridge()))
    with pytest.raises(TypeError, match="dense data is required"):
        judge.fit(sp.csr_array(planted.X), planted.Y)


@pytest.mark.parametrize(
    "wrong", [{"combine": "vote"}, {"per_label": "never"}, {"estimator": "forest"}]
)
def test_wrong_arguments_are_named(planted, wrong):
    [name] = wrong
    with pytest.raises(ValueError, match=f"'{name}' parameter of ImportanceSelector"):
        ImportanceSelector(**wrong).fit(planted.X, planted.Y)


def test_permutation_importance_is_the_loss_on_unseen_rows(planted, rng):
    X, y = planted.X[:40, :4], planted.Y[:40].astype(float)
    y += X[:, :1]
    judge = PermutationImportance(Ridge(), n_repeats=300, scoring="r2", random_state=3)
    halves = list(KFold(2, shuffle=True, random_state=3).split(X))
    expected = permutation_importance(
        Ridge(), X, y, lambda model, *rows: r2_score(rows[1], model.predict(rows[0])),
        halves, n_repeats=300, rng=rng,
    )  # fmt: skip
    found = judge.fit(X, y).feature_importances_
    np.testing.assert_allclose(found, expected, atol=0.05 * expected.max())
    again = clone(judge).fit(X.tolist(), y.tolist()).feature_importances_
    np.testing.assert_array_equal(again, found)


def test_permutation_halves_give_a_classifier_both_values_of_a_rare_label(planted):
    y = np.zeros((60, 1), dtype=int)
    y[:2] = 1
    for seed in range(5):
        judge = PermutationImportance(LogisticRegression(), random_state=seed)
        model = ImportanceSelector(judge, n_features_to_select=2).fit(planted.X, y)
        assert model.importances_.shape == (1, 12)
