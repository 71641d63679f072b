# SPDX-License-Identifier: BSD-3-Clause
"""The leaderboard's rows come from whole data sets, with all digits."""

from dataclasses import replace

import pytest

from labelsift.bench.board import Board, at_share, make_board
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks

BOARD = replace(read_suite("leaderboard"), readouts=("ridge",), readout_budgets={})


@pytest.fixture(scope="module")
def planned():
    present, _ = find_data([BOARD], ["traits"])
    return plan(BOARD, present, ["hsic", "chi2", "all-features"])


@pytest.fixture(scope="module")
def ledger(planned, tmp_path_factory):
    with Ledger(tmp_path_factory.mktemp("board") / "runs.sqlite") as ledger:
        run_tasks([item.task for item in planned[:-1]], ledger)
        yield ledger


def test_a_set_of_which_a_task_is_missing_is_not_written(planned, ledger):
    board = make_board(BOARD, planned, ledger)
    assert board.rows.empty
    assert board.about["complete"] == []
    assert "traits" in board.about["missing"]
    part = make_board(BOARD, planned, ledger, whole=False)
    assert len(part.tasks) == len(planned) - 1


def test_rows_are_those_of_the_ledger_and_come_back(planned, ledger, tmp_path):
    ended = planned[:-1]
    board = make_board(BOARD, ended, ledger)
    assert board.about["complete"] == ["traits"]
    assert board.measures == list(BOARD.measures)
    values = ledger.results(ended).values
    auc = values[(values["measure"] == "macro_auc") & (values["method"] == "hsic")]
    own = board.rows[board.rows["method"] == "hsic"]
    assert sorted(own["macro_auc"]) == sorted(auc["value"])
    assert (own["processor_seconds"] >= 0).all()
    board.write(tmp_path)
    again = Board.read(tmp_path)
    assert again.rows.equals(board.rows)
    assert again.stability.equals(board.stability)
    assert set(again.stability["method"]) == {"hsic", "chi2"}
    assert again.stability["stability"].le(1).all()


def test_a_share_of_the_features_and_all_of_them(planned, ledger):
    rows = at_share(make_board(BOARD, planned[:-1], ledger), "10%")
    budgets = rows.groupby("method")["budget"].unique()
    assert budgets["hsic"].tolist() == [6]
    assert budgets["all-features"].tolist() == [64]


def test_a_board_takes_the_place_of_older_rows(planned, ledger):
    board = make_board(BOARD, planned[:-1], ledger)
    other = make_board(BOARD, [i for i in planned if i.method == "hsic"], ledger)
    other.rows["macro_auc"] = 0.5
    merged = board.merged(other)
    assert len(merged.rows) == len(board.rows)
    hsic = merged.rows["method"] == "hsic"
    assert set(merged.rows.loc[hsic, "macro_auc"]) == {0.5}
    rest = board.rows[board.rows["method"] != "hsic"].reset_index(drop=True)
    assert merged.rows[~hsic].reset_index(drop=True).equals(rest)


def test_methods_that_were_run_anew_keep_their_place(planned, ledger):
    ended = planned[:-1]
    board = make_board(BOARD, ended, ledger)
    day = {"traits": {"hsic": "2026-01-01", "chi2": "2026-01-02"}}
    board = replace(board, about=board.about | {"confirmed": day})
    first = board.tasks["method"].iloc[0]
    again = make_board(BOARD, [i for i in planned if i.method == first], ledger)
    again.rows["macro_auc"] = 0.5
    both = board.remeasured(again)
    assert both.rows["method"].equals(board.rows["method"])
    assert both.tasks.equals(board.tasks)
    assert both.stability.equals(board.stability)
    own = both.rows["method"] == first
    assert set(both.rows.loc[own, "macro_auc"]) == {0.5}
    assert both.rows[~own].equals(board.rows[~own])
    assert both.about["remeasured"] == {first: again.about["date"]}
    assert set(both.about["confirmed"]["traits"]) == {"hsic", "chi2"} - {first}
    assert both.about["complete"] == board.about["complete"]


def renamed(planned, board, name):
    """The same tasks and rows, as if of another data set."""
    items = [replace(item, data=name) for item in planned]
    tables = {
        table: getattr(board, table).assign(data=name)
        for table in ("rows", "tasks", "stability")
    }
    return items, replace(board, **tables, about=board.about | {"complete": [name]})


def test_a_board_grows(planned, ledger):
    """Data sets of an older board stay, in the order of the plan, with their origin."""
    ended = planned[:-1]
    board = make_board(BOARD, ended, ledger)
    items, older = renamed(ended, board, "scene")
    older.about["date"] = "2026-01-01"
    grown = board.grown_from(older, [*items, *ended])
    assert grown.about["complete"] == ["scene", "traits"]
    assert "scene" not in grown.about["missing"]
    assert len(grown.rows) == 2 * len(board.rows)
    own = grown.rows[grown.rows["data"] == "scene"].reset_index(drop=True)
    assert own.equals(older.rows)
    assert list(grown.tasks["data"].unique()) == ["scene", "traits"]
    [before] = grown.about["earlier"]
    assert (before["date"], before["data"]) == ("2026-01-01", ["scene"])
    again = board.grown_from(grown, [*items, *ended])
    assert again.about == grown.about
    assert again.rows.equals(grown.rows)


def test_data_sets_whose_tasks_are_others_do_not_stay(planned, ledger):
    ended = planned[:-1]
    board = make_board(BOARD, ended, ledger)
    items, older = renamed(ended, board, "scene")
    for today in ([], items[:-1], planned):
        grown = board.grown_from(older, [*today, *ended])
        assert grown.about["complete"] == ["traits"]
        assert "scene" in grown.about["missing"]
        assert grown.rows.equals(board.rows)
        assert grown.about["earlier"] == []
