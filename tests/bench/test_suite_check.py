# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of mistake in a suite's file: file, table and remedy."""

import copy
import tomllib
from importlib.resources import files

import pytest

from labelsift.bench.suite_check import check_file, check_suite
from labelsift.bench.suite_file import list_suites
from labelsift.bench.suite_schema import REQUIRED

TABLE = {
    "title": "T",
    "paper": "ji",
    "measures": ["macro_auc"],
    "readouts": ["svm"],
    "protocol": {"kind": "folds", "splits": 2},
    "tuning": {"folds": 3},
    "quick": {"splits": 1},
    "data": {"scene": {"prepare": ["text"], "params": {"rfs": {"gamma": 1.0}}}},
    "methods": {"rfs": {"grid": {"gamma": [1.0]}}},
    "readout_classes": {"tree": {"class": "sklearn.tree:DecisionTreeClassifier"}},
    "claims": [
        {"says": "s", "better": "rfs", "worse": "random", "measure": "macro_auc"}
    ],
}


def changed(place, value):
    """The table with another value at a place."""
    table = copy.deepcopy(TABLE)
    part = table
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    return table


def test_known_entries_pass():
    check_file("small.toml", TABLE)
    check_suite("small.toml", TABLE)
    check_suite("small.toml", {name: TABLE[name] for name in REQUIRED})


@pytest.mark.parametrize("name", list_suites())
def test_the_suites_of_labelsift_pass(name):
    text = (files("labelsift.bench") / "suites" / f"{name}.toml").read_text("utf-8")
    check_file(name, tomllib.loads(text))


@pytest.mark.parametrize("entry", REQUIRED)
def test_a_missing_entry_is_named(entry):
    rest = {name: value for name, value in TABLE.items() if name != entry}
    check_file("small.toml", rest)  # it may stand in the base
    with pytest.raises(ValueError, match=f"^small.toml has no entry '{entry}': add it"):
        check_suite("small.toml", rest)


@pytest.mark.parametrize("entry", ["data", "methods"])
def test_a_suite_has_data_and_methods(entry):
    with pytest.raises(ValueError, match=rf"has no \[{entry}\.NAME\]: add at least"):
        check_suite("small.toml", TABLE | {entry: {}})


