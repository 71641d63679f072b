# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import pytest

from labelsift.bench.estimate import estimate
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import Outcome

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
    """A grid of 20 settings in 5 folds takes about 100 times as long as a fit."""
    first = planned[0].task
    svm = replace(first.method, name="svm", grid={})
    grid = replace(svm, grid={"C": tuple(range(1, 21))})
    folds = replace(first.tuning, folds=5)
    one, many = (
        [replace(planned[0], task=replace(first, method=method, tuning=folds))]
        for method in (svm, grid)
    )
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        least, most = (
            estimate(tasks, ledger).seconds["traits"] for tasks in (one, many)
        )
    assert most > 50 * least
