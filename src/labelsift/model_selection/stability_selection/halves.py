# SPDX-License-Identifier: BSD-3-Clause
"""Complementary halves of the rows in which labels keep both values."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_consistent_length

from labelsift.model_selection.split import LabelCoverageSplit

Pair = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True)
class Halves:
    """Rows, or groups of rows that stay together, to be split into two halves.

    A draw is a ``LabelCoverageSplit`` of all values of all labels: each has a unit in
    both halves where it has two. Where that cannot be had the draw is uniform.
    """

    values: NDArray[np.int8]  # which values of which labels each unit has
    unit: NDArray[np.intp] | None  # unit of each row, where rows are grouped

    @classmethod
    def read(cls, Y: NDArray[Any], groups: Any) -> "Halves":
        """Take rows as units, or the groups they belong to."""
        values = np.hstack([Y, 1 - Y])
        if groups is None:
            _check_enough(len(Y), "samples")
            return cls(values, None)
        groups = check_array(
            groups, dtype=None, ensure_2d=False, ensure_all_finite=False
        )
        check_consistent_length(Y, groups)
        names, unit = np.unique(groups, return_inverse=True)
        _check_enough(len(names), "groups")
        held = np.zeros((len(names), values.shape[1]), dtype=np.int8)
        np.maximum.at(held, unit, values)
        return cls(held, unit)

    def draw(self, rng: np.random.RandomState) -> Pair:
        """Rows of two disjoint halves with as many units each."""
        one, other = self._split(rng)
        if len(other) > len(one):
            other = np.delete(other, self._superfluous(other, rng))
        if self.unit is None:
            return one, other
        return (
            np.flatnonzero(np.isin(self.unit, one)),
            np.flatnonzero(np.isin(self.unit, other)),
        )

    def _split(self, rng: np.random.RandomState) -> Pair:
        n = len(self.values)
        splitter = LabelCoverageSplit(1, train_size=n // 2, random_state=rng)
        try:
            [parts] = splitter.split(self.values, self.values)
        except ValueError:  # no covering halves: which labels are missing is told
            order = rng.permutation(n)
            parts = np.sort(order[: n // 2]), np.sort(order[n // 2 :])
        return parts

    def _superfluous(self, part: NDArray[np.intp], rng: np.random.RandomState) -> int:
        """A place of the part whose unit is not the last one with some value."""
        held = self.values[part]
        last = (held == 1) & (held.sum(axis=0, dtype=np.intp) == 1)
        harmless = np.flatnonzero(~last.any(axis=1))
        return int(rng.choice(harmless if len(harmless) else len(part)))


def _check_enough(count: int, what: str) -> None:
    """Halves of one unit are no halves."""
    if count < 4:
        raise ValueError(
            f"Halves need at least 4 {what}, got n_{what}={count}: pass more {what}."
        )
