# SPDX-License-Identifier: BSD-3-Clause
import math
import tomllib
from datetime import date
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.bench.suite_file import list_suites
from labelsift.bench.toml_text import toml_text

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLAIN = TEXT | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False)
VALUE = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(TEXT, VALUE, max_size=6))
def test_a_table_comes_back(table):
    assert tomllib.loads(toml_text(table)) == table


@pytest.mark.parametrize("name", list_suites())
def test_suites_come_back(name):
    text = (files("labelsift.bench") / "suites" / f"{name}.toml").read_text("utf-8")
    table = tomllib.loads(text)
    again = tomllib.loads(toml_text(table))
    assert again == table
    for part in ("data", "methods"):  # the order of columns and rows
        assert list(again.get(part, {})) == list(table.get(part, {}))


def test_data_and_methods_are_sections():
    table = {"methods": {"rfs": {"grid": {"gamma": [1.0]}}}, "title": "T"}
    assert toml_text(table).splitlines() == [
        'title = "T"',
        "[methods]",
        "[methods.rfs]",
        "grid = { gamma = [1.0] }",
    ]


def test_what_toml_cannot_say_is_refused():
    assert math.isnan(tomllib.loads(toml_text({"a": math.nan}))["a"])
    with pytest.raises(TypeError, match="of type NoneType: TOML has no such"):
        toml_text({"a": None})
    with pytest.raises(TypeError, match="of type date"):
        toml_text({"a": date(2026, 1, 1)})
