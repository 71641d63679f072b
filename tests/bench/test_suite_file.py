# SPDX-License-Identifier: BSD-3-Clause
import copy

import pytest

from labelsift.bench.suite_entries import REQUIRED, check_entries

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
        (("methods", "rfs"), "Suite small, method rfs has"),
        (("claims", 0), "Suite small, claims has"),
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
