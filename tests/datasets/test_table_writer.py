# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.datasets import (
    from_frame,
    make_planted,
    read_csv,
    read_parquet,
    table_writer,
    write_csv,
    write_parquet,
)

ROUND_TRIPS = pytest.mark.parametrize(
    ("read", "write_data", "suffix"),
    [
        (read_csv, write_csv, ".csv"),
        (read_csv, write_csv, ".tsv"),
        (read_parquet, write_parquet, ".parquet"),
    ],
    ids=["csv", "tsv", "parquet"],
)


@ROUND_TRIPS
@pytest.mark.parametrize("density", [0.3, 1.0])
def test_what_is_written_is_read_back_exactly(
    tmp_path, monkeypatch, read, write_data, suffix, density
):
    monkeypatch.setattr(table_writer, "_BLOCK_CELLS", 100)  # several blocks
    data = make_planted(40, 12, 4, density=density, random_state=0)
    path = tmp_path / f"a{suffix}"
    write_data(data, path)
    back = read(path, "y?")
    assert back.feature_names == data.feature_names
    X = data.X.toarray() if density < 1 else data.X
    np.testing.assert_array_equal(back.X, X)
    np.testing.assert_array_equal(back.Y, data.Y)


@ROUND_TRIPS
@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_a_raw_table_comes_back(
    tmp_path, monkeypatch, read, write_data, suffix, library
):
    monkeypatch.setattr(table_writer, "_BLOCK_CELLS", 8)
    columns = {
        "plan": ["a", None, "b;c", 'd"'],
        "x": [1.5, None, 2, 1e-300],
        "y": [0, 1] * 2,
    }
    data = from_frame(library.DataFrame(columns), "y")
    path = tmp_path / f"a{suffix}"
    write_data(data, path)
    assert read(path, "y").checksum == data.checksum


def test_names_that_would_be_twice_in_the_table(tmp_path):
    data = make_planted(5, 2, 1, n_relevant=1, random_state=0)
    object.__setattr__(data, "label_names", ("x0",))
    with pytest.raises(ValueError, match="two columns called 'x0'"):
        write_csv(data, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())


@ROUND_TRIPS
def test_names_and_cells_of_any_kind_come_back(tmp_path, read, write_data, suffix):
    """Line breaks, quotes, separators, and what a spreadsheet takes for a formula."""
    names = ["a\nb", 'c"d', "e,f\tg", "=1+1", "@x", "+y", "-z"]
    columns = {name: ["=1+1", "a\nb", "@", None] for name in names}
    data = from_frame(pd.DataFrame(columns | {"label": [0, 1, 0, 1]}), "label")
    path = tmp_path / f"a{suffix}"
    write_data(data, path)
    back = read(path, "label")
    assert back.feature_names == tuple(names)
    assert back.checksum == data.checksum
