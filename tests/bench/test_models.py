# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.base import clone

from bench.tasks import method, planted, task
from labelsift.bench.methods import ALL_FEATURES, CATALOGUE, READOUTS, Method
from labelsift.bench.models import external, make, models, selects, timed
from labelsift.bench.spec import DataSpec
from labelsift.classification import BinaryRidge
from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking
from labelsift.selection import RFS, FisherScore, GreedyRLS, MTLasso

NOWHERE = DataSpec("nowhere", checksum="0")


@pytest.fixture
def fits(monkeypatch):
    """Budgets of all fits of two stubs in the catalogue: "nested" and "single"."""
    counted = []

    class Nested(BaseSelector):
        def __init__(self, n_features_to_select=None):
            self.n_features_to_select = n_features_to_select

        def _rank(self, X, Y):
            counted.append(self.n_features_to_select)
            return Ranking.from_scores(X.var(axis=0))

    class Single(Nested):
        nested_budgets = False

    monkeypatch.setitem(CATALOGUE, "nested", Method(lambda _: Nested(), selects=True))
    monkeypatch.setitem(CATALOGUE, "single", Method(lambda _: Single(), selects=True))
    return counted


def all_models(given, data, budgets=("2", "5")):
    estimator = make(given.method, data.n_labels, {})
    return list(models(given, estimator, data.X, data.Y, budgets))


def test_parameters_and_a_point_are_set():
    made = make(method("rfs", params={"max_iter": 7, "gamma": 1.0}), 4, {"gamma": 2.0})
    assert isinstance(made, RFS)
    assert (made.max_iter, made.gamma) == (7, 2.0)
    assert make(method("mlls"), 11, {}).n_components == 10


def test_an_entry_is_made_whatever_it_is_called():
    made = make(method("ppt-chi2", entry="ppt", params={"criterion": "chi2"}), 4, {})
    assert made.criterion == "chi2"


def test_budgets_count_for_what_selects():
    assert selects(task(NOWHERE, "fisher"))
    assert not selects(task(NOWHERE, "fisher", budgets=()))
    assert not selects(task(NOWHERE, "ridge"))
    assert external(("self", "svm", "3nn")) == ("svm", "3nn")


def test_nested_budgets_take_one_fit(fits):
    found = all_models(task(NOWHERE, "nested"), planted(), ("2", "50%", "10%", "7"))
    assert fits == [7]
    assert [model.budget for model in found] == [1, 2, 6, 7]


def test_other_methods_take_a_fit_for_each_budget(fits):
    found = all_models(task(NOWHERE, "single"), planted(), ("7", "2", "60%"))
    assert fits == [2, 7]  # 60 % of 12 is 7 again
    assert [model.budget for model in found] == [2, 7]


@pytest.mark.parametrize("readouts", [("svm",), ("ridge", "3nn")])
def test_readouts_share_the_fit(fits, readouts):
    found = all_models(task(NOWHERE, "nested", readouts=readouts), planted())
    assert fits == [5]
    given = [(model.budget, model.readout) for model in found]
    assert given == [(budget, name) for budget in (2, 5) for name in readouts]


def test_views_equal_fits_of_their_own():
    data = planted()
    for model in all_models(task(NOWHERE, "greedy-rls", readouts=("self",)), data):
        alone = GreedyRLS(model.budget).fit(data.X, data.Y)
        assert np.allclose(model.scores(data.X), alone.decision_function(data.X))
    for model in all_models(task(NOWHERE, "fisher"), data):
        columns = FisherScore(model.budget).fit(data.X, data.Y).feature_order_
        ridge = BinaryRidge().fit(data.X[:, columns[: model.budget]], data.Y)
        assert model.columns.tolist() == columns[: model.budget].tolist()
        wanted = ridge.decision_function(data.X[:, model.columns])
        assert np.allclose(model.scores(data.X), wanted)


def test_a_method_that_solves_each_budget_is_fitted_at_each():
    data = planted()
    for model in all_models(task(NOWHERE, "mt-lasso", readouts=("self",)), data):
        alone = MTLasso(model.budget).fit(data.X, data.Y)
        assert np.allclose(model.scores(data.X), alone.decision_function(data.X))


def test_a_path_that_ends_early_gives_what_it_reached():
    data = planted(n_samples=30, n_features=6)
    X = np.column_stack([data.X[:, :3], np.zeros((30, 3))])
    given = task(NOWHERE, "greedy-rls", readouts=("ridge",))
    estimator = make(given.method, 4, {})
    found = list(models(given, estimator, X, data.Y, ("2", "6")))
    reached = len(clone(estimator).set_params(n_features_to_select=6).fit(
        X, data.Y).feature_order_)  # fmt: skip
    assert [model.budget for model in found] == sorted({2, reached})


def test_a_predictor_sees_all_features_once():
    data = planted()
    [model] = all_models(task(NOWHERE, "ridge", readouts=("svm",)), data)
    assert (model.readout, model.budget, model.columns) == ("self", 12, None)
    wanted = BinaryRidge().fit(data.X, data.Y).decision_function(data.X)
    assert np.allclose(model.scores(data.X), wanted)


def test_all_features_are_read_out():
    data = planted()
    found = all_models(task(NOWHERE, ALL_FEATURES, readouts=("svm", "ridge")), data)
    assert [(model.readout, model.budget) for model in found] == [
        ("svm", 12),
        ("ridge", 12),
    ]
    wanted = READOUTS["svm"]().fit(data.X, data.Y).decision_function(data.X)
    assert np.allclose(found[0].scores(data.X), wanted)
    [own] = all_models(task(NOWHERE, ALL_FEATURES, readouts=("self",)), data)
    assert own.readout == "ridge"


def test_a_method_is_not_refitted_for_predictions_nobody_asks_for():
    data = planted(n_samples=40)
    seen = {}
    for readout in ("self", "ridge"):
        given = task(NOWHERE, "mlfs", readouts=(readout,))
        estimator = make(given.method, 4, {})
        list(models(given, estimator, data.X, data.Y, ("3",)))
        seen[readout] = estimator.refit
    assert seen == {"self": True, "ridge": False}


@pytest.mark.parametrize("readout", ["self", "ridge"])
def test_held_out_scores_come_from_models_that_did_not_see_the_row(readout):
    data = planted()
    given = task(NOWHERE, "greedy-rls", readouts=(readout,))
    [model] = all_models(given, data, ("4",))
    rows = np.arange(90)
    folds = [(rows[30:], rows[:30]), (rows[:30], rows[30:])]
    scores = model.held_out(data.X, data.Y, folds)
    for train, test in folds:
        if readout == "self":
            X, fresh = data.X, GreedyRLS(4)
        else:
            X, fresh = data.X[:, model.columns], BinaryRidge()
        wanted = fresh.fit(X[train], data.Y[train]).decision_function(X[test])
        assert np.allclose(scores[test], wanted)


def test_times_are_of_the_making_only():
    taken = [seconds for _, seconds in timed(iter("abc"))]
    assert len(taken) == 3
    assert min(taken) >= 0


def test_the_fit_is_counted_once(fits):
    found = all_models(task(NOWHERE, "nested", readouts=("ridge", "svm")), planted())
    assert [model.seconds > 0 for model in found] == [True, False, True, False]
    assert all(model.readout_seconds > 0 for model in found)
