# SPDX-License-Identifier: BSD-3-Clause
"""Labels as people write them: what is clear is read, what is not is asked about."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.core.cells import read_cells
from labelsift.datasets.label_forms import MOST_LABELS, PAIRS, read_label, read_labels
from labelsift.datasets.problems import TableError


def cells(values, library=pd):
    if library is pd:
        return read_cells(pd.Series(values, dtype=object))
    return read_cells(pl.Series(values))


def read(values, form="", when_missing=None, name="tag"):
    return read_label(name, cells(values), form, when_missing)


@pytest.mark.parametrize("change", [str, str.upper, str.title, " {} ".format])
@pytest.mark.parametrize("pair", PAIRS)
def test_every_pair_in_every_case(pair, change):
    absent, present = map(change, pair)
    found = read([absent, present, absent])
    assert found.names == ("tag",)
    assert found.Y.ravel().tolist() == [0, 1, 0]
    assert found.note == ""
    assert not found.missing.any()


@pytest.mark.parametrize("library", [pd, pl])
@pytest.mark.parametrize(
    "values",
    [
        [0, 1, 0],
        [0.0, 1.0, 0.0],
        [-1, 1, -1],
        [False, True, False],
        ["0.0", "+1", "-0"],
    ],
)
def test_typed_pairs(library, values):
    found = read_label("tag", cells(values, library))
    assert found.Y.ravel().tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1, 1], [1, 1]), ([0, 0], [0, 0]), ([-1, -1], [0, 0]), (["no", "no"], [0, 0])],
)
def test_labels_with_one_value(values, expected):
    assert read(values).Y.ravel().tolist() == expected


@pytest.mark.parametrize("mark", ["X", "x", "✓", "bug"])
@pytest.mark.parametrize("blank", ["", " ", None])
def test_one_mark_and_blanks(mark, blank):
    found = read([mark, blank, mark])
    assert found.Y.ravel().tolist() == [1, 0, 1]
    assert found.note == f"{mark!r} in 'tag' means yes, a blank no"


@pytest.mark.parametrize("word", ["1", "yes", "true", "0", "no", 1, 0.0, True])
def test_a_word_of_a_pair_with_blanks_is_asked_about(word):
    with pytest.raises(
        ValueError, match=r"'tag' is blank in row 2 and 1 more: say --la"
    ):
        read([word, None, None])
    absent = read([word, None, None], when_missing="no")
    assert absent.Y[1:].ravel().tolist() == [0, 0]
    assert not absent.missing.any()
    assert absent.note == "2 blank in 'tag' read as no"
    left_out = read([word, None, None], when_missing="drop")
    assert left_out.missing.tolist() == [False, True, True]


@pytest.mark.parametrize("gap", ["NA", "?", "null", "-", "n/a"])
@pytest.mark.parametrize("others", [["0", "1"], ["X", ""], ["a|b", ""]])
def test_a_text_for_a_gap_is_never_an_absent_label(gap, others):
    form = "|" if "a|b" in others else ""
    with pytest.raises(ValueError, match=r"row 3: say --label-missing no"):
        read([*others, gap], form)
    assert read([*others, gap], form, "drop").missing.tolist() == [False, False, True]
    assert read([*others, gap], form, "no").Y[2].tolist() == [0] * (2 if form else 1)


@pytest.mark.parametrize("separator", ["|", ";", ",", "/"])
def test_lists(separator):
    values = [separator.join(["b ", " a"]), "", None, "a", separator]
    found = read(values, separator)
    assert found.names == ("tag=a", "tag=b")
    assert found.Y.tolist() == [[1, 1], [0, 0], [0, 0], [1, 0], [0, 0]]
    assert found.note == f"2 labels from the lists split at {separator!r} in 'tag'"


def test_classes():
    found = read(["bug", "spam", "bug"], "class")
    assert found.names == ("tag=bug", "tag=spam")
    assert found.Y.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert read([3, 1, 3], "class").names == ("tag=1", "tag=3")
    with pytest.raises(ValueError, match="is blank in row 2"):
        read(["bug", "", "spam"], "class")
    assert read(["bug", "", "spam"], "class", "no").Y[1].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (["a|b", "b", "a"], r"holds lists separated by '\|': say --labels 'tag:\|'\."),
        (["a, b", "b", ""], r"holds lists separated by ',': say --labels 'tag:,'\."),
        (
            ["bug", "spam", "x"],
            r"holds 3 classes \(bug, spam, x\): say --labels 'tag:cl",
        ),
        (list("abcde"), r"holds 5 classes \(a, b, ...\): say --labels 'tag:class'"),
        (["m", "f"], r"holds 2 classes \(f, m\)"),
        (["client/server", "x/y"], r"holds 2 classes"),
        (["bug", "bug"], r"holds 1 class \(bug\)"),
        ([3, None, 3], r"holds 1 class \(3\)"),
        ([0, 1, 2], "holds '2' in row 3 beside 0 and 1: write one pair, or say"),
        (["yes", "no", "maybe"], "holds 'maybe' in row 3 beside no and yes"),
        (["yes", "no", "1", "0"], r"holds 4 classes \(0, 1, ...\)"),
        ([-1, 0, 1], "holds '-1' in row 1 beside 0 and 1"),
        ([None, ""], "is blank throughout"),
        ([f"t{i}" for i in range(MOST_LABELS + 1)], "1,001 different values .* no lab"),
    ],
)
def test_what_is_not_clear_is_asked_about(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(values)


@pytest.mark.parametrize(
    ("values", "form", "sentence"),
    [
        ([f"t{i}" for i in range(MOST_LABELS + 1)], "class", "1,001 different members"),
        (["", None], "|", "holds nothing"),
    ],
)
def test_too_many_or_no_members(values, form, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(values, form)


def test_a_name_with_quotes_is_quoted_for_the_shell():
    with pytest.raises(ValueError, match=r"say --labels 'it'\\''s:class'"):
        read(["a", "b"], name="it's")


def test_all_columns_are_told_at_once_and_marks_in_few_words():
    bad = [(f"t{i}", cells(["a", "b"]), "") for i in range(3)]
    with pytest.raises(TableError) as told:
        read_labels([("ok", cells([0, 1]), ""), *bad], None, "toy")
    assert len(told.value.problems) == 3
    marks = [(f"m{i}", cells(["X", None]), "") for i in range(5)]
    names, Y, gone, notes = read_labels(marks, None, "toy")
    assert names == ("m0", "m1", "m2", "m3", "m4")
    assert Y.shape == (2, 5)
    assert not gone.any()
    assert notes[-1] == "3 more label columns read alike"


def test_labels_of_the_same_name():
    twice = [("a", cells(["b"]), "class"), ("a=b", cells([1]), "")]
    with pytest.raises(ValueError, match="two labels called 'a=b'"):
        read_labels(twice, None, "toy")


WORDS = st.sampled_from(
    ["", " ", "0", "1", "-1", "1.0", "yes", "No", "TRUE", "false", "y", "N", "ja",
     "nein", "X", "NA", "-", "a|b", "b", "2", "maybe"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=12))
def test_nothing_is_read_that_has_two_readings(values):
    """A label is read only if the cells are of one pair, or one mark with blanks."""
    try:
        found = read(values).Y.ravel()
    except ValueError:
        return
    words = [value.strip().lower().removesuffix(".0") for value in values]
    kinds = set(words)
    pairs = [pair for pair in PAIRS if kinds <= set(pair)]
    if pairs:
        expected = [word == pairs[0][1] for word in words]
    else:
        assert len(kinds) == 2
        assert "" in kinds
        assert not kinds & {word for pair in PAIRS for word in pair}
        expected = [word != "" for word in words]
    np.testing.assert_array_equal(found, expected)
