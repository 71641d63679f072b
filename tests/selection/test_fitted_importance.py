# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    RFECV,
    SelectFromModel,
    SelectKBest,
    SelectorMixin,
    SequentialFeatureSelector,
    VarianceThreshold,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from labelsift.selection.fitted_importance import (
    holds_for_all_budgets,
    importance,
    with_budget,
)


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    return X, (X[:, 1] - 2 * X[:, 4] > 0).astype(int)


class Selector(SelectorMixin, BaseEstimator):
    """A stranger's selector: takes the first features, and says what it is told to."""

    def __init__(self, n_features_to_select=2, *, step=1, said=None):
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.said = said

    def fit(self, X, y):
        self.support_ = np.arange(X.shape[1]) < self.n_features_to_select
        for name, value in (self.said or {}).items():
            setattr(self, name, np.array(value))
        return self

    def _get_support_mask(self):
        return self.support_


@pytest.mark.parametrize(
    ("estimator", "name", "value"),
    [
        (SelectKBest(), "k", 3),
        (SelectFromModel(Ridge()), "max_features", 3),
        (SequentialFeatureSelector(Ridge()), "n_features_to_select", 3),
        (RFE(Ridge(), step=2), "n_features_to_select", 3),
        (RFE(Ridge(), step=0.2), "n_features_to_select", 3),
        (RFE(Ridge()), "n_features_to_select", 1),  # which ranks all
        (Selector(), "n_features_to_select", 3),  # whose step is its own
        (make_pipeline(StandardScaler(), SelectKBest()), "selectkbest__k", 3),
        (RandomForestClassifier(), "max_features", "sqrt"),
    ],
)
def test_where_a_budget_is_set(estimator, name, value):
    assert with_budget(estimator, 3).get_params()[name] == value


def test_each_attribute_is_read(sample):
    X, y = sample
    ridge = Ridge().fit(X, y)
    np.testing.assert_allclose(importance(ridge, 6), np.abs(ridge.coef_))
    two = Ridge().fit(X, np.column_stack([y, X[:, 0]]))
    np.testing.assert_allclose(importance(two, 6), np.abs(two.coef_).mean(axis=0))
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(importance(forest, 6), forest.feature_importances_)
    best = SelectKBest(k=1).fit(X, y)
    np.testing.assert_array_equal(importance(best, 6), best.scores_)
    rfe = RFE(Ridge(), n_features_to_select=1).fit(X, y)
    np.testing.assert_array_equal(importance(rfe, 6), 6 - rfe.ranking_)
    inside = SelectFromModel(Ridge()).fit(X, y)
    np.testing.assert_allclose(importance(inside, 6), np.abs(ridge.coef_))
    last = make_pipeline(StandardScaler(), SelectFromModel(Ridge())).fit(X, y)
    expected = np.abs(last[-1].estimator_.coef_)
    np.testing.assert_array_equal(importance(last, 6), expected)


def test_weights_of_a_sparse_machine_are_sparse(sample):
    X, y = sample
    machine = SVC(kernel="linear").fit(sp.csr_array(X), y)
    assert sp.issparse(machine.coef_)
    dense = SVC(kernel="linear").fit(X, y)
    np.testing.assert_allclose(importance(machine, 6), np.abs(dense.coef_[0]))


@pytest.mark.parametrize("shape", [(6, 3), (6, 6)])
def test_weights_with_a_row_per_feature(shape, rng):
    """As in abess, which is recognised by its budget where the shape does not tell."""

    class Columns(BaseEstimator):
        support_size = 2

    fitted = Columns()
    fitted.coef_ = rng.normal(size=shape)
    expected = np.abs(fitted.coef_).mean(axis=1)
    np.testing.assert_array_equal(importance(fitted, 6), expected)


def test_scores_of_an_estimator_that_selects_nothing_are_something_else(sample):
    model = Ridge().fit(*sample)
    model.scores_ = {"folds": [0.7, 0.8]}  # as in LogisticRegressionCV
    np.testing.assert_array_equal(importance(model, 6), np.abs(model.coef_))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, [1, 1, 0, 0, 0, 0]),
        ({"indices_": [1, 0]}, [2.5, 3, 0, 0, 0, 0]),
        ({"indices_": [3, 5]}, [1, 1, 0, 0, 0, 0]),  # of something else
        ({"scores_": [0.3, 0.1]}, [1, 1, 0, 0, 0, 0]),  # gains of its steps
        ({"scores_": [1, 2, 3, 4, 2, 0]}, [2.25, 2.5, 0.75, 1, 0.5, 0]),
        ({"ranking_": [1, 1, 2, 4, 3, 2]}, [3, 3, 2 / 3, 0, 1 / 3, 2 / 3]),
    ],
)
def test_what_a_selector_chose_comes_first(sample, said, expected):
    selector = Selector(said=said).fit(*sample)
    np.testing.assert_allclose(importance(selector, 6), expected)
    assert not holds_for_all_budgets(selector)


@pytest.mark.parametrize(
    ("estimator", "answer"),
    [
        (SelectKBest(k=2), True),
        (RFE(Ridge(), n_features_to_select=1), True),
        (RFE(Ridge(), step=2), False),
        (RFECV(Ridge(), cv=2), True),
        (Ridge(), True),
        (RandomForestClassifier(2), True),
        (SelectFromModel(Ridge()), True),
        (SequentialFeatureSelector(Ridge(), cv=2), False),
        (make_pipeline(StandardScaler(), RFE(Ridge(), step=2)), False),
        (VarianceThreshold(), False),
    ],
)
def test_which_importances_hold_for_all_budgets(sample, estimator, answer):
    assert holds_for_all_budgets(estimator.fit(*sample)) == answer


def test_selectors_by_a_getter_of_their_own_obey_the_budget(sample):
    X, y = sample
    selector = SelectFromModel(
        HistGradientBoostingClassifier(max_iter=2),
        importance_getter=lambda model: np.array([0, 3, 0, 1, 9, 2]),
    )
    fitted = with_budget(selector, 3).fit(X, y)
    np.testing.assert_array_equal(importance(fitted, 6), [0, 1, 0, 0, 1, 1])


def test_what_says_nothing_about_features_is_refused(sample):
    X, y = sample
    with pytest.raises(ValueError, match="KNeighborsClassifier has none of indices_"):
        importance(KNeighborsClassifier().fit(X, y), 6)
    with pytest.raises(
        ValueError, match=r"VarianceThreshold .* none of the parameters"
    ):
        importance(VarianceThreshold().fit(X, y), 6)
    reduced = make_pipeline(PCA(2), LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match=r"coef_ of .* shape \(2,\) for 6 f"):
        importance(reduced, 6)
    chosen = make_pipeline(SelectKBest(k=3), Selector(1)).fit(X, y)
    with pytest.raises(
        ValueError, match=r"get_support\(\) of Selector .* \(3,\) for 6"
    ):
        importance(chosen, 6)
