# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning

from labelsift.core.labels import (
    constant_labels,
    read_label_matrix,
    read_labels,
)

Y = np.array([[0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("given", "negative"),
    [
        (Y, 0),
        (Y.tolist(), 0),
        (Y.astype(bool), 0),
        (Y.astype(np.float32), 0),
        (2 * Y - 1, -1),
        (sp.csr_matrix(Y), 0),
        (sp.csc_array(Y), 0),
        (sp.coo_array(Y), 0),
        (sp.csr_array(2 * Y - 1), -1),
        (pd.DataFrame(Y), 0),
        (pl.DataFrame(Y, schema=["a", "b", "c"]), 0),
        (pd.DataFrame({"a": Y[:, 0] == 1, "b": Y[:, 1], "c": Y[:, 2]}), 0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_form_of_a_label_matrix_reads_the_same(given, negative):
    labels = read_labels(given, "Method")
    np.testing.assert_array_equal(labels.matrix, Y)
    assert labels.matrix.dtype == np.int8
    assert labels.negative == negative
    assert labels.classes is None


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_label_names_come_from_the_frame(frame):
    given = frame({"rock": Y[:, 0], "jazz": Y[:, 1]})
    assert list(read_labels(given, "Method").names) == ["rock", "jazz"]


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([2, 5, 2, 9], [2, 5, 9]),
        ([1.0, 0.0, 1.0, 0.0], [0, 1]),
        (["b", "a", "b", "a"], ["a", "b"]),
        ([True, False, True, True], [False, True]),
    ],
)
def test_a_1d_y_gives_one_column_per_value(y, classes):
    labels = read_labels(y, "Method")
    np.testing.assert_array_equal(labels.classes, classes)
    expected = np.asarray(y)[:, np.newaxis] == labels.classes
    np.testing.assert_array_equal(labels.matrix, expected)


def test_one_binary_column_is_a_label_matrix():
    labels = read_labels(Y[:, :1], "Method")
    assert labels.classes is None
    assert labels.matrix.shape == (4, 1)


def test_a_column_of_classes_is_read_as_1d_with_a_warning():
    with pytest.warns(DataConversionWarning, match=r"Pass y.ravel\(\)"):
        labels = read_labels(np.array([[3], [4], [5]]), "Method")
    np.testing.assert_array_equal(labels.classes, [3, 4, 5])


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (None, "requires y to be passed"),
        (Y + 1, "got 1, 2: code each label as present"),
        (np.array([[-1, 0], [1, 1]]), "0/1, bool or -1/\\+1 over the whole matrix"),
        (sp.csr_array([[-1, 0], [1, 1]]), "got -1, 0, 1"),
        (Y * 0.5, "got 0, 0.5"),
        (Y.astype(str), "must hold numbers"),
        (np.ones((4, 2)), "at least one label with both values"),
        (np.empty((4, 0)), "at least one label, got shape"),
        (np.zeros((2, 2, 2)), "n_samples, n_labels"),
        ([1, 1, 1], "holds only one class"),
        ([0.1, 0.2, 0.35], "Unknown label type"),
        ([0.0, np.nan, 1.0], "contains NaN"),
        (np.array([[0, np.nan], [1, 1]]), "Y contains NaN and Method needs"),
        (sp.csr_array([[0, np.nan], [1, 1]]), "Y contains NaN and Method needs"),
    ],
)
def test_bad_labels_are_refused_in_words(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_labels(y, "Method")


def test_constant_labels_warn_once_and_by_name():
    frame = pd.DataFrame(Y, columns=["a", "b", "c"]).assign(never=0, always=1)
    with pytest.warns(UserWarning, match="2 of 5 labels .* never, always") as caught:
        labels = read_labels(frame, "Method")
    assert len(caught) == 1
    np.testing.assert_array_equal(
        constant_labels(labels.matrix), [False, False, False, True, True]
    )


def test_unlabelled_rows_pass_where_allowed():
    given = np.vstack([Y, np.full((2, 3), np.nan)])
    labels = read_labels(given, "Method", allow_unlabelled=True)
    np.testing.assert_array_equal(labels.matrix[:4], Y)
    assert np.isnan(labels.matrix[4:]).all()
    assert not constant_labels(labels.matrix).any()


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([[0, 1], [np.nan, 1]], "Row 1 of Y has some labels NaN"),
        ([[np.nan, np.nan], [np.nan, np.nan]], "All rows of Y are NaN"),
        (sp.csr_array([[0, 1], [np.nan, np.nan]]), "NaN and is sparse: pass a dense Y"),
    ],
)
def test_unlabelled_rows_are_all_or_nothing(rows, sentence):
    rows = rows if sp.issparse(rows) else np.array(rows)
    with pytest.raises(ValueError, match=sentence):
        read_labels(rows, "Method", allow_unlabelled=True)


@pytest.mark.parametrize("negative", [0, -1])
@pytest.mark.parametrize(
    "form", [np.asarray, np.ndarray.tolist, pd.DataFrame, sp.csr_array, sp.lil_matrix]
)
def test_a_matrix_to_judge_may_hold_constant_labels(form, negative, recwarn):
    matrix = np.column_stack([Y, np.zeros(4, int), np.ones(4, int)])
    coded = read_label_matrix(form(np.where(matrix, 1, negative)), "Y_true")
    np.testing.assert_array_equal(coded, matrix)
    assert coded.dtype == np.int8
    assert not recwarn.list


@pytest.mark.parametrize("value", [-1, 0, 1])
def test_a_matrix_to_judge_may_hold_one_value(value):
    given = np.full((3, 2), value)
    np.testing.assert_array_equal(read_label_matrix(given, "Y_true"), given == 1)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (Y[:, 0], r"Y_true must have shape .* got shape \(4,\): pass one column"),
        (Y + 1, "Y_true must hold only 0/1"),
        (Y.astype(str), "Y_true must hold numbers"),
        (np.where(Y, 1, np.nan), "Y_true contains NaN: drop"),
        (sp.csr_array(np.where(Y, np.nan, 0)), "Y_true contains NaN: drop"),
    ],
)
def test_a_bad_matrix_to_judge_is_called_by_its_name(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_label_matrix(given, "Y_true")
