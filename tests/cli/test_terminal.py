# SPDX-License-Identifier: BSD-3-Clause
"""Names of strangers reach a terminal as plain text, in every command."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bench.small_suite import SMALL
from labelsift.cli import terminal
from labelsift.core.data import MultiLabelData
from labelsift.datasets import write_npz

HOSTILE = [
    "\x1b[2Ja",
    "b\nError: c",
    "[/x]",
    "[red]d",
    "\u202ee",
    "\x9b31mf",
    ":heart:",
]


@pytest.fixture
def source(tmp_path):
    """Data whose every name is hostile."""
    rng = np.random.default_rng(0)
    names = tuple(f"{name}{i}" for i, name in enumerate(HOSTILE * 2))
    X = rng.normal(size=(60, len(names)))
    data = MultiLabelData(
        X=X,
        Y=(X[:, :3] > 0).astype(int),
        feature_names=names,
        label_names=("y\x1b[2J", "y\n", "[/y]"),
        name="\x1b]0;title\x07",
    )
    path = tmp_path / "[/x].npz"
    write_npz(data, path, source="\x1b[31mhere", licence="\x07")
    return path


def assert_plain(text):
    wrong = {c for c in text if c != "\n" and not c.isprintable()}
    assert not wrong


COMMANDS = {
    "info": ["data", "info", "SOURCE"],
    "info json": ["data", "info", "--json", "SOURCE"],
    "convert": ["data", "convert", "SOURCE", "FOLDER/[bold].arff"],
    "select": ["select", "SOURCE", "-k", "3", "--save", "FOLDER/[/s].json"],
    "select json": ["select", "SOURCE", "-k", "3", "--json"],
    "no such name": ["select", "SOURCE\x1b[2J"],
    "no such option": ["select", "SOURCE", "--met\x1b[2Jhod"],
    "compare": [
        "compare", "SOURCE", "--methods", "fisher", "--budgets", "2", "--cv", "2",
        "--out", "FOLDER/[bold]x.html",
    ],
}  # fmt: skip


@pytest.mark.parametrize("case", COMMANDS)
def test_names_neither_drive_the_terminal_nor_are_markup(command, source, case):
    where = {"SOURCE": str(source), "FOLDER": str(source.parent)}
    words = []
    for word in COMMANDS[case]:
        for name, value in where.items():
            word = word.replace(name, value)
        words.append(word)
    code, out, err = command(*words)
    assert code == (2 if case.startswith("no such") else 0), err
    assert_plain(out + err)
    if "FOLDER" in COMMANDS[case][-1]:
        assert words[-1] in out + err  # the name as it is, brackets too
    if case == "select json":
        shown = json.loads(out)
        names = {row["name"] for row in shown["selected"]}
        assert names & {"\x1b[2Ja0", "b\nError: c1", "[/x]2"}
    if case == "info":
        assert ":heart:6" not in out or "❤" not in out


def test_the_names_that_apply_prints_are_one_line_each(command, source):
    saved = source.with_name("saved.json")
    assert command("select", source, "-k", "14", "--save", saved)[0] == 0
    code, out, err = command("apply", saved, source)
    assert code == 0
    assert_plain(out + err)
    assert len(out.splitlines()) == 14
    assert "[/x]2" in out.splitlines()
    assert ":heart:6" in out.splitlines()


def test_the_list_of_data_sets(command, source, tmp_path):
    home = tmp_path / "home"
    (home / "set").mkdir(parents=True)
    source.rename(home / "set" / "data.npz")
    code, out, err = command("data", "list", "--data-home", home)
    assert code == 0
    assert_plain(out + err)
    assert "\\x1b[31mhere" in out


def test_a_report_of_a_strangers_suite(command, tmp_path):
    suite = tmp_path / "small.toml"
    title = "A small suite on the embedded data"
    suite.write_text(SMALL.replace(title, "\\u001b[2J[/x]"))
    store = tmp_path / "runs.sqlite"
    fisher = ("--methods", "fisher", "--store", store)
    assert command("bench", "run", suite, *fisher)[0] == 0
    code, out, err = command("bench", "report", suite, "--store", store)
    assert code == 0, err
    assert_plain(out + err)
    assert "\\x1b[2J[/x]" in out


def test_a_name_of_any_length_is_cut(command, source):
    long = replace_names(source, "x" * 10**5)
    code, out, err = command("data", "info", long)
    assert code == 0
    assert len(out) < 10**5
    code, out, err = command("select", long, "--drop", "y" * 10**5)
    assert code == 2
    assert len(err) < 4000


def replace_names(source, prefix):
    from labelsift.datasets import read_npz

    data = read_npz(source)
    names = tuple(f"{prefix}{i}" for i in range(data.n_features))
    labels = tuple(f"{prefix}y{i}" for i in range(data.n_labels))
    path = source.with_name("long.npz")
    write_npz(replace(data, feature_names=names, label_names=labels), path)
    return path


def test_what_is_known_so_far_is_shown_ever_more_rarely(capsys, monkeypatch):
    clock, asked = iter(range(1000)), []

    def so_far():
        asked.append(True)
        return f"news {len(asked)}"

    seconds = SimpleNamespace(monotonic=lambda: next(clock))
    monkeypatch.setattr(terminal, "time", seconds)
    with terminal.progress("fits", so_far) as on_done:
        for done in range(1, 101):
            on_done(done, 100, None)
    shown = [line for line in capsys.readouterr().err.splitlines() if "news" in line]
    assert 3 <= len(shown) <= 8
    assert len(asked) == len(shown)
