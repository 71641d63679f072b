# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from core.toys import ToyGreedy, ToyOneBudget, ToyUnlabelled
from labelsift.core.result import Ranking
from labelsift.core.selector import resolve_budget
from labelsift.datasets import make_planted
from labelsift.selection import FisherScore, HSICRanking


@pytest.fixture
def data():
    return make_planted(60, 9, 4, n_relevant=3, random_state=0)


@pytest.mark.parametrize(
    ("budget", "count"),
    [(None, 4), (1, 1), (9, 9), (1.0, 9), (0.5, 4), (0.01, 1), (np.int64(3), 3)],
)
def test_what_a_budget_means(budget, count):
    assert resolve_budget(budget, 9) == count


def test_a_budget_beyond_the_features_takes_all_with_a_warning(data):
    with pytest.warns(UserWarning, match="n_features_to_select=10 is more than the 9"):
        selector = FisherScore(10).fit(data.X, data.Y)
    assert selector.support_.all()


@pytest.mark.parametrize("budget", [0, -1, 0.0, 1.5, "half"])
def test_bad_budgets_are_refused(data, budget):
    with pytest.raises(ValueError, match="'n_features_to_select' parameter"):
        FisherScore(budget).fit(data.X, data.Y)
    fitted = FisherScore().fit(data.X, data.Y)
    if not isinstance(budget, str):
        with pytest.raises(ValueError, match="budget must be a count"):
            fitted.with_budget(budget)


@pytest.mark.parametrize("cls", [FisherScore, ToyGreedy])
def test_scores_order_and_support_agree(cls, data):
    selector = cls(4).fit(data.X, data.Y)
    order = np.argsort(-selector.scores_, kind="stable")
    reached = len(selector.feature_order_)
    assert reached == (9 if selector.ranks_all else 4)
    np.testing.assert_array_equal(order[:reached], selector.feature_order_)
    assert set(np.flatnonzero(selector.support_)) == set(selector.feature_order_[:4])


@pytest.mark.parametrize("cls", [FisherScore, ToyGreedy])
@pytest.mark.parametrize("budget", [1, 3, 0.4, 1.0])
def test_a_view_equals_a_fit_with_its_budget(cls, budget, data):
    full = cls(9).fit(data.X, data.Y)
    before = full.support_.copy()
    view, fit = full.with_budget(budget), cls(budget).fit(data.X, data.Y)
    assert view.get_params() == fit.get_params()
    assert view.nested_budgets
    for name, value in vars(fit).items():
        if name.endswith("_"):
            np.testing.assert_array_equal(getattr(view, name), value, err_msg=name)
    np.testing.assert_array_equal(view.transform(data.X), fit.transform(data.X))
    np.testing.assert_array_equal(full.support_, before)


def test_a_view_beyond_the_steps_taken_is_refused(data):
    with pytest.raises(ValueError, match="beyond the 4 features that were ranked"):
        ToyGreedy(4).fit(data.X, data.Y).with_budget(5)
    with pytest.raises(ValueError, match="beyond the 9 features"):
        FisherScore(4).fit(data.X, data.Y).with_budget(10)


def test_a_method_without_nested_budgets_refuses_views(data):
    selector = ToyOneBudget(4).fit(data.X, data.Y)
    assert not selector.nested_budgets
    with pytest.raises(ValueError, match="fit it again with n_features_to_select=2"):
        selector.with_budget(2)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_matrix])
def test_constant_columns_come_last(form, data):
    X = np.hstack([np.ones((60, 1)), np.zeros((60, 2)), data.X])
    selector = FisherScore(3).fit(form(X), data.Y)
    np.testing.assert_array_equal(selector.feature_order_[-3:], [0, 1, 2])
    assert (selector.scores_[:3] < selector.scores_[3:].min()).all()


def test_constant_columns_stay_below_a_score_of_zero():
    X = np.array([[5.0, 1, 2], [5, 1, 1], [5, 2, 2], [5, 2, 1]])
    y = np.array([[0], [1], [1], [0]])  # orthogonal to the two moving columns
    selector = FisherScore(1).fit(X, y)
    np.testing.assert_array_equal(selector.feature_order_, [1, 2, 0])
    assert np.isfinite(selector.scores_).all()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_in_and_out(library, data):
    names = [f"word{i}" for i in range(9)]
    columns = dict(zip(names, data.X.T, strict=True))
    labels = {f"tag{j}": data.Y[:, j] for j in range(4)}
    frame = {"pandas": pd, "polars": pl}[library].DataFrame
    selector = FisherScore(3).set_output(transform=library)
    out = selector.fit_transform(frame(columns), frame(labels))
    assert isinstance(out, frame)
    assert list(out.columns) == [names[i] for i in np.flatnonzero(selector.support_)]
    assert list(selector.feature_names_in_) == names
    assert list(selector.label_names_in_) == list(labels)
    selector.fit(data.X, data.Y)
    assert not hasattr(selector, "label_names_in_")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "form", [np.asarray, sp.csr_array, sp.csc_array, sp.csr_matrix]
)
def test_dtype_and_sparsity_are_kept(form, dtype, data):
    X = form(data.X.astype(dtype))
    out = FisherScore(2).fit_transform(X, data.Y)
    assert out.dtype == dtype
    assert sp.issparse(out) == sp.issparse(X)


def test_duplicate_entries_of_sparse_input_are_summed_without_changing_it(data):
    X = sp.csr_array(data.X)
    twice = sp.csr_array(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr), X.shape
    )
    stored = twice.nnz
    np.testing.assert_allclose(
        FisherScore().fit(twice, data.Y).scores_, FisherScore().fit(X, data.Y).scores_
    )
    assert twice.nnz == stored


def test_unlabelled_rows_reach_only_methods_that_take_them(data):
    Y = data.Y.astype(float)
    Y[5:9] = np.nan
    fitted = ToyUnlabelled().fit(data.X, Y)
    assert fitted.labelled_rows_.sum() == 56
    with pytest.raises(ValueError, match="HSICRanking needs every label"):
        HSICRanking().fit(data.X, Y)


def test_rows_of_x_and_y_must_match(data):
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        FisherScore().fit(data.X, data.Y[:-1])


def test_in_a_pipeline_and_a_grid_search(data):
    pipeline = make_pipeline(FisherScore(), KNeighborsClassifier(3))
    search = GridSearchCV(pipeline, {"fisherscore__n_features_to_select": [1, 3]}, cv=3)
    search.fit(data.X, data.Y)
    assert search.best_params_["fisherscore__n_features_to_select"] == 3
    assert clone(search.best_estimator_)[0].n_features_to_select == 3


def test_ranking_scores_of_an_order():
    ranking = Ranking.from_order(np.array([4, 0, 2]), 5)
    np.testing.assert_array_equal(ranking.scores, [4, 0, 3, 0, 5])
