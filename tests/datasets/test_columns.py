# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.datasets.columns import check_unique, matching, split_columns

NAMES = ["id", "x1", "x2", "tag_a", "tag_b", "x[1]"]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ("tag_*", [3, 4]),
        (["tag_b", "id"], [0, 4]),
        ("x?", [1, 2]),
        ("x[1]", [5]),  # a name goes before a pattern
        ("x[2]", [2]),
        ((), []),
    ],
)
def test_matching(patterns, expected):
    assert matching(NAMES, patterns, "labels=", "it") == expected


def test_a_pattern_without_a_match_gets_a_hint():
    with pytest.raises(ValueError, match=r"it has no column 'tag_c'.*mean 'tag_b'"):
        matching(NAMES, "tag_c", "labels=", "it")


def test_columns_are_split():
    assert split_columns(NAMES, "tag_*", ["id", "tag_b"], "it") == ([1, 2, 5], [3])


@pytest.mark.parametrize(
    ("labels", "drop", "sentence"),
    [
        ((), (), "no label column left"),
        ("tag_*", "tag_*", "no label column left"),
        ("*", (), "no feature left"),
        ("id", "[xt]*", "no feature left"),
    ],
)
def test_something_must_be_left(labels, drop, sentence):
    with pytest.raises(ValueError, match=sentence):
        split_columns(NAMES, labels, drop, "it")


def test_names_must_be_unique():
    check_unique(NAMES, "it")
    with pytest.raises(ValueError, match="it has two columns called 'a'"):
        check_unique(["a", "b", "a"], "it")
