# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift compare`` as a user meets it: one command, one sentence on a mistake."""

import numpy as np
import pytest

from labelsift.datasets import load_dataset, write_csv

QUICK = ("--methods", "fisher,rfs", "--budgets", "3,10", "--cv", "2")


@pytest.fixture
def table(tmp_path):
    """A CSV file with label columns."""
    path = tmp_path / "mine.csv"
    write_csv(load_dataset("traits").rows(np.arange(300)), path)
    return path


def test_one_command_gives_the_page(command, tmp_path):
    page = tmp_path / "report.html"
    code, out, err = command("compare", "traits", *QUICK, "--out", page)
    assert code == 0
    assert "of 64 features" in out
    assert "1797 rows, 64 features, 6 labels" in err
    text = page.read_text("utf-8")
    assert "fisher" in text
    assert "pixel_" in text


def test_a_csv_file_with_label_columns(command, table, tmp_path):
    page = tmp_path / "report.html"
    labels = ("even", "prime", "at_least_five")
    given = [part for name in labels for part in ("--labels", name)]
    code, _, _ = command("compare", table, *given, *QUICK, "--out", page)
    assert code == 0
    assert page.exists()


def test_a_second_run_reuses_the_first(command, tmp_path):
    place = ("--store", tmp_path / "runs.sqlite", "--out", tmp_path / "report.html")
    assert command("compare", "traits", *QUICK, *place)[0] == 0
    code, out, _ = command("compare", "traits", *QUICK, *place)
    assert code == 0
    assert "of 64 features" in out


def test_costs_are_read_by_name(command, tmp_path):
    names = load_dataset("traits").feature_names
    costs = tmp_path / "costs.csv"
    lines = [f"{name},{1 + k % 3}" for k, name in enumerate(reversed(names))]
    costs.write_text("\n".join(["feature,cost", *lines]))
    more = ("--methods", "greedy-rls", "--costs", costs, "--out", tmp_path / "a.html")
    assert command("compare", "traits", *QUICK, *more)[0] == 0


def wrong_costs(tmp_path, text):
    path = tmp_path / "costs.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,price\na,1\n", "needs the columns feature and cost"),
        ("feature,cost\na,1\n", "no cost of 64 features"),
    ],
)
def test_wrong_costs(command, tmp_path, text, sentence):
    costs = wrong_costs(tmp_path, text)
    page = tmp_path / "report.html"
    code, _, err = command("compare", "traits", "--costs", costs, "--out", page)
    assert code == 2
    assert sentence in " ".join(err.split())
    assert not page.exists()


def test_bad_input_is_one_sentence_and_no_page(command, table, tmp_path):
    page = tmp_path / "report.html"
    nan = tmp_path / "nan.csv"
    lines = table.read_text().splitlines()
    lines[1] = "," + lines[1].partition(",")[2]
    nan.write_text("\n".join(lines))
    one = tmp_path / "one.csv"
    one.write_text("a,b,tag\n" + "1,2,1\n" * 20)
    few = tmp_path / "few.csv"
    few.write_text("a,b,tag\n1,2,1\n3,1,0\n2,2,1\n")
    cases = [
        ((table, "--labels", "nothing_*"), "nothing_*"),
        ((one, "--labels", "tag"), "No label has both values"),
        ((nan, "--labels", "even"), "missing or not finite"),
        ((few, "--labels", "tag", "--cv", "9"), "use fewer folds"),
        (("traits", "--methods", "magic"), "no method 'magic'"),
        (("traits", "--budgets", "lots"), "is not a budget"),
        (("traits", "--out", tmp_path / "nowhere" / "x.html"), "make it first"),
        (("nothing-of-that-name",), "nothing-of-that-name"),
    ]
    for arguments, sentence in cases:
        given = arguments if "--out" in arguments else (*arguments, "--out", page)
        code, _, err = command("compare", *given)
        assert code == 2, arguments
        assert sentence in " ".join(err.split()), arguments
        assert "Traceback" not in err
        assert not page.exists()


def test_a_page_that_cannot_be_written_leaves_no_half_file(
    command, tmp_path, monkeypatch
):
    """A full disk, at the moment the page is written."""

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    page = tmp_path / "report.html"
    code, _, err = command("compare", "traits", *QUICK, "--out", page)
    assert code == 2
    assert "No space left" in " ".join(err.split())
    assert list(tmp_path.iterdir()) == []
