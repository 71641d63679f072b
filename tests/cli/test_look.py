# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift look`` and ``labelsift data info`` on tables as people have them."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest

from labelsift.datasets import write_npz
from labelsift.datasets.synthetic import make_planted
from prepare.tables import raw_table

N = 300


@pytest.fixture
def raw():
    return raw_table()


@pytest.fixture
def path(raw, tmp_path):
    raw.to_csv(tmp_path / "raw.csv", index=False)
    return tmp_path / "raw.csv"


def test_every_column_and_every_doubt_and_nothing_is_fitted(command, path):
    code, out, err = command("look", path, "--labels", "tag_*")
    assert code == 0
    assert err == "Read with commas, UTF-8: 300 rows, 9 columns.\n"
    lines = out.splitlines()
    assert lines[0] == "raw: 300 rows, 7 columns, 4 used as 5 numbers"
    cells = [line.split("  ") for line in lines[2:9]]
    assert [row[0] for row in cells] == list(
        ("key", "row", "day", "plan", "size", "x", "alarm")
    )
    for words in (
        "left out  text with many different values: an id or free text",
        "left out  whole numbers that count the rows",
        "7000 to 7299",
        "left out  a date or time",
        "pro, free",
        "tag_b    11  3.7%",
    ):
        assert words in out
    doubts = [line for line in lines if line.startswith("Doubt: ")]
    assert [line.split()[1] for line in doubts] == [
        "'alarm'",
        "'size'",
        "'row'",
        "tag_b",
    ]
    assert "run again with --drop alarm." in doubts[0]
    assert "       Option: --missing -9999" in lines
    assert "       Option: --drop tag_b" in lines
    assert doubts[3].endswith(
        "has 11 positive rows: its AUC is known to about +-0.17 only."
    )


def test_the_options_that_doubts_print_silence_them(command, path):
    _, out, _ = command("look", path, "--labels", "tag_*", "--json")
    remedies = [doubt["remedy"] for doubt in json.loads(out)["doubts"]]
    options = [word for remedy in remedies for word in shlex.split(remedy)]
    assert len(options) == 8
    code, out, _ = command("look", path, "--labels", "tag_*", *options)
    assert code == 0
    doubts = [line for line in out.splitlines() if line.startswith("Doubt")]
    assert [line[:14] for line in doubts] == ["Doubt: The row"]  # 'row' is kept
    code, out, _ = command("look", path, "--labels", "tag_*", "--drop",
                           "alarm,row,tag_b", "--missing", "-9999")  # fmt: skip
    assert out.endswith("No doubts.\n")


def test_as_json(command, path, raw):
    _, out, _ = command("look", path, "--labels", "tag_*", "--json")
    document = json.loads(out, parse_constant=pytest.fail)
    assert document["n_samples"] == N
    assert document["labels"] == {
        "tag_a": int((raw["tag_a"] == "yes").sum()),
        "tag_b": 11,
    }
    assert document["notes"] == ["Read with commas, UTF-8: 300 rows, 9 columns."]
    plan = document["columns"][3]
    assert (plan["kind"], plan["missing"]) == (
        "category",
        int((raw["plan"] == "").sum()),
    )
    assert document["doubts"][0]["code"] == "leak"
    assert document["doubts"][0]["columns"] == ["alarm"]


def test_without_labels_the_columns_are_shown(command, path):
    code, out, _ = command("look", path)
    assert code == 0
    assert "tag_a" in out
    assert "Labels" not in out
    assert "Doubt: 'row' counts the rows" in out


def test_kinds_can_be_told(command, path):
    told = ("--kind", "row=number", "--kind", "x=drop", "--kind", "day=date")
    code, out, _ = command("look", path, *told)
    assert code == 0
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "left out on request" in rows["x"]
    assert rows["row"].split()[1] == "number"
    assert rows["day"].split()[1] == "date"
    code, _, err = command("look", path, "--kind", "x=text")
    assert code == 2
    assert "'x=text' is not of the form NAME=KIND" in err


