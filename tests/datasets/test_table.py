# SPDX-License-Identifier: BSD-3-Clause
import gzip

import numpy as np
import pandas as pd
import pytest

from labelsift.datasets import (
    make_planted,
    read_csv,
    read_parquet,
    table,
    write_csv,
    write_parquet,
)

CSV = "id,x,tag_a,tag_b\nu,1.5,0,1\nv,-2e-3,1,1\n"
ROUND_TRIPS = pytest.mark.parametrize(
    ("read", "write_data", "suffix"),
    [
        (read_csv, write_csv, ".csv"),
        (read_csv, write_csv, ".tsv"),
        (read_parquet, write_parquet, ".parquet"),
    ],
    ids=["csv", "tsv", "parquet"],
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("toy.csv", CSV.encode()),
        ("toy.csv.gz", gzip.compress(CSV.encode())),
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
        (CSV, r"toy\.csv: column 'id' holds .*drop=\['id'\]"),
        (CSV.replace("u,1.5", "1,"), r"toy\.csv: column 'id' holds"),
        ("x,y\n1,0\n,1\n", "column 'x' is missing or not finite in row 2"),
        ("x,y\n1,0\ninf,1\n", "column 'x' is missing or not finite in row 2"),
        ("x,y\n1,0\n3,2\n", "label column 'y' is 2 in row 2"),
        ("x,x,y\n1,1,0\n", r"toy\.csv has two columns called 'x'"),
        (",x,y\n0,1,0\n", r"toy\.csv, line 1: column 1 has no name"),
        ("x,y\n1,0\n1,0,5\n", r"toy\.csv cannot be read as CSV .*line 3"),
        ("x,y\n1,0,5\n1,0,5\n", r"toy\.csv cannot be read as CSV"),
        ("x,y\n", "has no rows"),
        ("", r"toy\.csv cannot be read as CSV"),
        ('x,"y\n1,0\n', r"toy\.csv"),
        (b"x,y\n1,0\n\xff,1\n", r"toy\.csv cannot be read as CSV .*utf-8"),
        (b"x,\xff\n1,0\n", r"toy\.csv, line 1: byte 3 is not UTF-8"),
        (gzip.compress(CSV.encode())[:-9], r"toy\.csv is a damaged or truncated gzip"),
        (f'"{"x" * 200_000}",y\n1,0\n', r"toy\.csv, line 1: the header cannot be read"),
    ],
)
def test_bad_csv(write, content, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_csv(write("toy.csv", content), "[ty]*")


def test_a_name_that_spans_lines(write):
    data = read_csv(write("toy.csv", 'x,"y\nz"\n1,0\n2,1\n'), "y*")
    assert data.label_names == ("y\nz",)


def test_a_column_without_a_name(write):
    path = write("toy.tsv", "\tx\ty\n0\t1\t0\n")
    with pytest.raises(ValueError, match="has 3 columns but its first line names 2"):
        read_csv(path, "y")


def test_a_csv_bomb(write):
    bomb = gzip.compress(b"x,y\n" + b"1,0\n" * (2**24 + 1))
    with pytest.raises(ValueError, match="unpacks to more than"):
        read_csv(write("toy.csv.gz", bomb), "y")


@ROUND_TRIPS
@pytest.mark.parametrize("density", [0.3, 1.0])
def test_what_is_written_is_read_back_exactly(
    tmp_path, monkeypatch, read, write_data, suffix, density
):
    monkeypatch.setattr(table, "_BLOCK_CELLS", 100)  # several blocks
    data = make_planted(40, 12, 4, density=density, random_state=0)
    path = tmp_path / f"a{suffix}"
    write_data(data, path)
    back = read(path, "y?")
    assert back.feature_names == data.feature_names
    X = data.X.toarray() if density < 1 else data.X
    np.testing.assert_array_equal(back.X, X)
    np.testing.assert_array_equal(back.Y, data.Y)


@ROUND_TRIPS
def test_a_missing_file(tmp_path, read, write_data, suffix):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read(tmp_path / f"a{suffix}", "y")


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


def test_names_that_would_be_twice_in_the_table(tmp_path):
    data = make_planted(5, 2, 1, n_relevant=1, random_state=0)
    object.__setattr__(data, "label_names", ("x0",))
    with pytest.raises(ValueError, match="two columns called 'x0'"):
        write_csv(data, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())
