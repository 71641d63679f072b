# SPDX-License-Identifier: BSD-3-Clause
"""Base class of the subspaces that explain most of the (coded) labels."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from labelsift.core.base import BaseSubspace
from labelsift.core.labels import signed_labels
from labelsift.core.path import PathMixin
from labelsift.core.subspace import fix_signs
from labelsift.core.validation import Interval
from labelsift.solvers.ridge.centring import column_means
from labelsift.solvers.ridge.reduced_rank import explaining_directions


class ExplainingSubspace(PathMixin, BaseSubspace):
    """The directions of X that explain most of targets derived from the labels."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    n_components: int | None

    @abstractmethod
    def _targets(self, codes: NDArray[Any]) -> NDArray[Any]:
        """The targets, from centred -1/+1 labels; columns of mean 0."""

    @abstractmethod
    def _set_explained(self, explained: NDArray[Any], n_samples: int) -> None:
        """Set the attribute of what each direction explains of the squared targets."""

    @abstractmethod
    def _directions(
        self, X: Any, targets: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """What each direction explains, and the directions as rows, per model."""

    def _fit_each(
        self, X: Any, Y: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[Self]:
        codes, n = signed_labels(Y), len(Y)
        targets = self._targets(codes - codes.mean(axis=0))
        path = self._directions(X, targets, models)
        mean = column_means(X).astype(X.dtype, copy=False)
        for model, (explained, directions) in zip(models, path, strict=True):
            components = directions[: model.n_components].astype(X.dtype, copy=False)
            model.components_, model.mean_ = fix_signs(components), mean
            model.n_components_ = len(components)
            model._set_explained(explained[: model.n_components], n)
            yield model


class RidgeSubspace(ExplainingSubspace):
    """The directions that explain most in a ridge regression."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ExplainingSubspace._parameter_constraints,
        "beta": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, n_components: int | None = None, *, beta: float = 1e-2) -> None:
        self.n_components = n_components
        self.beta = beta

    def _directions(
        self, X: Any, targets: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        penalties = [len(targets) * model.beta for model in models]
        return explaining_directions(X, targets, penalties)
