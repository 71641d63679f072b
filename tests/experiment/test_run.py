# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import time
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from experiment.tasks import SECONDS, by_model, data_spec, planted, task, untimed
from labelsift.classification import BinaryRidge
from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking
from labelsift.experiment.catalogue import CATALOGUE, Method
from labelsift.experiment.inputs import inner_folds, splits
from labelsift.experiment.results import MEASURED
from labelsift.experiment.run import run_task
from labelsift.experiment.task import Protocol, Tuning
from labelsift.metrics import macro_auc, micro_f1
from labelsift.model_selection import ThresholdedClassifier
from labelsift.selection import FisherScore


@pytest.fixture
def stub(monkeypatch):
    """Put a selector into the catalogue whose ranking is a given function."""

    def put(rank):
        class Stub(BaseSelector):
            def __init__(self, n_features_to_select=None):
                self.n_features_to_select = n_features_to_select

            def _rank(self, X, Y):
                return rank(X, Y)

        monkeypatch.setitem(CATALOGUE, "stub", Method(lambda _: Stub(), selects=True))

    return put


def by_variance(X, Y):
    return Ranking.from_scores(X.var(axis=0))


def test_values_are_those_of_a_direct_computation(tmp_path):
    data = planted(noise=1.0)
    spec = data_spec(tmp_path, data)
    given = task(spec, "fisher", protocol=Protocol("folds", 3, seed=5), split=1)
    outcome = run_task(given)
    assert (outcome.status, outcome.error) == ("done", "")
    assert (outcome.key, outcome.content) == (given.key, given.content)
    train, test = splits(spec, given.protocol)[1]
    order = FisherScore().fit(data.X[train], data.Y[train]).feature_order_
    for count in (2, 5):
        X = data.X[:, order[:count]]
        scores = BinaryRidge().fit(X[train], data.Y[train]).decision_function(X[test])
        auc = by_model(outcome, "macro_auc")["ridge", "", count]
        assert auc == pytest.approx(macro_auc(data.Y[test], scores))
        f1 = by_model(outcome, "micro_f1")["ridge", "zero", count]
        assert f1 == pytest.approx(micro_f1(data.Y[test], scores > 0))


def test_what_every_outcome_tells(tmp_path):
    outcome = run_task(task(data_spec(tmp_path), "fisher"))
    assert set(outcome.values["measure"]) == {"macro_auc", "micro_f1", *SECONDS}
    assert (outcome.n_train, outcome.n_features) == (60, 12)
    assert list(outcome.values) == list(MEASURED)
    assert outcome.seconds > 0
    assert math.isnan(outcome.memory_mib) or outcome.memory_mib >= 0


def test_values_come_model_by_model(tmp_path):
    readouts = ("ridge", "3nn")
    outcome = run_task(task(data_spec(tmp_path), "fisher", readouts=readouts))
    auc = outcome.values[outcome.values["measure"] == "macro_auc"]
    models = list(zip(auc["budget"], auc["readout"], strict=True))
    assert models == [(budget, name) for budget in (2, 5) for name in readouts]
    tuned = outcome.values.iloc[0]
    assert (tuned["measure"], tuned["readout"], tuned["budget"]) == (
        "tune_seconds",
        "",
        0,
    )


@pytest.mark.parametrize("name", ["rlefs", "mifs", "random", "mt-lasso", "fisher-svm"])
def test_the_same_task_gives_the_same_values(tmp_path, name):
    spec = data_spec(tmp_path, planted(n_samples=45))
    given = task(spec, name, scale="minmax")
    first, second = run_task(given), run_task(given)
    assert first.status == "done"
    pd.testing.assert_frame_equal(
        untimed(first.values), untimed(second.values), check_exact=True
    )


def with_other_test_part(data, test, rng):
    """The same training rows; on the test rows anything."""
    X, Y = data.X.copy(), data.Y.copy()
    X[test] = rng.normal(50, 100, (len(test), data.n_features))
    Y[test] = rng.random((len(test), data.n_labels)) < 0.5
    return replace(data, X=X, Y=Y)


@pytest.mark.parametrize("kind", ["folds", "published"])
@pytest.mark.parametrize("folds", [1, 3])
@pytest.mark.parametrize(
    ("name", "grid"),
    [("rfs", {"gamma": [1e-3, 0.1, 2.0]}), ("ridge", {"alpha": [1e4, 1e-3, 30.0]})],
)
def test_nothing_is_learned_from_the_test_part(tmp_path, rng, name, grid, folds, kind):
    rows = np.arange(90)
    data = replace(planted(noise=2.0), train_idx=rows[20:], test_idx=rows[:20])
    parts = {
        "grid": grid,
        "scale": "standardize",
        "protocol": Protocol(kind, 3),
        "tuning": Tuning("macro_f1", folds, ("3",)),
        "thresholds": ("train", "oof", "regression"),
        "artifacts": ("order", "weights", "gain"),
    }
    spec = data_spec(tmp_path, data)
    _, test = splits(spec, parts["protocol"])[0]
    other = with_other_test_part(data, test, rng)
    changed = data_spec(tmp_path, other, "changed.npz")
    one, two = (run_task(task(source, name, **parts)) for source in (spec, changed))
    assert one.status == two.status == "done"
    assert set(one.values["params"]) == set(two.values["params"])
    pd.testing.assert_frame_equal(one.artifacts, two.artifacts, check_exact=True)
    assert by_model(one, "macro_auc") != by_model(two, "macro_auc")


