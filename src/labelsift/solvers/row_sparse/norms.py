# SPDX-License-Identifier: BSD-3-Clause
"""The norms that a row of W may be penalised by, with what a solver needs of them.

Near weights W that are not yet a minimum, a norm is smooth along a *face*: the rows in
use (2-norm), or the rows in use with their largest entries tied (maximum norm). Newton
steps are taken along the face; sweeps determine it.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Relative distance below which an entry is tied to the largest of its row, and a row
# is zero.
_CLOSE = 1e-9


class Face(ABC):
    """Where the sum of the norms of W's rows is smooth."""

    gradient: NDArray[Any]  # of the sum of the norms, along the face
    stiffness: NDArray[Any]  # largest curvature of each row, or each entry
    distance: NDArray[Any]  # of a row or an entry to the border of the face

    @abstractmethod
    def project(self, V: NDArray[Any]) -> NDArray[Any]:
        """The part of V that lies along the face."""

    @abstractmethod
    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        """Second derivative of the sum of the norms, times V."""

    @abstractmethod
    def retract(self, W: NDArray[Any]) -> NDArray[Any]:
        """Clip a step along the face at its borders."""

    def divide(
        self, V: NDArray[Any], loss_curvature: NDArray[Any], alpha: float
    ) -> NDArray[Any]:
        """V divided by the curvature of each row: loss plus alpha times norm."""
        return V / (loss_curvature + alpha * self.stiffness)


class CautiousFace(Face):
    """A face with added curvature, which increases towards a border.

    Where many rows are about to vanish, a Newton step meets the first border at once;
    with this curvature all rows may come closer together. For the 2-norm it is that of
    the quadratic function which touches the norm from above.
    """

    def __init__(self, face: Face) -> None:
        self.face = face
        self.gradient, self.distance = face.gradient, face.distance
        near = face.distance > 0
        self.stiffness = near / np.where(near, face.distance, 1.0)

    def project(self, V: NDArray[Any]) -> NDArray[Any]:
        return self.face.project(V)

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        return self.stiffness * V

    def retract(self, W: NDArray[Any]) -> NDArray[Any]:
        return self.face.retract(W)


class RowNorm(ABC):
    """A norm of rows and its dual."""

    @abstractmethod
    def values(self, W: NDArray[Any]) -> NDArray[Any]:
        """Norm of each row: what the penalty adds up."""

    @abstractmethod
    def dual(self, correlation: NDArray[Any]) -> NDArray[Any]:
        """Dual norm of each row: a feature without weights stays out up to alpha."""

    @abstractmethod
    def slopes(self, W: NDArray[Any], V: NDArray[Any]) -> NDArray[Any]:
        """Derivative of each row's norm as W moves along V."""

    @abstractmethod
    def snap(self, W: NDArray[Any], sizes: NDArray[Any]) -> NDArray[Any]:
        """Entries nearly tied are tied, rows nearly zero are zero.

        ``sizes`` are the norms of the rows before they came close to zero.
        """

    @abstractmethod
    def face(self, W: NDArray[Any]) -> Face:
        """The face on which W lies."""


class EuclideanNorm(RowNorm):
    """The 2-norm, its own dual."""

    def values(self, W: NDArray[Any]) -> NDArray[Any]:
        return np.sqrt(np.einsum("ij,ij->i", W, W))

    def dual(self, correlation: NDArray[Any]) -> NDArray[Any]:
        return self.values(correlation)

    def slopes(self, W: NDArray[Any], V: NDArray[Any]) -> NDArray[Any]:
        sizes, along = self.values(W), np.einsum("ij,ij->i", W, V)
        used = sizes > 0
        return np.where(used, along / np.where(used, sizes, 1.0), self.values(V))

    def snap(self, W: NDArray[Any], sizes: NDArray[Any]) -> NDArray[Any]:
        near = self.values(W) <= _CLOSE * sizes
        return np.where(near[:, np.newaxis], 0.0, W)

    def face(self, W: NDArray[Any]) -> Face:
        return _EuclideanFace(W, self.values(W)[:, np.newaxis])


