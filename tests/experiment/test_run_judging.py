# SPDX-License-Identifier: BSD-3-Clause
"""Models that share a fit are judged at once, and as they are one by one."""

import pandas as pd
import pytest

from experiment.tasks import data_spec, planted, task, untimed
from labelsift.experiment import run
from labelsift.experiment.models import LEFT_OUT
from labelsift.experiment.run import run_task
from labelsift.metrics import MEASURES

MANY = {
    "budgets": ("1", "2", "4", "8"),
    "measures": tuple(MEASURES),
    "artifacts": ("label_auc",),
}


@pytest.fixture
def stacks(monkeypatch):
    """How many models share each call for thresholds."""
    real, sizes = run.scut_thresholds, []

    def counted(scores, *rest):
        sizes.append(len(scores))
        return real(scores, *rest)

    monkeypatch.setattr(run, "scut_thresholds", counted)
    return sizes


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
