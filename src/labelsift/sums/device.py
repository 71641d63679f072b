# SPDX-License-Identifier: BSD-3-Clause
"""A block of rows on a device: read and summed there, sums come to the host."""

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_consistent_length

from labelsift.core.arrays import (
    check_foreign,
    dtype_name,
    follow,
    is_foreign,
    like,
    namespace,
    to_numpy,
)
from labelsift.core.labels import code_labels
from labelsift.core.validation import check_sizes, row_weights
from labelsift.sums.part import Part, block_parts, merge, on_host
from labelsift.sums.targets import AS_VALUES, Targets, read_targets


@dataclass(frozen=True)
class DeviceBlock:
    """Checked rows: all arrays in the library and on the device of X."""

    X: Any
    Y: Any  # 0/1 as int8, float64 where there are values
    weights: Any  # float64, none of them 0; None: all are 1
    targets: Targets

    @classmethod
    def read(
        cls,
        X: Any,
        y: Any,
        sample_weight: Any,
        target: str,
        classes: NDArray[Any] | None = None,
        known: Targets | None = None,
    ) -> "DeviceBlock":
        """Check rows; y and weights that are on the host are copied to the device."""
        check_foreign(X)
        xp = namespace(X)
        X = check_array(
            X, dtype=[xp.float64, xp.float32], ensure_min_samples=0, input_name="X"
        )
        y = follow(y, X, "y") if is_foreign(y) else y
        if is_foreign(y) and y.ndim == 1:
            y = to_numpy(y)  # its classes are few, and become columns
        check_consistent_length(X, y)
        if is_foreign(y):
            Y, targets = _read_matrix(y, target, known)
        else:
            matrix, targets = read_targets(y, target, classes, known)
            Y = like(matrix, X)
        weights = _read_weights(sample_weight, X)
        if weights is not None and not bool(xp.all(weights > 0)):
            (at,) = xp.nonzero(weights)
            X, Y, weights = (xp.take(array, at, axis=0) for array in (X, Y, weights))
        return cls(X, Y, weights, targets)

    def part(self, full: tuple[bool, bool]) -> Part:
        """The sums over the rows, as numpy arrays."""
        parts = block_parts(self.X, self.Y, self.weights, full)
        part = on_host(reduce(merge, parts))
        low, high = part.x_range
        check_sizes(np.maximum(high, -low), np.dtype(np.float64))
        return part


def _read_weights(sample_weight: Any, X: Any) -> Any:
    """Weights of rows on the device of X, as float64; None: all are 1."""
    if not is_foreign(sample_weight):
        weights = row_weights(sample_weight, np.empty((X.shape[0], 1)))
        return None if weights is None else like(weights, X)
    xp, weights = namespace(X), follow(sample_weight, X, "sample_weight")
    if tuple(weights.shape) != (X.shape[0],):
        raise ValueError(
            f"sample_weight has shape {tuple(weights.shape)}, expected "
            f"({X.shape[0]},): pass one weight for each row of X."
        )
    weights = xp.astype(weights, xp.float64)
    if not bool(xp.all(xp.isfinite(weights) & (weights >= 0))):
        raise ValueError(
            "sample_weight holds negative weights, NaN or infinity: pass finite "
            "weights of at least 0."
        )
    return weights


def _read_matrix(Y: Any, target: str, known: Targets | None) -> tuple[Any, Targets]:
    """Y of a block as numbers, and its coding; as ``read_targets`` of the host."""
    xp, name = namespace(Y), dtype_name(Y)
    if Y.ndim != 2:
        raise ValueError(
            f"Y must have shape (n_samples, n_labels), got {tuple(Y.shape)}: pass one "
            "column per label."
        )
    if name == "bool":
        Y = xp.astype(Y, xp.int8)
    fractional = np.zeros(Y.shape[1], dtype=bool)
    if name.startswith("float"):
        if not bool(xp.all(xp.isfinite(Y))):
            raise ValueError(
                "Y contains NaN or infinity, and on a device every label must be "
                "known: drop such rows, or pass numpy arrays."
            )
        fractional = to_numpy(xp.any(xp.floor(Y) != Y, axis=0))
    if target == "labels" and fractional.any():
        raise ValueError(f'target="labels", but Y holds fractions: {AS_VALUES}.')
    values = fractional | (target == "values")
    if known is not None and target == "auto" and len(known.values) == len(values):
        values = values | known.values
    targets = Targets(values, np.dtype(name), None, None, None)
    wide = xp.astype(Y, xp.float64)
    if values.all():
        return wide, targets
    labels = Y
    if values.any():
        labels = xp.take(Y, like(np.flatnonzero(~values), Y), axis=1)
    negative, present = _coded(labels), Y == 1
    targets = Targets(values, np.dtype(name), negative, None, None)
    if not values.any():
        return xp.astype(present, xp.int8), targets
    coded = xp.astype(present, xp.float64)
    return xp.where(like(values, Y), wide, coded), targets


def _coded(Y: Any) -> int | None:
    """How an absent label is coded; None where every label is present."""
    xp = namespace(Y)
    present = Y == 1
    if bool(xp.all(present)):
        return None
    if bool(xp.all(present | (Y == 0))):
        return 0
    if not dtype_name(Y).startswith("u") and bool(xp.all(present | (Y == -1))):
        return -1
    # The host's own sentence, about the few distinct values.
    code_labels(to_numpy(xp.unique_values(Y))[np.newaxis], "Y", AS_VALUES)
    raise AssertionError("Values that are no labels are refused.")
