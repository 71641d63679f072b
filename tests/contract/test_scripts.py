# SPDX-License-Identifier: BSD-3-Clause
"""The scripts of perf/ and tools/ that no test runs: what they import exists."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted([*ROOT.glob("perf/*.py"), *ROOT.glob("tools/*.py")])


def imported(tree):
    """(module, name) of everything that is imported from labelsift, by any line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [(node.module, alias.name) for alias in node.names]
        else:
            continue
        yield from (name for name in names if name[0].split(".")[0] == "labelsift")


def exists(module, name):
    try:
        if name is None or hasattr(import_module(module), name):
            return True
        return find_spec(f"{module}.{name}") is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_what_a_script_imports_exists(path):
    names = set(imported(ast.parse(path.read_bytes())))
    assert not {name for name in names if not exists(*name)}
