# SPDX-License-Identifier: BSD-3-Clause
"""Sums over the blocks of dask collections, and ``fit`` on such collections."""

from functools import partial
from typing import Any, ClassVar, Self

from labelsift.core.dask_blocks import DaskBlocks
from labelsift.core.validation import is_collection, validate_parameters
from labelsift.sums.sums import Sums


def sums_of_blocks(
    blocks: DaskBlocks, options: dict[str, Any]
) -> tuple[Sums, list[int]]:
    """Sums over all blocks, added up by a tree on the workers; and the rows of each.

    ``options`` are those of ``Sums``.
    """
    return blocks.tree(partial(_sums_of_block, options), Sums.merged)


def _sums_of_block(options: dict[str, Any], X: Any, y: Any, weights: Any) -> Sums:
    return Sums(**options).update(X, y, weights)


def check_columns(y: Any, remedy: str = "") -> None:
    """Refuse a y with one dimension; ``remedy`` is told after columns of 0/1."""
    if getattr(y, "ndim", 2) == 1:
        raise ValueError(
            "y is a dask collection with one dimension, whose classes are not known "
            f"before all of it is read: pass one column of 0/1 per class{remedy}."
        )


class DaskFitMixin:
    """A ``fit`` that takes dask collections, for estimators with ``fit_sums``."""

    _products: ClassVar[tuple[bool, bool]]

    def _fit_weighted(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Fit; blocks of rows are summed where they are."""
        if not is_collection(X):
            return super()._fit_weighted(X, y, sample_weight)  # type: ignore[misc]
        validate_parameters(self)
        self._check_blocks()
        target = getattr(self, "target", "labels")
        if target != "values":
            check_columns(y, ', or target="values" where it holds measurements')
        blocks = DaskBlocks.read(X, y, sample_weight)
        xx, yy = self._products
        options = {"target": target, "feature_products": xx, "label_products": yy}
        sums, rows = sums_of_blocks(blocks, options)
        return self._fit_blocks(sums, blocks, rows)

    def _check_blocks(self) -> None:
        """Refuse options that blocks cannot serve, before any is read."""
        asked = getattr(self, "calibration", None)
        if asked is not None:
            raise ValueError(
                f"calibration={asked!r} needs rows in one memory: pass "
                "calibration=None with dask collections."
            )

    def _fit_blocks(self, sums: Sums, blocks: DaskBlocks, rows: list[int]) -> Self:
        """Fit from the sums; methods that need more ask the blocks again."""
        return self.fit_sums(sums)  # type: ignore[attr-defined]
