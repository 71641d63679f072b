# SPDX-License-Identifier: BSD-3-Clause
import json
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.datasets import from_frame, read_npz, write_npz

COLUMNS = {
    "plan": ["a", None, " b", "a"],
    "size": [1.5, None, 2.0, np.inf],
    "count": [1, 2, 3, 4],
    "big": [2**62, 2**62 + 1, 5, 6],
    "day": [date(2024, 1, 1), None, date(2024, 1, 3), date(2024, 1, 4)],
    "flag": [True, False, True, False],
    "y": [0, 1, 0, 1],
}


def written(path, frame):
    data = from_frame(frame, "y")
    write_npz(data, path)
    return data


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"plan": "category"}),
        pd.DataFrame(COLUMNS).convert_dtypes(),
    ],
    ids=["pandas", "polars", "category", "nullable"],
)
def test_a_table_comes_back_with_its_cells(tmp_path, frame):
    data = written(tmp_path / "a.npz", frame)
    back = read_npz(tmp_path / "a.npz")
    assert back.checksum == data.checksum
    assert back.X is back.frame
    assert back.feature_names == data.feature_names


def test_a_table_of_numbers_is_a_matrix_too(tmp_path):
    written(tmp_path / "a.npz", pd.DataFrame({"x": [1.0, 2.0], "y": [0, 1]}))
    back = read_npz(tmp_path / "a.npz")
    assert back.X.ravel().tolist() == [1, 2]
    assert back.frame is not None


@pytest.mark.parametrize(
    "change",
    [
        {"columns": 3},
        {"columns": []},
        {"columns": [None] * 6},
        {"columns": [{"texts": ["a"], "declared": False}] * 6},
        {"columns": [{"texts": [1, 2], "declared": False}] * 6},
        {"columns": [{"texts": None}] * 6, "feature_names": None},
        {"columns": [{"texts": None}] * 6, "feature_names": ["x"] * 6},
    ],
)
def test_a_strangers_table_is_checked(tmp_path, change):
    written(tmp_path / "a.npz", pd.DataFrame(COLUMNS))
    with np.load(tmp_path / "a.npz") as file:
        arrays = dict(file)
    meta = json.loads(arrays["meta"].tobytes()) | change
    arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)
    np.savez(tmp_path / "b.npz", **arrays)
    with pytest.raises(ValueError, match=r"b\.npz: "):
        read_npz(tmp_path / "b.npz")


def test_columns_of_other_lengths(tmp_path):
    written(tmp_path / "a.npz", pd.DataFrame(COLUMNS))
    with np.load(tmp_path / "a.npz") as file:
        arrays = dict(file)
    arrays["column_2"] = np.arange(3)
    np.savez(tmp_path / "b.npz", **arrays)
    with pytest.raises(ValueError, match=r"b\.npz"):
        read_npz(tmp_path / "b.npz")
