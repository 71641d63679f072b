# SPDX-License-Identifier: BSD-3-Clause
"""Parquet in batches: every row once, in order, whatever the row groups."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labelsift.core import parquet_rows
from labelsift.core.parquet_rows import open_parquet, parquet_batches


@pytest.mark.parametrize("group", [1, 7, 100, 1000])
@pytest.mark.parametrize("whole", [0, 3000, 2**26])
def test_every_row_once(group, whole, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_rows, "_WHOLE", whole)
    monkeypatch.setattr(parquet_rows, "_COLUMNS", 2)
    X = np.arange(500.0).reshape(100, 5)
    table = pa.table([*X.T.copy()], names=list("abcde"))
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=group)
    file = open_parquet(tmp_path / "t.parquet")
    parts = list(parquet_batches(file, ["d", "a", "c"], 9))
    assert max(part.num_rows for part in parts) <= 9
    rows = np.vstack([part.to_pandas().to_numpy() for part in parts])
    np.testing.assert_array_equal(rows, X[:, [3, 0, 2]])
