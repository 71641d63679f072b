# SPDX-License-Identifier: BSD-3-Clause
"""Every code block of the documentation is run; no method is without a page."""

import re
from pathlib import Path

import pytest

from contract.blocks import blocks, run_page
from contract.discovery import estimators
from devices import dispatch
from labelsift.selection import METHODS

DOCS = Path(__file__).parents[2] / "docs"
# Made from results and from the package; they hold no code to run.
MADE = {"choosing.md", "leaderboard.md", "performance.md", "reproduce.md"}
NEEDS_DATA = {"emotions.md"}


def _pages():
    typed = (path for path in DOCS.rglob("*.md") if path.name not in MADE)
    return sorted(path for path in typed if "_build" not in path.parts)


def _name(path):
    return str(path.relative_to(DOCS))


def _has_code(path):
    return any(name in ("python", "sh") for name, _ in blocks(path.read_text()))


@pytest.mark.parametrize(
    "path", [path for path in _pages() if _has_code(path)], ids=_name
)
def test_every_code_block_runs(path, tmp_path, monkeypatch, capfd, request):
    if path.name in NEEDS_DATA:
        home = request.getfixturevalue("data_home")
        monkeypatch.setenv("LABELSIFT_DATA", str(home))
    if path.name == "gpu.md":
        dispatch(monkeypatch)  # skips below scikit-learn 1.7
    monkeypatch.setenv("LABELSIFT_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as in a reader's own session
    run_page(path.read_text(), "page", capfd, monkeypatch)


@pytest.mark.parametrize("path", _pages(), ids=_name)
def test_code_is_in_a_language_that_is_run(path):
    """Directives have braces; text is what a program prints."""
    languages = {name for name, _ in blocks(path.read_text()) if name[0] != "{"}
    assert languages <= {"python", "sh", "text", "toml"}


def _method_page(cls):
    pages = (DOCS / "methods").glob("*.md")
    (page,) = [p for p in pages if p.read_text().startswith(f"# {cls.__name__}\n")]
    return page


METHODS_WITH_PAGES = [
    cls
    for cls in estimators()
    if cls.__module__.split(".")[1] in ("selection", "subspace", "classification")
]


@pytest.mark.parametrize("cls", METHODS_WITH_PAGES, ids=lambda cls: cls.__name__)
def test_every_method_has_a_page_with_its_sections(cls):
    page = _method_page(cls)
    heads = re.findall(r"^## (.*)$", page.read_text(), flags=re.MULTILINE)
    assert heads[0] == "What it solves"
    assert heads[1].startswith("What the paper")
    assert heads[2:] == ["Cost", "When to use it, and when not", "Example"]


@pytest.mark.parametrize("name", METHODS)
def test_a_selector_s_page_is_called_as_on_the_command_line(name):
    assert _method_page(METHODS[name]).stem == name


def test_every_page_is_in_a_table_of_contents():
    entries = set()
    for path in _pages():
        for name, code in blocks(path.read_text()):
            if name == "{toctree}":
                lines = [line for line in code.splitlines() if line[:1].strip(":")]
                names = [re.sub(r".*<(.*)>", r"\1", line) for line in lines]
                entries |= {(path.parent / name).resolve() for name in names}
    typed = {path.with_suffix("").resolve() for path in _pages()}
    assert typed - entries == {(DOCS / "index").resolve()}


def test_pages_name_no_script_that_is_not_there():
    root = DOCS.parent
    for path in _pages():
        for name in re.findall(r"`(perf/\w+\.py)", path.read_text()):
            assert (root / name).is_file(), f"{path.name} names {name}"


def test_every_public_class_says_where_it_is():
    """The links of method pages lead to the rooms, not to the files behind them."""
    for cls in METHODS_WITH_PAGES:
        room = cls.__module__.split(".")[1]
        text = _method_page(cls).read_text()
        assert f"{{class}}`labelsift.{room}.{cls.__name__}`" in text
