# SPDX-License-Identifier: BSD-3-Clause
"""Leave-one-out selection from rows on a device."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.arrays import library, like, namespace
from labelsift.selection.greedy_rls.device_rows import DeviceRows
from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.rows_model import RowsModel
from labelsift.selection.greedy_rls.search import choose_solver
from labelsift.selection.greedy_rls.steps import Rule, Steps, grow
from labelsift.sums.device import DeviceBlock
from labelsift.sums.sums import Sums

_STORAGE = {"dense": "float64", "mixed": "float32"}


def select_on_device(
    selector: Any,
    block: DeviceBlock,
    sums: Sums,
    moments: Moments,
    alphas: NDArray[Any],
    rule: Rule,
) -> list[Steps]:
    """One selection for each penalty of a GreedyRLS, one after the other."""
    if selector.groups is not None or selector.solver == "sparse":
        option = "groups" if selector.groups is not None else 'solver="sparse"'
        raise ValueError(
            f"{option} does not work on arrays of {library(block.X)}: pass numpy "
            "arrays."
        )
    selector.solver_ = choose_solver(block.X, selector.solver, False)
    labels, xp = selector._labels, namespace(block.X)
    code = np.where(sums.targets.values[labels.live], 1.0, 2.0)
    slope = code * labels.scale
    offset = (1 - code - labels.centre) * labels.scale
    Y = block.Y
    if not labels.live.all():
        Y = xp.take(Y, like(np.flatnonzero(labels.live), Y), axis=1)
    storage, steps = _STORAGE[selector.solver_], rule.max_features

    def select(alpha: float) -> Steps:
        rows = DeviceRows(block.X, Y, slope, offset, block.weights, storage)
        column = sums.xx.__getitem__
        return grow(RowsModel(moments, alpha, column, rows, steps=steps), rule)

    return [select(alpha) for alpha in alphas]
