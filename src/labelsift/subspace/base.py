# SPDX-License-Identifier: BSD-3-Clause
"""Base class of the subspaces that explain most of the (coded) labels."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSubspace
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.path import PathMixin
from labelsift.core.subspace import check_varies, fix_signs
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval
from labelsift.solvers.ridge.centring import column_means
from labelsift.solvers.ridge.reduced_rank import (
    explaining_directions,
    explaining_directions_of_sums,
)
from labelsift.sums.fit import SumsFitMixin
from labelsift.sums.sums import Sums


class ExplainingSubspace(WeightedFitMixin, PathMixin, BaseSubspace):
    """The directions of X that explain most of targets derived from the labels."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    n_components: int | None

    @abstractmethod
    def _targets(
        self, codes: NDArray[Any], weights: NDArray[Any] | None
    ) -> NDArray[Any]:
        """The targets, from centred -1/+1 labels or values; columns of mean 0."""

    @abstractmethod
    def _set_explained(self, explained: NDArray[Any], n_samples: float) -> None:
        """Set the attribute of what each direction explains of the squared targets."""

    @abstractmethod
    def _directions(
        self,
        X: Any,
        targets: NDArray[Any],
        models: Sequence[Self],
        weights: NDArray[Any] | None,
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """What each direction explains, and the directions as rows, per model."""

    def _fit_each(
        self,
        X: Any,
        Y: NDArray[Any],
        models: Sequence[Self],
        weights: NDArray[Any] | None = None,
    ) -> Iterator[Self]:
        codes = self._codes(Y)
        n = len(Y) if weights is None else weights.sum()
        codes -= np.average(codes, axis=0, weights=weights)
        path = self._directions(X, self._targets(codes, weights), models, weights)
        mean = column_means(X, weights).astype(X.dtype, copy=False)
        for model, (explained, directions) in zip(models, path, strict=True):
            model._set_directions(
                explained, directions.astype(X.dtype, copy=False), mean, n
            )
            yield model

    def _set_directions(
        self,
        explained: NDArray[Any],
        directions: NDArray[Any],
        mean: NDArray[Any],
        n_samples: float,
    ) -> None:
        """Set the fitted attributes, from what directions explain and they."""
        components = directions[: self.n_components]
        self.components_, self.mean_ = fix_signs(components), mean
        self.n_components_ = len(components)
        self._set_explained(explained[: self.n_components], n_samples)


class RidgeSubspace(SumsFitMixin, ExplainingSubspace):
    """The directions that explain most in a ridge regression."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ExplainingSubspace._parameter_constraints,
        "beta": [Interval(Real, 0, None, closed="left")],
        "target": TARGET,
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        beta: float = 1e-2,
        target: str = "auto",
    ) -> None:
        self.n_components = n_components
        self.beta = beta
        self.target = target

    def _directions(
        self,
        X: Any,
        targets: NDArray[Any],
        models: Sequence[Self],
        weights: NDArray[Any] | None,
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        n = len(targets) if weights is None else weights.sum()
        penalties = [n * model.beta for model in models]
        return explaining_directions(X, targets, penalties, weights)

    @abstractmethod
    def _target_rotation(self, yy: NDArray[Any]) -> NDArray[Any]:
        """What turns the codes into the targets, from their products Y'Y."""

    def _solve_sums(self, sums: Sums) -> None:
        check_varies(self, sums.x_range)
        _, xy, yy = sums.coded()
        targets = xy @ self._target_rotation(yy)
        penalties = [sums.n * self.beta]
        path = explaining_directions_of_sums(sums.xx, targets, sums.n, penalties)
        self._set_directions(*next(path), sums.x_mean, sums.n)
