# SPDX-License-Identifier: BSD-3-Clause
"""A grid that is stopped goes on where it was."""

import pytest

from experiment.tasks import data_spec, task, untimed
from labelsift.experiment import tried, tuning
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.results import Outcome
from labelsift.experiment.run import run_task
from labelsift.experiment.task import Tuning
from labelsift.experiment.tried import Tried

GRID = {"gamma": [0.01, 0.1, 1.0, 10.0]}


@pytest.fixture
def at_once(monkeypatch):
    """Values are written from the first one on."""
    monkeypatch.setattr(tried, "WRITE_AFTER", 0.0)


@pytest.fixture
def tuned(tmp_path):
    """A task of four points in two folds."""
    spec = data_spec(tmp_path)
    return task(spec, "rfs", grid=GRID, tuning=Tuning("macro_auc", 2, ("3",)))


@pytest.fixture
def asked(monkeypatch):
    """The points that are tried, until as many as its last entry says."""
    real, points, most = tuning._value, [], [99]

    def value(task, point, *rest):
        if len(points) == most[0]:
            raise KeyboardInterrupt
        points.append(point["gamma"])
        return real(task, point, *rest)

    monkeypatch.setattr(tuning, "_value", value)
    return points, most


def test_a_stopped_grid_goes_on_and_chooses_the_same(at_once, tuned, asked, tmp_path):
    points, most = asked
    whole = run_task(tuned)
    assert len(points) == 8
    points.clear()
    most[0] = 5
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        folder = ledger.tried
        with pytest.raises(KeyboardInterrupt):
            run_tasks([tuned], ledger)
        assert [file.name for file in folder.iterdir()] == [tuned.key]
        most[0] = 99
        assert run_tasks([tuned], ledger) == 1
        assert points == [*GRID["gamma"], *GRID["gamma"]]
        assert not folder.exists()
        [[found]] = ledger._connection.execute(
            "SELECT value FROM measured WHERE measure = 'macro_auc' AND budget = 5"
        ).fetchall()
    values = untimed(whole.values)
    wanted = values[(values["measure"] == "macro_auc") & (values["budget"] == 5)]
    assert found == wanted["value"].item()


def test_a_short_task_leaves_no_file(tuned, tmp_path):
    assert run_task(tuned, tried_in=tmp_path / "tried").status == "done"
    assert not (tmp_path / "tried").exists()


def test_a_task_that_was_long_writes_at_once_when_it_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(tried, "WRITE_AFTER", 0.0)
    Tried(tmp_path, "key")[0, 0] = 0.5
    monkeypatch.setattr(tried, "WRITE_AFTER", 60.0)
    Tried(tmp_path, "key")[0, 1] = 0.75
    assert (0, 1) in Tried(tmp_path, "key")


def test_values_come_back_to_the_last_digit(at_once, tmp_path):
    first = Tried(tmp_path, "key")
    for point, value in enumerate([1 / 3, float("nan"), 0.1 + 0.2]):
        first[0, point] = value
    again = Tried(tmp_path, "key")
    assert again[0, 0] == 1 / 3
    assert again[0, 1] != again[0, 1]
    assert again[0, 2] == 0.1 + 0.2
    assert (1, 0) not in again
    assert (0, 0) not in Tried(tmp_path, "other")


def test_a_line_that_was_cut_off_is_tried_again(at_once, tmp_path):
    first = Tried(tmp_path, "key")
    first[0, 0], first[0, 1] = 0.25, 0.75
    file = tmp_path / "key"
    file.write_text(file.read_text()[:-3])
    again = Tried(tmp_path, "key")
    assert again[0, 0] == 0.25
    assert (0, 1) not in again
    again[0, 1] = 0.75
    again[0, 2] = 0.5
    last = Tried(tmp_path, "key")
    assert [last[0, point] for point in range(3)] == [0.25, 0.75, 0.5]


def test_only_what_is_done_is_forgotten(at_once, tmp_path):
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        for key in ("a", "b", "c"):
            Tried(ledger.tried, key)[0, 0] = 1.0
        ledger.add(Outcome("a", "", "done"))
        ledger.add(Outcome("b", "", "timeout"))
        kept = {key for key in ("a", "b", "c") if (0, 0) in Tried(ledger.tried, key)}
        assert kept == {"b", "c"}
        ledger.add(Outcome("b", "", "done"))
        ledger.add(Outcome("c", "", "done"))
        assert not ledger.tried.exists()
        ledger.add(Outcome("d", "", "done"))  # nothing to forget
