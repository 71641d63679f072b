# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift bench``: run, status, report, export."""

import pytest

from bench.stand_ins import SUITE


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SUITE)
    return path


def test_run_status_report_and_export(command, suite, tmp_path):
    store = ("--store", tmp_path / "runs.sqlite")
    code, out, err = command("bench", "run", suite, *store)
    assert code == 0
    assert "10 tasks run, 0 were there before." in out
    assert "not-there left out" in err
    assert (
        "0 tasks run, 10 were there before."
        in command("bench", "run", suite, *store)[1]
    )
    code, out, _ = command("bench", "status", suite, *store)
    assert code == 0
    assert "No driver is running." in out
    for form in ("md", "latex", "csv", "html"):
        code, out, _ = command("bench", "report", suite, *store, "--format", form)
        assert code == 0
        assert "fisher" in out
    page = tmp_path / "page.md"
    assert command("bench", "report", suite, *store, "--out", page)[0] == 0
    assert "Data not present: not-there" in page.read_text("utf-8")
    code, out, _ = command("bench", "export", suite, *store, "--out", tmp_path / "kept")
    assert code == 0
    assert (tmp_path / "kept" / "small.csv").exists()


def test_a_part_of_a_suite(command, suite, tmp_path):
    store = ("--store", tmp_path / "runs.sqlite")
    part = ("--methods", "fisher", "--data", "traits")
    assert "2 tasks run" in command("bench", "run", suite, *store, *part)[1]


def test_suites_are_listed(command):
    code, out, _ = command("bench", "list")
    assert code == 0
    assert "naula-table2" in out
    assert "rlefs-table5" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "no-such-suite"), "There is no suite 'no-such-suite'"),
        (("run", "naula-table2", "--methods", "magic"), "has a method 'magic'"),
        (("run", "naula-table2", "--data", "moon"), "has a data set 'moon'"),
        (("status",), "run something first"),
        (("report", "--from", "nowhere"), "machine.json"),
    ],
)
def test_mistakes_are_one_sentence(command, arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = command("bench", *arguments)
    assert code == 2
    assert sentence in " ".join(err.split())
    assert "Traceback" not in err


def test_a_damaged_ledger_is_kept(command, suite, tmp_path):
    store = tmp_path / "runs.sqlite"
    store.write_bytes(b"nonsense" * 1000)
    code, _, err = command("bench", "run", suite, "--store", store)
    assert code == 2
    assert "left as it is" in " ".join(err.split())
    assert store.read_bytes() == b"nonsense" * 1000
