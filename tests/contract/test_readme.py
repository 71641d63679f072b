# SPDX-License-Identifier: BSD-3-Clause
"""The front door works: the README's Python runs and its commands exist."""

import re
import shlex
from pathlib import Path

import pytest

from labelsift.cli.app import app, run

README = (Path(__file__).parents[2] / "README.md").read_text()


def _blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_example_runs_and_prints_what_it_says(capsys):
    (example,) = _blocks("python")
    lines = [line for line in example.splitlines() if line.strip()]
    assert len(lines) <= 12
    exec(compile(example, "README.md", "exec"), {})
    expected = re.findall(r"print\(.*\)  # (.*)", example)
    assert expected
    assert capsys.readouterr().out.splitlines() == expected


def _commands():
    lines = "\n".join(_blocks("sh")).splitlines()
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize(
    "words",
    [words[1:] for words in _commands() if words[:1] == ["labelsift"]],
    ids=" ".join,
)
def test_every_command_exists_and_runs(words, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    if words[-1].endswith(".csv"):
        pytest.skip("an example with the reader's own file")
    assert run(words) == 0, capfd.readouterr().err


def test_every_command_of_the_program_is_shown():
    shown = {words[1] for words in _commands() if words[:1] == ["labelsift"]}
    assert set(app.commands) <= shown


def test_the_two_commands_are_shown():
    assert "make demo" in README
    assert "make test" in README
