# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid
from sklearn.preprocessing import minmax_scale

from experiment.tasks import planted, task
from labelsift.classification import BinaryRidge
from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking
from labelsift.core.time_limit import timed
from labelsift.experiment.catalogue import ALL_FEATURES, CATALOGUE, READOUTS, Method
from labelsift.experiment.inputs import inner_folds
from labelsift.experiment.models import (
    Model,
    external,
    make,
    models,
    selects,
)
from labelsift.experiment.task import DataSpec, MethodSpec, Protocol, Task, Tuning
from labelsift.experiment.tuning import choose, grid_points, judge, sweep
from labelsift.metrics import MEASURES
from labelsift.model_selection.threshold import MIN_F1, scut_thresholds
from labelsift.selection import RFS, FisherScore, GreedyRLS, MTLasso

NOWHERE = DataSpec("nowhere", checksum="0")
GAMMAS = {"gamma": [1e-3, 0.1, 2.0]}


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
    estimator = make(given, data.n_labels, {})
    return list(models(given, estimator, data.X, data.Y, budgets))


def test_parameters_and_a_point_are_set():
    spec = MethodSpec("rfs", params={"max_iter": 7, "gamma": 1.0})
    parts = (DataSpec("traits"), Protocol("folds"), 0)
    estimator = make(Task(*parts, spec), 4, {"gamma": 2.0})
    assert isinstance(estimator, RFS)
    assert (estimator.max_iter, estimator.gamma) == (7, 2.0)
    assert spec.params == {"max_iter": 7, "gamma": 1.0}
    assert make(Task(*parts, MethodSpec("mlls")), 11, {}).n_components == 10


def test_budgets_count_for_what_selects():
    assert selects(task(NOWHERE, "fisher"))
    assert not selects(task(NOWHERE, "fisher", budgets=()))
    assert not selects(task(NOWHERE, "ridge"))
    assert external(("self", "svm", "3nn")) == ("svm", "3nn")


def test_nested_budgets_take_one_fit(fits):
    built = all_models(task(NOWHERE, "nested"), planted(), ("2", "50%", "10%", "7"))
    assert fits == [7]
    assert [model.budget for model in built] == [1, 2, 6, 7]


def test_other_methods_take_a_fit_for_each_budget(fits):
    built = all_models(task(NOWHERE, "single"), planted(), ("7", "2", "60%"))
    assert fits == [2, 7]  # 60 % of 12 is 7 again
    assert [model.budget for model in built] == [2, 7]


@pytest.mark.parametrize("readouts", [("svm",), ("ridge", "3nn")])
def test_readouts_share_the_fit(fits, readouts):
    built = all_models(task(NOWHERE, "nested", readouts=readouts), planted())
    assert fits == [5]
    given = [(model.budget, model.readout) for model in built]
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
    estimator = make(given, 4, {})
    built = list(models(given, estimator, X, data.Y, ("2", "6")))
    reached = len(clone(estimator).set_params(n_features_to_select=6).fit(
        X, data.Y).feature_order_)  # fmt: skip
    assert [model.budget for model in built] == sorted({2, reached})


def test_a_predictor_sees_all_features_once():
    data = planted()
    [model] = all_models(task(NOWHERE, "ridge", readouts=("svm",)), data)
    assert (model.readout, model.budget, model.columns) == ("self", 12, None)
    wanted = BinaryRidge().fit(data.X, data.Y).decision_function(data.X)
    assert np.allclose(model.scores(data.X), wanted)


def test_all_features_are_read_out():
    data = planted()
    built = all_models(task(NOWHERE, ALL_FEATURES, readouts=("svm", "ridge")), data)
    assert [(model.readout, model.budget) for model in built] == [
        ("svm", 12),
        ("ridge", 12),
    ]
    wanted = READOUTS["svm"]().fit(data.X, data.Y).decision_function(data.X)
    assert np.allclose(built[0].scores(data.X), wanted)
    [own] = all_models(task(NOWHERE, ALL_FEATURES, readouts=("self",)), data)
    assert own.readout == "ridge"


def test_a_method_is_not_refitted_for_predictions_nobody_asks_for():
    data = planted(n_samples=40)
    seen = {}
    for readout in ("self", "ridge"):
        given = task(NOWHERE, "mlfs", readouts=(readout,))
        estimator = make(given, 4, {})
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
    built = all_models(task(NOWHERE, "nested", readouts=("ridge", "svm")), planted())
    assert [model.seconds > 0 for model in built] == [True, False, True, False]
    assert all(model.readout_seconds > 0 for model in built)


def test_a_method_without_a_grid_has_one_empty_point():
    assert grid_points(task(NOWHERE, "fisher")) == [{}]
    assert choose(task(NOWHERE, "fisher"), None, None) == {}  # nothing is looked at


def test_one_point_is_taken_without_looking():
    assert choose(task(NOWHERE, "rfs", grid={"gamma": [3.0]}), None, None) == {
        "gamma": 3.0
    }


def test_a_sweep_has_every_point_and_chooses_none():
    grid = {"gamma": [1.0, 2.0], "max_iter": [3, 4]}
    given = task(NOWHERE, "rfs", grid=grid, sweep=True)
    assert list(sweep(given, None, None)) == list(ParameterGrid(grid))