@pytest.mark.parametrize("name", ["look", "data info"])
def test_all_problems_of_a_file_are_listed_at_once(command, tmp_path, name):
    path = tmp_path / "bad.csv"
    path.write_text("a,a,tag_x,tag_y,tag_z\n1,2,yes,perhaps,1\n2,3,no,1,\n3,4,no,0,0\n")
    asked = ("--labels", "tag_*", "--labels", "mark_*", "--drop", "b")
    code, out, err = command(*name.split(), path, *asked)
    assert (code, out) == (2, "")
    problems = err.splitlines()
    assert [line.partition(": ")[0] for line in problems] == ["Error"] * 3
    assert "two columns called 'a'" in err
    assert "no column 'mark_*'" in err
    assert "no column 'b'" in err
    path.write_text("a,tag_x,tag_y,tag_z\n1,yes,perhaps,1\n2,no,1,\n3,no,0,0\n")
    code, _, err = command(*name.split(), path, "--labels", "tag_*")
    assert code == 2
    assert len(err.splitlines()) == 2
    assert "label column 'tag_y' holds 'perhaps' in row 1 beside 0 and 1" in err
    assert "label column 'tag_z' is blank in row 2" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["look", "data info"])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a;b|c;d\n1;2|3;4\n", "can be read with semicolons (3 columns) or bars (2"),
        (b"x;tag\n1,234;1\n2,500;0\n", "may be a decimal comma or mark thousands"),
        (b"x;tag\n1,5;1\n2.5;0\n", "with a comma (1,5) and with a point (2.5)"),
        (b"x,tags\n1,a|b\n2,a\n", "say --labels 'tags:|'"),
        (b"x,tags\n1,bug\n2,spam\n3,bug\n", "say --labels 'tags:class'"),
        (b"Title\n\nx,tag\n1,0\n2,1\n", "say --sep, or --skip N"),
        (b"x,tag\n1,X\n2,1\n3,\n", "holds"),
        (b"x,tag\n1,1\n2,\n", "say --label-missing no"),
    ],
)  # fmt: skip
def test_what_has_two_readings_is_asked_about(
    command, tmp_path, name, content, sentence
):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    code, out, err = command(*name.split(), path, "--labels", "tag*")
    assert (code, out) == (2, "")
    assert sentence in " ".join(err.split())


def test_info_of_a_raw_table(command, path):
    code, out, _ = command("data", "info", path, "--labels", "tag_*")
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    gaps = int((pd.read_csv(path)["plan"].isna()).sum())
    assert ["samples", "300"] in rows
    assert ["features", "7,", "a", "table"] in rows
    assert ["cells", "filled", f"{1 - gaps / 2100:.2%}"] in rows
    assert ["empty", "rows", "0"] in rows
    assert ["missing", "values", str(gaps)] in rows
    assert ["tag_b", "11", "3.7%"] in rows


def test_data_that_is_no_table(command, tmp_path):
    write_npz(make_planted(60, 4, 2, n_relevant=2, random_state=0), tmp_path / "a.npz")
    code, out, err = command("look", tmp_path / "a.npz")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Labels"


def test_without_preparation_a_table_is_numbers(command, path):
    asked = ("--labels", "tag_*", "--prepare", "none")
    code, _, err = command("look", path, *asked)
    assert code == 2
    assert len([line for line in err.splitlines() if line.startswith("Error")]) == 3
    keep = ("--drop", "key,day,plan")
    code, out, _ = command("look", path, *asked, *keep)
    assert code == 0
    assert "Doubt: 'row' counts the rows: leave it out." in out


@pytest.fixture
def measured(tmp_path):
    """Two features and two columns of values."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    table = np.column_stack([X, X @ [1.0, 0.5], X @ [0.2, 2.0]])
    path = tmp_path / "values.csv"
    np.savetxt(path, table, delimiter=",", header="a,b,y_1,y_2", comments="")
    return str(path)


def test_targets_are_shown_as_values(command, measured):
    code, out, _ = command("look", measured, "--targets", "y_*")
    assert code == 0
    assert "Targets" in out
    assert "Labels" not in out
    code, out, _ = command("look", measured, "--targets", "y_*", "--json")
    assert json.loads(out)["targets"] == ["y_1", "y_2"]


def test_select_takes_targets_and_others_say_that_they_do_not(command, measured):
    code, out, _ = command("select", measured, "--targets", "y_*", "-k", "1")
    assert code == 0
    assert "1 of 2 features of values (2 targets) by greedy-rls" in out
    code, _, err = command("data", "info", measured, "--targets", "y_*")
    assert (code, "--targets is for compare, select and look" in err) == (2, True)
    code, _, err = command("look", measured, "--targets", "y_*", "--labels", "y_1")
    assert (code, "exclude each other: choose one" in err) == (2, True)


@pytest.fixture
def answered(tmp_path):
    """Two features, weights, and labels that nobody knows of some rows."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "b"])
    table["w"] = [1.0, 3.0] * 40
    for name in ("tag_1", "tag_2"):
        tags = (table["a"] + rng.normal(size=80) > 0).map({True: "yes", False: "no"})
        table[name] = tags.where(rng.random(80) > 0.2, "")
    path = tmp_path / "answers.csv"
    table.to_csv(path, index=False)
    return path


