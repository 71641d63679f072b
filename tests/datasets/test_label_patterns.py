# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.datasets.label_patterns import split_table
from labelsift.datasets.problems import TableError

NAMES = ["id", "x", "a,b", "tag_1", "tag_2", "odd:|", "list"]


@pytest.mark.parametrize(
    ("labels", "forms"),
    [
        ("tag_*", {3: "", 4: ""}),
        (["tag_1", "list:|"], {3: "", 6: "|"}),
        ("odd:|", {5: ""}),  # a column bears that very name
        ("odd:|:;", {5: ";"}),
        ("tag_*:class", {3: "class", 4: "class"}),
        (["tag_*", "tag_2:/"], {3: "", 4: "/"}),
        ({"list": "|", "tag_1": ""}, {3: "", 6: "|"}),
        ({"list": "class"}, {6: "class"}),
        (None, {}),
    ],
)
def test_forms_are_declared_behind_a_colon_or_in_a_mapping(labels, forms):
    features, found = split_table(NAMES, labels, (), "toy")
    assert found == forms
    assert features == [i for i in range(7) if i not in forms]


@pytest.mark.parametrize(
    ("drop", "left"),
    [
        ("id,x", [2, 4, 5, 6]),
        ("id, x", [2, 4, 5, 6]),
        ("a,b", [0, 1, 4, 5, 6]),  # a column bears that very name
        (["id", "x", "a,b"], [4, 5, 6]),
        ("id,tag_2", [1, 2, 5, 6]),
        ("tag_*,x", [0, 2, 5, 6]),
    ],
)
def test_commas_separate_what_is_dropped_unless_a_name_has_them(drop, left):
    if "tag_*" in drop:
        with pytest.raises(ValueError, match="no label column left"):
            split_table(NAMES, "tag_1", drop, "toy")
    else:
        assert split_table(NAMES, "tag_1", drop, "toy")[0] == left


def test_every_pattern_that_matches_nothing_is_told():
    with pytest.raises(TableError) as told:
        split_table(NAMES, ["tagg", "tag_1"], ["idd", "nothing"], "toy")
    wanted = ("'idd'", "'nothing'", "'tagg'")
    for problem, name in zip(told.value.problems, wanted, strict=True):
        assert name in problem
    assert "did you mean 'id'" in told.value.problems[0]


def test_mistakes():
    with pytest.raises(ValueError, match="gives 'list' the form '#': use 'class'"):
        split_table(NAMES, {"list": "#"}, (), "toy")
    with pytest.raises(ValueError, match="no feature left"):
        split_table(NAMES, "*", (), "toy")
