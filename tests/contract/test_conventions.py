# SPDX-License-Identifier: BSD-3-Clause
"""What every public method must have besides working."""

import inspect
import re
from pathlib import Path

import pytest

from contract.discovery import each, public_estimators, public_objects
from labelsift.core.base import BaseSelector
from labelsift.selection import METHODS

ROOT = Path(__file__).parents[2]
ESTIMATORS = each(public_estimators())


def _tests(cls):
    """The test file that mirrors the module of a class."""
    *folders, file = cls.__module__.split(".")[1:]
    return ROOT.joinpath("tests", *folders, f"test_{file}.py")


@ESTIMATORS
@pytest.mark.parametrize(
    "section", ["Parameters", "Attributes", "See Also", "Examples"]
)
def test_docstrings_have_their_sections(cls, section):
    documentation = inspect.getdoc(cls)
    assert f"{section}\n{'-' * len(section)}" in documentation, f"no {section}"


@ESTIMATORS
def test_every_parameter_is_documented(cls):
    documentation = inspect.getdoc(cls)
    for name in inspect.signature(cls).parameters:
        assert f"\n{name} :" in documentation, f"{name} is not documented"


@ESTIMATORS
def test_parameters_after_the_first_are_keyword_only(cls):
    """A grid may follow its estimator by position, as in scikit-learn's searches."""
    _first, *others = inspect.signature(cls).parameters.values()
    others = [other for other in others if other.name != "param_grid"]
    assert all(other.kind is other.KEYWORD_ONLY for other in others)


@ESTIMATORS
def test_there_is_a_test_file(cls):
    assert _tests(cls).is_file()


@ESTIMATORS
def test_there_is_a_slow_reference_that_tests_use(cls):
    file = cls.__module__.split(".")[2]  # a module, or the package of one method
    assert (ROOT / "tests" / "reference" / f"{file}.py").is_file()
    folder = _tests(cls).parent
    tests = folder.glob("test_*.py" if folder.name == file else f"test_{file}*.py")
    assert any(f"from reference.{file} import" in test.read_text() for test in tests)


@ESTIMATORS
def test_there_is_a_line_in_the_table_of_methods(cls):
    methods = (ROOT / "docs" / "methods" / "index.md").read_text()
    assert re.search(rf"\[{cls.__name__}\]\(|\.{cls.__name__}`", methods)


def test_every_selector_has_a_name_on_the_command_line():
    selectors = {cls for cls in public_estimators() if issubclass(cls, BaseSelector)}
    assert set(METHODS.values()) == selectors
    assert all(name == name.lower().replace("_", "-") for name in METHODS)


def test_every_public_function_is_documented():
    for _, name, thing in public_objects():
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert inspect.getdoc(thing), f"{name} has no docstring"


def test_there_is_no_room_for_odds_and_ends():
    forbidden = {"utils", "helpers", "common", "misc"}
    files = (ROOT / "src").rglob("*.py")
    assert not [file for file in files if forbidden & {file.stem, file.parent.name}]


def test_files_stay_short():
    for file in (ROOT / "src").rglob("*.py"):
        assert len(file.read_text().splitlines()) <= 400, f"{file.name} is too long"
