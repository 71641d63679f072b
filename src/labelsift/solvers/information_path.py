# SPDX-License-Identifier: BSD-3-Clause
"""Greedy paths by information: relevance less the mean redundancy with the taken."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.validation import constant_columns
from labelsift.solvers.bins import bin_features
from labelsift.solvers.discretize import BINNING
from labelsift.solvers.information import DECIMALS, Information

# What every feature loses by a feature that is taken.
Redundancy = Callable[[int], NDArray[Any]]


class InformationPath(BaseSelector):
    """A selector that follows ``greedy_path``; a subclass writes ``_terms``.

    Features with all samples in one bin come last, and constant columns after them.
    """

    ranks_all = False

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        **BINNING,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        discretize: str | None = "width",
        n_bins: int = 3,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.discretize = discretize
        self.n_bins = n_bins

    @abstractmethod
    def _terms(self, information: Information) -> tuple[NDArray[Any], Redundancy]:
        """Relevance of each feature, and the redundancy with a feature taken."""

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        bins = bin_features(X, self.discretize, self.n_bins)
        one_bin, one_value = bins.is_constant, constant_columns(X)
        terms = self._terms(Information(bins, Y))
        path = greedy_path(*terms, ~one_bin & ~one_value, self.n_features_)
        last = np.flatnonzero(one_bin & ~one_value), np.flatnonzero(one_value)
        order = np.concatenate([path.solution, *last])[: self.n_features_]
        return Ranking.from_path(order, bins.n_features)


def greedy_path(
    relevance: NDArray[Any],
    redundancy: Redundancy,
    candidates: NDArray[np.bool_],
    n_steps: int,
) -> SolverResult:
    """Take the feature of largest relevance minus mean redundancy, again and again.

    Ties go to the lowest index.

    Parameters
    ----------
    relevance : ndarray of shape (n_features,)
        What each feature is worth alone.
    redundancy : callable
        Called once with each feature s that is taken: what every feature loses by it.
    candidates : ndarray of bool of shape (n_features,)
        Which features may be taken.
    n_steps : int
        How many to take, if there are as many candidates.

    Returns
    -------
    SolverResult
        ``solution``: the features in order; ``objective``: what each was worth when it
        was taken.
    """
    open_relevance = np.where(candidates, relevance, -np.inf)
    total = np.zeros(len(relevance))
    order: list[int] = []
    worth: list[float] = []
    for step in range(min(n_steps, int(candidates.sum()))):
        if order:
            total += redundancy(order[-1])
        score = open_relevance - total / max(1, step)
        best = int(np.argmax(np.round(score, DECIMALS)))
        order.append(best)
        worth.append(score[best])
        open_relevance[best] = -np.inf
    return SolverResult(np.array(order, np.intp), np.array(worth), n_iter=len(order))
