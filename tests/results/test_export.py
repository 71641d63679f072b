# SPDX-License-Identifier: BSD-3-Clause
import math

import pytest

from labelsift.results.export import read_rows, write_rows

COLUMNS = ("method", "budget", "share", "params", "n_train", "split", "value")
ROWS = [
    {
        "method": "rfs, plain",
        "budget": 3,
        "share": 0.166667,
        "params": '{"gamma":[0.1,"x"]}',
        "n_train": 100,
        "split": 0,
        "value": 0.1 + 0.2,
    },
    {
        "method": 'µ "b"\nnext',
        "budget": 0,
        "share": 0.0,
        "params": "{}",
        "n_train": 7,
        "split": 12,
        "value": -1.5e-300,
    },
]


def test_rows_come_back_exactly(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(ROWS, COLUMNS, path)
    assert read_rows(path) == ROWS
    assert [type(value) for value in read_rows(path)[0].values()] == [
        type(value) for value in ROWS[0].values()
    ]


def test_a_value_that_is_not_defined_is_empty(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows([ROWS[0] | {"value": math.nan}], COLUMNS, path)
    assert path.read_text().splitlines()[1].endswith(",100,0,")
    [row] = read_rows(path)
    assert math.isnan(row.pop("value"))
    assert row == {k: v for k, v in ROWS[0].items() if k != "value"}


def test_columns_are_chosen_and_ordered(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(ROWS, ("split", "method"), path)
    assert path.read_text().splitlines()[0] == "split,method"
    assert read_rows(path)[1] == {"split": 12, "method": 'µ "b"\nnext'}


def test_no_rows_leave_a_head(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(iter(()), COLUMNS, path)
    assert path.read_text() == ",".join(COLUMNS) + "\n"
    assert read_rows(path) == []


def test_the_same_rows_are_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_rows(ROWS, COLUMNS, tmp_path / f"{name}.csv")
    one, two = ((tmp_path / f"{name}.csv").read_bytes() for name in ("one", "two"))
    assert one == two
    assert b"\r" not in one


def test_parquet(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    path = tmp_path / "rows.parquet"
    write_rows(ROWS, COLUMNS, path)
    frame = pandas.read_parquet(path)
    assert tuple(frame.columns) == COLUMNS
    assert frame.to_dict("records") == ROWS
