# SPDX-License-Identifier: BSD-3-Clause
"""Rows stay when the code behind them is new and gives the same, and only then."""

import sys
from dataclasses import replace
from pathlib import Path

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


def with_new_code(planned, method):
    """The plan of a day on which a method has other code."""
    return [
        replace(item, task=replace(item.task, codes={"other": "code"}))
        if item.method == method
        else item
        for item in planned
    ]


def test_rows_of_new_code_that_gives_the_same_stay(board, planned, capsys):
    today = with_new_code(planned, "hsic")
    assert set(board.tasks["key"]) != {item.task.key for item in today}
    confirmed, failed = rerun.confirm(board, today, METHODS)
    assert not failed
    assert "1 of 1 pairs" in capsys.readouterr().out
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
