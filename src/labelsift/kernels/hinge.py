# SPDX-License-Identifier: BSD-3-Clause
"""Dual coordinate descent for the hinge loss with given score offsets."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def hinge_epoch(
    values: NDArray[Any],
    columns: NDArray[Any],
    starts: NDArray[Any],
    curvature: NDArray[Any],
    y: NDArray[Any],
    offset: NDArray[Any],
    order: NDArray[Any],
    C: float,
    dual: NDArray[Any],
    w: NDArray[Any],
) -> float:
    """Go once over the samples; return the largest violation.

    Minimises |w|^2 / 2 + C sum_i max(0, 1 - y_i (w'x_i + offset_i)), where the last
    entry of w is the intercept, through its dual: w = sum_i dual_i y_i x_i with every
    dual_i in [0, C]. One coordinate is solved exactly at a time, in the order given,
    and w is updated. The samples come in CSR form, ``curvature`` is |x_i|^2 + 1; the
    violation is the projected gradient of the dual, 0 at the optimum.
    """
    last = len(w) - 1
    worst = 0.0
    for i in order:
        score = w[last] + offset[i]
        for k in range(starts[i], starts[i + 1]):
            score += w[columns[k]] * values[k]
        gradient = y[i] * score - 1
        violation = gradient
        if dual[i] == 0:
            violation = min(gradient, 0.0)
        elif dual[i] == C:
            violation = max(gradient, 0.0)
        worst = max(worst, abs(violation))
        if violation != 0:
            moved = min(max(dual[i] - gradient / curvature[i], 0.0), C)
            step = (moved - dual[i]) * y[i]
            dual[i] = moved
            w[last] += step
            for k in range(starts[i], starts[i + 1]):
                w[columns[k]] += step * values[k]
    return worst


def warm_up() -> None:
    """Compile the kernels of this module."""
    one, index = np.ones(1), np.zeros(1, dtype=np.int32)
    starts = np.array([0, 1], dtype=np.int32)
    order = np.zeros(1, dtype=np.int64)
    hinge_epoch(one, index, starts, one + 1, one, one, order, 1.0, 0 * one, np.zeros(2))
