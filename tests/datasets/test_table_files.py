# SPDX-License-Identifier: BSD-3-Clause
"""Many tables as one: found, compared, sampled and read in batches."""

import numpy as np
import pandas as pd
import pytest

from labelsift.datasets.table_files import TableFiles, find_files


@pytest.fixture
def folder(tmp_path):
    """Three Parquet files of 100, 0 and 50 rows, and the first one as text."""
    frame = pd.DataFrame({"a": np.arange(150.0), "b": ["x", "y", "z"] * 50})
    frame["tag_0"], frame["tag_1"] = np.arange(150) % 2, np.arange(150) % 3 == 0
    frame[:100].to_parquet(tmp_path / "part-0.parquet")
    frame[:0].to_parquet(tmp_path / "part-1.parquet")
    frame[100:].to_parquet(tmp_path / "part-2.parquet")
    frame[:100].astype({"tag_1": int}).to_csv(tmp_path / "part-0.csv", index=False)
    return tmp_path


def test_patterns_and_folders(folder, monkeypatch):
    files = find_files(str(folder / "*.parquet"))
    assert [file.name for file in files] == [f"part-{i}.parquet" for i in range(3)]
    assert find_files(str(folder)) == files
    monkeypatch.chdir(folder)
    assert [str(file) for file in find_files("part-?.csv")] == ["part-0.csv"]
    assert find_files("traits") is None
    assert find_files(str(folder / "part-0.csv")) is None
    with pytest.raises(FileNotFoundError, match="names no file"):
        find_files("other-*.parquet")
    (folder / "part-3.xlsx").write_bytes(b"")
    with pytest.raises(ValueError, match=r"part-3.xlsx is no Parquet or text table"):
        find_files("part-*")


def test_batches_hold_every_row(folder):
    files = TableFiles(find_files(str(folder)), "tag_*")
    files.batch_rows = 40
    batches = list(files.batches())
    features, labels = (pd.concat(part) for part in zip(*batches, strict=True))
    np.testing.assert_array_equal(features["a"], np.arange(150.0))
    assert list(labels.columns) == ["tag_0", "tag_1"]
    assert files.n_rows == 150
    assert max(len(part) for part, _ in batches) <= 40


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_sample_is_spread_over_all_rows(suffix, folder):
    files = TableFiles(find_files(str(folder / f"*.{suffix}")), "tag_*")
    files.batch_rows, files.sample_rows = 7, 20
    features, labels = files.sample()
    assert 10 <= len(features) == len(labels) <= 22
    places = features["a"].astype(float).to_numpy()
    assert len(set(np.diff(places))) <= 2
    assert places[0] == 0
    assert places[-1] >= (0.85 * 150 if suffix == "parquet" else 85)


def test_memory_bounds_batch_and_sample(folder):
    paths = find_files(str(folder))
    small, large = (TableFiles(paths, "tag_*", memory=m) for m in ("10M", "2G"))
    assert small.batch_rows < large.batch_rows
    assert small.sample_rows < large.sample_rows == 200_000


def test_tables_that_do_not_fit_together(folder):
    pd.DataFrame({"a": [1.0], "tag_0": [1]}).to_parquet(folder / "part-9.parquet")
    with pytest.raises(ValueError, match="have different columns"):
        TableFiles(find_files(str(folder)), "tag_*")
    with pytest.raises(ValueError, match="'b' holds lists or classes"):
        TableFiles(find_files(str(folder / "*.csv")), "b:class")
