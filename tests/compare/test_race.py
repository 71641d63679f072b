# SPDX-License-Identifier: BSD-3-Clause
"""A promised time is kept, and what was cut for it is said."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from compare.measured import results, rows_of
from labelsift.compare import compare, recommend, run_comparison
from labelsift.compare.race import Race, read_seconds, rounds
from labelsift.compare.request import make_setup
from labelsift.compare.standings import behind, in_question, surely_worse
from labelsift.datasets import load_dataset
from labelsift.experiment import pool
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import TASKS, Outcome, Results
from labelsift.experiment.run import run_task
from labelsift.experiment.task import DataSpec

METHODS = ["fisher", "hsic", "anova", "mrmr"]


@pytest.fixture(scope="module")
def traits():
    return load_dataset("traits")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("60s", 60), ("2m", 120), ("90", 90), (1.5, 1.5), ("1h", 3600)],
)
def test_times(text, seconds):
    assert read_seconds(text) == seconds


@pytest.mark.parametrize("text", ["soon", "-5", "0s", "5 weeks", "", "nan", "inf"])
def test_what_is_no_time_is_told_in_a_sentence(traits, text):
    with pytest.raises(ValueError, match="is no time: write 60s, 2m or 90"):
        compare(traits, within=text)


def test_rounds_double():
    assert [rounds(k) for k in (2, 3, 5, 20)] == [
        [2],
        [1, 3],
        [1, 2, 5],
        [1, 2, 4, 8, 20],
    ]


def test_enough_time_changes_nothing(traits):
    asked = {"methods": METHODS[:2], "budgets": "4,8", "cv": 2}
    raced, whole = compare(traits, within="5m", **asked), compare(traits, **asked)
    assert raced.cut.empty
    assert raced.recommend() == whole.recommend()
    assert raced.final["method"].tolist() == whole.final["method"].tolist()


@pytest.fixture
def slow():
    """Seconds of tasks by method, where they are not a tenth of a second."""
    return {}


@pytest.fixture
def clock(monkeypatch, slow):
    """A clock that tasks move on by a tenth of a second each; it is returned."""
    now = [1000.0]

    def timed(task, timeout, *other):
        seconds = slow.get(task.method.name, 0.1)
        if timeout is not None and timeout < seconds:
            now[0] += timeout
            return Outcome(task.key, task.content, "timeout")
        now[0] += seconds
        return replace(run_task(task, None, *other), seconds=seconds)

    def timed_each(tasks, *limits):
        return [timed(task, *limits) for task in tasks]

    monkeypatch.setattr(time, "time", lambda: now[0])
    monkeypatch.setattr(pool, "run_task", timed)
    monkeypatch.setattr(pool, "run_at_once", timed_each)
    return now


def setup_of(data, seconds, cv=5, methods=METHODS):
    spec = DataSpec("traits", checksum=data.checksum)
    asked = {"budgets": "4,16", "readout": "ridge", "cv": cv, "within": seconds}
    return make_setup(spec, data, methods=methods, **asked)


def raced(data, seconds, tmp_path, cv=5):
    setup = setup_of(data, seconds, cv)
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        return run_comparison(setup, ledger)


def test_the_promise_is_kept_and_what_was_cut_is_said(traits, tmp_path, clock):
    result = raced(traits, 2.5, tmp_path)
    assert clock[0] <= 1002.5 + 0.1  # and the fit on all rows
    tasks = result.results.tasks
    assert set(tasks["status"]) == {"done", "cut"}
    assert len(tasks) == len(result.setup.tasks())
    assert result.cut["error"].str.len().all()
    done = tasks[tasks["status"] == "done"]
    splits = done.groupby("method")["split"].nunique()
    assert splits["all-features"] == splits["random"] == splits.max()
    answer = result.recommend()
    assert splits[answer.method] >= min(3, splits.max())
    assert result.features()
    path = tmp_path / "page.html"
    result.report(path)
    page = path.read_text("utf-8")
    assert "Within 2.5 s:" in page
    assert "Cut within 2.5 s" in page


def test_what_was_cut_runs_later(traits, tmp_path, clock):
    """A ledger does not hold what was cut: with more time it is measured."""
    part = raced(traits, 1.5, tmp_path, cv=3)
    assert len(part.cut)
    whole = raced(traits, 600, tmp_path, cv=3)
    assert whole.cut.empty
    assert set(whole.results.tasks["status"]) == {"done"}


def test_no_time_at_all(traits, tmp_path, clock):
    result = raced(traits, 0.001, tmp_path)
    assert not result.has_answer
    assert len(result.cut) == len(result.setup.tasks())


def test_who_leads_the_leaderboard_comes_first(traits, tmp_path, clock, monkeypatch):
    """The dear leader runs where a cheap method is left out for lack of time."""
    monkeypatch.setattr("labelsift.compare.race.LEADERS", ("mrmr", "anova"))
    result = raced(traits, 2.5, tmp_path)
    assert set(result.cut["method"]) & {"fisher", "hsic"}
    done = result.results.tasks.query("status == 'done'")
    counts = done.groupby("method")["split"].nunique()
    assert {"mrmr", "anova"} <= set(counts.index)


def test_a_leader_that_takes_the_whole_round_waits(traits, tmp_path, clock):
    setup = setup_of(traits, 10.0, methods=["fisher", "scls", "mdmr"])
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        run = Race(setup, ledger, {}, None, time.time() + 10)
        run.measured |= {"fisher": 0.05, "scls": 1.0, "mdmr": 0.1}
        run.leaders_first()
        assert run.alive[0] == "mdmr"
        assert run.alive.index("scls") > 0


def test_who_is_cheaper_than_estimated_comes_in_later(
    traits, tmp_path, clock, monkeypatch
):
    """Estimates 20 times too high leave time in the first round, and others take it."""
    monkeypatch.setattr("labelsift.compare.setup.Setup.seconds", lambda *_: 2.0)
    seconds, methods = 12.0, METHODS
    result = raced(traits, seconds, tmp_path)
    ran = set(result.results.tasks.query("status == 'done'")["method"])
    at_first = (seconds / len(rounds(5))) // 2.0  # by the estimates
    assert at_first < len(methods)
    assert ran >= set(methods)


def test_a_slow_method_that_leads_does_not_stop_the_others(
    traits, tmp_path, clock, slow
):
    """Its fit on all rows would take the time of theirs, so that it goes."""
    slow["anova"] = 2.0
    result = raced(traits, 5.0, tmp_path)
    done = result.results.tasks.query("status == 'done'")
    splits = done.groupby("method")["split"].nunique()
    assert splits["anova"] == 1
    assert (splits[["fisher", "hsic", "mrmr"]] == 5).all()
    reasons = result.cut.set_index("method")["error"]
    assert reasons.loc[["anova"]].str.startswith("A split takes it about 2").all()


def table(means, spread=0.001):
    rng = np.random.default_rng(0)
    index = pd.MultiIndex.from_tuples(means, names=["method", "budget"])
    values = np.array(list(means.values()))[:, None] + spread * rng.normal(size=(1, 3))
    return pd.DataFrame(values + 1e-4 * rng.normal(size=(len(means), 3)), index=index)


def test_who_is_worse_at_every_size_in_question_is_cut():
    values = table(
        {
            ("a", 5): 0.70,
            ("b", 5): 0.90,
            ("a", 10): 0.95,
            ("b", 10): 0.90,
            ("a", 20): 0.95,
            ("b", 20): 0.945,
            ("c", 20): 0.60,
            ("c", 10): 0.60,
        }
    )
    near = in_question(values, 0.01)
    assert set(near.index.get_level_values("budget")) == {10, 20}
    gaps = behind(near)
    assert gaps["a"] == 0
    assert gaps["b"] == pytest.approx(0.005, abs=0.001)
    assert surely_worse(near, 0.01, 0.25) == {"c"}


def cut_after(done, rows):
    """Results of a race over 5 splits, of which each method ran some."""
    empty = {name: kind() for name, kind in TASKS.items()}
    tasks = [
        empty | {"method": method, "split": split, "status": status}
        for method, count in done.items()
        for split in range(5)
        for status in ["done" if split < count else "cut"]
    ]
    return Results(results(rows).values, pd.DataFrame(tasks))


def smaller(rows, change):
    """Rows of 5 features, and of 2 with the same values in each split but for this."""
    large = [row for row in rows if row["budget"] == 5]
    values = np.array([row["value"] for row in large])
    moved = [
        row | {"budget": 2, "value": value}
        for row, value in zip(large, values + change, strict=True)
    ]
    return [*large, *moved]


def test_less_time_does_not_mean_fewer_features():
    rows = rows_of({("a", 5): 0.9}, spread=0.01, splits=3)
    best = np.array([row["value"] for row in rows])
    error = best.std(ddof=1) / np.sqrt(5)  # not of the 3 that there was time for
    for share, budget in ((0.99, 2), (1.01, 5)):
        shifted = smaller(rows, -share * error)
        answer = recommend(cut_after({"a": 3}, shifted), "macro_auc")
        assert (answer.budget, answer.n_splits) == (budget, 3)
    whole = recommend(results(shifted), "macro_auc")  # 3 splits were all
    assert whole.budget == 2


def test_fewer_features_have_to_be_good_enough_for_the_missing_splits_too():
    """Differences that scatter may change with the other splits, constant ones not."""
    rows = rows_of({("a", 5): 0.9}, spread=0.01, splits=3)
    best = np.array([row["value"] for row in rows])
    error, scatter = best.std(ddof=1) / np.sqrt(5), np.array([-1.0, 0.0, 1.0])
    limit = 0.5 * error / (2.919986 * np.sqrt(1 / 3 - 1 / 5))  # t of 95 %, 2 degrees
    for size, budget in ((0.0, 2), (0.99 * limit, 2), (1.01 * limit, 5)):
        moved = smaller(rows, -0.5 * error + size * scatter)
        answer = recommend(cut_after({"a": 3}, moved), "macro_auc")
        assert (answer.budget, answer.n_planned) == (budget, 5)
        assert recommend(results(moved), "macro_auc").budget == 2  # nothing is missing


def test_who_ran_too_few_splits_is_not_recommended():
    rows = rows_of({("early", 5): 0.99}, splits=1) + rows_of({("late", 5): 0.9})
    answer = recommend(cut_after({"early": 1, "late": 5}, rows), "macro_auc")
    assert (answer.method, answer.n_splits, answer.n_cut) == ("late", 5, 1)
    assert "the only method that was judged" in answer.detail
    assert "1 method had no time for enough splits to be judged." in answer.detail
