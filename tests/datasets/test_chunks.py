# SPDX-License-Identifier: BSD-3-Clause
import gzip

import pandas as pd
import pytest

from labelsift.datasets import chunks
from labelsift.datasets.chunks import TableParts

FRAME = pd.DataFrame(
    {
        "id": ["007", "x,1", ' "q"', "", "NA"],
        "size": [1.5, None, 3.0, -4.25, 1e9],
        "plan": ["01", "b", "01", "", "c"],
    }
)


def write(folder, suffix):
    path = folder / f"t{suffix}"
    if suffix == ".parquet":
        FRAME.to_parquet(path)
    elif suffix == ".feather":
        FRAME.to_feather(path)
    elif suffix == ".tsv":
        FRAME.to_csv(path, sep="\t", index=False)
    elif suffix == ".csv.gz":
        path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode()))
    elif suffix == "-de.csv":
        FRAME.to_csv(path, sep=";", decimal=",", index=False)
    else:
        FRAME.to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    "suffix", [".csv", ".csv.gz", ".tsv", "-de.csv", ".parquet", ".feather"]
)
@pytest.mark.parametrize("cells", [2, 4, 1000])
def test_parts_are_the_whole_in_any_size(tmp_path, monkeypatch, suffix, cells):
    monkeypatch.setattr(chunks, "CELLS", cells)
    parts = TableParts(write(tmp_path, suffix))
    assert parts.names == ["id", "size", "plan"]
    found = list(parts.rows(["plan", "size"], numbers=["size"]))
    if suffix != ".feather":
        assert len(found) == -(-5 // max(1, cells // 2))
    whole = pd.concat(found)
    assert list(whole.columns) == ["plan", "size"]
    assert whole.index.tolist() == list(range(5))
    assert whole["plan"].fillna("").tolist() == FRAME["plan"].tolist()
    pd.testing.assert_series_equal(whole["size"].astype(float), FRAME["size"])


def test_text_stands_as_it_is(tmp_path):
    """An id with zeros in front, or one that looks like a gap, is no number."""
    [part] = TableParts(write(tmp_path, ".csv")).rows(["id", "plan"])
    assert part["id"].tolist() == ["007", "x,1", ' "q"', "", "NA"]
    assert part["plan"].tolist() == FRAME["plan"].tolist()


def test_other_texts_for_gaps(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\nunknown,y\n")
    [part] = TableParts(path).rows(["a"], ["a"], missing=["unknown"])
    assert part["a"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b\n1,2\n3\n", "line 3 has 1 cell"),
        ("a,a\n1,2\n", "two columns called 'a'"),
    ],
)
def test_damaged_tables(tmp_path, content, sentence):
    path = tmp_path / "t.csv"
    path.write_text(content)
    with pytest.raises(ValueError, match=sentence):
        TableParts(path)


def test_options_that_a_format_does_not_have(tmp_path):
    with pytest.raises(ValueError, match="--sep means nothing there"):
        TableParts(write(tmp_path, ".parquet"), sep=";")
    with pytest.raises(ValueError, match="--sheet means nothing there"):
        TableParts(write(tmp_path, ".csv"), sheet="x")
    with pytest.raises(FileNotFoundError, match="check the path"):
        TableParts(tmp_path / "none.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(ValueError, match="cannot be read as Parquet"):
        TableParts(tmp_path / "bad.parquet")
