# SPDX-License-Identifier: BSD-3-Clause
"""Rows stay when the code behind them is new and gives the same, and only then."""

import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from labelsift.bench.board import make_board
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks

sys.path.append(str(Path(__file__).parents[2] / "tools"))
import rerun

BOARD = replace(read_suite("leaderboard"), readouts=("ridge",), readout_budgets={})
METHODS = ["hsic", "fisher"]


@pytest.fixture(scope="module")
def planned():
    present, _ = find_data([BOARD], ["traits"])
    return [item for item in plan(BOARD, present, METHODS) if item.method in {*METHODS}]


@pytest.fixture(scope="module")
def board(planned, tmp_path_factory):
    with Ledger(tmp_path_factory.mktemp("board") / "runs.sqlite") as ledger:
        run_tasks([item.task for item in planned], ledger)
        return make_board(BOARD, planned, ledger)


def with_new_code(planned, *methods):
    """The plan of a day on which some methods have other code."""
    return [
        replace(item, task=replace(item.task, codes={"other": "code"}))
        if item.method in methods
        else item
        for item in planned
    ]


def test_rows_of_new_code_that_gives_the_same_stay(board, planned, capsys):
    today = with_new_code(planned, "hsic")
    assert set(board.tasks["key"]) != {item.task.key for item in today}
    confirmed, failed = rerun.confirm(board, today, METHODS)
    assert not failed
    assert (
        "1 of 1 pairs of data set and method whose code is new stay"
        in capsys.readouterr().out
    )
    assert set(confirmed.tasks["key"]) == {item.task.key for item in today}
    assert confirmed.rows.equals(board.rows)
    [(data, methods)] = confirmed.about["confirmed"].items()
    assert (data, list(methods)) == ("traits", ["hsic"])
    empty = replace(board, about=board.about | {"complete": [], "missing": ["traits"]})
    tables = {name: getattr(board, name).iloc[:0] for name in ("rows", "tasks")}
    grown = replace(empty, **tables).grown_from(confirmed, today)
    assert grown.about["complete"] == ["traits"]
    assert grown.about["confirmed"] == confirmed.about["confirmed"]


@pytest.mark.parametrize("column", ["macro_auc", "hamming_loss"])
def test_rows_that_differ_in_the_last_bit_keep_their_old_names(board, planned, column):
    first = board.rows.index[board.rows["method"] == "hsic"][0]
    rows = board.rows.copy()
    rows.loc[first, column] *= 1 + 2**-52
    changed = replace(board, rows=rows)
    today = with_new_code(planned, "hsic")
    confirmed, failed = rerun.confirm(changed, today, METHODS)
    assert failed == {("traits", "hsic")}
    assert confirmed.tasks.equals(board.tasks)
    assert not confirmed.about["confirmed"]


def test_a_task_that_did_not_end_is_not_confirmed(board, planned):
    tasks = board.tasks.copy()
    tasks.loc[tasks["method"] == "hsic", "status"] = "timeout"
    today = with_new_code(planned, "hsic")
    _, failed = rerun.confirm(replace(board, tasks=tasks), today, METHODS)
    assert failed == {("traits", "hsic")}


def test_code_that_is_the_same_is_not_run_again(board, planned, monkeypatch):
    monkeypatch.setattr(rerun, "run_task", lambda task: pytest.fail("was run"))
    confirmed, failed = rerun.confirm(board, planned, METHODS)
    assert not failed
    assert confirmed.tasks.equals(board.tasks)


def test_what_failed_must_fail_again(board, planned, monkeypatch):
    tasks = board.tasks.copy()
    tasks.loc[tasks["method"] == "hsic", "status"] = "failed"
    stored, today = replace(board, tasks=tasks), with_new_code(planned, "hsic")
    works = rerun.run_task
    assert rerun.confirm(stored, today, METHODS)[1] == {("traits", "hsic")}
    failing = {"status": "failed", "error": "ValueError: other"}
    monkeypatch.setattr(rerun, "run_task", lambda task: replace(works(task), **failing))
    assert rerun.confirm(stored, today, METHODS)[1] == {("traits", "hsic")}
    stored.tasks["error"] = failing["error"]
    confirmed, failed = rerun.confirm(stored, today, METHODS)
    assert not failed
    assert set(confirmed.tasks["key"]) == {item.task.key for item in today}


def elsewhere(board, planned):
    """The same on a second data set, which is a copy of the first."""
    tables = {
        name: pd.concat([table, table.assign(data="copy")], ignore_index=True)
        for name in ("rows", "tasks")
        for table in [getattr(board, name)]
    }
    return replace(board, **tables), [
        *planned,
        *(replace(item, data="copy") for item in planned),
    ]


def test_of_code_that_methods_share_a_sample_is_run(board, planned, monkeypatch):
    both, today = elsewhere(board, with_new_code(planned, *METHODS))
    asked, works = [], rerun.run_task
    monkeypatch.setattr(rerun, "run_task", lambda t: asked.append(t.key) or works(t))
    confirmed, failed = rerun.confirm(both, today, [], drawn=1)
    assert not failed
    assert len(asked) == len({item.method for item in planned} & {*METHODS}) == 2
    assert set(confirmed.tasks["key"]) == {item.task.key for item in today}
    [sample] = confirmed.about["sampled"]
    assert sample["tasks"] == 2
    assert "confirmed" not in confirmed.about


def test_one_difference_in_a_sample_counts_for_all_data_of_its_method(board, planned):
    rows = board.rows.copy()
    rows.loc[rows["method"] == "hsic", "macro_auc"] *= 1 + 2**-52
    both, today = elsewhere(replace(board, rows=rows), with_new_code(planned, *METHODS))
    confirmed, failed = rerun.confirm(both, today, [], drawn=1)
    assert failed == {("traits", "hsic"), ("copy", "hsic")}
    old = confirmed.tasks["method"] == "hsic"
    assert confirmed.tasks["key"][old].equals(both.tasks["key"][old])
    assert not confirmed.tasks["key"][~old].isin(both.tasks["key"]).any()
