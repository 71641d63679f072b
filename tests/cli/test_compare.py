# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift compare`` as a user meets it: one command, one sentence on a mistake."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from labelsift.datasets import load_dataset, write_csv
from labelsift.experiment import pool
from labelsift.experiment.catalogue import RANDOM_DRAWS
from prepare.tables import raw_table

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
    assert "Warning" not in err
    text = page.read_text("utf-8")
    assert "fisher" in text
    assert "pixel_" in text
    assert "Features by" in out
    assert "22 of 22 tasks" in text


def test_a_csv_file_with_label_columns(command, table, tmp_path):
    page = tmp_path / "report.html"
    labels = ("even", "prime", "at_least_five")
    given = [part for name in labels for part in ("--labels", name)]
    code, out, err = command("compare", table, *given, *QUICK, "--out", page)
    assert code == 0
    assert "mine: 300 rows, 58 features, 3 labels; 2 methods, budgets 3 to 10" in err
    assert f"Report: {page}" in out
    assert "at_least_five" in page.read_text("utf-8")


def test_a_raw_table_untouched_with_its_doubts_first(command, tmp_path):
    raw_table().to_csv(tmp_path / "raw.csv", sep=";", decimal=",", index=False)
    page = tmp_path / "report.html"
    asked = ("--methods", "fisher,greedy-fair", "--budgets", "1,2", "--cv", "3")
    code, out, err = command(
        "compare", tmp_path / "raw.csv", "--labels", "tag_*", *asked, "--out", page
    )
    assert code == 0
    assert "Read with semicolons and decimal commas, UTF-8: 300 rows, 9 columns." in err
    assert "Columns left out (a date or time): 'day'." in err
    lines = out.splitlines()
    assert lines[0].startswith("Doubt: 'alarm' alone tells tag_a (AUC 1.000). ")
    found = [i for i, line in enumerate(lines) if line.startswith("Doubt: ")]
    answer = next(i for i, line in enumerate(lines) if " of 4 features " in line)
    assert len(found) == 5
    assert max(found) < answer
    assert lines[answer + 1].startswith("The label that is served worst is tag_b: AUC ")
    text = page.read_text("utf-8")
    assert text.index("Doubts first") < text.index("The answer")
    assert '<code class="option">--drop alarm</code>' in text


def test_repeats_and_margin_reach_the_answer(command, tmp_path):
    page = tmp_path / "report.html"
    asked = ("--methods", "fisher,random", "--budgets", "3", "--cv", "2")
    code, _, err = command(
        "compare", "traits", *asked, "--repeats", "2", "--margin", "0.5", "--out", page
    )
    assert code == 0
    assert "4 splits." in err
    assert "surely at most 0.5" in page.read_text("utf-8")
    code, _, err = command("compare", "traits", "--repeats", "2", "--cv", "blocks")
    assert code == 2
    assert "--repeats goes with a number of folds, not --cv blocks." in err


def test_a_file_whose_name_is_not_utf_8(command, table, tmp_path):
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.csv"))
    try:
        table.rename(odd)
    except OSError:
        pytest.skip("the file system takes no such name")
    page = tmp_path / "report.html"
    code, _, err = command("compare", odd, "--labels", "even", *QUICK, "--out", page)
    assert code == 0, err
    assert "Which features of caf\\udce9" in page.read_text("utf-8")


def stored_tasks(store):
    """Every row of the ledger's tasks: its place, its time, what it took."""
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT rowid, * FROM tasks").fetchall()


def test_a_second_run_reuses_the_first(command, tmp_path):
    store = tmp_path / "runs.sqlite"
    place = ("--store", store, "--out", tmp_path / "report.html")
    code, first, _ = command("compare", "traits", *QUICK, *place)
    assert code == 0
    done = stored_tasks(store)
    assert len(done) == 2 * (1 + RANDOM_DRAWS + 2) + 2
    code, second, _ = command("compare", "traits", *QUICK, *place)
    assert (code, second) == (0, first)
    assert stored_tasks(store) == done
    more = ("--methods", "fisher,rfs,mdmr", *QUICK[2:])
    assert command("compare", "traits", *more, *place)[0] == 0
    after = stored_tasks(store)
    assert after[: len(done)] == done
    assert len(after) == len(done) + 3


