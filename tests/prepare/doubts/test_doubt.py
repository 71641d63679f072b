# SPDX-License-Identifier: BSD-3-Clause
import shlex

import pytest

from labelsift.datasets.label_patterns import split_table
from labelsift.prepare.doubts.doubt import Doubt, drop_option, listed, plain, quoted


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a"], "'a'"),
        (["a", "b"], "'a' and 'b'"),
        (["a", "b", "c"], "'a', 'b' and 'c'"),
        (list("abcde"), "'a', 'b', 'c', 'd' and 'e'"),
        (list("abcdefg"), "'a', 'b', 'c', 'd', 'e' and 2 more"),
    ],
)
def test_at_most_five_names_are_listed(names, text):
    assert listed(names) == text


def test_long_and_hostile_names_are_cut_and_cleaned():
    assert len(quoted("x" * 1000)) == 62
    assert "\x1b" not in plain("a\x1b[2Jb")


@pytest.mark.parametrize(
    "names",
    [
        ["a", "b"],
        ["Größe, cm", "a", "it's", 'say "so"'],
        ["a b", "$HOME", "-x", "*", "[a]"],
        ["line\nbreak", "a,b"],
    ],
)
def test_the_option_can_be_pasted_and_drops_these_columns(names):
    words = shlex.split(drop_option(names))
    assert words[::2] == ["--drop"] * (len(words) // 2)
    table = [*names, "other", "tag"]
    features, _ = split_table(table, "tag", words[1::2], "t")
    assert [table[i] for i in features] == ["other"]


def test_a_doubt_needs_no_remedy():
    assert Doubt("constant", ("a",), (), 1.0, "One value.").remedy == ""