UNKNOWN = ("--labels", "tag_*", "--label-missing", "unknown")


def test_weights_and_unknown_labels_are_shown(command, answered):
    code, out, err = command("look", answered, *UNKNOWN, "--weights", "w")
    assert code == 0, err
    table = pd.read_csv(answered)
    assert "Rows count by 'w', 1 to 3." in err
    gaps = table["tag_1"].isna().sum()
    row = next(line.split() for line in out.splitlines() if line.startswith("tag_1"))
    known = table[table["tag_1"].notna()]
    share = np.average(known["tag_1"] == "yes", weights=known["w"])
    assert row[3:] == [f"{share:.1%}", str(gaps)]
    assert not any(line.startswith("w ") for line in out.splitlines())
    code, out, _ = command("look", answered, *UNKNOWN, "--weights", "w", "--json")
    told = json.loads(out)
    assert told["unknown"]["tag_1"] == gaps
    assert told["sum_of_weights"] == 160
    code, _, err = command("look", answered, "--weights", "w")
    assert (code, "Rows count by" in err) == (0, True)


def test_select_takes_weights_and_unknown_labels(command, answered, tmp_path):
    path = tmp_path / "s.json"
    asked = ("-k", "1", "--save", path)
    code, out, err = command("select", answered, *UNKNOWN, "--weights", "w", *asked)
    assert code == 0, err
    assert "1 of 2 features of answers (2 labels) by greedy-rls" in out
    code, out, err = command(
        "apply", path, answered, "--predict", "--out", tmp_path / "p.csv"
    )
    assert code == 0, err
    predicted, known = pd.read_csv(tmp_path / "p.csv"), pd.read_csv(answered)
    right = (predicted["tag_1"] == 1) == (known["tag_1"] == "yes")
    assert right[known["tag_1"].notna()].mean() > 0.6
    for option, sentence in (
        (("--explain",), "--explain takes no weights of rows: leave --weights out"),
        (("--method", "relief-ml"), "relief-ml takes no weights of rows"),
    ):
        code, _, err = command("select", answered, *UNKNOWN, "--weights", "w", *option)
        assert (code, sentence in " ".join(err.split())) == (2, True)
    code, _, err = command("select", answered, *UNKNOWN, "--pfer", "1")
    assert (code, "--pfer needs every label" in err) == (2, True)
    code, _, err = command("apply", path, answered, *UNKNOWN)
    assert (code, "is for compare, select and look" in err) == (2, True)


def test_values_are_predicted_in_their_units(command, measured, tmp_path):
    path, out = tmp_path / "s.json", tmp_path / "p.csv"
    asked = ("--targets", "y_*", "-k", "2", "--save", path)
    assert command("select", measured, *asked)[0] == 0
    code, said, err = command("apply", path, measured, "--predict", "--out", out)
    assert (code, "60 samples, 2 predicted values" in said) == (0, True), err
    truth, predicted = pd.read_csv(measured), pd.read_csv(out)
    np.testing.assert_allclose(predicted, truth[["y_1", "y_2"]], atol=0.3)
    code, _, err = command("apply", path, measured, "--scores", "--out", tmp_path / "x")
    assert code == 2
    code, _, err = command(
        "apply", path, measured, "--scores", "--out", tmp_path / "x.csv"
    )
    assert (code, "predicts values: use --predict" in err) == (2, True)
    for name in ("r.csv", "r.npz"):
        code, said, err = command("apply", path, measured, "--out", tmp_path / name)
        assert (code, "2 targets" in said) == (0, True), err
