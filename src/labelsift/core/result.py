# SPDX-License-Identifier: BSD-3-Clause
"""Result of a solver, and the ranking of features."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SolverResult:
    """Result of an iterative solver."""

    solution: Any
    # The objective after each iteration.
    objective: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    # The stopping criterion at the end: duality gap, KKT residual, last decrease, ...
    gap: float = 0.0
    n_iter: int = 0
    # Whether the stopping criterion was met; if not, the remedy.
    converged: bool = True
    remedy: str = "raise max_iter or tol"


@dataclass(frozen=True)
class Ranking:
    """Features in order of merit: what ``BaseSelector._rank`` returns."""

    scores: NDArray[np.float64]  # of all features; larger is better
    order: NDArray[np.intp]  # best first; all features, or those that were taken
    result: SolverResult | None = None  # where the method iterates

    @classmethod
    def from_scores(
        cls, scores: NDArray[Any], result: SolverResult | None = None
    ) -> "Ranking":
        """Rank all features by descending score; ties go to the lowest index."""
        scores = np.asarray(scores, dtype=np.float64)
        return cls(scores, np.argsort(-scores, kind="stable"), result)

    @classmethod
    def from_order(
        cls,
        order: NDArray[Any],
        n_features: int,
        result: SolverResult | None = None,
    ) -> "Ranking":
        """Features in the order in which a greedy method took them.

        The score is n_features - position, and 0 for a feature that was not taken.
        """
        order = np.asarray(order, dtype=np.intp)
        scores = np.zeros(n_features)
        scores[order] = n_features - np.arange(len(order))
        return cls(scores, order, result)
