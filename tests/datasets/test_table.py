# SPDX-License-Identifier: BSD-3-Clause
import gzip

import numpy as np
import pandas as pd
import pytest

from labelsift.datasets import read_csv, read_feather, read_parquet
from labelsift.datasets.problems import TableError

CSV = "id,x,tag_a,tag_b\nu,1.5,0,1\nv,-2e-3,1,1\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("toy.csv", CSV.encode()),
        ("toy.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
        ("toy.tsv", CSV.replace(",", "\t").encode()),
        ("toy.csv", b"\xef\xbb\xbf" + CSV.replace("\n", "\r\n").encode()),
        ("toy.csv", CSV.replace("x", '"x"').encode()),
    ],
    ids=["plain", "gzip", "tabs", "windows", "quoted"],
)
def test_csv(write, name, content):
    data = read_csv(write(name, content), "tag_*", drop="id")
    assert data.name == "toy"
    assert data.feature_names == ("x",)
    assert data.X.ravel().tolist() == [1.5, -0.002]
    assert data.Y.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("x,y\n1,0\n3,2\n", r"toy\.csv: label column 'y' holds '2' in row 2 beside 0"),
        ("x,x,y\n1,1,0\n", r"toy\.csv has two columns called 'x'"),
        ("x,y\n1,0\n1,0,5\n", r"cannot be read as CSV: with commas, line 3 has 3 cell"),
        ("x,y\n1,0,5\n1,0,5\n", r"cannot be read as CSV: with commas, line 1 has 2"),
        ("x,y\n", "has no rows"),
        ("", r"toy\.csv cannot be read as CSV: it is empty"),
        ("\n\n", r"toy\.csv cannot be read as CSV: it is empty"),
        ('x,"y\n1,0\n', r"toy\.csv"),
        (b"x,y\n1,0\n\x81\xff,1\n", r"toy\.csv is no text in UTF-8 or Windows-1252"),
        (b"x,y\n1,0\n\0,1\n", r"toy\.csv is no text in UTF-8 or Windows-1252"),
        (
            gzip.compress(CSV.encode(), mtime=0)[:-9],
            r"toy\.csv is a damaged or truncated gzip",
        ),
        (f'"{"x" * 200_000}",y\n1,0\n', r"toy\.csv has one cell in every line"),
    ],
)
def test_bad_csv(write, content, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_csv(write("toy.csv", content), "[ty]*")


def test_a_raw_table(write):
    text = "id,plan,size,yes\nu, free ,1.5,no\nv,NA,-,yes\nw,pro,2,no\n"
    data = read_csv(write("toy.csv", text), "yes")
    assert data.X is data.frame
    assert data.frame["size"].isna().tolist() == [False, True, False]
    assert data.frame["plan"].isna().tolist() == [False, True, False]
    assert data.Y.ravel().tolist() == [0, 1, 0]
    assert data.notes == ("Read with commas, UTF-8: 3 rows, 4 columns.",)


def test_everything_that_is_wrong_is_told_at_once(write):
    lines = ["x,x,y,z", *["1,1,0,0"] * 250, "1,1,0", "1,1,0,0,0,0"]
    path = write("toy.csv", "\n".join(lines))
    with pytest.raises(TableError) as told:
        read_csv(path, ["y", "tag_*"], drop=["q", "z"])
    problems = told.value.problems
    wanted = ("line 252 has 3, line 253 has 6", "two columns called 'x'", "'q'", "tag")
    for problem, part in zip(problems, wanted, strict=True):
        assert part in problem
    labels = "a,b,c,d\n1,yes,0,u\n2,,x,v\n3,no,1,w\n"
    with pytest.raises(TableError) as told:
        read_csv(write("labels.csv", labels), "[bcd]")
    assert len(told.value.problems) == 3


def test_short_lines_are_not_filled_with_gaps(write):
    lines = ["x,y,z", *["1,0,0"] * 300, "1,0"]
    with pytest.raises(ValueError, match="the header has 3 cells, but line 302 has 2"):
        read_csv(write("toy.csv", "\n".join(lines)), "y")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\r", "\r\r\n"])
def test_an_empty_first_cell_behind_any_line_end(write, end):
    path = write(
        "t.csv", end.join(["a,b,t", "1,2,yes", ",3,no", "4,5,yes", ""]).encode()
    )
    data = read_csv(path, "t")
    assert data.frame["b"].tolist() == [2, 3, 5]
    assert data.Y.ravel().tolist() == [1, 0, 1]


def test_a_name_that_spans_lines(write):
    data = read_csv(write("toy.csv", 'x,"y\nz"\n1,0\n2,1\n'), "y*")
    assert data.label_names == ("y\nz",)


@pytest.mark.parametrize("header", ["\tx\ty", "x\ty\t"])
def test_one_column_without_a_name_is_given_one(write, header):
    data = read_csv(write("toy.tsv", f"{header}\n7\t1\t0\n8\t0\t1\n"), "y")
    assert len(data.feature_names) == 2
    made = next(name for name in data.feature_names if name != "x")
    assert f"the column without a name is called '{made}'" in data.notes[0]


@pytest.mark.parametrize("header", ["x,,,y", "Report,,,", "x,,y,z"])
def test_other_columns_without_a_name_are_asked_about(write, header):
    with pytest.raises(ValueError, match=r"column 2 has no name.*--skip N"):
        read_csv(write("toy.csv", f"{header}\n1,2,3,0\n"), "y")


def test_options_are_taken_at_their_word(write):
    text = "Report of May\nby me\nx|y|z\n1,5|0|a\n2,5|1|b\n".encode("utf-16")
    path = write("toy.csv", text)
    data = read_csv(path, "y", skip=2, sep="|", decimal=",", encoding="utf-16")
    assert data.frame["x"].tolist() == [1.5, 2.5]
    assert read_csv(path, "y", skip=2).checksum == data.checksum
    with pytest.raises(ValueError, match="sep='ab' is no separator"):
        read_csv(path, "y", sep="ab")
    with pytest.raises(ValueError, match="encoding='klingon' is not known"):
        read_csv(path, "y", encoding="klingon")


def test_labels_are_read_from_the_text_that_stands_in_the_file(write):
    text = "x,a,b\n1,NA,p;q\n2,1,\n3,0,q\n"
    path = write("toy.csv", text)
    with pytest.raises(ValueError, match="label column 'a' holds 'NA' in row 1"):
        read_csv(path, ["a", "b:;"], sep=",")
    data = read_csv(path, ["a", "b:;"], sep=",", label_missing="no")
    assert data.label_names == ("a", "b=p", "b=q")
    assert data.Y.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 1]]


