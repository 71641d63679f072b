# SPDX-License-Identifier: BSD-3-Clause
"""Models of ridge fits are judged at once, and as they are one by one; so are draws."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from experiment.tasks import TABLE, as_table, data_spec, planted, task, untimed
from labelsift.experiment import models, pool, run
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.models import LEFT_OUT
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.run import run_at_once, run_task
from labelsift.metrics import MEASURES

MANY = {
    "budgets": ("1", "2", "4", "8"),
    "measures": tuple(MEASURES),
    "artifacts": ("label_auc",),
}


def counted(monkeypatch, module, name):
    """The lengths of what a function is called with first, call by call."""
    real, sizes = getattr(module, name), []

    def call(several, *rest):
        sizes.append(len(several))
        return real(several, *rest)

    monkeypatch.setattr(module, name, call)
    return sizes


@pytest.fixture
def stacks(monkeypatch):
    """How many models share each call for thresholds."""
    return counted(monkeypatch, run, "scut_thresholds")


@pytest.mark.parametrize("most", [1, 500, 800])
def test_any_number_of_models_at_once_gives_the_same(
    tmp_path, monkeypatch, stacks, most
):
    given = task(data_spec(tmp_path), "random", thresholds=(LEFT_OUT,), **MANY)
    at_once = run_task(given)
    assert stacks == [4]
    stacks.clear()
    monkeypatch.setattr(run, "MOST_STACKED", most)
    parts = run_task(given)
    assert stacks == {1: [1, 1, 1, 1], 500: [2, 2], 800: [3, 1]}[most]
    values = untimed(at_once.values), untimed(parts.values)
    pd.testing.assert_frame_equal(*values, check_exact=True)
    pd.testing.assert_frame_equal(at_once.artifacts, parts.artifacts, check_exact=True)


@pytest.mark.parametrize("readout", ["knn", "self"])
def test_models_with_a_fit_of_their_own_are_judged_alone(tmp_path, stacks, readout):
    given = task(
        data_spec(tmp_path, planted(60)),
        "greedy-rls",
        readouts=(readout,),
        thresholds=("train",),
        **MANY,
    )
    assert run_task(given).status == "done"
    assert stacks == [1, 1, 1, 1]


def draws_of(folder, count=3, **parts):
    """Draws of the random ranking on one split, as a comparison has them."""
    settings = MANY | {"thresholds": (LEFT_OUT,)} | parts
    spec = data_spec(folder)
    seeds = [{"random_state": seed} for seed in range(count)]
    return [task(spec, "random", params=seed, **settings) for seed in seeds]


def assert_same(outcome, other):
    pd.testing.assert_frame_equal(
        untimed(outcome.values), untimed(other.values), check_exact=True
    )
    pd.testing.assert_frame_equal(outcome.artifacts, other.artifacts, check_exact=True)


@pytest.mark.parametrize("waiting", [2**23, 0])
def test_draws_at_once_are_those_one_by_one(tmp_path, monkeypatch, stacks, waiting):
    """All models of all draws are one stack, unless the fits would be large."""
    tasks = draws_of(tmp_path, artifacts=("label_auc", "order"))
    monkeypatch.setattr(run, "MOST_WAITING", waiting)
    together = run_at_once(tasks)
    assert stacks == ([12] if waiting else [4, 4, 4])
    assert [outcome.key for outcome in together] == [task.key for task in tasks]
    alone = [run_task(task) for task in tasks]
    for outcome, other in zip(together, alone, strict=True):
        assert outcome.status == "done"
        assert_same(outcome, other)
    assert not untimed(alone[0].values).equals(untimed(alone[1].values))


@pytest.fixture
def sizes(monkeypatch):
    """How many tasks each call for several has."""
    return counted(monkeypatch, pool, "run_at_once")


def test_a_run_takes_draws_of_a_split_at_once(tmp_path, sizes):
    first = draws_of(tmp_path)
    second = [replace(draw, split=1) for draw in first]
    between = task(first[0].data, "fisher")
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        run_tasks([*first, between, *first[:1], *second], ledger)
        assert set(ledger.statuses().values()) == {"done"}
        assert len(ledger.statuses()) == 7
    assert sizes == [3, 3]


@pytest.mark.parametrize(
    "parts", [{"readouts": ("ridge", "knn")}, {"thresholds": ("train",)}]
)
def test_draws_whose_models_have_fits_of_their_own_run_alone(tmp_path, sizes, parts):
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        assert run_tasks(draws_of(tmp_path, **parts), ledger) == 3
    assert sizes == []


def test_a_draw_that_fails_leaves_the_others_alone(tmp_path, monkeypatch):
    """The batch fails as a whole, and then each runs by itself."""
    real = run.make

    def breaks(task, *rest):
        if task.method.params["random_state"] == 1:
            raise ValueError("No luck.")
        return real(task, *rest)

    monkeypatch.setattr(run, "make", breaks)
    tasks = draws_of(tmp_path)
    assert {outcome.status for outcome in run_at_once(tasks)} == {"failed"}
    outcomes = pool._run_draws(tasks, None, math.inf)
    assert [outcome.status for outcome in outcomes] == ["done", "failed", "done"]
    assert "No luck." in outcomes[1].error
    assert not outcomes[1].measured


def test_draws_share_the_time_that_is_left(tmp_path, monkeypatch):
    tasks, limits = draws_of(tmp_path), []

    def told(tasks, limit, *_):
        limits.append(limit)
        return [run_task(task) for task in tasks]

    monkeypatch.setattr(pool, "run_at_once", told)
    monkeypatch.setattr(pool.time, "time", lambda: 1000.0)
    for timeout, until in ((None, math.inf), (5.0, math.inf), (5.0, 1003.0)):
        pool._run_draws(tasks, timeout, until)
    assert limits == [None, 5.0, 1.0]
    outcomes = pool._run_draws(tasks, 5.0, 1000.0)
    assert [outcome.status for outcome in outcomes] == ["cut"] * 3
    assert len(limits) == 3


@pytest.mark.parametrize("kind", ["numbers", "table", "costs"])
@pytest.mark.parametrize("method", ["fisher", "ralm", "all-features"])
def test_shared_read_outs_change_no_score_and_no_label_set(
    tmp_path, monkeypatch, stacks, method, kind
):
    """Ridge fits of all budgets from one factor; leave-one-out thresholds of both."""
    wanted = task(data_spec(tmp_path), method, budgets=("2", "5", "9"),
                  thresholds=("left-out",), artifacts=("label_auc",))  # fmt: skip
    if kind == "table":
        data = data_spec(tmp_path, as_table(planted()), preparation=TABLE)
        wanted = replace(wanted, data=data)
    if kind == "costs":
        units = {"groups": tuple(range(12)), "costs": (1.0,) * 12}
        wanted = replace(wanted, **units, budgets=("cost:2", "cost:5", "cost:9"))
    shared = run_task(wanted)
    assert stacks == [1 if method == "all-features" else 3]
    monkeypatch.setattr(models.NestedRidge, "of", lambda *_: None)
    monkeypatch.setattr(models.WholeRidge, "of", lambda *_: None)
    monkeypatch.setattr(models.Model, "left_out", _one_by_one)
    alone = run_task(wanted)
    assert shared.status == alone.status == "done", (shared.error, alone.error)
    measured = [untimed(outcome.values) for outcome in (shared, alone)]
    pd.testing.assert_frame_equal(*measured, check_exact=False, rtol=0, atol=1e-8)
    areas = [np.array(outcome.artifacts["value"].tolist(), dtype=float)
             for outcome in (shared, alone)]  # fmt: skip
    np.testing.assert_allclose(*areas, rtol=0, atol=1e-12)


def _one_by_one(model, X, Y, folds, weights=None):
    rows = np.arange(len(Y))
    return model.held_out(X, Y, [(rows[rows != row], [row]) for row in rows])
