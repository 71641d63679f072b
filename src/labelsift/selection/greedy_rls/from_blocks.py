# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS from blocks of rows on dask: sums first, then a pass for every step."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils import check_array

from labelsift.core.dask_blocks import DaskBlocks
from labelsift.core.targets import regression_codes
from labelsift.core.validation import row_weights, weighted_rows
from labelsift.selection.greedy_rls.dask_rows import DaskRows
from labelsift.selection.greedy_rls.from_batches import GreedyFromBatches
from labelsift.selection.greedy_rls.from_sums import Gram
from labelsift.selection.greedy_rls.labels import LabelScaling
from labelsift.selection.greedy_rls.options import check_combination
from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.rows_model import RowsModel
from labelsift.selection.greedy_rls.steps import Rule, Steps, grow
from labelsift.sums.sums import Sums
from labelsift.sums.targets import Targets, read_targets


@dataclass(frozen=True)
class RowReader:
    """Reads a block that the sums have checked: targets as selection sees them."""

    target: str
    targets: Targets
    labels: LabelScaling

    def __call__(self, X: Any, y: Any, weights: Any) -> tuple[Any, Any, Any]:
        """X, y and weights as numbers; rows of weight 0 are left out."""
        X = check_array(
            X, accept_sparse="csr", dtype=[np.float64, np.float32],
            ensure_min_samples=0,
        )  # fmt: skip
        weights = row_weights(weights, X) if X.shape[0] else None
        if weights is not None:
            X, y = (weighted_rows(data, weights) for data in (X, y))
            weights = weights[weights > 0]
        live = self.labels.live
        if not X.shape[0]:
            return X, np.empty((0, np.count_nonzero(live))), None
        Y, _ = read_targets(y, self.target, None, self.targets)
        codes = regression_codes(Y, self.targets.values)
        return X, self.labels.seen(codes.compress(live, axis=1)), weights


class GreedyFromBlocks(GreedyFromBatches):
    """The fit of GreedyRLS on dask collections."""

    alpha: Any
    solver: str
    # Blocks and their rows during a fit by leave-one-out.
    _blocks: tuple[DaskBlocks, list[int]] | None = None

    def _fit_blocks(self, sums: Sums, blocks: DaskBlocks, rows: list[int]) -> Self:
        """Fit from sums, or by leave-one-out with the blocks in every step."""
        if self.criterion == "gcv":
            super()._fit_blocks(sums, blocks, rows)
            self.n_passes_ = 1
            return self
        self._blocks = blocks, rows
        try:
            return self.fit_sums(sums)
        finally:
            del self._blocks

    def _check_blocks(self) -> None:
        """Refuse what leave-one-out on blocks cannot do."""
        super()._check_blocks()
        check_combination(self)
        contradictions = [
            (self.alpha == "loo", 'alpha="loo"', 'pass a number or "auto"'),
            (self.groups is not None, "groups", "leave groups=None"),
            (
                self.screen is not None and self.criterion == "loo",
                f"screen={self.screen}",
                'pass criterion="gcv" or screen=None',
            ),
            (self.solver != "auto", f'solver="{self.solver}"', 'leave solver="auto"'),
        ]
        for contradiction, option, remedy in contradictions:
            if contradiction:
                raise ValueError(
                    f"{option} is not possible with dask collections: {remedy}, or fit "
                    "to arrays in one memory."
                )

    def _has_rows(self) -> bool:
        return self._blocks is not None

    def _select_sums(
        self, moments: Moments, alpha: float, rule: Rule, sums: Sums, gram: Gram
    ) -> Steps:
        """By leave-one-out where there are blocks."""
        if self._blocks is None:
            return super()._select_sums(moments, alpha, rule, sums, gram)
        blocks, counts = self._blocks
        read = RowReader(self.target, sums.targets, self._labels)
        with DaskRows(blocks, read, counts, len(sums.x_mean)) as rows:
            model = RowsModel(moments, alpha, gram, rows, steps=rule.max_features)
            steps = grow(model, rule)
        self.solver_ = "passes" if any(rows.passed) else "blocks"
        # One for the sums, one for the first step.
        self.n_passes_ = 2 + sum(passed > 0 for passed in rows.passed[1:])
        return steps
