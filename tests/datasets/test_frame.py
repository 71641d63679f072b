# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from labelsift.datasets import from_frame

COLUMNS = {
    "id": ["u", "v", "w"],
    "x": [1.5, 2.0, -3.0],
    "n": [1, 2, 3],
    "flag": [True, False, True],
    "tag_a": [1, 0, 1],
    "tag_b": [False, True, False],
}


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_pandas_and_polars(library):
    data = from_frame(library.DataFrame(COLUMNS), "tag_*", drop=["id"], name="toy")
    assert data.name == "toy"
    assert data.feature_names == ("x", "n", "flag")
    assert data.label_names == ("tag_a", "tag_b")
    np.testing.assert_array_equal(data.X, [[1.5, 1, 1], [2, 2, 0], [-3, 3, 1]])
    np.testing.assert_array_equal(data.Y, [[1, 0], [0, 1], [1, 0]])
    assert data.X.dtype == np.float64


def test_float32_is_kept():
    frame = pd.DataFrame({"x": np.ones(2, "f4"), "z": np.ones(2, "f4"), "y": [0, 1]})
    assert from_frame(frame, "y").X.dtype == np.float32


def test_nullable_columns_without_gaps():
    frame = pd.DataFrame(COLUMNS).convert_dtypes()
    data = from_frame(frame, "tag_*", drop="id")
    np.testing.assert_array_equal(data.X[:, 1], [1, 2, 3])


def test_names_that_are_not_text():
    data = from_frame(pd.DataFrame([[1.0, 0], [2.0, 1]]), "1")
    assert data.feature_names == ("0",)


@pytest.fixture
def sparse_pandas():
    """pandas 3.1 asks for a later scipy than we do before it hands over sparse data."""
    pytest.importorskip("scipy", minversion="1.16")


@pytest.mark.usefixtures("sparse_pandas")
def test_sparse_pandas_columns_stay_sparse(rng):
    X = sp.csr_array(rng.integers(0, 2, size=(6, 4)) * rng.normal(size=(6, 4)))
    frame = pd.DataFrame.sparse.from_spmatrix(X, columns=list("abcd"))
    frame["y"] = [0, 1, 0, 1, 0, 1]
    data = from_frame(frame, "y")
    assert sp.issparse(data.X)
    np.testing.assert_array_equal(data.X.toarray(), X.toarray())


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, r"toy: column 'id' holds .* which are not numbers: .*drop=\['id'\]"),
        ({"id": [1, None, 3]}, r"column 'id' is missing or not finite in row 2: fill"),
        ({"id": [1.0, np.nan, 3]}, r"column 'id' is missing .* row 2.*drop=\['id'\]"),
        ({"id": [1.0, 2.0, np.inf]}, r"column 'id' is missing or not finite in row 3"),
        ({"id": [1, 2, 3], "tag_a": [0, 1, 2]}, "label column 'tag_a' is 2 in row 3"),
        ({"id": [1, 2, 3], "tag_b": [0.5, 0, 1]}, "label column 'tag_b' is 0.5 in row"),
        ({"id": [1, 2, 3], "tag_b": ["a", "b", "c"]}, "column 'tag_b' holds"),
        (
            {"id": [1, 2, 3], "tag_b": [1, None, 0]},
            "label column 'tag_b' is nan in row",
        ),
    ],
)
def test_bad_columns_are_named_with_their_remedy(library, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        from_frame(library.DataFrame(COLUMNS | change), "tag_*", name="toy")


def test_nullable_columns_with_gaps():
    frame = pd.DataFrame({"x": pd.array([1, None], dtype="Int64"), "y": [0, 1]})
    with pytest.raises(
        ValueError, match="column 'x' is missing or not finite in row 2"
    ):
        from_frame(frame, "y")


def test_numbers_beyond_float_are_refused():
    frame = pd.DataFrame({"x": pd.Series([10**400, 1], dtype=object), "y": [0, 1]})
    with pytest.raises(ValueError, match="column 'x' holds object values"):
        from_frame(frame, "y")


def test_dates_are_refused():
    frame = pd.DataFrame({"day": pd.to_datetime(["2020-01-01"]), "y": [1]})
    with pytest.raises(ValueError, match="column 'day' holds datetime64"):
        from_frame(frame, "y")


def test_duplicate_names():
    frame = pd.DataFrame([[1, 2, 0]], columns=["x", "x", "y"])
    with pytest.raises(ValueError, match="data has two columns called 'x'"):
        from_frame(frame, "y")


def test_an_empty_frame():
    with pytest.raises(ValueError, match="data has no rows"):
        from_frame(pd.DataFrame({"x": [], "y": []}), "y")


@pytest.mark.usefixtures("sparse_pandas")
def test_sparse_columns_must_be_finite():
    frame = pd.DataFrame({"x": pd.arrays.SparseArray([0.0, np.inf], fill_value=0.0)})
    frame["y"] = [0, 1]
    with pytest.raises(ValueError, match="sparse columns that are not finite"):
        from_frame(frame, "y")