def choice_with_costs(command, tmp_path, costs):
    """The features that greedy-rls chooses under the costs of a file."""
    path = tmp_path / "costs.csv"
    lines = [f"{name},{cost}" for name, cost in costs.items()]
    path.write_text("\n".join(["feature,cost", *lines]))
    more = ("--methods", "greedy-rls", "--budgets", "5", "--cv", "2")
    place = ("--costs", path, "--out", tmp_path / "report.html")
    code, out, _ = command("compare", "traits", *more, *place)
    assert code == 0
    table = out.partition("Features by greedy-rls")[2].partition("Report:")[0]
    return [line.split()[1] for line in table.splitlines()[2:]]


def test_costs_are_read_by_name(command, tmp_path):
    names = load_dataset("traits").feature_names
    even = dict.fromkeys(names, 1)
    chosen = choice_with_costs(command, tmp_path, even)
    assert len(chosen) == 5
    dear = even | dict.fromkeys(chosen, 1000)
    cheap = choice_with_costs(command, tmp_path, dear)
    assert len(cheap) == 5
    assert not set(cheap) & set(chosen)
    backwards = dict(reversed(dear.items()))
    assert choice_with_costs(command, tmp_path, backwards) == cheap


def test_a_comparison_loads_few_modules(tmp_path):
    """A reader of the path from the command to the page opens that many files."""
    code = """
import sys
from labelsift.cli.app import run
assert run(["compare", "traits", *sys.argv[1:]]) == 0
rooms = ("experiment", "stats", "plots", "compare", "bench", "cli")
names = [name.split(".") for name in sys.modules if name.startswith("labelsift.")]
print(*sorted(".".join(name) for name in names if name[1] in rooms), file=sys.stderr)
"""
    page = tmp_path / "report.html"
    done = subprocess.run(
        [sys.executable, "-c", code, *QUICK, "--out", page],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = done.stderr.splitlines()[-1].split()
    assert page.exists()
    assert "labelsift.compare.page" in loaded
    assert len(loaded) <= 25, loaded


def all_costs(cost):
    """The text of a file in which every feature has this cost."""
    names = load_dataset("traits").feature_names
    return "feature,cost\n" + "".join(f"{name},{cost}\n" for name in names)


def wrong_costs(tmp_path, text):
    path = tmp_path / "costs.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,price\na,1\n", "needs the columns feature and cost"),
        ("feature,cost\na,1\n", "names the feature 'a', which the data do not have"),
        (all_costs("dear"), "gives 'pixel_0_0' the cost 'dear'"),
        (all_costs("-1"), "it must be a positive number"),
        (all_costs("nan"), "it must be a positive number"),
        (all_costs("1") + "pixel_0_0,2\n", "names 'pixel_0_0' twice"),
        ("feature,cost\npixel_0_0,1\n", "no cost for 'pixel_0_1' and 62 more"),
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
    one.write_text("a,b,tag\n" + "1,2,1\n2,3,1\n" * 20)
    few = tmp_path / "few.csv"
    few.write_text("a,b,tag\n1,2,1\n3,1,0\n2,2,1\n")
    cases = [
        ((table, "--labels", "nothing_*"), "nothing_*"),
        ((one, "--labels", "tag"), "No label has both values"),
        ((nan, "--labels", "even", "--prepare", "none"), "missing or not finite"),
        ((few, "--labels", "tag", "--cv", "9"), "cv=9 folds cannot be formed"),
        (("traits", "--methods", "magic"), "no method 'magic'"),
        (("traits", "--budgets", "lots"), "budget: write a count"),
        (("traits", "--out", tmp_path / "nowhere" / "x.html"), "create it first"),
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


def test_a_method_that_fails_is_named_and_told_by_the_exit_code(command, tmp_path):
    """RLEFS takes no values below 0: sparse data is divided, not shifted."""
    rng = np.random.default_rng(0)
    path, page = tmp_path / "a.svm", tmp_path / "report.html"
    rows = [
        f"{int(a > 0)} 1:{a:.3f} 2:{b:.3f} 3:1" for a, b in rng.normal(size=(60, 2))
    ]
    path.write_text("\n".join(rows))
    asked = ("--methods", "rlefs,fisher", "--budgets", "2", "--cv", "2")
    code, out, err = command("compare", path, *asked, "--out", page)
    assert code == 1
    assert "Failed: rlefs on" in err
    assert f"Report: {page}" in out
    assert page.exists()


@pytest.mark.parametrize(("at", "written"), [(4, True), (0, False)])
def test_ctrl_c_is_told_by_the_exit_code(command, tmp_path, monkeypatch, at, written):
    """During the second fold, or during the first task."""
    real, calls = pool.run_task, []

    def stopped(*arguments):
        calls.append(arguments)
        if len(calls) == at + 1:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(pool, "run_task", stopped)
    page = tmp_path / "report.html"
    code, _, err = command("compare", "traits", *QUICK, "--out", page)
    assert code == 130
    assert "Stopped" in err
    assert page.exists() == written


def test_a_promised_time(command, tmp_path):
    page = tmp_path / "report.html"
    asked = ("compare", "traits", "--methods", "fisher,hsic", "--budgets", "4,8")
    code, _, err = command(*asked, "--within", "0.0001s", "--out", page)
    assert code == 2
    assert "There is nothing to report: " in err
    code, _, err = command(*asked, "--within", "soon", "--out", page)
    assert code == 2
    assert "within='soon' is no time: write 60s, 2m or 90 (seconds)." in err
    code, _, err = command(*asked, "--cv", "2", "--within", "5m", "--out", page)
    assert code == 0
    assert "Cut:" not in err
    assert page.exists()


@pytest.fixture
def measurements(tmp_path):
    """A CSV file with columns of values, one with gaps, and a label."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    lines = ["a,b,c,d,y_one,y_two,tag"]
    for row, noise in zip(X, rng.normal(size=90), strict=True):
        two = "" if noise > 1 else f"{row[1] - row[2] + 0.1 * noise:.6f}"
        values = [*(f"{x:.6f}" for x in row), f"{2 * row[0] + noise:.6f}", two]
        lines.append(",".join([*values, str(int(row[3] > 0))]))
    path = tmp_path / "measured.csv"
    path.write_text("\n".join(lines))
    return path


FEW = ("--methods", "fisher,greedy-rls", "--budgets", "1,3", "--cv", "3")


def test_columns_of_values(command, measurements, tmp_path):
    page, picked = tmp_path / "report.html", tmp_path / "picked.json"
    asked = ("--targets", "y_one", "--drop", "y_two,tag", *FEW)
    code, out, err = command(
        "compare", measurements, *asked, "--out", page, "--save", picked
    )
    assert code == 0
    assert "90 rows, 4 features, 1 targets; 2 methods" in err
    assert "of 4 features" in out
    assert "R²" in out
    assert "rank correlation" in page.read_text("utf-8")
    assert picked.exists()


def test_values_with_gaps(command, measurements, tmp_path):
    asked = ("--targets", "y_*", "--drop", "tag", *FEW, "--out", tmp_path / "r.html")
    code, _, err = command("compare", measurements, *asked)
    assert code == 2
    assert "target 'y_two' is blank in row" in err
    code, out, err = command(
        "compare", measurements, *asked, "--label-missing", "unknown"
    )
    assert code == 0
    assert "90 rows, 4 features, 2 targets" in err
    assert "of the R² of all features" in out
    code, _, err = command("compare", measurements, *asked, "--label-missing", "drop")
    assert code == 0
    assert "rows with a blank target left out" in err


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("--targets", "y_one", "--labels", "tag"), "--labels and --targets exclude"),
        (("--targets", "y_one", "--methods", "scls"), "scls learns from labels"),
        (("--targets", "y_one", "--metric", "macro_auc"), "judges labels, but Y holds"),
        (("--labels", "y_one"), "--targets in place of --labels"),
    ],
)
def test_values_asked_for_wrongly(command, measurements, tmp_path, asked, sentence):
    rest = ("--drop", "y_two", "--out", tmp_path / "r.html")
    code, _, err = command("compare", measurements, *asked, *rest)
    assert code == 2
    assert sentence in err
