# SPDX-License-Identifier: BSD-3-Clause
"""The JSON schema for editors is the description that files are checked by."""

import json
import tomllib
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import pytest

from labelsift.bench.suite_file import list_suites
from labelsift.bench.suite_schema import (
    DATA,
    METHOD,
    PROTOCOL,
    REQUIRED,
    SUITE,
    TUNING,
    suite_schema,
)
from labelsift.experiment.task import Protocol, Tuning

COMMITTED = Path(__file__).parents[2] / "docs" / "_static" / "suite.schema.json"


def test_the_file_in_the_documentation_is_the_one_that_is_printed(capfd):
    from labelsift.cli.app import run

    assert run(["bench", "schema"]) == 0
    printed = capfd.readouterr().out
    assert json.loads(printed) == suite_schema()
    message = "labelsift bench schema > docs/_static/suite.schema.json"
    assert COMMITTED.read_text(encoding="utf-8") == printed, message


def entries(schema):
    """Every schema inside a schema."""
    yield schema
    for part in schema.get("properties", {}).values():
        yield from entries(part)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from entries(schema[name])


def test_every_entry_is_described():
    for schema in entries(SUITE):
        for name, part in schema.get("properties", {}).items():
            assert part["description"].endswith("."), name


def test_protocol_and_tuning_have_all_their_fields():
    own = {field.name for field in fields(Protocol)} - {"digest"}
    assert set(PROTOCOL["properties"]) == own | {"train_sizes"}
    assert set(TUNING["properties"]) == {field.name for field in fields(Tuning)}


def test_a_whole_suite_or_one_that_extends_another():
    schema = suite_schema()
    extending, whole = schema["anyOf"]
    assert extending == {"required": ["extends"]}
    assert whole["required"] == list(REQUIRED)
    assert whole["properties"] == {"protocol": {"required": ["kind"]}}
    assert "paper" not in REQUIRED
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize("name", list_suites())
def test_every_entry_of_the_suites_is_in_the_schema(name):
    text = (files("labelsift.bench") / "suites" / f"{name}.toml").read_text("utf-8")
    table = tomllib.loads(text)
    assert set(table) <= set(SUITE["properties"])
    for part in table.get("data", {}).values():
        assert set(part) <= set(DATA["properties"])
    for part in table.get("methods", {}).values():
        assert set(part) <= set(METHOD["properties"])


def test_other_checkers_agree():
    """Where jsonschema is installed: the suites pass, a mistake does not."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = suite_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for name in list_suites():
        text = (files("labelsift.bench") / "suites" / f"{name}.toml").read_text("utf-8")
        jsonschema.validate(tomllib.loads(text), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"extends": "ji-table3", "splits": "3"}, schema)


def test_every_entry_is_on_the_page_about_suites():
    page = (COMMITTED.parents[1] / "suites.md").read_text(encoding="utf-8")
    for schema in entries(SUITE):
        for name in schema.get("properties", {}):
            assert name in page, name
