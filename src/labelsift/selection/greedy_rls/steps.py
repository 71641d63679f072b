# SPDX-License-Identifier: BSD-3-Clause
"""Greedy forward selection: which candidate to take next, and when to stop.

The loop is independent of least squares. A model returns the error of every candidate
and adds the chosen one; candidates are features, or whole groups of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

# Errors this close (relatively) are equal up to rounding: the lowest index wins.
TIE = 1e-12
# Merits are ratios of small differences.
TIED_MERIT = 1e-9


@dataclass(frozen=True)
class Steps:
    """The steps of a greedy selection."""

    order: NDArray[Any]  # candidates
    errors: NDArray[Any]  # criterion after each step
    margins: NDArray[Any]  # how much larger, relatively, it is with the runner-up
    # Smallest 1 - leverage of a row after each step: how far the model is from
    # interpolating a row, where leave-one-out loses its digits.
    slack: NDArray[Any]


@dataclass(frozen=True)
class Rule:
    """Which candidates are allowed, and which is best.

    Without costs the smallest error wins. With costs the largest gain per unit of cost
    wins; when no candidate lowers the error the smallest error wins whatever it costs,
    because a loss divided by its cost would prefer expensive features. Where the model
    tells the merit of its candidates, that takes the place of the gain as long as one
    has any. Costs that are not weighed only count. A candidate that would exceed
    ``max_features`` or ``max_cost`` is passed over.
    """

    sizes: NDArray[Any]  # features of each candidate
    last: NDArray[Any]  # taken only when no others remain: constant columns
    max_features: int
    costs: NDArray[Any] | None = None  # of each candidate
    max_cost: float = np.inf
    weigh: bool = True

    def open(self, taken: NDArray[Any]) -> NDArray[Any]:
        """Which candidates may be taken next."""
        candidates = ~(taken | self.last)
        if not candidates.any():
            candidates = ~taken
        candidates &= self.sizes <= self.max_features - self.sizes @ taken
        if self.costs is not None:
            # Sums of costs that should be equal may differ in the last digit.
            spent = self.costs @ taken
            candidates &= spent + self.costs <= self.max_cost * (1 + TIE)
        return candidates

    def loss(
        self, errors: NDArray[Any], current: float, merit: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """What is minimised; without a merit it grows with the error."""
        if self.costs is None or not self.weigh:
            return errors if merit is None else -merit
        gain = current - errors if merit is None else merit
        return -np.where(gain > 0, gain / self.costs, gain)

    def choose(
        self,
        errors: NDArray[Any],
        candidates: NDArray[Any],
        current: float,
        merit: NDArray[Any] | None = None,
    ) -> tuple[int, float]:
        """The best candidate (ties: lowest index) and its margin to the runner-up."""
        if merit is not None and not merit[candidates].any():
            merit = None
        loss = np.where(candidates, self.loss(errors, current, merit), np.inf)
        best = int(np.argmin(loss))
        # How far rounding may move the loss.
        rounding = TIE * errors[best] if merit is None else TIED_MERIT * merit[best]
        if self.costs is not None and self.weigh:
            rounding /= min(self.costs[best], 1.0)
        best = int(np.argmax(loss <= loss[best] + rounding))
        loss[best] = np.inf
        second = int(np.argmin(loss))
        if loss[second] == np.inf:
            return best, np.inf
        difference = errors[second] - errors[best]
        return best, float(difference / max(errors[best], np.finfo(np.float64).tiny))


class Model(Protocol):
    """A model that grows by one candidate at a time."""

    @property
    def error(self) -> float:
        """Criterion of the current model."""

    @property
    def slack(self) -> float:
        """Smallest 1 - leverage of a row."""

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """Criterion with each candidate added.

        The two best by the rule are exact; a model may put infinity for a candidate
        that cannot be one of them.
        """

    def add(self, candidate: int) -> None:
        """Add a candidate."""


def grow(
    model: Model,
    rule: Rule,
    merit: Callable[[NDArray[Any]], NDArray[Any]] | None = None,
) -> Steps:
    """Add the best candidate that fits until none does.

    ``merit`` leads from the mask of candidates to what each is worth, where that is not
    its error.
    """
    taken = np.zeros(len(rule.sizes), dtype=bool)
    steps: list[tuple[int, float, float, float]] = []
    current = model.error
    while (candidates := rule.open(taken)).any():
        errors = model.errors(candidates, rule)
        worth = None if merit is None else merit(candidates)
        best, margin = rule.choose(errors, candidates, current, worth)
        model.add(best)
        taken[best] = True
        current = float(errors[best])
        steps.append((best, current, margin, model.slack))
    order, *traces = (np.array(column) for column in zip(*steps, strict=True))
    return Steps(order.astype(np.intp), *traces)
