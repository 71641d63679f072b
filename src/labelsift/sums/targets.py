# SPDX-License-Identifier: BSD-3-Clause
"""What the columns of Y hold, agreed on by all blocks of rows."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d

from labelsift.core.labels import Labels, as_label_array, code_labels
from labelsift.core.targets import fractional_columns
from labelsift.core.validation import column_names

AS_VALUES = 'pass target="values" if the columns of Y are measurements'


@dataclass(frozen=True)
class Targets:
    """The coding of Y; labels are summed as 0/1, values as they are."""

    values: NDArray[np.bool_]  # which columns hold values
    dtype: np.dtype[Any]  # the user's
    negative: int | None = None  # how an absent label is coded; None: not seen yet
    names: NDArray[np.object_] | None = None
    classes: NDArray[Any] | None = None  # of a 1-D y
    flat: bool = False  # whether values came as a 1-D y

    def agreed(self, other: "Targets") -> "Targets":
        """The coding of both; a ValueError where they differ."""
        if (self.classes is None) != (other.classes is None) or (
            self.classes is not None and list(self.classes) != list(other.classes)  # type: ignore[arg-type]
        ):
            raise ValueError(
                "Blocks of y hold different classes: pass all of them as classes= to "
                "every Sums."
            )
        if len(self.values) != len(other.values):
            raise ValueError(
                f"Y has {len(other.values)} columns after blocks with "
                f"{len(self.values)}: pass the same labels in every block."
            )
        odd = np.flatnonzero(self.values != other.values)
        if len(odd):
            raise ValueError(
                f"Column {odd[0]} of Y holds labels in one block and values in "
                f"another: {AS_VALUES}."
            )
        codings = {self.negative, other.negative} - {None}
        if len(codings) > 1:
            raise ValueError(
                "Labels are coded 0/1 in one block and -1/+1 in another: code all "
                "blocks alike."
            )
        names = agreed_names(self.names, other.names, "label")
        return replace(self, negative=next(iter(codings), None), names=names)

    def labels(self) -> Labels:
        """The same for an estimator, with a matrix of no rows."""
        return Labels(
            np.empty((0, len(self.values))),
            self.names,
            self.classes,
            self.dtype,
            self.negative or 0,
            self.values if self.values.any() else None,
            self.flat,
        )


def agreed_names(
    first: NDArray[Any] | None, second: NDArray[Any] | None, what: str
) -> NDArray[Any] | None:
    """The names that two blocks share; those that one has where the other has none."""
    if first is None or second is None:
        return second if first is None else first
    odd = next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None
    )
    if odd is not None:
        raise ValueError(
            f"Blocks have different {what} names ({first[odd]!r} and {second[odd]!r} "
            f"in column {odd}): pass the same columns in the same order."
        )
    return first


def read_targets(
    y: Any, target: str, classes: NDArray[Any] | None, known: Targets | None
) -> tuple[NDArray[Any], Targets]:
    """Y of a block as numbers (int8 where all are labels), and its coding.

    ``known`` is that of earlier blocks: whole numbers in a column of values are values.
    """
    names, array = column_names(y), as_label_array(y)
    if array.dtype.kind in "fc":
        entries = array.data if hasattr(array, "indptr") else array
        assert_all_finite(entries, input_name="Y")
    fractional = fractional_columns(array)
    if target == "labels" and fractional.any():
        raise ValueError(f'target="labels", but Y holds fractions: {AS_VALUES}.')
    are_values = known is not None and known.values.all()
    if array.ndim == 1 and not (target == "values" or fractional.any() or are_values):
        if known is not None:
            classes = known.classes
        return _read_classes(array, classes)
    flat = array.ndim == 1
    matrix = array[:, np.newaxis] if flat else array
    values = np.resize(fractional | (target == "values"), matrix.shape[1])
    if known is not None and target == "auto" and len(known.values) == len(values):
        values = values | known.values
    return _read_matrix(matrix, Targets(values, array.dtype, None, names, None, flat))


def _read_matrix(Y: Any, targets: Targets) -> tuple[NDArray[Any], Targets]:
    values = targets.values
    if not values.any():
        coded, negative = code_labels(Y, "Y", AS_VALUES)
        return coded, replace(targets, negative=_seen(coded, negative))
    dense = Y.toarray() if hasattr(Y, "toarray") else Y
    matrix = np.array(dense, dtype=np.float64)
    if values.all():
        return matrix, targets
    coded, negative = code_labels(dense[:, ~values], "Y", AS_VALUES)
    matrix[:, ~values] = coded
    return matrix, replace(targets, negative=_seen(coded, negative))


def _seen(coded: NDArray[Any], negative: int) -> int | None:
    """A block in which every label is present does not tell how absence is coded."""
    return None if coded.all() else negative


def _read_classes(
    y: NDArray[Any], classes: NDArray[Any] | None
) -> tuple[NDArray[Any], Targets]:
    """One indicator column for each class of a 1-D y."""
    y = column_or_1d(y)
    classes = np.unique(y) if classes is None else np.unique(classes)
    codes = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    strange = np.flatnonzero(classes[codes] != y)
    if len(strange):
        raise ValueError(
            f"y holds the class {y[strange[0]]!r}, which is not among the classes of "
            "the first block: pass all of them as classes=."
        )
    matrix = np.zeros((len(y), len(classes)), dtype=np.int8)
    matrix[np.arange(len(y)), codes] = 1
    values = np.zeros(len(classes), dtype=bool)
    return matrix, Targets(values, y.dtype, 0, None, classes)
