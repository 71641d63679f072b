# SPDX-License-Identifier: BSD-3-Clause
"""The page while a comparison runs: early, not often, and it says what is missing."""

import pytest

from labelsift import compare
from labelsift.compare import LivePage
from labelsift.compare.request import make_setup
from labelsift.datasets import load_dataset
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.task import DataSpec


@pytest.fixture
def clock(monkeypatch):
    """A clock that tests set."""
    now = [0.0]
    monkeypatch.setattr(compare.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def page(tmp_path, clock):
    data = load_dataset("traits")
    spec = DataSpec("traits", checksum=data.checksum)
    asked = {"methods": ["fisher"], "budgets": "4", "readout": "ridge", "cv": 2}
    setup = make_setup(spec, data, **asked)
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        yield LivePage(setup, ledger, tmp_path / "page.html", "labelsift compare")


def test_a_page_before_the_end(page, clock):
    clock[0] = 2.0
    page.update(1, 100)
    assert not page.path.exists()  # no answer yet
    run_tasks([page.setup.tasks()[0].task], page.ledger)
    page.update(1, 2)
    assert not page.path.exists()  # a short run
    page.update(1, 100)
    text = page.path.read_text("utf-8")
    assert "Still running:" in text
    assert "1 of about 100 fits were done after 2 s." in text
    assert "Unfinished:" not in text


def test_pages_take_a_twentieth_of_the_time_at_most(page, clock):
    run_tasks([page.setup.tasks()[0].task], page.ledger)
    page.cost = 1.0
    for second in range(200):
        clock[0] = float(second)
        page.update(1 + second, 1000)
        page.cost = 1.0
        page.spent = float(page.pages)
    assert 8 <= page.pages <= 10