class MaximumNorm(RowNorm):
    """The largest absolute entry; its dual is the 1-norm."""

    def values(self, W: NDArray[Any]) -> NDArray[Any]:
        return np.abs(W).max(axis=1)

    def dual(self, correlation: NDArray[Any]) -> NDArray[Any]:
        return np.abs(correlation).sum(axis=1)

    def slopes(self, W: NDArray[Any], V: NDArray[Any]) -> NDArray[Any]:
        sizes = np.abs(W)
        largest = sizes.max(axis=1, keepdims=True)
        along = np.where(largest > 0, np.sign(W) * V, np.abs(V))
        return np.where(sizes == largest, along, -np.inf).max(axis=1)

    def snap(self, W: NDArray[Any], sizes: NDArray[Any]) -> NDArray[Any]:
        return _level_off(W, self.values(W)[:, np.newaxis], sizes[:, np.newaxis])

    def face(self, W: NDArray[Any]) -> Face:
        return _MaximumFace(W, self.values(W)[:, np.newaxis])


class _EuclideanFace(Face):
    """The rows in use; a row ends where it meets the origin."""

    def __init__(self, W: NDArray[Any], sizes: NDArray[Any]) -> None:
        # A row that is next to nothing has a curvature in which all others are lost.
        self.used = sizes > _CLOSE * sizes.max(initial=0.0)
        self.distance = sizes
        self.sizes = np.where(self.used, sizes, 1.0)
        self.gradient = W / self.sizes
        self.stiffness = self.used / self.sizes

    def _radial(self, V: NDArray[Any]) -> NDArray[Any]:
        return np.einsum("ij,ij->i", self.gradient, V)[:, np.newaxis]

    def project(self, V: NDArray[Any]) -> NDArray[Any]:
        return V * self.used

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        return self.stiffness * (V - self.gradient * self._radial(V))

    def divide(
        self, V: NDArray[Any], loss_curvature: NDArray[Any], alpha: float
    ) -> NDArray[Any]:
        # Along itself a row has the curvature of the loss alone.
        whole = loss_curvature + alpha * self.stiffness
        along = self._radial(V) * (1 / loss_curvature - 1 / whole)
        return V / whole + self.gradient * along

    def retract(self, W: NDArray[Any]) -> NDArray[Any]:
        return np.where(self._radial(W) > _CLOSE * self.sizes, W, 0.0)


class _MaximumFace(Face):
    """The rows in use, their largest entries tied; a free entry ends at their level."""

    def __init__(self, W: NDArray[Any], sizes: NDArray[Any]) -> None:
        used = sizes > 0
        tied = used & (np.abs(W) >= sizes * (1 - _CLOSE))
        self.free = used & ~tied
        self.sizes = sizes
        self.signs = np.sign(W) * tied
        self.counts = np.maximum(tied.sum(axis=1, keepdims=True), 1)
        self.gradient = self.signs / self.counts
        self.stiffness = np.zeros_like(sizes)
        self.distance = np.where(self.free, sizes - np.abs(W), sizes)

    def _levels(self, V: NDArray[Any]) -> NDArray[Any]:
        """Mean of the tied entries of each row, without signs."""
        return np.einsum("ij,ij->i", self.gradient, V)[:, np.newaxis]

    def project(self, V: NDArray[Any]) -> NDArray[Any]:
        return V * self.free + self.signs * self._levels(V)

    def curve(self, V: NDArray[Any]) -> NDArray[Any]:
        return np.zeros_like(V)

    def retract(self, W: NDArray[Any]) -> NDArray[Any]:
        return _level_off(W, self._levels(W), self.sizes)


def _level_off(
    W: NDArray[Any], levels: NDArray[Any], sizes: NDArray[Any]
) -> NDArray[Any]:
    """Entries at or above their row's level set to it; a level close to 0 is 0."""
    levels = np.where(levels > _CLOSE * sizes, levels, 0.0)
    at_level = np.abs(W) >= (1 - _CLOSE) * levels
    return np.where(at_level, np.sign(W) * levels, W)


_NORMS = {"2": EuclideanNorm(), "inf": MaximumNorm()}


def row_norm(name: str) -> RowNorm:
    """The norm that is called "2" or "inf"."""
    if name not in _NORMS:
        raise ValueError(f"norm must be '2' or 'inf', got {name!r}.")
    return _NORMS[name]
