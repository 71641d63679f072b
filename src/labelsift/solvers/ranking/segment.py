# SPDX-License-Identifier: BSD-3-Clause
"""The dual of a ranking machine along a segment, with the best D at every point."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from labelsift.solvers.ranking.label_covariance import dual_covariance, inverse_penalty


@dataclass(frozen=True)
class Segment:
    """U'U along a segment of U: (1 - t)^2 start + t (1 - t) cross + t^2 end."""

    start: NDArray[np.float64]
    cross: NDArray[np.float64]
    end: NDArray[np.float64]

    def at(self, t: float) -> NDArray[np.float64]:
        """U'U at a share of the segment."""
        return (1 - t) ** 2 * self.start + t * (1 - t) * self.cross + t**2 * self.end

    def best(self, gain: float, mu: float) -> float:
        """The share at which gain t - 1/2 penalty(U) is largest, within [0, 1]."""

        def slope(t: float) -> float:
            D, _ = dual_covariance(self.at(t), mu)
            rise = 2 * (t - 1) * self.start + (1 - 2 * t) * self.cross
            rise += 2 * t * self.end
            return gain - float(np.vdot(inverse_penalty(D, mu), rise)) / 2

        return _falls_to_zero(slope)


def _falls_to_zero(slope: Callable[[float], float]) -> float:
    """Where a falling slope is 0 within [0, 1], to a hundredth of itself."""
    if slope(1.0) >= 0:
        return 1.0
    if slope(0.0) <= 0:
        return 0.0
    return float(brentq(slope, 0.0, 1.0, xtol=1e-9, rtol=1e-2))
