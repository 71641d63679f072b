# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS of rows on a device: steps there, what is small here."""

from typing import Any, Self

import numpy as np

from labelsift.core.arrays import library, like, namespace
from labelsift.selection.greedy_rls.device_rows import DeviceRows
from labelsift.selection.greedy_rls.from_blocks import GreedyFromBlocks
from labelsift.selection.greedy_rls.from_sums import Gram
from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.rows_model import RowsModel
from labelsift.selection.greedy_rls.search import choose_solver
from labelsift.selection.greedy_rls.steps import Rule, Steps, grow
from labelsift.sums.device import DeviceBlock
from labelsift.sums.sums import Sums

_STORAGE = {"dense": "float64", "mixed": "float32"}


class GreedyOnDevice(GreedyFromBlocks):
    """The fit of GreedyRLS to arrays of other libraries than numpy."""

    groups: Any
    solver: str
    _device_block: DeviceBlock | None = None  # during fit, by leave-one-out

    def _fit_device(self, block: DeviceBlock) -> Self:
        """Fit from sums, or by leave-one-out with the rows in every step."""
        if self.criterion == "gcv":
            return super()._fit_device(block)
        options = {
            "groups": self.groups is not None,
            "screen": self.screen is not None,
            'solver="sparse"': self.solver == "sparse",
        }
        for option, asked in options.items():
            if asked:
                raise ValueError(
                    f"{option} is not possible on arrays of {library(block.X)}: leave "
                    "it out, or pass numpy arrays."
                )
        self._device_block = block
        try:
            return super()._fit_device(block)
        finally:
            del self._device_block

    def _has_rows(self) -> bool:
        return self._device_block is not None or super()._has_rows()

    def _select_sums(
        self, moments: Moments, alpha: float, rule: Rule, sums: Sums, gram: Gram
    ) -> Steps:
        """By leave-one-out where there are rows on a device."""
        block = self._device_block
        if block is None:
            return super()._select_sums(moments, alpha, rule, sums, gram)
        self.solver_ = choose_solver(block.X, self.solver, False)
        labels, Y = self._labels, block.Y
        if not labels.live.all():
            at = like(np.flatnonzero(labels.live), Y)
            Y = namespace(Y).take(Y, at, axis=1)
        code = np.where(sums.targets.values[labels.live], 1.0, 2.0)
        slope = code * labels.scale
        offset = (1 - code - labels.centre) * labels.scale
        storage = _STORAGE[self.solver_]
        rows = DeviceRows(block.X, Y, slope, offset, block.weights, storage)
        model = RowsModel(moments, alpha, gram, rows, steps=rule.max_features)
        return grow(model, rule)
