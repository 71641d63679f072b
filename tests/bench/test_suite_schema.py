# SPDX-License-Identifier: BSD-3-Clause
import copy
import datetime

import pytest

from labelsift.bench.suite_schema import REQUIRED, check_entries

TABLE = {
    "title": "T",
    "paper": "ji",
    "measures": ["macro_auc"],
    "protocol": {"kind": "folds", "splits": 2},
    "tuning": {"folds": 3},
    "quick": {"splits": 1},
    "data": {"scene": {"prepare": ["text"]}},
    "methods": {"rfs": {"grid": {"gamma": [1.0]}}},
    "claims": [{"says": "s", "better": "a", "worse": "b", "measure": "macro_auc"}],
}

# Every entry that a suite may have.
FULL = TABLE | {
    "budgets": ["5%", 3],
    "readouts": ["ridge"],
    "thresholds": ["zero"],
    "train_sizes": [100],
    "notes": ["n"],
    "scale": "none",
    "cut": "zero",
    "no_controls": ["rfs"],
    "table": "table1",
    "folds": 3,
    "splits": 2,
    "quick": {"splits": 1, "budgets": ["3"], "quick_notes": ["n"]},
    "protocol": {"kind": "folds", "splits": 2, "train_size": 3, "seed": 1},
    "tuning": {"folds": 3, "measure": "macro_auc", "budgets": ["3"]},
    "data": {
        "scene": {
            "prepare": ["text"],
            "scale": "none",
            "budgets": ["3"],
            "params": {"rfs": {"gamma": 1.0}},
            "grids": {"rfs": {"gamma": [1.0]}},
            "quick_grids": {"rfs": {"gamma": [1.0]}},
            "extra": True,
        }
    },
    "methods": {
        "rfs": {
            "entry": "rfs",
            "grid": {"gamma": [1.0]},
            "quick_grid": {"gamma": [1.0]},
            "params": {"C": 1.0},
            "readouts": ["ridge"],
            "budgets": ["3"],
            "scale": "none",
            "sweep": False,
        }
    },
}


def test_known_entries_pass():
    check_entries("small", TABLE)
    check_entries("small", {name: TABLE[name] for name in REQUIRED})


@pytest.mark.parametrize("entry", REQUIRED)
def test_a_missing_entry_is_named(entry):
    rest = {name: value for name, value in TABLE.items() if name != entry}
    with pytest.raises(ValueError, match=f"Suite small has no entry '{entry}'"):
        check_entries("small", rest)


@pytest.mark.parametrize(
    ("place", "where"),
    [
        ((), "Suite small has"),
        (("quick",), "Suite small, quick has"),
        (("protocol",), "Suite small, protocol has"),
        (("tuning",), "Suite small, tuning has"),
        (("data", "scene"), "Suite small, data scene has"),
        (("methods", "rfs"), "Suite small, methods rfs has"),
        (("claims", 0), "Suite small, claims, item 1 has"),
    ],
)
def test_an_unknown_entry_is_named_with_its_place(place, where):
    table = copy.deepcopy(TABLE)
    part = table
    for step in place:
        part = part[step]
    part["splitz"] = 3
    with pytest.raises(ValueError, match=f"{where} an unknown entry 'splitz': choose"):
        check_entries("small", table)


def places(value, at=()):
    """Every place in a nested table, the whole first."""
    yield at
    if isinstance(value, dict):
        for name, part in value.items():
            yield from places(part, (*at, name))
    if isinstance(value, list):
        for position, part in enumerate(value):
            yield from places(part, (*at, position))


def changed(place, value):
    table = copy.deepcopy(FULL)
    part = table
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    return table


WRONG = [[], {}, [[]], {"a": {"b": 1}}, "", 0, -1, 10**30, 2.5, float("nan"), True,
         datetime.date(2000, 1, 1), None]  # fmt: skip


@pytest.mark.parametrize("place", [p for p in places(FULL) if p], ids=str)
def test_a_value_of_any_other_type_is_one_sentence_or_is_right(place):
    """Every place of a full suite, with values of every type."""
    check_entries("small", FULL)
    refused = 0
    for value in WRONG:
        try:
            check_entries("small", changed(place, value))
        except ValueError as error:
            refused += 1
            sentence = str(error)
            assert sentence.startswith("Suite small")
            assert sentence.endswith(".")
            assert len(sentence) < 300
    assert refused >= 5


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (
            ("protocol", "splits"),
            10**18,
            "splits must be a whole number from 1 to 1000",
        ),
        (("title",), 3, "title must be text, got 3"),
        (("data",), {}, "data must be a table of at least 1"),
        (("data", "scene"), 3, "data scene must be a table, got 3"),
        (("budgets",), "123", "budgets must be a list, got '123'"),
        (("methods", "rfs", "grid", "gamma"), [], "must be a list of at least 1"),
        (("methods", "rfs", "params", "C"), 10**400, "must be text, a finite number"),
        (("claims", 0, "says"), None, "claims, item 1, says must be text, got None"),
        (("thresholds",), [], "thresholds must be a list of at least 1"),
    ],
)
def test_what_is_wrong_is_said(place, value, sentence):
    with pytest.raises(ValueError, match=f"^Suite small, .*{sentence}"):
        check_entries("small", changed(place, value))
