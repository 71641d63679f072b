# SPDX-License-Identifier: BSD-3-Clause
"""Greedy selection that leaves no label behind.

The GCV of one label is e_l = n r_l / (tr H)^2, where r_l = |H y_l|^2 becomes

    r_l(i) = r_l - delta_i (2 R_il P_il - delta_i N_ii P_il^2)

with feature i added (letters of ``gcv.py``): all labels and candidates cost O(d t), as
their sum does. A label gains G_il = log e_l - log e_l(i), and b_l = max_i G_il by the
best feature that is left. In units of that step feature i serves it by

    S_il = max(G_il, 0) / b_l,

so that neither prevalence nor difficulty of a label counts. Only open labels count,
those with b_l > 2 log(d) / n, which is what the best of d columns of noise gains; if
none is open, all are. A label that was served s_l so far waits:

    merit_i = sum_l S_il / (1 + s_l),    then s_l += S_il for the feature taken.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.selection.greedy_rls.gcv import GcvModel
from labelsift.selection.greedy_rls.problem import Moments

_EPS = np.finfo(np.float64).eps


class FairModel(GcvModel):
    """The model of ``gcv.py``, which also knows what a feature does for each label."""

    def __init__(
        self,
        moments: Moments,
        alpha: float,
        gram_column: Callable[[int], NDArray[Any]] | None,
        *,
        steps: int,
    ) -> None:
        super().__init__(moments, alpha, gram_column, steps=steps)
        n, d, t = moments.n, len(moments.x_mean), len(moments.y_mean)
        self._gain_of_noise = 2 * np.log(d) / n
        self._rounding = _EPS * self._residual
        self._service = np.zeros(t)  # s
        self._served = np.zeros((d, t))  # S

    def merit(self, candidates: NDArray[Any]) -> NDArray[Any]:
        """What each candidate does for the labels; never negative, 0 for the others."""
        gains = self._log_gains()
        gains[~candidates] = 0
        np.maximum(gains, 0, out=gains)
        best = gains.max(axis=0)
        open_labels = best > self._gain_of_noise
        if not open_labels.any():
            open_labels = best > 0
        self._served = np.divide(gains, np.where(open_labels, best, np.inf), out=gains)
        return np.asarray(self._served @ (1 / (1 + self._service)))

    def add(self, candidate: int) -> None:
        """Take a feature in."""
        self._service += self._served[candidate]
        super().add(candidate)

    def _log_gains(self) -> NDArray[Any]:
        """G of every feature and label."""
        delta = 1 / (self._alpha + self._D)
        lost = delta * self._N
        change = lost[:, np.newaxis] * self._P
        change -= 2 * self._R
        change *= delta[:, np.newaxis] * self._P
        # Rounding must not make a sum of squares or a trace vanish.
        change /= np.maximum(self._residual, self._rounding)
        np.log1p(np.maximum(change, _EPS - 1, out=change), out=change)
        freedom = 2 * np.log1p(np.maximum(-lost / self._freedom, _EPS - 1))
        return np.subtract(freedom[:, np.newaxis], change, out=change)
