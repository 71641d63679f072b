# SPDX-License-Identifier: BSD-3-Clause
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.prepare.units import Units, read_units

NAMES = ("age", "wbc", "rbc", "Größe, cm")
COSTS = {"Größe, cm": 0.5, "rbc": 3, "wbc": 2.0, "age": "1"}
BLOOD = {"wbc": "blood", "rbc": "blood"}


def test_nothing_told_is_nothing():
    assert read_units(NAMES) is None


def test_costs_are_matched_by_name():
    units = read_units(NAMES, COSTS)
    assert units == Units((0, 1, 2, 3), (1.0, 2.0, 3.0, 0.5))
    shuffled = pd.Series(COSTS)[["rbc", "age", "Größe, cm", "wbc"]]
    assert read_units(NAMES, shuffled) == units


def test_a_file_is_read_by_its_heads(tmp_path):
    costs, groups = tmp_path / "c.csv", tmp_path / "g.csv"
    costs.write_text(
        '\ufeffunit, cost ,feature\neuro,1,age\neuro,7,blood\n,0.5,"Größe, cm"\n',
        encoding="utf-8",
    )
    groups.write_text("feature,group\nwbc,blood\nrbc,blood\n")
    units = read_units(NAMES, costs, str(groups))
    assert units == Units((0, 1, 1, 2), (1.0, 7.0, 0.5))


def test_a_group_is_bought_once_and_whole():
    summed = read_units(NAMES, COSTS, BLOOD)
    assert summed == Units((0, 1, 1, 2), (1.0, 5.0, 0.5))
    assert summed.cost([1]) == summed.cost([1, 2]) == 5.0
    assert summed.cost(range(4)) == 6.5
    assert summed.column_costs() == [1.0, 2.5, 2.5, 0.5]
    assert math.fsum(summed.column_costs()) == summed.cost(range(4))
    assert [m.tolist() for m in summed.members] == [[0], [1, 2], [3]]
    assert summed.sizes.tolist() == [1, 2, 1]


def test_groups_without_costs():
    assert read_units(NAMES, groups=BLOOD) == Units((0, 1, 1, 2))
    own = dict.fromkeys(NAMES) | {name: name for name in NAMES}
    assert read_units(NAMES, groups=own) == Units((0, 1, 2, 3))


def test_columns_that_are_not_used_are_passed_over():
    more = COSTS | {"id": 9.0, "tmp_1": 1.0, "b": 2.0}
    told = read_units(NAMES, more, BLOOD | {"id": "x"}, unused=["id", "tmp_*,b"])
    assert told == read_units(NAMES, COSTS, BLOOD)


@pytest.mark.parametrize(
    ("costs", "groups", "sentence"),
    [
        (COSTS | {"Age": 1}, None, "costs names the feature 'Age', .*mean 'age'"),
        ({"age": 1}, None, "no cost for 'wbc' and 2 more features: add one for every"),
        (COSTS | {"age": -1.0}, None, "gives 'age' the cost '-1.0': .* positive"),
        (COSTS | {"age": 0}, None, "it must be a positive number"),
        (COSTS | {"age": math.nan}, None, "the cost 'nan'"),
        (COSTS | {"age": math.inf}, None, "the cost 'inf'"),
        (COSTS | {"age": None}, None, "the cost 'None'"),
        (COSTS | {"age": "much"}, None, "the cost 'much'"),
        (None, {"wcb": "blood"}, "groups names the feature 'wcb'.*mean 'wbc'"),
        (None, {"wbc": "age"}, "calls a group 'age', which is the name of a feature"),
        (None, {"wbc": "wbc", "rbc": "wbc"}, "calls a group 'wbc'"),
        (COSTS | {"blood": 4}, BLOOD, "prices the group 'blood' and its feature 'wbc'"),
        (COSTS | {"blood": 4}, None, "costs names the feature 'blood'"),
        (pd.Series([1.0, 2.0], index=["age", "age"]), None, "costs names 'age' twice"),
    ],
)
def test_each_mistake_has_its_sentence(costs, groups, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_units(NAMES, costs, groups)


@pytest.mark.parametrize(
    "costs",
    [[1.0, 2, 3, 4], np.ones(4), pl.Series([1.0] * 4), pd.DataFrame({"a": [1]}), 3.0],
    ids=lambda costs: type(costs).__name__,
)
def test_positions_are_not_taken(costs):
    with pytest.raises(TypeError, match="by the names of the features"):
        read_units(NAMES, costs)


def test_wrong_files(tmp_path):
    path = tmp_path / "c.csv"
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read_units(NAMES, path)
    path.write_text("name,price\nage,1\n")
    with pytest.raises(ValueError, match="feature and cost; it has name, price"):
        read_units(NAMES, path)
    path.write_text("")
    with pytest.raises(ValueError, match="it has none"):
        read_units(NAMES, path)
    path.write_bytes("feature,cost\nGröße,1\n".encode("latin-1"))
    with pytest.raises(ValueError, match="cannot be read as CSV in UTF-8"):
        read_units(NAMES, path)
    path.write_text("feature,cost\nage\n")
    with pytest.raises(ValueError, match="gives 'age' the cost 'None'"):
        read_units(NAMES, path)
    path.write_text("feature,cost\nage,1\nage,2\n")
    with pytest.raises(ValueError, match=r"c.csv names 'age' twice"):
        read_units(NAMES, path)
