# SPDX-License-Identifier: BSD-3-Clause
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from labelsift.datasets import from_frame, keep_features
from labelsift.datasets.frame import as_numbers
from labelsift.datasets.problems import TableError

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


LIBRARIES = pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])


@LIBRARIES
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"id": [1, None, 3]},
        {"id": [1.0, 2.0, np.inf]},
        {"id": [date(2020, 1, 1)] * 3},
    ],
)
def test_a_table_that_is_not_all_numbers_is_kept_as_it_is(library, change):
    frame = library.DataFrame(COLUMNS | change)
    data = from_frame(frame, "tag_*", name="toy")
    assert data.X is data.frame
    assert isinstance(data.X, library.DataFrame)
    assert data.feature_names == ("id", "x", "n", "flag")
    assert (data.n_samples, data.n_features, data.n_labels) == (3, 4, 2)
    with pytest.raises(ValueError, match=r"toy: column 'id' .* leave it out with"):
        as_numbers(data)


def test_all_columns_that_are_no_numbers_are_told_at_once():
    frame = pd.DataFrame(COLUMNS | {"n": [1, None, 3], "day": pd.Timestamp(0)})
    with pytest.raises(
        TableError, match=r"holds text.*2 more: 'labelsift look'"
    ) as told:
        as_numbers(from_frame(frame, "tag_*", name="toy"))
    kinds = ("holds text", "is missing or not finite in row 2", "holds dates")
    for problem, kind in zip(told.value.problems, kinds, strict=True):
        assert kind in problem


@LIBRARIES
def test_a_table_of_numbers_is_a_matrix_too(library):
    data = from_frame(library.DataFrame(COLUMNS), "tag_*", drop="id")
    assert data.frame is not None
    assert isinstance(data.X, np.ndarray)
    plain = as_numbers(data)
    assert plain.frame is None
    np.testing.assert_array_equal(plain.X, data.X)


@LIBRARIES
def test_rows_and_features_of_a_table(library):
    data = from_frame(library.DataFrame(COLUMNS), "tag_*")
    part = data.rows([2, 0])
    assert part.X is part.frame
    assert part.frame["id"].to_list() == ["w", "u"]
    assert part.Y.tolist() == [[1, 0], [1, 0]]
    few = keep_features(data, [3, 0])
    assert few.X is few.frame
    assert list(few.frame.columns) == ["flag", "id"] == list(few.feature_names)
    numbers = from_frame(library.DataFrame(COLUMNS), "tag_*", drop="id")
    numbers = keep_features(numbers, [1])
    assert numbers.X.ravel().tolist() == numbers.frame["n"].to_list() == [1, 2, 3]


def test_the_checksum_of_a_table_is_that_of_its_cells_and_names():
    one = from_frame(pd.DataFrame(COLUMNS), "tag_*")
    assert from_frame(pl.DataFrame(COLUMNS), "tag_*").checksum == one.checksum
    other = pd.DataFrame(COLUMNS | {"id": ["u", "v", "x"]})
    assert from_frame(other, "tag_*").checksum != one.checksum
    renamed = pd.DataFrame(COLUMNS).rename(columns={"x": "z"})
    assert from_frame(renamed, "tag_*").checksum != one.checksum


@LIBRARIES
@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([0, 1, 2], "label column 'tag_b' holds '2' in row 3 beside 0 and 1: write"),
        ([0.5, 0.0, 1.0], "label column 'tag_b' holds '0.5' in row 1 beside 0 and 1"),
        (["a", "b", "c"], r"holds 3 classes \(a, b, c\): say --labels 'tag_b:class'"),
        ([1, None, 0], "label column 'tag_b' is blank in row 2: say --label-missing"),
    ],
)
def test_labels_that_cannot_be_read(library, cells, sentence):
    frame = library.DataFrame(COLUMNS | {"tag_b": cells})
    with pytest.raises(ValueError, match=sentence):
        from_frame(frame, "tag_*", name="toy")


@LIBRARIES
def test_rows_with_a_blank_label_can_be_left_out(library):
    frame = library.DataFrame(COLUMNS | {"tag_b": [1, None, 0]})
    data = from_frame(frame, "tag_*", label_missing="drop")
    assert data.frame["id"].to_list() == ["u", "w"]
    assert data.Y.tolist() == [[1, 1], [1, 0]]
    assert data.notes == ("1 rows with a blank label left out.",)
    absent = from_frame(frame, "tag_*", label_missing="no")
    assert absent.Y.tolist() == [[1, 1], [0, 0], [1, 0]]
    with pytest.raises(ValueError, match="label_missing='maybe' is not known"):
        from_frame(frame, "tag_*", label_missing="maybe")


def test_numbers_beyond_float_are_text():
    frame = pd.DataFrame({"x": pd.Series([10**400, 1], dtype=object), "y": [0, 1]})
    with pytest.raises(ValueError, match="column 'x' holds text"):
        as_numbers(from_frame(frame, "y"))


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
