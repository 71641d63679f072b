# SPDX-License-Identifier: BSD-3-Clause
"""Counts over the blocks of dask collections."""

from functools import partial
from typing import Any

from labelsift.core.dask_blocks import FAN_IN, DaskBlocks
from labelsift.core.memory_size import size_text
from labelsift.sums.counts import WORK_BYTES, Counts, counts_bytes
from labelsift.sums.dask_sums import sums_of_blocks

# The share of its memory that a worker fills: beyond, dask begins to write to disk.
_SHARE = 0.6


def counts_of_blocks(
    blocks: DaskBlocks, target: str, discretize: str, n_bins: int, by_label: bool
) -> Counts:
    """Counts over all blocks, in two passes: for the ranges, and for the counts.

    Both are added up by a tree on the workers. ``target`` is that of ``Sums``, the
    others are those of ``Counts``.
    """
    options = {"feature_products": False, "label_products": False}
    sums, _ = sums_of_blocks(blocks, {"target": target, **options})
    if sums.targets.values.any():
        raise ValueError(
            f"Column {int(sums.targets.values.argmax())} of y holds values, whose bins "
            "need all of them at once: pass labels as 0/1 with dask collections."
        )
    width = 2 if discretize == "presence" else n_bins
    n_features, n_labels = sums.xy.shape
    size = counts_bytes(n_features * width, n_labels * by_label)
    _check_room(blocks, size, f"{n_features} features of {width} bins")
    make = partial(
        Counts,
        sums.x_range,
        discretize=discretize,
        n_bins=n_bins,
        by_label=by_label,
        memory=size + WORK_BYTES,
    )
    counts, _ = blocks.tree(partial(_counts_of_block, make), Counts.merged)
    return counts


def _counts_of_block(make: partial[Counts], X: Any, y: Any, weights: Any) -> Counts:
    return make().update(X, y)


def _check_room(blocks: DaskBlocks, size: int, what: str) -> None:
    """Refuse counts that a worker cannot add: some wait, each thread makes more."""
    for worker in blocks.workers():
        needed = (FAN_IN + worker.threads) * size
        if needed > _SHARE * worker.memory:
            raise ValueError(
                f"The counts of {what} take about {size_text(needed)} on a worker "
                f"while they are added, and {_SHARE:.0%} of its memory are "
                f"{size_text(_SHARE * worker.memory)}: choose some of the features "
                "first (FisherScore), lower n_bins, or give workers more memory or "
                "fewer threads."
            )