def test_every_point_of_a_sweep_has_its_values(tmp_path):
    grid = {"alpha": [0.1, 1.0, 10.0]}
    outcome = run_task(task(data_spec(tmp_path), "ridge", grid=grid, sweep=True))
    points = outcome.values[outcome.values["measure"] == "macro_auc"]["params"]
    assert [json.loads(point)["alpha"] for point in points] == grid["alpha"]


def test_scores_are_cut_as_a_thresholded_classifier_cuts_them(tmp_path):
    data = planted(n_samples=150, noise=1.0)
    spec = data_spec(tmp_path, data)
    cuts = ("zero", "train", "oof", "regression")
    tuning = Tuning(folds=4)
    outcome = run_task(task(spec, "ridge", thresholds=cuts, tuning=tuning))
    train, test = splits(spec, Protocol("folds", 3))[0]
    X, Y = data.X[train], data.Y[train]
    settings = {
        "zero": {"strategy": "fixed"},
        "train": {"scores_from": "train"},
        "oof": {"cv": inner_folds(Y, 4, 0)},
        "regression": {
            "strategy": "regression",
            "scores_from": "train",
            "features": "x",
        },
    }
    ours = by_model(outcome, "micro_f1")
    for cut, how in settings.items():
        labels = (
            ThresholdedClassifier(BinaryRidge(), **how).fit(X, Y).predict(data.X[test])
        )
        wanted = micro_f1(data.Y[test], labels)
        assert ours["self", cut, 12] == pytest.approx(wanted), cut
    assert len(set(ours.values())) > 1


def test_out_of_fold_cuts_have_folds_of_their_own_where_tuning_has_none(tmp_path):
    parts = {"thresholds": ("oof",), "tuning": Tuning(folds=1)}
    outcome = run_task(task(data_spec(tmp_path), "ridge", **parts))
    assert outcome.status == "done"
    three = replace(parts["tuning"], folds=3)
    again = run_task(task(data_spec(tmp_path), "ridge", **(parts | {"tuning": three})))
    assert by_model(outcome, "micro_f1") == by_model(again, "micro_f1")


def test_an_error_is_an_outcome_of_one_line(tmp_path, stub):
    def broken(X, Y):
        raise RuntimeError("the first line\n   and the second")

    stub(broken)
    outcome = run_task(task(data_spec(tmp_path), "stub"))
    assert outcome.status == "failed"
    assert outcome.values.empty
    assert (outcome.n_train, outcome.n_features) == (60, 12)  # it came so far
    assert outcome.error.startswith("RuntimeError: the first line and the second (")
    assert "broken" in outcome.error
    assert "\n" not in outcome.error


def test_absent_data_is_an_outcome_too(tmp_path):
    spec = data_spec(tmp_path)
    outcome = run_task(task(replace(spec, source=str(tmp_path / "absent.npz")), "rfs"))
    assert outcome.status == "failed"
    assert "absent.npz" in outcome.error
    assert (outcome.n_train, outcome.n_features) == (0, 0)


def test_a_task_is_given_up_when_its_time_is_over(tmp_path, stub):
    def slow(X, Y):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            time.sleep(0.001)

    stub(slow)
    outcome = run_task(task(data_spec(tmp_path), "stub"), timeout=0.2)
    assert (outcome.status, outcome.error) == (
        "timeout",
        "Stopped after the limit of 0.2 s.",
    )
    assert outcome.values.empty
    assert outcome.seconds < 20


def test_a_task_in_time_is_not_given_up(tmp_path):
    assert run_task(task(data_spec(tmp_path), "fisher"), timeout=60).status == "done"


def test_each_warning_is_told_once(tmp_path, stub):
    def talkative(X, Y):
        for _ in range(3):
            warnings.warn("mind\n the gap", UserWarning, stacklevel=1)
        warnings.warn("and the step", UserWarning, stacklevel=1)
        return by_variance(X, Y)

    stub(talkative)
    outcome = run_task(task(data_spec(tmp_path), "stub"))
    assert outcome.status == "done"
    assert outcome.warnings == ("mind the gap", "and the step")


def test_an_interrupt_is_not_an_outcome(tmp_path, stub):
    def interrupted(X, Y):
        raise KeyboardInterrupt

    stub(interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_task(task(data_spec(tmp_path), "stub"))


def artifact(outcome, name):
    """An artifact by read-out and budget."""
    part = outcome.artifacts[outcome.artifacts["name"] == name]
    return part.set_index(["readout", "budget"])["value"].to_dict()


def test_artifacts(tmp_path):
    names = ("order", "gain", "weights", "label_auc")
    parts = {"readouts": ("self", "ridge"), "artifacts": names}
    spec = data_spec(tmp_path)
    outcome = run_task(task(spec, "greedy-rls", **parts))
    order, gain, weights, aucs = (artifact(outcome, name) for name in names)
    assert set(order) == {("ridge", 2), ("ridge", 5)}
    assert order["ridge", 5][:2] == order["ridge", 2]
    assert [len(gain["ridge", k]) for k in (2, 5)] == [2, 5]
    assert np.shape(weights["ridge", 5]) == (5, 4)
    assert np.shape(weights["self", 5]) == (12, 4)
    assert len(aucs["ridge", 2]) == 4
    json.dumps(outcome.artifacts["value"].tolist(), allow_nan=False)
    assert run_task(task(spec, "greedy-rls")).artifacts.empty


def test_all_rows_to_train_leave_nothing_to_judge(tmp_path):
    parts = {"protocol": Protocol("all"), "artifacts": ("order", "label_auc")}
    outcome = run_task(task(data_spec(tmp_path), "fisher", **parts))
    assert outcome.status == "done"
    assert set(outcome.values["measure"]) == set(SECONDS)
    assert set(outcome.artifacts["name"]) == {"order"}
