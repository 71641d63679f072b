# SPDX-License-Identifier: BSD-3-Clause
"""The greedy model whose rows are in blocks: what is small stays here.

A step sends 4 d numbers to every block and gets 2 d sums back (``rows.py``); products
with the features come from centred X'X, so that no second pass is needed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.rows import Answer, Change, Plan, Rows, added
from labelsift.selection.greedy_rls.steps import Rule


class RowsModel:
    """The model of ``dense.py`` without its rows.

    ``gram_column`` maps a feature to its column of centred X'X.
    """

    def __init__(
        self,
        moments: Moments,
        alpha: float,
        gram_column: Callable[[int], NDArray[Any]],
        rows: Rows,
        *,
        steps: int,
    ) -> None:
        d, t = moments.cross.shape
        rho = moments.rho(alpha)
        self._moments, self._alpha, self._rho = moments, alpha, rho
        self._gram_column, self._rows = gram_column, rows
        self._D, self._P = moments.norms(rho), moments.products(rho)
        self._features = np.empty(steps, dtype=np.intp)
        self._deltas = np.empty(steps)
        self._V, self._B = np.empty((steps, d)), np.empty((steps, t))
        self._taken, self._slack = 0, 1.0
        self._change: Change | None = None
        self._answer: Answer | None = None

    @property
    def plan(self) -> Plan:
        """What brings any rows to the present step."""
        r, P = self._taken, self._P
        return Plan(
            self._moments.n, self._rho, self._moments.x_mean, self._moments.y_mean,
            self._features[:r], self._deltas[:r], self._V[:r], self._B[:r],
            P, 1 / (self._alpha + self._D), row_norms(P, squared=True),
        )  # fmt: skip

    @property
    def error(self) -> float:
        """Mean leave-one-out error of the current model."""
        return self._scores().error / self._scale

    @property
    def slack(self) -> float:
        """Smallest 1 - leverage of a row."""
        return self._slack

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """Mean leave-one-out error with each feature added."""
        return self._scores().errors / self._scale

    def add(self, candidate: int) -> None:
        """Add a feature; the blocks hear of it in the next pass."""
        b, r = candidate, self._taken
        self._slack = float(self._scores().slack[b])
        v, delta, P_b = self._products(b), 1 / (self._alpha + self._D[b]), self._P[b]
        w, p_b = delta * v, float(P_b @ P_b)
        z = self._P @ P_b - p_b * w
        self._features[r], self._deltas[r] = b, delta
        self._V[r], self._B[r] = v, P_b
        self._P = self._P - np.outer(w, P_b)
        self._D = np.maximum(self._D - w * v, 0)
        self._taken, self._answer = r + 1, None
        now = self.plan
        self._change = Change(r + 1, b, delta, p_b, v, z, now.delta, now.p)

    @property
    def _scale(self) -> float:
        return self._moments.n * len(self._moments.y_mean)

    def _scores(self) -> Answer:
        """Sums over all rows, asked for once a step."""
        if self._answer is None:
            answers = self._rows.scores(self.plan, self._change)
            self._answer = added(answers, len(self._D))
        return self._answer

    def _products(self, b: int) -> NDArray[Any]:
        """v = X'H x_b."""
        r, x_mean = self._taken, self._moments.x_mean
        means = self._rho * self._moments.n * x_mean[b] * x_mean
        past = (self._deltas[:r] * self._V[:r, b]) @ self._V[:r]
        return np.asarray(self._gram_column(b) + means - past)
