# SPDX-License-Identifier: BSD-3-Clause
"""The front door works: the README's Python runs, its commands exist, links lead."""

import re
from pathlib import Path

import pytest

from contract.blocks import blocks, commands, run_page
from labelsift.cli.app import app

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def _code(language):
    return [code for name, code in blocks(README) if name == language]


def _commands():
    return [words for code in _code("sh") for words in commands(code)]


def test_the_python_example_is_short_runs_and_prints_what_it_says(capfd, monkeypatch):
    (example,) = _code("python")
    assert len([line for line in example.splitlines() if line.strip()]) <= 12
    assert "  # " in example
    assert run_page(f"```python\n{example}```\n", "readme", capfd, monkeypatch) == 1


def test_it_is_short():
    assert len(README.splitlines()) < 120


@pytest.mark.parametrize("words", _commands(), ids=" ".join)
def test_every_command_exists(words, tmp_path, monkeypatch, capfd):
    """Commands on the example table take half a minute: their options are parsed."""
    if words[0] == "labelsift":
        context = app.make_context("labelsift", words[1:])
        name, command, rest = app.resolve_command(context, words[1:])
        command.make_context(name, rest, parent=context)


def test_the_output_is_that_of_a_real_run():
    stored = (ROOT / "docs" / "results" / "front_page.txt").read_text()
    (output,) = _code("text")
    *shown, dots = output.splitlines()
    assert dots == "..."
    assert shown
    assert "\n".join(shown) in stored
    (command,) = [c for c in _code("sh") if "labelsift compare" in c]
    assert command.replace(" --out", " --jobs 2 --out").strip() in stored


def test_every_command_of_the_program_is_shown():
    page = (ROOT / "docs" / "commands.md").read_text()
    shown = {
        words[1]
        for name, code in blocks(page)
        if name == "sh"
        for words in commands(code)
    }
    assert set(app.list_commands(None)) == shown


def test_the_two_commands_are_shown():
    assert "make demo" in README
    assert "make test" in README


def _pages():
    typed = [p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts]
    return sorted([*ROOT.glob("*.md"), *typed])


def _anchors(path):
    """Anchors of the headings of a page, as code hosts and MyST make them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(), flags=re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", head.lower()).strip() for head in heads]
    return {head.replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", _pages(), ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link or "gallery/" in link:  # the gallery exists once it is built
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in _anchors(target), f"{page.name} links to {link}"
