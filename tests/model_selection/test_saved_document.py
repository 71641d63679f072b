# SPDX-License-Identifier: BSD-3-Clause
import json

import pytest

from labelsift.model_selection.saved_document import read_saved

FIELDS = ("values", "mean", "scale")


@pytest.fixture
def document():
    return {
        "format": "labelsift-selection",
        "version": 3,
        "labelsift": "0.2.0",
        "method": "fisher",
        "parameters": {},
        "data": "",
        "checksum": "",
        "n_features_in": 4,
        "feature_names": ["a", "b", "c", "d"],
        "order": [2, 0],
        "scores": [2.0, 1],
        "costs": [3, 0.5],
        "label_names": None,
        "labels_form": ["tag_*"],
        "preparation": {
            "missing": [],
            "columns": [
                number("a"),
                {
                    "name": "c",
                    "kind": "category",
                    "values": [],
                    "mean": [],
                    "scale": [],
                },
            ],
        },
        "coef": [[1.0, 2.0]],
        "intercept": [0.5],
        "thresholds": [-0.1],
        "value_columns": None,
    }


def number(name):
    return {
        "name": name, "kind": "number", "fill": 0.0, "low": None, "high": None,
        "mean": 0.5, "scale": 2.0,
    }  # fmt: skip


@pytest.fixture
def read(tmp_path):
    def call(content):
        path = tmp_path / "x.json"
        path.write_bytes(
            content if isinstance(content, bytes) else json.dumps(content).encode()
        )
        return read_saved(path)

    return call


def test_a_right_file(read, document):
    assert read(document) == document


def test_version_1_has_no_preparation(read, document):
    new = ("costs", "labels_form", "preparation", "thresholds", "value_columns")
    old = {key: value for key, value in document.items() if key not in new}
    read_again = read(old | {"version": 1})
    assert read_again == old | {
        "version": 1, "costs": None, "labels_form": [], "preparation": None,
        "thresholds": None, "value_columns": None,
    }  # fmt: skip


def test_version_2_predicts_labels(read, document):
    old = {k: v for k, v in document.items() if k != "value_columns"}
    assert read(old | {"version": 2}) == document | {"version": 2}


@pytest.mark.parametrize("flags", [[True, False], [1], "yes", []])
def test_what_is_a_value_is_told_of_each_target(read, document, flags):
    assert read(document | {"value_columns": [True]})["value_columns"] == [True]
    with pytest.raises(ValueError, match="its 'value_columns' is missing or wrong"):
        read(document | {"value_columns": flags})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x80\x04pickle",
        b"[1]",
        b"{}",
        b"null",
        b"[" * 100_000,
        b"\xff\xfe",
        b"{'a'}",
    ],
    ids=repr,
)
def test_other_files_are_refused(read, content):
    with pytest.raises(ValueError, match="is not a selector file"):
        read(content)


@pytest.mark.parametrize("version", [4, 0, "1", None, [1], "1" * 10**6])
def test_other_versions_are_refused(read, document, version):
    with pytest.raises(ValueError, match="reads version 3") as error:
        read(document | {"version": version})
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n_features_in", 0),
        ("n_features_in", True),
        ("n_features_in", "4"),
        ("n_features_in", 10**25),
        ("n_features_in", 2**31),
        ("order", [10**25]),
        ("scores", [10**400, 1]),
        ("coef", [[1.0, -(10**400)]]),
        ("coef", []),
        ("intercept", [10**400]),
        ("feature_names", ["a", "b"]),
        ("feature_names", ["a", "b", "c", "c"]),
        ("feature_names", ["a", "b", "c", 4]),
        ("feature_names", "abcd"),
        ("order", [2, 4]),
        ("order", [-1, 0]),
        ("order", [0, 0]),
        ("order", []),
        ("order", [0.0, 1.0]),
        ("order", {"0": 1}),
        ("scores", [1.0]),
        ("scores", [1.0, None]),
        ("scores", [1.0, float("nan")]),
        ("coef", [[1.0]]),
        ("coef", [1.0, 2.0]),
        ("coef", "no"),
        ("intercept", [1.0, 2.0]),
        ("intercept", None),
        ("parameters", []),
        ("method", 3),
        ("label_names", [1]),
        ("costs", [1.0]),
        ("costs", [1.0, 0.0]),
        ("costs", [1.0, -2.0]),
        ("costs", "dear"),
        ("labels_form", None),
        ("labels_form", "tag_*"),
        ("preparation", []),
        ("preparation", {"missing": [], "columns": [number("a")]}),
        ("preparation", {"missing": [], "columns": [number("a"), number("b")]}),
        ("preparation", {"missing": [], "columns": [number("c"), number("a")]}),
        (
            "preparation",
            {"missing": [], "columns": [number("a"), number("c") | {"scale": 1e-320}]},
        ),
        ("coef", [[1.0, 2.0, 3.0]]),
        ("thresholds", [0.1, 0.2]),
        ("thresholds", [None]),
        ("thresholds", 0.0),
    ],
)
def test_damaged_files_are_refused(read, document, key, value):
    with pytest.raises(ValueError, match=f"damaged selector file, its '{key}'"):
        read(document | {key: value})


@pytest.mark.parametrize(
    "key", ["order", "coef", "labelsift", "label_names", "preparation", "thresholds"]
)
def test_every_field_is_needed(read, document, key):
    del document[key]
    with pytest.raises(ValueError, match="missing or wrong"):
        read(document)


def test_an_order_that_no_index_can_hold(read, document):
    hostile = {"n_features_in": 10**26, "feature_names": None, "order": [10**25]}
    with pytest.raises(ValueError, match="damaged selector file, its 'n_features_in'"):
        read(document | hostile)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="check the path"):
        read_saved(tmp_path / "none.json")
