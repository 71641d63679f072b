# SPDX-License-Identifier: BSD-3-Clause
"""Parameter grids whose fits share work."""

import copy
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from labelsift.core.ranker import RankerMixin
from labelsift.core.validation import validate_parameters

# Rows to train on and rows to test on.
Fold = tuple[NDArray[Any], NDArray[Any]]
# Positions in a grid, and for each fold the scores of its test rows at these positions,
# of shape (n_positions, n_rows, n_labels), or (1, ...) where they are all the same.
FoldScores = Iterator[tuple[list[int], list[NDArray[Any]]]]


class PathMixin:
    """An estimator that fits a parameter grid at once; implements ``_fit_each``."""

    @abstractmethod
    def _fit_each(
        self, X: Any, Y: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[Self]:
        """Fit and yield the models in turn; they differ in their parameters only."""

    def _fit(self, X: Any, Y: NDArray[Any], *weights: NDArray[Any]) -> None:
        """Fit this estimator: a path of a single point."""
        for _ in self._fit_each(X, Y, [self], *weights):
            pass

    def fit_path(
        self, X: Any, y: Any, grid: Any
    ) -> Iterator[tuple[dict[str, Any], Self]]:
        """Fit every point of a grid, sharing what does not change between them.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples; CSR and CSC are never densified.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or \
(n_samples,)
            Labels as 0/1, bool or -1/+1, or the classes of a 1-D y.
        grid : dict or list of dict
            As in scikit-learn's ParameterGrid: the values of each parameter.

        Yields
        ------
        params : dict
            One point of the grid.
        fitted : estimator
            Fitted with those parameters; this estimator is unchanged.
        """
        points = list(ParameterGrid(grid))
        X, Y, models = self._read_grid(X, y, points)
        # The models have read y, this estimator has not.
        reader = models[0] if models else self
        yield from zip(points, reader._fit_each(X, Y, models), strict=True)

    def _read_grid(
        self, X: Any, y: Any, points: Sequence[dict[str, Any]]
    ) -> tuple[Any, NDArray[Any], list[Self]]:
        """Check the data once, and each value of each parameter once."""
        values = {
            (name, id(value)): value
            for point in points
            for name, value in point.items()
        }
        for (name, _), value in values.items():
            validate_parameters(clone(self).set_params(**{name: value}))
        base = clone(self)
        X, Y = base._read(X, y)
        models = [copy.copy(base) for _ in points]
        for model, point in zip(models, points, strict=True):
            vars(model).update(point)  # checked above; set_params would cost more
        return X, Y, models


class RankerPathMixin(PathMixin, RankerMixin):
    """A label ranker with a path; may implement ``_score_each`` to share folds."""

    def fold_scores(
        self, X: Any, y: Any, folds: Sequence[Fold], points: Sequence[dict[str, Any]]
    ) -> FoldScores:
        """Score the test rows of every fold at every point of a grid.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples; CSR and CSC are never densified.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or \
(n_samples,)
            Labels as 0/1, bool or -1/+1, or the classes of a 1-D y.
        folds : sequence of (train, test)
            Row indices, no row twice in ``train``.
        points : sequence of dict
            Parameters.

        Yields
        ------
        positions : list of int
            Some of the points; each comes once.
        scores : list of ndarray of shape (n_positions, n_rows, n_labels)
            For each fold, of its test rows; of shape (1, n_rows, n_labels) where the
            scores are the same at all these positions.
        """
        X, Y, models = self._read_grid(X, y, points)
        reader = models[0] if models else self
        yield from reader._score_each(X, Y, folds, models)

    def _score_each(
        self, X: Any, Y: NDArray[Any], folds: Sequence[Fold], models: Sequence[Self]
    ) -> FoldScores:
        """Score fold by fold: all points from the path of its training rows."""
        scores = [
            np.stack(
                [
                    model._scores(X[test])
                    for model in self._fit_each(X[train], Y[train], models)
                ]
            )
            for train, test in folds
        ]
        yield list(range(len(models))), scores
