# SPDX-License-Identifier: BSD-3-Clause
"""A suite names only what is known, and knows the grids of its methods."""

from dataclasses import replace

import pytest

from labelsift.bench.suite import DataPart, MethodPart, count_settings
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.task import MethodSpec, Protocol, Tuning

NAULA = read_suite("naula-table2")
CLAIM = {
    "says": "s",
    "better": "greedy-rls",
    "worse": "mlknn",
    "measure": "macro_auc",
}


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"paper": "nobody"}, "unknown paper 'nobody': choose from gu, ji"),
        ({"measures": ("auc",)}, "unknown measure 'auc'"),
        ({"tuning": Tuning("auc")}, "unknown measure 'auc'"),
        ({"thresholds": ("none",)}, "unknown threshold 'none': choose from zero"),
        ({"cut": "one"}, "unknown threshold 'one'"),
        ({"readouts": ("tree",)}, "unknown read-out 'tree': choose from self, ridge"),
        ({"protocols": (Protocol("loo"),)}, "unknown kind of protocol 'loo'"),
        ({"data": (DataPart("a", scale="log"),)}, "unknown scale 'log'"),
        ({"data": (DataPart("a", prepare=("stem:2",)),)}, "unknown preparation 'stem'"),
        ({"data": (DataPart("a", params={"x": {}}),)}, "unknown method 'x'"),
        ({"data": (DataPart("a", grids={"x": {}}),)}, "unknown method 'x'"),
        ({"claims": (CLAIM | {"worse": "x"},)}, "unknown method 'x'"),
        ({"claims": (CLAIM | {"measure": "auc"},)}, "unknown measure 'auc'"),
        ({"claims": (CLAIM | {"readout": "tree"},)}, "unknown read-out 'tree'"),
    ],
)
def test_what_is_not_known_is_an_error_of_one_sentence(parts, sentence):
    with pytest.raises(ValueError, match=f"Suite naula-table2 has an {sentence}") as e:
        replace(NAULA, **parts)
    assert "\n" not in str(e.value)
    assert str(e.value).endswith(".")


@pytest.mark.parametrize("own", [{"scale": "log"}, {"readouts": ("tree",)}])
def test_methods_are_checked_too(own):
    method = MethodPart("rfs", MethodSpec("rfs"), **own)
    with pytest.raises(ValueError, match=r"unknown (scale 'log'|read-out 'tree')"):
        replace(NAULA, methods=(method,), claims=())


def test_a_paper_may_be_unknown_where_no_table_is():
    assert replace(NAULA, paper="nobody", table="").paper == "nobody"


def test_the_grid_of_a_data_set_lies_over_that_of_the_method():
    method = MethodPart("rfs", MethodSpec("rfs", grid={"a": [1, 2], "b": [3, 4]}))
    part = DataPart("scene", grids={"rfs": {"b": [5, 6, 7]}})
    suite = replace(NAULA, methods=(method,), data=(DataPart("yeast"), part), claims=())
    assert suite.grid(part, method) == {"a": [1, 2], "b": [5, 6, 7]}
    assert suite.grid(DataPart("yeast"), method) == method.spec.grid
    assert suite.most_settings == 6


def test_settings_are_the_points_of_a_grid():
    assert count_settings({}) == 1
    assert count_settings({"a": [1, 2], "b": [1, 2, 3]}) == 6
