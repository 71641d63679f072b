# SPDX-License-Identifier: BSD-3-Clause
"""Features in the order of their relevance minus their redundancy with those taken."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.solvers.information.mutual import DECIMALS, Information
from labelsift.solvers.information.targets import TargetInformation

# Redundancy of every feature with a selected one.
Redundancy = Callable[[int], NDArray[Any]]
# How many features are looked at first, for each that is to be taken, and how many more
# at a time where these are too few.
_FIRST = 2
_MORE = 4


@dataclass(frozen=True)
class SharedInformation:
    """The redundancy w(f) I(f; s), never negative, of all features f or of some."""

    information: Information | TargetInformation
    weight: NDArray[Any] | float = 1.0  # w, of each feature or of all

    def __call__(self, s: int) -> NDArray[Any]:
        return self.weight * self.information.about_feature(s)

    def only(self, features: NDArray[np.intp]) -> "SharedInformation":
        """The same of some features, by their places among these."""
        weight = self.weight
        if isinstance(weight, np.ndarray):
            weight = weight[features]
        return SharedInformation(self.information.only(features), weight)


def greedy_order(
    relevance: NDArray[Any],
    redundancy: Redundancy,
    candidates: NDArray[np.bool_],
    n_steps: int,
    *,
    average: bool = True,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Take the candidate of largest relevance minus redundancy, again and again.

    What counts is the mean of the redundancies with all features taken, or their sum
    where ``average`` is False. Returns the features in order, and what each was worth
    when it was taken; ties go to the lowest index. ``redundancy`` is asked once for
    each feature but the last.

    A feature is worth its relevance at most where redundancy is never negative. So the
    most relevant features are enough, as long as the one taken is worth more than any
    of the others is relevant.
    """
    n_steps = min(n_steps, int(candidates.sum()))
    relevance = np.where(candidates, relevance, -np.inf)
    size = _FIRST * n_steps
    while isinstance(redundancy, SharedInformation) and 2 * size < len(relevance):
        by_relevance = np.argsort(-relevance, kind="stable")
        features, floor = np.sort(by_relevance[:size]), relevance[by_relevance[size]]
        part = relevance[features], redundancy.only(features)
        order, worth = _follow(*part, n_steps, average, floor + 10.0**-DECIMALS)
        if len(order) == n_steps:
            return features[order], worth
        size *= _MORE
    return _follow(relevance, redundancy, n_steps, average, -np.inf)


def _follow(
    relevance: NDArray[Any],
    redundancy: Redundancy,
    n_steps: int,
    average: bool,
    floor: float,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The order as far as every feature taken is worth more than ``floor``."""
    relevance, total = relevance.copy(), np.zeros(len(relevance))
    order: list[int] = []
    worth: list[float] = []
    for step in range(n_steps):
        if order:
            total += redundancy(order[-1])
        score = relevance - total / (max(1, step) if average else 1)
        best = int(np.argmax(np.round(score, DECIMALS)))
        if score[best] <= floor:
            break
        order.append(best)
        worth.append(score[best])
        relevance[best] = -np.inf
    return np.array(order, np.intp), np.array(worth)
