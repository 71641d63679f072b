# SPDX-License-Identifier: BSD-3-Clause
"""What a method buys under a limit: filled up, never cut at what does not fit.

A unit (a column, or a group of them) stands where the first column that was made of it
stands. Under a cost two orders are filled, that of the method and that of its worth per
unit of cost, and the set with the smaller ridge GCV on the training rows is taken.
GreedyRLS, which knows costs, follows its gains and its gains per cost under the limit.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from labelsift.core.budget import budget_count
from labelsift.core.estimator import fit_weighted
from labelsift.core.labels import standardised
from labelsift.core.targets import known_patterns
from labelsift.prepare.groups import Choice, Groups, takes_groups
from labelsift.prepare.units import Units
from labelsift.solvers.ridge.gcv import ridge_gcv

# Steps of a method at most: beyond, what is left is not looked at.
MOST_STEPS = 1000
# Totals that a comparison looks at.
N_TOTALS = 8
_COST = "cost:"
# Sums of costs that should be equal may differ in the last digit.
_ROUNDING = 1 + 1e-12


@dataclass(frozen=True, order=True)
class Limit:
    """How many columns, and at which total cost, at most."""

    count: int
    cost: float = math.inf

    @classmethod
    def read(cls, budget: str, n_columns: int) -> "Limit":
        """A budget as "20", "5%", "cost:12.5", or a count and a cost."""
        count, _, cost = str(budget).partition(_COST)
        columns = budget_count(count.strip(), n_columns) if count.strip() else n_columns
        return cls(columns, float(cost) if cost else math.inf)

    @property
    def budget(self) -> float:
        """What the limit is called in results."""
        return self.count if math.isinf(self.cost) else self.cost


def cost_budget(total: float, count: str = "") -> str:
    """A total cost, perhaps with a number of columns, as a budget."""
    return f"{count} {_COST}{float(total)!r}".strip()


def default_totals(units: Units, most: float = math.inf) -> list[float]:
    """Totals from the cheapest three units to all, their ratios about equal."""
    costs = np.sort(units.costs)
    whole = math.fsum(costs)
    low, high = min(math.fsum(costs[:3]), most), min(whole, most)
    totals = [_nice(total) for total in np.geomspace(low, high, N_TOTALS)[1:-1]]
    inner = [total for total in totals if low < total < high]
    return [*dict.fromkeys([low, *inner, high])]


def _nice(value: float) -> float:
    """Two significant digits."""
    return float(f"{value:.2g}")


def fill(order: NDArray[Any], units: Units, limit: Limit) -> NDArray[np.intp]:
    """Units in their order, passing over each that does not fit any more."""
    count, money = limit.count, limit.cost * _ROUNDING
    taken = []
    for unit in np.asarray(order).tolist():
        price = units.costs[unit] if units.costs else 0.0
        if units.sizes[unit] <= count and price <= money:
            taken.append(unit)
            count, money = count - units.sizes[unit], money - price
    return np.array(taken, dtype=np.intp)


def purchases(
    estimator: Any,
    limits: Sequence[Limit],
    X: Any,
    Y: NDArray[Any],
    groups: Groups,
    units: Units,
    *,
    weigh: bool = True,
    weights: Any = None,
) -> Iterator[Choice]:
    """Columns of the data that an unfitted selector buys under each limit.

    Parameters
    ----------
    estimator : selector
        With its parameters, of which ``costs``, ``max_cost`` and ``groups`` are set.
    limits : sequence of Limit
        Increasing.
    X, Y
        Training rows: what was made of the columns, and the labels.
    groups : Groups
        Which columns of X were made of each column of the data.
    units : Units
        What is bought as a whole.
    weigh : bool
        False: costs limit and do not lead, as for a random ranking.
    weights : ndarray or None
        How often each row counts; None: once.

    Yields
    ------
    Choice
        Columns in the order of their units, for each limit.
    """
    blocks = groups.joined(units.members)
    buyer = _Buyer(estimator, X, Y, blocks, units, weights)
    weighed = weigh and bool(units.costs)
    for limit in limits:
        orders = [buyer.order(limit, weigh=False)]
        if weighed and limit.cost < math.fsum(units.costs):
            orders.append(buyer.order(limit, weigh=True))
        sets = [fill(order, units, limit) for order in orders]
        yield buyer.choice(_better(sets, X, Y, blocks, weights))


class _Buyer:
    """The orders in which a selector takes units, from as few fits as it allows."""

    def __init__(
        self,
        estimator: Any,
        X: Any,
        Y: NDArray[Any],
        blocks: Groups,
        units: Units,
        weights: Any = None,
    ) -> None:
        self._rows, self._blocks, self._units = (X, Y, weights), blocks, units
        params = estimator.get_params(deep=False)
        whole = takes_groups(estimator) and len(blocks) < X.shape[1]
        steps = min(X.shape[1], MOST_STEPS)
        if whole:
            steps = max(steps, int(blocks.sizes.max()))
            estimator.set_params(groups=blocks.members)
        self._estimator = estimator.set_params(n_features_to_select=steps)
        self._knows_costs = bool(units.costs) and "max_cost" in params
        # Without whole groups the cost of a part of a unit says little.
        self._exact = self._knows_costs and (whole or len(blocks) == X.shape[1])
        self._plain: Any = None

    def order(self, limit: Limit, *, weigh: bool) -> NDArray[np.intp]:
        """Units, best first; under the limit where the selector keeps to it."""
        if self._exact and limit.cost < math.fsum(self._units.costs):
            fitted = self._with_costs(weigh, limit.cost)
            return self._blocks.first_appearance(fitted.feature_order_)
        if self._plain is None:
            self._plain = fit_weighted(clone(self._estimator), *self._rows)
        plain = self._blocks.first_appearance(self._plain.feature_order_)
        if not weigh:
            return plain
        if self._knows_costs:
            fitted = self._with_costs(weigh, None)
            return self._blocks.first_appearance(fitted.feature_order_)
        worth = self._worth(plain)
        worth = worth - min(0.0, worth.min())
        ratio = worth / np.asarray(self._units.costs)[plain]
        return plain[np.argsort(-ratio, kind="stable")]

    def _with_costs(self, weigh: bool, most: float | None) -> Any:
        costs = self._blocks.per_column(self._units.costs)
        made = clone(self._estimator).set_params(costs=costs, max_cost=most)
        return fit_weighted(made.set_params(weigh_costs=weigh), *self._rows)

    def _worth(self, bought: NDArray[np.intp]) -> NDArray[np.float64]:
        """The best score of the columns of each unit."""
        members, scores = self._blocks.members, self._plain.scores_
        return np.array([scores[members[unit]].max() for unit in bought])

    def choice(self, bought: NDArray[np.intp]) -> Choice:
        """The columns of some units; how they rank is what their scores say."""
        columns = np.concatenate([self._units.members[unit] for unit in bought])
        return Choice(columns, np.arange(len(columns), 0, -1.0))


def _better(
    sets: Sequence[NDArray[np.intp]],
    X: Any,
    Y: NDArray[Any],
    blocks: Groups,
    weights: Any = None,
) -> NDArray[np.intp]:
    """The set whose ridge fit has the smaller GCV; labels count the same."""
    if len(sets) == 1 or set(sets[0].tolist()) == set(sets[1].tolist()):
        return sets[0]
    errors = np.zeros(len(sets))
    for rows, labels in known_patterns(Y):
        counted = None if weights is None else weights[rows]
        targets = standardised(Y[rows][:, labels], counted)
        for place, bought in enumerate(sets):
            seen = X[rows][:, blocks.outputs(bought)]
            errors[place] += ridge_gcv(seen, targets, weights=counted)
    return sets[int(np.argmin(errors))]


def check_limits(units: Units, limits: Sequence[Limit], argument: str) -> None:
    """Refuse a limit under which nothing can be bought."""
    for limit in limits:
        if limit.count < units.sizes.min():
            raise ValueError(
                f"{argument}={limit.count} features are fewer than the smallest group "
                f"has ({units.sizes.min()}): raise it."
            )
        if units.costs and limit.cost * _ROUNDING < min(units.costs):
            raise ValueError(
                f"{argument}={limit.cost:g} is below the cheapest feature, which costs "
                f"{min(units.costs):g}: raise it."
            )
