# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS from batches with so many features that X'X does not fit into memory.

One pass gives all sums but X'X, and a further one the columns of X'X that the next
steps are likely to need. For k of d features and t labels the driver holds, beyond a
batch, at most about 16 d k bytes for steps, 80 d t for labels and 1000 d for columns.
"""

from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.memory_size import DEFAULT, size_text
from labelsift.selection.greedy_rls.columns import Columns
from labelsift.selection.greedy_rls.from_sums import Gram, GreedyFromSums
from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.steps import Rule, Steps
from labelsift.sums.gram_columns import gram_columns
from labelsift.sums.sources import Batches
from labelsift.sums.sums import Sums


class BatchGram:
    """X'X by columns, of which it keeps the entries of features that were taken."""

    def __init__(self, batches: Batches, sums: Sums, steps: int) -> None:
        self._columns = Columns(partial(gram_columns, batches, sums), steps=steps)
        self._taken: list[int] = []
        self._inner = np.empty((steps, steps))

    @property
    def passes(self) -> int:
        """How often the batches were read."""
        return self._columns.passes

    def expect(self, errors: NDArray[Any]) -> None:
        """Learn which features are likely to be asked for."""
        self._columns.expect(errors)

    def __call__(self, feature: int) -> NDArray[Any]:
        """The column of a feature that is taken."""
        column, last = self._columns(feature), len(self._taken)
        self._taken.append(feature)
        self._inner[last, : last + 1] = column[self._taken]
        self._inner[: last + 1, last] = column[self._taken]
        return column

    def among(self, features: NDArray[Any]) -> NDArray[Any]:
        """X'X of the first features that were taken."""
        return self._inner[: len(features), : len(features)]


class GreedyFromBatches(GreedyFromSums):
    """The fit of GreedyRLS on functions that yield batches, and on datasets."""

    # What is read again during a fit without X'X.
    _batches: Batches | None = None

    def _fit_batches(self, batches: Batches) -> Self:
        sums = Sums(target=self.target, feature_products="auto", label_products=False)
        sums.update_batches(batches)
        if sums.rows and sums.xx.ndim == 1:
            self._batches = batches
        try:
            self.fit_sums(sums)
        finally:
            self._batches = None
        if self.solver_ == "gram":
            self.n_passes_ = 1
        return self

    def _check_products(self, sums: Sums) -> None:
        if self._batches is None:
            super()._check_products(sums)

    def _gram(self, sums: Sums, steps: int) -> Gram:
        """Columns on demand where X'X is too large."""
        if self._batches is None:
            return super()._gram(sums, steps)
        d = len(sums.x_mean)
        if 16 * d * steps > DEFAULT:
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select!r} means up to "
                f"{steps} of {d} features, whose steps take {size_text(16 * d * steps)}"
                f" of memory: pass a count of at most {DEFAULT // (16 * d)}."
            )
        return BatchGram(self._screened_batches(self._batches), sums, steps)

    def _select_sums(
        self, moments: Moments, alpha: float, rule: Rule, sums: Sums, gram: Gram
    ) -> Steps:
        steps = super()._select_sums(moments, alpha, rule, sums, gram)
        if isinstance(gram, BatchGram):
            self.solver_, self.n_passes_ = "columns", 1 + gram.passes
        return steps
