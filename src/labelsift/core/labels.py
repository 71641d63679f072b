# SPDX-License-Identifier: BSD-3-Clause
"""The label matrix: y in any accepted form, converted to one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import assert_all_finite, check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from labelsift.core.arrays import follow, is_foreign
from labelsift.core.validation import check_local, column_names
from labelsift.core.warning import warn


@dataclass(frozen=True)
class Labels:
    """Labels in one form, with what is needed to convert predictions back."""

    # 0/1 as int8, one byte an entry, also when the user's Y was sparse; float64 with
    # NaN where unlabelled rows or unknown entries are allowed and present.
    matrix: NDArray[Any]
    names: NDArray[np.object_] | None  # columns of a DataFrame
    classes: NDArray[Any] | None  # values of a 1-D y, one label column each
    dtype: np.dtype[Any]  # the user's
    negative: int  # how the user codes an absent label: 0 or -1
    # Which columns hold values instead, in float64; None: all are labels.
    values: NDArray[np.bool_] | None = None
    flat: bool = False  # whether values came as a 1-D y

    @property
    def kind(self) -> str:
        """What the columns hold: "labels", "values" or "mixed"."""
        if self.values is None:
            return "labels"
        return "values" if self.values.all() else "mixed"


def read_labels(
    y: Any,
    owner: str,
    *,
    allow_unlabelled: bool = False,
    unknown: bool = False,
    remedy: str | None = None,
) -> Labels:
    """Read a 1-D y or a 2-D label matrix.

    A 2-D Y holds 0/1, bool or -1/+1, decided over the whole matrix. A 1-D y gives one
    indicator column per distinct value. A constant column gives a warning; an error,
    whose message begins with ``owner``, is raised when no column has both values.
    ``allow_unlabelled`` lets rows whose labels are all NaN pass, ``unknown`` any NaN.
    ``remedy`` ends the message about a Y that holds other numbers.
    """
    if y is None:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None: "
            "pass the label matrix as y."
        )
    names = column_names(y)
    y = as_label_array(y)
    if y.ndim == 2 and y.shape[1] == 1 and _absent_value(y) is None:
        warn(
            "A column-vector y was passed when a 1d array was expected: "
            "it is read as class values. Pass y.ravel().",
            DataConversionWarning,
        )
        y = np.ravel(y.toarray() if sp.issparse(y) else y)
    labels = (
        _read_classes(y, owner)
        if y.ndim == 1
        else _read_matrix(y, names, owner, allow_unlabelled, unknown, remedy)
    )
    check_both_values(labels, owner)
    return labels


def read_label_matrix(
    Y: Any, argument: str, remedy: str | None = None
) -> NDArray[np.int8]:
    """Read a 2-D label matrix whose labels may be constant.

    For measures and splits: nothing is learned from the labels, so a constant one is
    not an error. ``argument`` is the caller's name of Y; it begins the error message.
    """
    if isinstance(Y, np.ndarray) and Y.dtype == np.bool_ and Y.ndim == 2 and Y.size:
        return Y.view(np.int8)  # nothing to check: measures read the same Y often
    Y = _as_numbers(as_label_array(Y), argument)
    if _stored_nan(Y).any():
        raise ValueError(
            f"{argument} contains NaN: drop the rows without labels or fill them in."
        )
    return code_labels(Y, argument, remedy)[0]


def as_label_array(y: Any) -> Any:
    """Y as an ndarray, or as CSR in canonical form where it was sparse."""
    check_local(y, "y")
    if is_foreign(y):
        return follow(y, np.empty(0), "y")
    if not sp.issparse(y):
        return np.asarray(y)
    y = y.tocsr()
    if not y.has_canonical_format:
        y = y.copy()
        y.sum_duplicates()
    return y


def _values(y: Any) -> NDArray[Any]:
    """All distinct finite values of y, dense or sparse."""
    if not sp.issparse(y):
        values = np.unique(y)
    elif y.nnz < np.prod(y.shape, dtype=np.int64):
        values = np.union1d(y.data, np.zeros(1, y.dtype))
    else:
        values = np.unique(y.data)
    return values[values == values]


def _absent_value(y: Any) -> int | None:
    """How y codes an absent label: 0 or -1; None when it holds other values.

    NaN is ignored. Values are counted: a large matrix is neither sorted nor copied.
    """
    entries = y.data if sp.issparse(y) else y
    if entries.dtype.kind not in "biuf":
        return None
    known = np.count_nonzero(entries == 1) + np.count_nonzero(_stored_nan(y))
    if known + np.count_nonzero(entries == 0) == entries.size:
        return 0
    full = entries.size == np.prod(y.shape, dtype=np.int64)
    if full and known + np.count_nonzero(entries == -1) == entries.size:
        return -1
    return None


def _stored_nan(y: Any) -> NDArray[Any]:
    """Where the entries of y are NaN; of a sparse y, those that are stored."""
    return np.isnan(y.data if sp.issparse(y) else y)


def _read_classes(y: NDArray[Any], owner: str) -> Labels:
    y = column_or_1d(y)
    if y.dtype.kind in "fc":
        assert_all_finite(y, input_name="y")
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"{owner} needs at least two classes in y, but it holds only one class "
            f"({classes.tolist()}): pass samples of another class."
        )
    matrix = np.zeros((len(y), len(classes)), dtype=np.int8)
    matrix[np.arange(len(y)), codes] = 1
    return Labels(matrix, None, classes, y.dtype, 0)


def _read_matrix(
    y: Any,
    names: NDArray[np.object_] | None,
    owner: str,
    allow_unlabelled: bool,
    unknown: bool,
    remedy: str | None,
) -> Labels:
    y = _as_numbers(y, "Y")
    missing = _stored_nan(y).any()
    if missing and not (unknown and not sp.issparse(y)):
        unlabelled_rows(y, owner, allow_unlabelled or unknown)
    matrix, negative = code_labels(y, "Y", remedy, unknown=bool(missing))
    return Labels(matrix, names, None, y.dtype, negative)


def _as_numbers(Y: Any, argument: str) -> Any:
    """Check that Y is a matrix of numbers; a frame of mixed columns becomes one."""
    if Y.ndim != 2 or 0 in Y.shape:
        raise ValueError(
            f"{argument} must have shape (n_samples, n_labels) with at least one "
            f"sample and at least one label, got shape {Y.shape}: pass one column of "
            "0/1 per label."
        )
    if Y.dtype.kind == "O":
        Y = check_array(
            Y, dtype=np.float64, ensure_all_finite=False, input_name=argument
        )
    if Y.dtype.kind not in "biuf":
        raise ValueError(
            f"{argument} must hold numbers, got dtype {Y.dtype}: code its labels as "
            "0/1."
        )
    return Y


def code_labels(
    Y: Any, argument: str, remedy: str | None = None, *, unknown: bool = False
) -> tuple[NDArray[Any], int]:
    """Y as 0/1, and how it coded an absent label; float64 with NaN where unknown."""
    negative = _absent_value(Y)
    if negative is None:
        shown = ", ".join(f"{value:g}" for value in _values(Y)[:6].astype(float))
        remedy = remedy or "code each label as present (1) or absent (0)"
        raise ValueError(
            f"{argument} must hold only 0/1, bool or -1/+1 over the whole matrix, "
            f"got {shown}: {remedy}."
        )
    present = Y == 1
    present = present.toarray() if sp.issparse(present) else present
    if unknown:
        return np.where(np.isnan(Y), np.nan, present), negative
    return present.view(np.int8), negative


def unlabelled_rows(y: Any, owner: str, allow_unlabelled: bool) -> None:
    """Check that a NaN is in a row whose labels are all NaN, if that is allowed."""
    nan = _stored_nan(y)
    if not nan.any():
        return
    if not allow_unlabelled:
        raise ValueError(
            f"Y contains NaN and {owner} needs every label: drop the rows without "
            "labels or fill them in."
        )
    if sp.issparse(y):
        raise ValueError(
            "Y contains NaN and is sparse: pass a dense Y to mark unlabelled rows."
        )
    rows = np.asarray(nan.any(axis=1))
    partly = np.flatnonzero(rows & ~nan.all(axis=1))
    if len(partly):
        raise ValueError(
            f"Row {partly[0]} of Y has some labels NaN and some not: a row is "
            "unlabelled (all NaN) or labelled (no NaN)."
        )
    if rows.all():
        raise ValueError(f"All rows of Y are NaN: {owner} needs some labelled rows.")


def check_both_values(labels: Labels, owner: str) -> None:
    """Warn about labels with one value; raise when no label has both."""
    constant = constant_labels(labels.matrix)
    noun = "labels" if labels.values is None else "targets"
    if constant.all() and labels.values is not None:
        raise ValueError(
            f"{owner} needs a target that is not constant, but every column of Y holds "
            "one value: check which columns are targets."
        )
    if constant.all():
        raise ValueError(
            f"{owner} needs at least one label with both values, but every column of Y "
            "holds a single class: pass samples with and without a label."
        )
    if constant.any():
        which = np.flatnonzero(constant)
        shown = [labels.names[i] for i in which] if labels.names is not None else which
        listed = ", ".join(map(str, shown[:5])) + (", ..." if len(which) > 5 else "")
        warn(
            f"{len(which)} of {labels.matrix.shape[1]} {noun} hold one value only and "
            f"cannot be learned (columns {listed}); their scores are constant."
        )


def constant_labels(Y: NDArray[Any]) -> NDArray[np.bool_]:
    """Which columns hold one value only, or nothing known; NaN is unknown."""
    if Y.dtype.kind == "f":
        return ~(np.fmin.reduce(Y, axis=0) < np.fmax.reduce(Y, axis=0))
    return np.asarray((Y[0] == Y).all(axis=0))


def standardised(values: NDArray[Any], weights: Any = None) -> NDArray[np.float64]:
    """Values about their means, in units of their standard deviations."""
    mean, spread = known_moments(values, weights)
    return np.asarray((values - mean) / np.where(spread > 0, spread, 1.0))


def known_moments(
    values: NDArray[Any], weights: Any = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of each column over its known rows."""
    known = ~np.isnan(values)
    counts = np.ones(len(values)) if weights is None else weights
    total = np.maximum(counts @ known, np.finfo(np.float64).tiny)
    mean = counts @ np.where(known, values, 0.0) / total
    square = np.where(known, values - mean, 0.0) ** 2
    return mean, np.sqrt(counts @ square / total)


def signed_labels(Y: NDArray[Any]) -> NDArray[np.float64]:
    """Labels 0/1 as -1/+1."""
    return 2.0 * Y - 1.0
