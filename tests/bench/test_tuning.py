# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.model_selection import ParameterGrid

from bench.tasks import planted, task
from labelsift.bench.inputs import inner_folds
from labelsift.bench.models import Model, make
from labelsift.bench.spec import DataSpec, Tuning
from labelsift.bench.tuning import MIN_F1, choose, grid_points, judge, sweep
from labelsift.classification import BinaryRidge
from labelsift.metrics import MEASURES
from labelsift.model_selection.threshold import scut_thresholds
from labelsift.selection import RFS

NOWHERE = DataSpec("nowhere", checksum="0")
GAMMAS = {"gamma": [1e-3, 0.1, 2.0]}


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
    assert make(given.method, 4, {"gamma": 2.0}).gamma == 2.0
