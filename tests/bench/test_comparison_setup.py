# SPDX-License-Identifier: BSD-3-Clause
"""What is asked of a comparison: mistakes are one sentence, the rest is filled in."""

import numpy as np
import pytest
from labelsift.bench.comparison_setup import RANDOM_DRAWS, as_data, make_setup
from labelsift.bench.spec import DataSpec

from labelsift.bench import compare
from labelsift.datasets import load_dataset

ASKED = {"methods": ["fisher", "greedy-rls"], "budgets": "3,10", "cv": 3}


@pytest.fixture(scope="module")
def traits():
    return load_dataset("traits")


def test_tasks_cover_methods_controls_and_folds(traits):
    setup = make_setup(
        DataSpec("traits", checksum=traits.checksum),
        traits,
        readout="ridge",
        metric="macro_auc",
        costs=None,
        seed=0,
        **ASKED,
    )
    tasks = setup.tasks()
    assert len(tasks) == 3 * (2 + 1 + RANDOM_DRAWS)
    assert len({planned.task.key for planned in tasks}) == len(tasks)
    assert [planned.task.split for planned in tasks] == sorted(
        planned.task.split for planned in tasks
    )
    final = setup.final_task("fisher", 7).task
    assert (final.protocol.kind, final.budgets) == ("all", ("7",))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"methods": ["magic"]}, "no method 'magic'"),
        ({"methods": "magic"}, "no method 'magic'"),
        ({"budgets": "0%"}, "'0%' is no budget"),
        ({"budgets": "few"}, "'few' is no budget"),
        ({"readout": "oracle"}, "readout='oracle' is not known"),
        ({"metric": "auc"}, "metric='auc' is not known"),
        ({"cv": 1}, "at least 2 folds"),
        ({"cv": 9999}, "use fewer folds"),
        ({"costs": [1.0]}, "64 positive numbers"),
        ({"costs": [0.0] * 64}, "64 positive numbers"),
    ],
)
def test_bad_arguments(traits, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare(traits, **(ASKED | wrong))


def test_bad_data(traits):
    with pytest.raises(ValueError, match="Y is missing"):
        as_data(traits.X, None)
    with pytest.raises(ValueError, match="No label has both values"):
        compare(traits.X, np.ones((1797, 2), dtype=int), **ASKED)
    X = traits.X.copy()
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        compare(X, traits.Y, **ASKED)
