# SPDX-License-Identifier: BSD-3-Clause
"""Targets of every kind: labels, real values, both, and entries that are unknown.

One place decides what y means. A column with a fraction holds values; 0/1, bool and
-1/+1 are labels; other whole numbers could be either, so that the user says which.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_array

from labelsift.core.labels import (
    Labels,
    as_label_array,
    check_both_values,
    code_labels,
    read_labels,
    unlabelled_rows,
)
from labelsift.core.validation import StrOptions, column_names

# The legal values of the argument ``target``.
TARGET: list[Any] = [StrOptions({"auto", "labels", "values"})]
# Which estimators learn from values; a test compares this with the classes.
TAKE_VALUES = (
    "CSFS, FisherScore, GreedyRLS, LRFS, MDMR, MIFS, MLLS, MRMR, MTLasso, "
    "MultiTargetRidge, OPLS, RALMFS, RFS, RegularizedCCA and SFUS"
)
TAKE_BOTH = "FisherScore, GreedyRLS, LRFS, MDMR, MRMR and MTLasso"
WHOLE_NUMBERS = (
    'pass target="values" (--targets) if they are measurements, or one indicator '
    "column of 0/1 per class if they are classes"
)
_NO_VALUES = (
    "pass one indicator column of 0/1 per class if they are classes; of measurements "
    f"learn {TAKE_VALUES}"
)


def read_targets(
    y: Any,
    owner: str,
    *,
    target: str | None = None,
    mixed: bool = False,
    unknown: bool = False,
    unlabelled: bool = False,
    classifier: bool = False,
) -> Labels:
    """Read y as labels, values or both.

    ``target`` is the argument of the estimator; None for one that has no such argument
    and learns from labels alone. ``mixed`` allows labels and values in one Y,
    ``unknown`` any entry to be NaN, ``unlabelled`` whole rows. Of a ``classifier``,
    scikit-learn expects that it refuses a continuous 1-D y unless it was told.
    """
    if y is None or target == "values":
        if y is None:
            return read_labels(y, owner)
        return _read_values(y, owner, unknown, unlabelled)
    array = as_label_array(y)
    remedy = {"auto": WHOLE_NUMBERS, None: _NO_VALUES}.get(target)
    fractional = fractional_columns(array)
    if not fractional.any():
        return read_labels(
            y, owner, allow_unlabelled=unlabelled, unknown=unknown, remedy=remedy
        )
    _check_asked_for(array, owner, target, classifier)
    if fractional.all():
        return _read_values(y, owner, unknown, unlabelled)
    if not mixed:
        raise ValueError(
            f"Y holds labels and values, and {owner} learns from one kind: fit each "
            f'kind on its own, pass target="values", or use {TAKE_BOTH}.'
        )
    return _read_mixed(y, owner, fractional, unknown)


def regression_codes(
    Y: NDArray[Any], values: NDArray[np.bool_] | None
) -> NDArray[np.float64]:
    """Labels 0/1 as -1/+1, columns of values as they are."""
    if values is None:
        return 2.0 * Y - 1.0
    return np.where(values, Y, 2.0 * Y - 1.0)


def known_patterns(Y: NDArray[Any]) -> list[tuple[Any, NDArray[np.intp]]]:
    """Rows and columns of each distinct set of known rows; one where all are known.

    What is fitted to the columns of one pattern may use the same rows throughout.
    Columns without any known entry belong to no pattern.
    """
    columns = np.arange(Y.shape[1])
    if Y.dtype.kind != "f" or not np.isnan(Y).any():
        return [(slice(None), columns)]
    known, which = np.unique(~np.isnan(Y), axis=1, return_inverse=True)
    return [
        (np.flatnonzero(rows), columns[which.ravel() == pattern])
        for pattern, rows in enumerate(known.T)
        if rows.any()
    ]


def fractional_columns(array: Any) -> NDArray[np.bool_]:
    """Which columns of y hold a value that is not whole."""
    if array.dtype.kind == "O":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            return np.zeros(1, dtype=bool)  # class names
    if array.dtype.kind != "f" or array.ndim not in (1, 2):
        return np.zeros(1, dtype=bool)
    if not sp.issparse(array):
        whole = (array == np.floor(array)) | np.isnan(array)
        return np.atleast_1d(~whole.all(axis=0))
    part = np.zeros(array.shape[1], dtype=bool)
    part[
        array.indices[(array.data != np.floor(array.data)) & ~np.isnan(array.data)]
    ] = 1
    return part


def _check_asked_for(
    array: Any, owner: str, target: str | None, classifier: bool
) -> None:
    """Raise where values are not expected."""
    entries = array.data if sp.issparse(array) else np.asarray(array, dtype=np.float64)
    shown = f"{entries[entries != np.floor(entries)].flat[0]:g}"
    if target is None:
        raise ValueError(
            f"{owner} learns from labels, but y is continuous (it holds {shown}): code "
            f"labels as 0/1, or use one that learns from values: {TAKE_VALUES}."
        )
    if target == "labels":
        raise ValueError(
            f'target="labels", but y is continuous (it holds {shown}): pass '
            'target="values", or code each label as present (1) or absent (0).'
        )
    if classifier and array.ndim == 1:
        raise ValueError(
            f"Unknown label type: y is continuous (it holds {shown}) and {owner} is a "
            'classifier unless told otherwise: pass target="values".'
        )


def _read_values(y: Any, owner: str, unknown: bool, unlabelled: bool) -> Labels:
    """Every column as values; a 1-D y is one column."""
    names, Y = column_names(y), as_label_array(y)
    flat = Y.ndim == 1
    if sp.issparse(Y):
        Y = Y.toarray()
    finite: Any = "allow-nan" if (unknown or unlabelled) and not flat else True
    Y = check_array(
        Y[:, np.newaxis] if flat else Y,
        dtype=np.float64,
        ensure_all_finite=finite,
        input_name="y",
    )
    if not unknown:
        unlabelled_rows(Y, owner, unlabelled)
    values = np.ones(Y.shape[1], dtype=bool)
    labels = Labels(Y, names, None, Y.dtype, 0, values, flat)
    check_both_values(labels, owner)
    return labels


def _read_mixed(
    y: Any, owner: str, fractional: NDArray[np.bool_], unknown: bool
) -> Labels:
    """Columns with a fraction as values, the others as labels of one coding."""
    labels = _read_values(y, owner, unknown, False)
    coded, negative = code_labels(
        labels.matrix[:, ~fractional], "Y", WHOLE_NUMBERS, unknown=unknown
    )
    Y = labels.matrix.copy()
    Y[:, ~fractional] = coded
    return replace(labels, matrix=Y, negative=negative, values=fractional)
