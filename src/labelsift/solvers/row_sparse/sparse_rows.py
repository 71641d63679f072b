# SPDX-License-Identifier: BSD-3-Clause
"""A matrix of which few rows are not zero, as the weights of a few features."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SparseRows:
    """The places of the rows that are not zero, ascending, and these rows.

    A path over many features holds hundreds of such matrices: the cost of each is that
    of its features, not of all.
    """

    n_rows: int
    places: NDArray[np.intp]
    values: NDArray[Any]

    @classmethod
    def of(cls, W: NDArray[Any]) -> Self:
        """The rows of W that are not zero."""
        used = np.flatnonzero(W.any(axis=1))
        return cls(len(W), used, W[used])

    @property
    def count(self) -> int:
        """How many rows are not zero."""
        return len(self.places)

    def dense(self) -> NDArray[np.float64]:
        """All rows."""
        W = np.zeros((self.n_rows, self.values.shape[1]))
        W[self.places] = self.values
        return W

    def among(self, places: NDArray[np.intp]) -> NDArray[np.float64]:
        """The rows at some places, ascending; what is elsewhere is left out."""
        rows = np.zeros((len(places), self.values.shape[1]))
        at = np.searchsorted(places, self.places)
        inside = at < len(places)
        inside[inside] = places[at[inside]] == self.places[inside]
        rows[at[inside]] = self.values[inside]
        return rows

    def towards(self, other: "SparseRows", part: float) -> "SparseRows":
        """A point on the line to another; rows that are zero here remain so."""
        step = other.among(self.places) - self.values
        return SparseRows(self.n_rows, self.places, self.values + part * step)
