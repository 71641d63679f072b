# SPDX-License-Identifier: BSD-3-Clause
"""From knockoff statistics W to a selection: the threshold, e-values and e-BH.

A feature wins where W is large and loses where W is as far below 0; a feature that
says nothing does both with equal chances.
"""

import numpy as np
from numpy.typing import NDArray

# Rounding must not decide where two sides are equal: 0.29 of 100 is 29.
_ROUNDING = 1e-12


def knockoff_threshold(W: NDArray[np.float64], fdr: float) -> float:
    """The least |W| above 0 at which (1 + losers) / winners is at most fdr.

    Counted over values, so that equal ones stay together; infinite where there is none.
    """
    values, ordered = np.unique(np.abs(W[W != 0])), np.sort(W)
    losers = np.searchsorted(ordered, -values, side="right")
    winners = len(W) - np.searchsorted(ordered, values, side="left")
    good = 1 + losers <= fdr * winners * (1 + _ROUNDING)
    return float(values[good][0]) if good.any() else np.inf


def e_values(
    W: NDArray[np.float64], thresholds: NDArray[np.float64], n_features: int
) -> NDArray[np.float64]:
    """Mean over draws (rows of W) of d 1{W_j >= T} / (1 + number of W <= -T)."""
    T = thresholds[:, np.newaxis]
    losers = np.count_nonzero(-T >= W, axis=1, keepdims=True)
    return np.asarray(np.mean((T <= W) * n_features / (1 + losers), axis=0))


def e_bh_count(e: NDArray[np.float64], n_features: int, fdr: float) -> int:
    """How many to select: the largest k with e_(k) >= d / (k fdr), or 0."""
    ordered, k = np.sort(e)[::-1], np.arange(1, len(e) + 1)
    good = (ordered > 0) & (ordered * k * fdr * (1 + _ROUNDING) >= n_features)
    return int(k[good].max(initial=0))
