# SPDX-License-Identifier: BSD-3-Clause
"""BinaryRidge with the scores of rows left out, from one factorisation: on nested sets
of columns, and on all of them.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.labels import signed_labels
from labelsift.solvers.ridge.left_out import RidgeLeftOut
from labelsift.solvers.ridge.prefixes import RidgePrefixes


class NestedRidge:
    """BinaryRidge on the first columns of an order, for several numbers of them.

    Scores are those of a fit for each number, to rounding.
    """

    def __init__(
        self,
        prefixes: RidgePrefixes,
        columns: NDArray[np.intp],
        counts: Sequence[int],
    ) -> None:
        self._prefixes, self._columns, self._counts = prefixes, columns, counts
        self._of: Any = None  # the rows that the last scores are of
        self._scores: Any = None
        self._left_out: Any = None

    @classmethod
    def of(
        cls,
        X: Any,
        Y: NDArray[Any],
        chosen: Sequence[NDArray[np.intp]],
        alpha: float,
        weights: NDArray[np.float64] | None = None,
    ) -> Self | None:
        """Fit on sets of columns, the largest last.

        None where they do not nest, where rounding would show, and for large data: then
        each set needs a fit of its own.
        """
        columns = chosen[-1]
        if not all(np.array_equal(own, columns[: len(own)]) for own in chosen):
            return None
        prefixes = RidgePrefixes.of(X[:, columns], signed_labels(Y), alpha, weights)
        counts = [len(own) for own in chosen]
        return None if prefixes is None else cls(prefixes, columns, counts)

    def scores(self, X: Any, place: int) -> NDArray[np.float64]:
        """Scores of rows by one of the fits; all are computed at the first call."""
        if self._of is not X:
            self._of, seen = X, X[:, self._columns]
            self._scores = self._prefixes.scores(seen, self._counts)
        return np.asarray(self._scores[place])

    def left_out(self, place: int) -> NDArray[np.float64]:
        """Scores of the training rows, each by the fit on all other rows."""
        if self._left_out is None:
            self._left_out = self._prefixes.left_out(self._counts)
        return np.asarray(self._left_out[place])


class WholeRidge:
    """BinaryRidge on all columns: a single fit, at place 0."""

    def __init__(self, fit: RidgeLeftOut) -> None:
        self._fit = fit

    @classmethod
    def of(
        cls,
        X: Any,
        Y: NDArray[Any],
        alpha: float,
        weights: NDArray[np.float64] | None = None,
    ) -> Self | None:
        """Fit; None where rounding would show and for large data."""
        fit = RidgeLeftOut.of(X, signed_labels(Y), alpha, weights)
        return None if fit is None else cls(fit)

    def scores(self, X: Any, place: int) -> NDArray[np.float64]:
        """Scores of rows."""
        return np.asarray(X @ self._fit.coef.T) + self._fit.intercept

    def left_out(self, place: int) -> NDArray[np.float64]:
        """Scores of the training rows, each by the fit on all other rows."""
        return self._fit.left_out
