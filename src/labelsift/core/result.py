# SPDX-License-Identifier: BSD-3-Clause
"""What a solver hands back, and what a ranking is."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SolverResult:
    """The outcome of an iterative solver.

    Parameters
    ----------
    solution : Any
        What was solved for.
    objective : ndarray
        The objective after each iteration.
    gap : float
        The stopping criterion at the end (duality gap, KKT residual, ...).
    n_iter : int
        Iterations done.
    converged : bool
        Whether the stopping criterion was met.
    """

    solution: Any
    objective: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    gap: float = 0.0
    n_iter: int = 0
    converged: bool = True


@dataclass(frozen=True)
class Ranking:
    """Features in order of merit: what ``BaseSelector._rank`` returns.

    Parameters
    ----------
    scores : ndarray of shape (n_features,)
        Larger is better.
    order : ndarray
        Feature indices, best first; all features, or as many as a path reached.
    result : SolverResult or None
        Where the method iterates.
    """

    scores: NDArray[np.float64]
    order: NDArray[np.intp]
    result: SolverResult | None = None

    @classmethod
    def from_scores(
        cls, scores: NDArray[Any], result: SolverResult | None = None
    ) -> "Ranking":
        """Rank all features by descending score; ties go to the lowest index."""
        scores = np.asarray(scores, dtype=np.float64)
        return cls(scores, np.argsort(-scores, kind="stable"), result)

    @classmethod
    def from_path(
        cls,
        order: NDArray[Any],
        n_features: int,
        result: SolverResult | None = None,
    ) -> "Ranking":
        """Features in the order in which a path took them.

        The score is n_features - position, and 0 for a feature never reached.
        """
        order = np.asarray(order, dtype=np.intp)
        scores = np.zeros(n_features)
        scores[order] = n_features - np.arange(len(order))
        return cls(scores, order, result)
