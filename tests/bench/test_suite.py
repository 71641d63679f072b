# SPDX-License-Identifier: BSD-3-Clause
"""A suite knows the grids of its methods, and can be cut to a part."""

from dataclasses import replace

import pytest

from labelsift.bench.suite import DataPart, MethodPart, count_settings
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.task import MethodSpec

NAULA = read_suite("naula-table2")


def test_the_grid_of_a_data_set_lies_over_that_of_the_method():
    method = MethodPart("rfs", MethodSpec("rfs", grid={"a": [1, 2], "b": [3, 4]}))
    part = DataPart("scene", grids={"rfs": {"b": [5, 6, 7]}})
    suite = replace(NAULA, methods=(method,), data=(DataPart("yeast"), part), claims=())
    assert suite.grid(part, method) == {"a": [1, 2], "b": [5, 6, 7]}
    assert suite.grid(DataPart("yeast"), method) == method.spec.grid
    assert suite.most_settings(method) == 6


def test_settings_are_the_points_of_a_grid():
    assert count_settings({}) == 1
    assert count_settings({"a": [1, 2], "b": [1, 2, 3]}) == 6


def test_a_part_of_a_suite():
    part = NAULA.only(
        ["yeast", "scene"], ["mt-lasso", "random"], ["macro_auc"], ["ridge"], ["5%"]
    )
    assert [data.name for data in part.data] == ["scene", "yeast"]  # in its order
    assert [method.name for method in part.methods] == ["mt-lasso", "random"]
    assert (part.measures, part.readouts) == (("macro_auc",), ("ridge",))
    assert part.budgets == part.all_budgets == ("5%",)
    assert part.claims == ()
    assert NAULA.only() == NAULA


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"data": ["moon"]}, "no data set 'moon' in the suite: choose from scene"),
        ({"methods": ["x"]}, "no method 'x' in the suite: choose from greedy-rls"),
        ({"measures": ["auc"]}, "no metric 'auc' in the suite: choose from zero_one"),
        ({"readouts": ["svm"]}, "no read-out 'svm' in the suite: choose from self"),
    ],
)
def test_a_part_that_is_not_there(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        NAULA.only(**given)


def test_claims_go_with_their_methods_measures_and_readouts():
    suite = read_suite("rlefs-table2")
    assert len(suite.only(methods=["rlefs", "mifs"]).claims) == 1
    assert suite.only(measures=["micro_f1"]).claims == ()
    assert suite.only(readouts=["3nn"]).claims == ()
    assert len(suite.only(readouts=["svm"]).claims) == 3


def test_budgets_are_those_of_the_suite_or_of_its_data():
    assert read_suite("gu-figure2").all_budgets == (
        "5%", "10%", "20%", "40%", "70%", "100%", "1%", "25%", "50%",
    )  # fmt: skip
    assert NAULA.all_budgets == NAULA.budgets
    assert read_suite("ji-figure2").sweeps
    assert not NAULA.sweeps