@pytest.mark.parametrize(
    ("place", "where"),
    [
        ((), "small.toml: "),
        (("quick",), r"small.toml, \[quick\]: "),
        (("protocol",), r"small.toml, \[protocol\]: "),
        (("tuning",), r"small.toml, \[tuning\]: "),
        (("data", "scene"), r"small.toml, \[data.scene\]: "),
        (("methods", "rfs"), r"small.toml, \[methods.rfs\]: "),
        (("readout_classes", "tree"), r"small.toml, \[readout_classes.tree\]: "),
        (("claims", 0), r"small.toml, \[claims\]: "),
    ],
)
def test_an_unknown_entry_is_named_with_its_place(place, where):
    wrong = changed((*place, "splitz"), 3)
    sentence = f"^{where}there is no entry 'splitz': choose from .*\\.$"
    with pytest.raises(ValueError, match=sentence):
        check_file("small.toml", wrong)


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("title",), 3, "small.toml: title is 3: write text in quotes"),
        (("measures",), "macro_auc", "measures is 'macro_auc': write a list in"),
        (("measures",), [], "measures is empty: name at least one"),
        (("measures",), [1], r"measures is 1: write text in quotes"),
        (("readouts",), [3], "readouts is 3: write text in quotes"),
        (("thresholds",), ["none"], "thresholds has 'none': choose from zero, train"),
        (("cut",), "one", "cut has 'one': choose from zero"),
        (("scale",), "log", "scale has 'log': choose from none, standardize"),
        (("no_controls",), ["svm"], "no_controls has 'svm': choose from random"),
        (("replaces",), ["title"], "replaces has 'title': choose from protocol"),
        (("budgets",), ["0"], "budgets: '0' is not a budget: write a count"),
        (("budgets",), ["9:3"], "budgets: '9:3' is not a range"),
        (("budgets",), [0.5], "budgets is 0.5: write text in quotes or a whole number"),
        (("splits",), 0, "splits has 0: write a number of at least 1"),
        (("splits",), 10**18, "splits has 1000000000000000000: write a number of at"),
        (("protocol", "splits"), 10**18, "write a number of at most 10000"),
        (("protocol", "seed"), 10**400, "write a number of at most 4294967295"),
        (("splits",), True, "splits is True: write a whole number"),
        (("splits",), 2.0, "splits is 2.0: write a whole number"),
        (("train_sizes",), [0], "train_sizes has 0: write a number of at least 1"),
        (("data",), [], r"small.toml: data is \[\]: write a table"),
        (("data", "scene"), 3, r"\[data\]: scene is 3: write a table"),
        (("data", "scene", "prepare"), ["stem:2"], "has 'stem:2': write one of text"),
        (("data", "scene", "extra"), "yes", "extra is 'yes': write true or false"),
        (("data", "scene", "labels"), 3, "labels is 3: write text in quotes or a list"),
        (("data", "scene", "grids"), {"rfs": {"gamma": 1}}, "gamma is 1: write a list"),
        (("protocol", "kind"), "loo", r"\[protocol\]: kind has 'loo': write one of"),
        (("protocol", "seed"), -1, "seed has -1: write a number of at least 0"),
        (("methods", "rfs", "grid"), {"a": []}, r"\[methods.rfs.grid\]: a is empty"),
        (("methods", "rfs", "sweep"), 1, "sweep is 1: write true or false"),
        (("claims", 0), {"says": "s"}, r"\[claims\]: the entry 'better' is missing"),
    ],
)
def test_a_wrong_value_is_named_with_its_remedy(place, value, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        check_file("small.toml", changed(place, value))
    assert str(error.value).startswith("small.toml")
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("measures",), ["auc"], "measures has 'auc': choose from zero_one_loss"),
        (("tuning", "measure"), "auc", r"\[tuning\]: measure has 'auc'"),
        (("claims", 0, "measure"), "auc", r"\[claims\]: measure has 'auc'"),
        (("data", "scene", "params"), {"x": {}}, r"\[data.scene\]: params has 'x'"),
        (("data", "scene", "grids"), {"x": {}}, r"\[data.scene\]: grids has 'x'"),
        (("claims", 0, "worse"), "x", r"\[claims\]: worse has 'x': choose from rfs, r"),
        (("claims", 0, "readout"), "x", r"\[claims\]: readout has 'x': choose from"),
        (
            ("readouts",),
            ["x"],
            "small.toml: readouts has 'x': choose from self, .*tree",
        ),
        (("quick", "readouts"), ["x"], r"\[quick\]: readouts has 'x'"),
        (("methods", "rfs", "readouts"), ["x"], r"\[methods.rfs\]: readouts has 'x'"),
        (("no_controls",), ["random"], r"\[claims\]: worse has 'random'"),
        (("table",), "table9", "small.toml: table is 'table9', but paper is 'me'"),
        (("protocol",), {}, r"\[protocol\]: the entry 'kind' is missing: add it"),
        (("readout_classes", "tree"), {}, "the entry 'class' is missing: add it"),
    ],
)
def test_a_name_that_the_suite_does_not_have_is_refused(place, value, sentence):
    wrong = changed(place, value) | ({"paper": "me"} if place == ("table",) else {})
    check_file("small.toml", wrong)
    with pytest.raises(ValueError, match=sentence):
        check_suite("small.toml", wrong)


def test_names_of_strangers_are_short_and_on_one_line():
    wrong = changed(("methods", "rfs", "a\nb" * 500), 1)
    with pytest.raises(ValueError, match="there is no entry") as error:
        check_file("small.toml", wrong)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400
