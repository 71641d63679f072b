# SPDX-License-Identifier: BSD-3-Clause
"""What each method of a comparison reaches for its money; loaded where there is any."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from labelsift.core.budget import plain_number
from labelsift.experiment.catalogue import ALL_FEATURES
from labelsift.experiment.results import Results


@dataclass(frozen=True)
class Purchase:
    """What a method reaches for its money.

    Parameters
    ----------
    method : str
        Its name.
    budget : float
        The smallest total cost at which its mean is within one standard error of the
        best; where there is none, that of its own best mean.
    spent : float
        What its features cost there, on average over the splits.
    n_features : float
        How many they are, on average.
    value : float
        The mean there.
    good : bool
        Whether it is within one standard error of the best.
    """

    method: str
    budget: float
    spent: float
    n_features: float
    value: float
    good: bool


def spending(results: Results) -> pd.DataFrame:
    """Means over the splits of total_cost and n_selected, by method and budget."""
    values = results.values
    part = values[values["measure"].isin(["total_cost", "n_selected"])]
    return part.pivot_table(
        index=["method", "budget"], columns="measure", values="value"
    )


def purchase_fields(results: Results, decision: Any) -> dict[str, Any]:
    """The fields of a recommendation that are about money."""
    spent = spending(results)
    fields: dict[str, Any] = {
        "purchases": _purchases(decision, spent),
        "total_cost": plain_number(spent["total_cost"].max()),
    }
    if ALL_FEATURES in spent.index:
        fields["n_features"] = int(spent.loc[ALL_FEATURES, "n_selected"].iloc[0])
    return fields


def _purchases(decision: Any, spent: pd.DataFrame) -> tuple[Purchase, ...]:
    """Of every method, the recommended one first, then the cheapest that are good."""
    bought = []
    for method in decision.means.index.unique("method"):
        means, good = decision.means.loc[method], decision.good.loc[method]
        budget = min(means.index[good], default=means.idxmax())
        if method == decision.method:
            budget = decision.budget
        cost, count = spent.loc[(method, budget), ["total_cost", "n_selected"]]
        parts = plain_number(budget), float(cost), float(count)
        value = float(decision.sign * means[budget])
        bought.append(Purchase(str(method), *parts, value, bool(good.any())))

    def place(item: Purchase) -> tuple[Any, ...]:
        first = item.method != decision.method
        return first, not item.good, item.budget, -decision.sign * item.value

    return tuple(sorted(bought, key=place))
