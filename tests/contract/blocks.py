# SPDX-License-Identifier: BSD-3-Clause
"""Runs the code blocks of a Markdown page as a reader would: in order, in one place."""

import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType

from labelsift.cli.app import run

# What a reader types that is not ours to test.
_OTHERS = {"pip", "make", "cd", "git"}
_BLOCK = re.compile(r"^```(\S+)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
# A comment after a print, whose last line it may be.
_PRINTED = re.compile(r"^(?:print\(.*)?\)  # (.*)$", flags=re.MULTILINE)


def blocks(text):
    """(language, code) of every fenced block."""
    return _BLOCK.findall(text)


def commands(code):
    """The words of every command of a shell block; comments are dropped."""
    lines = code.replace("\\\n", " ").splitlines()
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def run_command(words, capfd):
    """Run a command of ours and expect success."""
    program, *arguments = words
    if program in _OTHERS:
        return
    assert program == "labelsift", f"{program} is not known to readers"
    assert run(arguments) == 0, capfd.readouterr().err


def write_file(code):
    """A file whose first line is a comment with its name."""
    name, content = code.split("\n", 1)
    Path(name.removeprefix("# ")).write_text(content, encoding="utf-8")


def run_python(code, expected, module, capfd):
    """Run a block, and compare what it prints with what the page says it prints.

    The page says it in comments after the prints, or in a block of text that follows.
    """
    capfd.readouterr()
    exec(compile(code, module.__name__, "exec"), vars(module))
    expected = _PRINTED.findall(code) or expected.splitlines()
    printed = capfd.readouterr().out.splitlines()
    assert not expected or printed == expected, f"{printed} is not {expected}"


def run_page(text, name, capfd, monkeypatch):
    """Run the Python and shell blocks of a page; returns how many there were."""
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)  # classes of a page can be pickled
    count = 0
    for (language, code), (after, output) in pairwise([*blocks(text), ("", "")]):
        if language == "python":
            run_python(code, output if after == "text" else "", module, capfd)
        elif language == "sh":
            for words in commands(code):
                run_command(words, capfd)
        elif language == "toml":
            write_file(code)
        count += language in ("python", "sh")
    return count
