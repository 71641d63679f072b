# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from labelsift.core.targets import known_patterns, read_targets, regression_codes

VALUES = np.array([[0.5, 1.0], [2.0, -3.25], [1.0, 0.0], [0.0, 7.5]])
LABELS = np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
BOTH = np.column_stack([VALUES[:, 0], LABELS])


def read(y, **options):
    return read_targets(y, "Method", **{"target": "auto"} | options)


@pytest.mark.parametrize(
    "given",
    [
        VALUES,
        VALUES.tolist(),
        VALUES.astype(np.float32),
        VALUES.astype(object),
        sp.csr_array(VALUES),
        sp.csc_matrix(VALUES),
        pd.DataFrame(VALUES, columns=["a", "b"]),
        pl.DataFrame(VALUES, schema=["a", "b"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_form_of_values_reads_the_same(given):
    labels = read(given)
    np.testing.assert_array_equal(labels.matrix, VALUES)
    assert labels.matrix.dtype == np.float64
    assert labels.kind == "values"
    assert labels.values.all()
    assert not labels.flat


@pytest.mark.parametrize("y", [LABELS, 2 * LABELS - 1, LABELS.astype(float)])
def test_0_1_is_labels_unless_said(y):
    labels = read(y)
    assert labels.kind == "labels"
    assert labels.matrix.dtype == np.int8
    as_values = read(y, target="values")
    assert as_values.kind == "values"
    np.testing.assert_array_equal(as_values.matrix, y)


def test_labels_and_values_are_told_apart_by_column():
    labels = read(BOTH, mixed=True)
    assert labels.kind == "mixed"
    np.testing.assert_array_equal(labels.values, [True, False, False])
    np.testing.assert_array_equal(labels.matrix, BOTH)
    signed = np.column_stack([VALUES[:, 0], 2 * LABELS - 1])
    labels = read(signed, mixed=True)
    assert labels.negative == -1
    np.testing.assert_array_equal(labels.matrix, BOTH)
    codes = regression_codes(labels.matrix, labels.values)
    np.testing.assert_array_equal(codes, signed)


def test_a_1d_y_is_one_column_of_values():
    labels = read(VALUES[:, 1])
    assert labels.flat
    assert labels.matrix.shape == (4, 1)


def test_classes_of_a_1d_y_are_still_classes():
    for y in ([3, 1, 2, 3], [3.0, 1.0, 2.0, 3.0], ["a", "b", "a", "b"]):
        np.testing.assert_array_equal(read(y).classes, np.unique(y))


def test_unknown_entries_stay_nan():
    given = np.where(LABELS, np.nan, LABELS)
    given[0] = [0, 1]
    given[1] = [1, np.nan]
    labels = read(given, unknown=True)
    np.testing.assert_array_equal(labels.matrix, given)
    assert labels.kind == "labels"
    gaps = VALUES.copy()
    gaps[0, 1] = np.nan
    np.testing.assert_array_equal(read(gaps, unknown=True).matrix, gaps)
    gaps = BOTH.copy()
    gaps[1, 1] = np.nan
    np.testing.assert_array_equal(read(gaps, unknown=True, mixed=True).matrix, gaps)


@pytest.mark.parametrize(
    ("y", "options", "sentence"),
    [
        (np.array([[1, 2], [3, 4]]), {}, r'4: pass target="values" \(--targets\) if'),
        (np.array([[0.5, 2], [1, 3]]), {"mixed": True}, "or one indicator column"),
        (VALUES, {"target": "labels"}, 'target="labels", but y is continuous'),
        (VALUES, {"target": None}, "learns from labels, but y is continuous"),
        (VALUES[:, 1], {"classifier": True}, "Unknown label type: y is continuous"),
        (BOTH, {}, "Y holds labels and values, and Method learns from one kind"),
        (np.array([[0.5, np.inf], [1, 2.5]]), {}, "y contains infinity"),
        (np.array([[0.5, np.nan], [1, 2.5]]), {}, "y contains NaN"),
        (np.array([0.5, np.nan, 1.0]), {"unknown": True}, "y contains NaN"),
        (np.full((3, 2), 0.5), {}, "needs a target that is not constant"),
        (["a", "b"], {"target": "values"}, "could not convert string"),
        (None, {"target": "values"}, "requires y to be passed"),
        (
            sp.csr_array([[0, np.nan], [1, 1.0]]),
            {"unknown": True},
            "NaN and is sparse",
        ),
    ],
)
def test_bad_targets_are_refused_in_words(y, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(y, **options)


def test_patterns_are_the_sets_of_known_rows():
    nan = np.nan
    Y = np.array([[0, nan, 1, nan], [1, 1, 0, nan], [nan, 0, nan, nan]])
    found = {tuple(columns): tuple(rows) for rows, columns in known_patterns(Y)}
    assert found == {(0, 2): (0, 1), (1,): (1, 2)}
    ((rows, columns),) = known_patterns(LABELS)
    assert rows == slice(None)
    np.testing.assert_array_equal(columns, [0, 1])
