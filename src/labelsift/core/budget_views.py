# SPDX-License-Identifier: BSD-3-Clause
"""A fitted selector for each of several budgets."""

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone

from labelsift.core.base import BaseSelector
from labelsift.core.budget import budget_count
from labelsift.core.estimator import fit_weighted


def views(
    estimator: Any,
    budgets: Sequence[str],
    readouts: Sequence[str],
    X: Any,
    Y: NDArray[Any],
    weights: Any = None,
) -> Iterator[Any]:
    """Fitted selectors, one for each budget: from one fit where budgets nest."""
    counts = sorted({budget_count(budget, X.shape[1]) for budget in budgets})
    if "refit" in estimator.get_params() and "self" not in readouts:
        estimator.set_params(refit=False)  # its own prediction is not asked for
    fitted = None
    if getattr(estimator, "nested_budgets", True):
        estimator.set_params(n_features_to_select=counts[-1])
        fitted = fit_weighted(estimator, X, Y, weights)
    if fitted is not None and getattr(fitted, "nested_budgets", True):
        reached = len(fitted.feature_order_)  # it may end before its budget
        for count in sorted({min(count, reached) for count in counts}):
            yield fitted.with_budget(count)
        return
    if fitted is None and isinstance(estimator, BaseSelector):
        yield from estimator.fit_budgets(X, Y, counts, weights)
        return
    for count in counts:
        if fitted is not None and count == counts[-1]:
            yield fitted  # only a fit shows of some selectors that budgets do not nest
        else:
            fresh = clone(estimator).set_params(n_features_to_select=count)
            yield fit_weighted(fresh, X, Y, weights)
