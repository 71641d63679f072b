# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.datasets import (
    from_frame,
    open_data,
    read_arff,
    read_csv,
    read_npz,
    write_npz,
)
from labelsift.datasets.problems import TableError

COLUMNS = {"x": [1.0, 2.0, 4.0], "y_a": [0.5, -1.5, 3.0], "y_b": [3, 4, 5]}
VALUES = [[0.5, 3.0], [-1.5, 4.0], [3.0, 5.0]]


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_columns_of_a_frame(library):
    data = from_frame(library.DataFrame(COLUMNS), "y_*", target="values")
    assert data.target == "values"
    assert data.label_names == ("y_a", "y_b")
    assert data.Y.dtype == np.float64
    assert data.Y.tolist() == VALUES


@pytest.mark.parametrize(("sep", "decimal"), [(",", "."), (";", ",")])
def test_columns_of_a_file(tmp_path, sep, decimal):
    path = tmp_path / "t.csv"
    pd.DataFrame(COLUMNS).to_csv(path, sep=sep, decimal=decimal, index=False)
    assert read_csv(path, "y_*", target="values").Y.tolist() == VALUES
    assert open_data(path, labels="y_*", target="values").Y.tolist() == VALUES


def test_blanks_are_asked_about(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,0.5\n2,\n3,1.5\n")
    with pytest.raises(ValueError, match="target 'y' is blank in row 2: say"):
        read_csv(path, "y", target="values")
    data = read_csv(path, "y", target="values", label_missing="drop")
    assert data.Y.tolist() == [[0.5], [1.5]]
    assert data.X.tolist() == [[1], [3]]
    assert "1 rows with a blank target left out" in data.notes[0]


@pytest.mark.parametrize(
    ("cells", "labels", "sentence"),
    [
        (["1.5", "high", "2"], "y", "target 'y' holds 'high', which is no number"),
        ([1.0, np.inf, 2.0], "y", "target 'y' is infinite in row 2"),
        (pd.to_datetime(["2020-01-01"] * 3), "y", "target 'y' holds dates"),
        ([1.0, 2.0, 3.0], "y:class", "target 'y' holds values: leave :class out"),
    ],
)
def test_what_is_no_value_is_told(cells, labels, sentence):
    frame = pd.DataFrame({"x": [1, 2, 3], "y": cells})
    with pytest.raises(TableError, match=sentence):
        from_frame(frame, labels, target="values")


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="target='numbers' is not known"):
        from_frame(pd.DataFrame(COLUMNS), "y_*", target="numbers")


def mulan(tmp_path, rows, head="'sales: -C -2'"):
    """A regression set as Mulan has them: numeric targets behind the features."""
    lines = [f"@relation {head}", "@attribute size numeric", "@attribute kind {a,b}"]
    lines += ["@attribute y1 numeric", "@attribute y2 real", "@data", *rows]
    path = tmp_path / "sales.arff"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("labels", [None, -2, ["y1", "y2"], "y*"])
def test_a_regression_set_of_mulan(tmp_path, labels):
    path = mulan(tmp_path, ["1.5,a,10.25,-3", "2.5,b,0,1e3"])
    data = read_arff(path, labels, target="values")
    assert (data.target, data.label_names) == ("values", ("y1", "y2"))
    assert data.X.tolist() == [[1.5, 0], [2.5, 1]]
    assert data.Y.tolist() == [[10.25, -3], [0, 1000]]


def test_its_sparse_rows(tmp_path):
    path = mulan(tmp_path, ["{0 1.5,2 10.25}", "{1 b,3 -2}"])
    data = read_arff(path, target="values")
    assert data.Y.tolist() == [[10.25, 0], [0, -2]]
    assert data.X.toarray().tolist() == [[1.5, 0], [0, 1]]


def test_many_rows_of_one(tmp_path, rng):
    table = rng.normal(size=(200, 12))
    names = [f"@attribute x{j} numeric" for j in range(12)]
    rows = [",".join(map(repr, row)) for row in table.tolist()]
    path = tmp_path / "generated.arff"
    path.write_text("\n".join(["@relation generated", *names, "@data", *rows]))
    data = open_data(path, labels=["x9", "x10", "x11"], target="values")
    np.testing.assert_array_equal(data.X, table[:, :9])
    np.testing.assert_array_equal(data.Y, table[:, 9:])


def test_what_is_missing_in_one_is_told(tmp_path):
    path = mulan(tmp_path, ["1,a,2,3", "1,b,?,3"])
    with pytest.raises(ValueError, match="1 rows have a target that is missing, row 2"):
        read_arff(path, target="values")
    with pytest.raises(ValueError, match="label 'y1' is '2': a label must be 0 or 1"):
        read_arff(path)


def test_npz_keeps_what_y_means(tmp_path):
    data = from_frame(pd.DataFrame(COLUMNS), "y_*", target="values")
    write_npz(data, tmp_path / "v.npz")
    again = read_npz(tmp_path / "v.npz")
    assert again.target == "values"
    assert again.Y.tolist() == VALUES
    assert again.checksum == data.checksum


def test_a_format_without_columns_refuses(tmp_path):
    write_npz(
        from_frame(pd.DataFrame(COLUMNS), "y_*", target="values"), tmp_path / "v.npz"
    )
    with pytest.raises(ValueError, match="--targets means nothing there"):
        open_data(tmp_path / "v.npz", labels="y_*", target="values")


def test_blanks_may_be_unknown(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y,tag,kind\n1,0.5,yes,a\n2,,,b\n3,1.5,no,\n")
    told = {"label_missing": "unknown"}
    values = read_csv(path, "y", drop=["tag", "kind"], target="values", **told)
    np.testing.assert_array_equal(values.Y, [[0.5], [np.nan], [1.5]])
    assert values.kind == "known values"
    labels = read_csv(path, ["tag", "kind:class"], drop="y", **told)
    np.testing.assert_array_equal(
        labels.Y, [[1, 1, 0], [np.nan, 0, 1], [0, np.nan, np.nan]]
    )
    assert labels.kind == "known labels"
    assert "3 labels unknown" in labels.notes[0]
    write_npz(labels, tmp_path / "l.npz")
    again = read_npz(tmp_path / "l.npz")
    np.testing.assert_array_equal(again.Y, labels.Y)
    assert again.checksum == labels.checksum
