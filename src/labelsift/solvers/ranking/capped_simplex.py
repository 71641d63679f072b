# SPDX-License-Identifier: BSD-3-Clause
"""Weights between 0 and 1 with a given sum: the hull of all subsets of m features."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def largest(values: NDArray[Any], count: int) -> NDArray[np.intp]:
    """Indices of the ``count`` largest values, in no order; all where count >= size."""
    if count >= len(values):
        return np.arange(len(values))
    return np.argpartition(values, len(values) - count)[len(values) - count :]


def capped_shares(sizes: NDArray[Any], m: int) -> NDArray[np.float64]:
    """eta_j = min(1, size_j / nu) with the nu that makes the sum m.

    This eta minimises sum_j size_j^2 / eta_j over 0 <= eta <= 1, sum eta = m. Where no
    more than m sizes are positive each of those gets 1.
    """
    if np.count_nonzero(sizes) <= m:
        return np.asarray(sizes > 0, dtype=np.float64)
    ordered = np.sort(sizes)[::-1]
    capped = np.arange(m)  # how many weights are 1; fewer than m, since nu is finite
    rest = np.cumsum(ordered[::-1])[::-1][:m]
    levels = rest / (m - capped)
    level = levels[np.argmax(ordered[:m] <= levels)]
    return np.minimum(1.0, sizes / level)