def test_a_csv_bomb(write):
    bomb = gzip.compress(b"x,y\n" + b"1,0\n" * (2**24 + 1))
    with pytest.raises(ValueError, match="unpacks to more than"):
        read_csv(write("toy.csv.gz", bomb), "y")


@pytest.mark.parametrize("read", [read_csv, read_parquet, read_feather])
def test_a_missing_file(tmp_path, read):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read(tmp_path / "a.csv", "y")


@pytest.mark.parametrize("form", ["parquet", "feather"])
def test_typed_tables(tmp_path, form):
    frame = pd.DataFrame(
        {
            "plan": ["free", None, "pro"],
            "day": pd.to_datetime(["2024-01-01", None, "2024-01-03"]),
            "n": pd.array([1, None, 3], dtype="Int64"),
            "y": [True, False, True],
        }
    )
    path = tmp_path / f"a.{form}"
    getattr(frame, f"to_{form}")(path)
    read = read_parquet if form == "parquet" else read_feather
    data = read(path, "y")
    assert data.feature_names == ("plan", "day", "n")
    assert data.Y.ravel().tolist() == [1, 0, 1]
    assert data.frame["n"].isna().tolist() == [False, True, False]
    assert data.notes == (f"Read as {form.title()}: 3 rows, 4 columns.",)


def test_bad_feather(write):
    with pytest.raises(ValueError, match=r"a\.feather cannot be read as Feather"):
        read_feather(write("a.feather", b"FEA1 and more"), "y")


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"PAR1" + bytes(40) + b"PAR1", b"x,y"]
)
def test_bad_parquet(write, content):
    with pytest.raises(ValueError, match=r"a\.parquet cannot be read as Parquet"):
        read_parquet(write("a.parquet", content), "y")


def test_truncated_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"x": np.arange(100.0), "y": 1}).to_parquet(path)
    whole = path.read_bytes()
    for size in (len(whole) - 1, len(whole) // 2, 10):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="cannot be read as Parquet"):
            read_parquet(path, "y")
