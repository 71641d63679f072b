# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import pytest

from labelsift.bench.estimate import _READOUTS, estimate
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import Outcome
from labelsift.selection.estimates import Size

BOARD = replace(read_suite("leaderboard"), readouts=("ridge",), readout_budgets={})


@pytest.fixture
def planned():
    present, _ = find_data([BOARD], ["traits"])
    return plan(BOARD, present, ["fisher", "mutual-info", "random"])


def test_what_is_done_is_not_counted_and_its_seconds_are_believed(planned, tmp_path):
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        before = estimate(planned, ledger)
        assert before.n_tasks == len(planned) == 5 * 10
        assert 0 < before.seconds["traits"] < 600
        assert f"{len(planned)} tasks are missing: about" in before.sentence()
        first = planned[0]
        ledger.add(Outcome(first.task.key, first.task.content, "done", seconds=7200.0))
        after = estimate(planned, ledger)
        assert after.n_tasks == len(planned) - 1
        assert after.seconds["traits"] > 4 * 7200
        assert "h on one core, of which traits takes" in after.sentence()
        assert estimate(planned[:1], ledger).sentence() == "Nothing is missing."


def test_a_fit_beyond_the_limit_counts_once(planned, tmp_path):
    short = [
        replace(item, task=replace(item.task, fit_limit=1e-6))
        for item in planned
        if item.method == "mutual-info"
    ]
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        assert estimate(short, ledger).seconds["traits"] == pytest.approx(1e-6)


def test_training_rows_are_those_of_the_protocol(planned, tmp_path):
    """A sample of 100 rows takes a small part of what 80 % of 1797 take."""
    learners = [item for item in planned if item.method == "mutual-info"]
    sample = replace(learners[0].task.protocol, train_size=100)
    small = [
        replace(item, task=replace(item.task, protocol=sample)) for item in learners
    ]
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        whole, part = (estimate(tasks, ledger) for tasks in (learners, small))
    assert part.seconds["traits"] < 0.3 * whole.seconds["traits"]


def test_machines_that_the_catalogue_has_no_seconds_for(planned, tmp_path):
    """Fits count one by one: a grid of 20 settings in 5 folds takes 100 more."""
    first = planned[0].task
    svm = replace(first.method, name="svm", grid={})
    folds = replace(first.tuning, folds=5)
    seconds = {}
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        for count in (0, 20, 40):
            grid = {"C": tuple(range(1, count + 1))} if count else {}
            task = replace(first, method=replace(svm, grid=grid), tuning=folds)
            plan = [replace(planned[0], task=task)]
            seconds[count] = estimate(plan, ledger).seconds["traits"]
    hundred = seconds[20] - seconds[0]
    assert seconds[40] - seconds[20] == pytest.approx(hundred)
    assert hundred > 0.5


@pytest.mark.parametrize("readout", _READOUTS)
def test_readouts_of_sparse_data_cost_what_their_rows_hold(readout):
    """100 words in a row, of 20,000, take a small part of 10,000 numbers in a row."""
    seconds, size = _READOUTS[readout], Size(6000, 20_000, 26, 0, 10_000)
    sparse = seconds(size._replace(nnz=6000 * 100))
    dense = seconds(size._replace(nnz=6000 * 20_000))
    assert 0 < sparse < dense / 5
    few = size._replace(k=50)
    assert seconds(few._replace(nnz=6000 * 100)) == pytest.approx(
        seconds(few._replace(nnz=6000 * 20_000))
    )