@pytest.mark.parametrize("folds", [1, 3])
@pytest.mark.parametrize("measure", ["macro_auc", "ranking_loss"])
def test_a_selector_is_chosen_by_the_readout_at_the_tuning_budgets(folds, measure):
    data = planted(noise=1.0)
    tuning = Tuning(measure, folds, ("3", "50%"))
    given = task(NOWHERE, "rfs", grid=GAMMAS, tuning=tuning, budgets=("1",))
    totals = dict.fromkeys(GAMMAS["gamma"], 0.0)
    for train, test in inner_folds(data.Y, folds, 0):
        for gamma in totals:
            order = RFS(gamma=gamma).fit(data.X[train], data.Y[train]).feature_order_
            for count in (3, 6):
                X = data.X[:, order[:count]]
                ridge = BinaryRidge().fit(X[train], data.Y[train])
                scores = ridge.decision_function(X[test])
                value = MEASURES[measure].function(data.Y[test], scores)
                gain = MEASURES[measure].greater_is_better
                totals[gamma] += value if gain else -value
    assert choose(given, data.X, data.Y) == {"gamma": max(totals, key=totals.get)}


@pytest.mark.parametrize("folds", [1, 3])
@pytest.mark.parametrize("measure", ["macro_auc", "micro_f1", "hamming_loss"])
def test_a_predictor_is_chosen_whatever_the_folds(folds, measure):
    data = planted(noise=0.1)
    grid = {"alpha": [1e9, 1.0]}  # the first learns nothing
    given = task(NOWHERE, "ridge", grid=grid, tuning=Tuning(measure, folds))
    assert choose(given, data.X, data.Y) == {"alpha": 1.0}


@pytest.mark.filterwarnings("ignore")
def test_a_measure_that_is_not_defined_chooses_nothing():
    data = planted(n_samples=24)
    Y = np.zeros_like(data.Y)
    [(train, _)] = inner_folds(Y, 1, 0)
    Y[train[::2]] = 1  # the held-out part has one value
    given = task(NOWHERE, "rfs", grid=GAMMAS, tuning=Tuning("macro_auc", 1))
    with pytest.raises(ValueError, match="macro_auc is not defined on a held-out part"):
        choose(given, data.X, Y)


def test_f1_is_cut_by_training_scores_and_losses_are_negated():
    data = planted(noise=1.0)
    train, test = np.arange(60), np.arange(60, 90)
    ridge = BinaryRidge().fit(data.X[train], data.Y[train])
    model = Model(12, "self", None, ridge, BinaryRidge)
    scores = ridge.decision_function(data.X)
    cut = scut_thresholds(scores[train], data.Y[train], MIN_F1)
    truth = data.Y[test]
    wanted = {
        "macro_f1": MEASURES["macro_f1"].function(truth, scores[test] > cut),
        "hamming_loss": -MEASURES["hamming_loss"].function(truth, scores[test] > 0),
        "macro_auc": MEASURES["macro_auc"].function(truth, scores[test]),
    }
    for name, value in wanted.items():
        assert judge(name, model, data.X, data.Y, train, test) == value


def test_the_chosen_point_is_used():
    given = task(NOWHERE, "rfs", grid=GAMMAS)
    assert make(given, 4, {"gamma": 2.0}).gamma == 2.0


def test_a_readout_is_trained_at_its_own_budgets():
    data = planted(n_features=12)
    some = task(
        NOWHERE, readouts=("ridge", "3nn"), readout_budgets={"3nn": ("5",)},
        budgets=("2", "5", "9"), fit_limit=60.0,
    )  # fmt: skip
    found = list(models(some, FisherScore(), data.X, data.Y, some.budgets))
    places = [(model.readout, model.budget) for model in found]
    assert places == [("ridge", 2), ("ridge", 5), ("3nn", 5), ("ridge", 9)]
    assert [model.is_first for model in found] == [True, True, False, True]


def test_a_scaling_for_the_fit_alone():
    """chi2 refuses negative values; its read-outs see the data as they are."""
    data = planted()
    plain = task(NOWHERE, "chi2")
    with pytest.raises(ValueError, match="egative"):
        list(models(plain, make(plain, 4, {}), data.X, data.Y, ("5",)))
    spec = MethodSpec("chi2", fit_scale="minmax")
    scaled = Task(NOWHERE, Protocol("folds", 3), 0, spec, readouts=("ridge",),
                  budgets=("5",))  # fmt: skip
    [model] = models(scaled, make(scaled, 4, {}), data.X, data.Y, scaled.budgets)
    same = BinaryRidge(1.0).fit(data.X[:, model.columns], data.Y)
    np.testing.assert_array_equal(model.fitted.coef_, same.coef_)
    chosen = CATALOGUE["chi2"].make(4).set_params(n_features_to_select=5)
    chosen.fit(minmax_scale(data.X), data.Y)
    np.testing.assert_array_equal(model.columns, chosen.feature_order_[:5])
    again = clone(make(scaled, 4, {}))
    assert (again.scale, type(again)) == ("minmax", type(make(scaled, 4, {})))


def test_what_tasks_did_not_always_have_leaves_their_keys_alone():
    plain = task(NOWHERE)
    assert "readout_budgets" not in plain.content
    assert "fit_scale" not in plain.content
    limited = task(NOWHERE, fit_limit=5.0)
    assert limited.key == plain.key
    fewer = task(NOWHERE, readout_budgets={"ridge": ("2",)})
    assert fewer.key != plain.key
    assert task(NOWHERE, split=2).family == plain.key == plain.family
