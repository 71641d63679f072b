# SPDX-License-Identifier: BSD-3-Clause
import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.core.cells import (
    is_frame,
    is_sparse_frame,
    read_cells,
    take_columns,
    take_rows,
)

DAY = dt.date(2024, 1, 2)


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        (pd.Series([1, 2]), [1, 2]),
        (pd.Series([1, None]), [1, np.nan]),
        (pd.Series([1, None], dtype="Int64"), [1, np.nan]),
        (pd.Series([1, 2], dtype="Int8"), [1, 2]),
        (pd.Series([1, None], dtype="int64[pyarrow]"), [1, np.nan]),
        (pd.Series([True, None], dtype="boolean"), [1, np.nan]),
        (pd.Series([True, None], dtype=object), [1, np.nan]),
        (pd.Series([1, 2.5, pd.NA], dtype=object), [1, 2.5, np.nan]),
        (pd.Series([Decimal("1.5"), None], dtype=object), [1.5, np.nan]),
        (pd.Series([1, 2], dtype="float16"), [1, 2]),
        (pd.Series(pd.arrays.SparseArray([0.0, 1.0])), [0, 1]),
        (pd.Series([dt.timedelta(seconds=3), None]), [3, np.nan]),
        (pl.Series([1, None]), [1, np.nan]),
        (pl.Series([True, None]), [1, np.nan]),
        (pl.Series([Decimal("1.5"), None]), [1.5, np.nan]),
        (pl.Series([dt.timedelta(seconds=3), None]), [3, np.nan]),
        (pl.Series([None, None]), [np.nan, np.nan]),
    ],
    ids=lambda it: str(getattr(it, "dtype", "")),
)
def test_numbers(series, expected):
    cells = read_cells(series)
    assert cells.codes is None
    np.testing.assert_array_equal(cells.numbers, expected)


@pytest.mark.parametrize(
    "series",
    [
        pd.Series(["a", None, "b", "a"]),
        pd.Series(["a", None, "b", "a"], dtype=object),
        pd.Series(["a", np.nan, "b", "a"], dtype=object),
        pd.Series(["a", pd.NA, "b", "a"], dtype="string[python]"),
        pd.Series(["a", None, "b", "a"], dtype="string[pyarrow]"),
        pd.Series(["a", None, "b", "a"], dtype="category"),
        pl.Series(["a", None, "b", "a"]),
        pl.Series(["a", None, "b", "a"], dtype=pl.Categorical),
        pl.Series(["a", None, "b", "a"], dtype=pl.Enum(["b", "a"])),
        np.array(["a", None, "b", "a"], dtype=object),
    ],
    ids=lambda series: str(series.dtype),
)
def test_text(series):
    cells = read_cells(series)
    assert cells.numbers is None
    assert cells.codes.tolist() == [0, -1, 1, 0]
    assert cells.values == ("a", "b")
    named = str(series.dtype).lower()
    assert cells.declared == named.startswith(("category", "categorical", "enum"))


@pytest.mark.parametrize(
    "series",
    [
        pd.to_datetime(pd.Series([DAY, None])),
        pd.Series([DAY, None], dtype=object),
        pd.to_datetime(pd.Series(["2024-01-02 01:00"] * 2)).dt.tz_localize("CET"),
        pl.Series([DAY, None]),
        pl.Series([dt.datetime(2024, 1, 2), None]),
    ],
    ids=lambda series: str(series.dtype),
)
def test_dates(series):
    cells = read_cells(series)
    assert cells.is_date
    assert cells.numbers[0] == np.datetime64("2024-01-02T00:00:00", "us")


def test_mixed_objects_are_text_and_one_is_written_one_way():
    cells = read_cells(pd.Series([1, "x", 1.0, True, 2.5, None], dtype=object))
    assert cells.values[:2] == ("1", "x")
    assert cells.codes[2] == cells.codes[0]
    assert cells.codes[5] == -1


@pytest.mark.parametrize("library", [pd, pl])
def test_values_without_a_hash_are_text(library):
    cells = read_cells(library.Series([[1], [2], None, [1]]))
    assert cells.codes.tolist() == [0, 1, -1, 0]


def test_a_number_beyond_floats_is_text():
    cells = read_cells(pd.Series([10**400, 1], dtype=object))
    assert cells.numbers is None
    assert cells.values[1] == "1"


@pytest.mark.parametrize("library", [pd, pl])
def test_rows_and_columns(library):
    frame = library.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    assert is_frame(frame)
    assert not is_frame(np.eye(2))
    assert take_rows(frame, [2, 0])["b"].to_list() == ["z", "x"]
    assert take_rows(frame, np.array([False, True, False]))["a"].to_list() == [2]
    assert list(take_columns(frame, [1]).columns) == ["b"]


def test_sparse_frames():
    sparse = pd.DataFrame({"x": pd.arrays.SparseArray([0.0, 1.0])})
    assert is_sparse_frame(sparse)
    assert not is_sparse_frame(sparse.assign(y=1))
    assert not is_sparse_frame(pl.DataFrame({"x": [1]}))


def test_equal_columns_have_equal_bytes():
    one, other = pd.Series(["a", "b"]), pl.Series(["a", "b"])
    assert read_cells(one).parts() == read_cells(other).parts()
    assert read_cells(one).parts() != read_cells(pd.Series(["a", "c"])).parts()
    assert read_cells(pd.Series([1.0])).parts() == read_cells(pl.Series([1.0])).parts()
