# SPDX-License-Identifier: BSD-3-Clause
"""The front door works: the README's Python runs, its commands exist, links lead."""

import re
from pathlib import Path

import pytest

from contract.blocks import blocks, commands, run_command, run_page
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


@pytest.mark.parametrize(
    "words", [words for words in _commands() if words[0] == "labelsift"], ids=" ".join
)
def test_every_command_exists_and_runs(words, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    if "mine.csv" in words:
        pytest.skip("an example with the reader's own file; the tour runs it")
    run_command(words, capfd)


def test_every_command_of_the_program_is_shown():
    shown = {words[1] for words in _commands() if words[0] == "labelsift"}
    assert set(app.list_commands(None)) == shown


def test_the_two_commands_are_shown():
    assert "make demo" in README
    assert "make test" in README


def test_every_link_into_the_repository_leads_somewhere():
    links = re.findall(r"\]\(([^)#]+)", README)
    inside = [link for link in links if "://" not in link]
    assert inside
    assert [link for link in inside if not (ROOT / link).exists()] == []
