# SPDX-License-Identifier: BSD-3-Clause
"""What a fitted selector or estimator of another package says about its features."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest

# Parameters by which selectors of other packages take a number of features.
_BUDGETS = ("n_features_to_select", "max_features", "k", "support_size")
# Where a fitted selector, or another estimator, says how important its features are.
_OF_SELECTORS = ("indices_", "scores_", "ranking_")
_OF_ESTIMATORS = ("feature_importances_", "coef_")
_IMPORTANCES = ", ".join(_OF_SELECTORS + _OF_ESTIMATORS)


def with_budget(estimator: Any, budget: int) -> Any:
    """Set the number of features where an estimator has such a parameter."""
    selector = _last(estimator)
    name = _budget_parameter(selector)
    if name is not None:
        selector.set_params(**{name: 1 if _ranks_by_removal(selector) else budget})
    if isinstance(selector, SelectFromModel):
        selector.set_params(threshold=-np.inf)  # the budget alone decides
    return estimator


def holds_for_all_budgets(fitted: Any) -> bool:
    """Whether the importances are the same whatever the budget was."""
    source = _source(fitted)
    if source is None:
        return False
    thing, _ = source
    return (
        isinstance(thing, SelectKBest)  # judges each feature alone
        or _ranks_by_removal(thing)
        or _budget_parameter(thing) is None
    )


def importance(fitted: Any, n_features: int) -> NDArray[np.float64]:
    """One value of at least 0 per feature."""
    source = _source(fitted)
    if source is None:
        thing, name = _last(fitted), "get_support()"
        values = _support(thing)
    else:
        thing, name = source
        values = _READ[name](getattr(thing, name), n_features, thing)
    if values.shape != (n_features,):
        raise ValueError(
            f"{name} of {type(thing).__name__} has the shape {values.shape} for "
            f"{n_features} features: pass an estimator that sees every feature."
        )
    lowest = np.min(values[np.isfinite(values)], initial=0.0)
    largest = np.finfo(np.float64).max
    values = np.nan_to_num(values, nan=lowest, posinf=largest, neginf=lowest) - lowest
    selects = hasattr(thing, "get_support")
    if source is None or not selects or holds_for_all_budgets(fitted):
        return values
    # What it selected comes first, whatever it says about the others.
    return values / max(values.max(), 1.0) + 2.0 * thing.get_support()


def _last(estimator: Any) -> Any:
    """The estimator itself, or the last step of a pipeline."""
    return _last(estimator[-1]) if hasattr(estimator, "steps") else estimator


def _budget_parameter(estimator: Any) -> str | None:
    """By which parameter a selector takes a number of features; None without one."""
    parameters = estimator.get_params(deep=False)
    if hasattr(estimator, "get_support") or "support_size" in parameters:
        return next((name for name in _BUDGETS if name in parameters), None)
    return None  # max_features of a forest is something else


def _ranks_by_removal(estimator: Any) -> bool:
    """Whether features are removed one by one: run down to one, RFE ranks all."""
    return isinstance(estimator, RFE) and estimator.step == 1


def _source(fitted: Any) -> tuple[Any, str] | None:
    """The object and attribute that say how important features are; None without."""
    fitted = _last(fitted)
    if hasattr(fitted, "get_support"):
        support = fitted.get_support()
        for name in _OF_SELECTORS:
            if _tells_about(support, name, getattr(fitted, name, None)):
                return fitted, name
    for name in _OF_ESTIMATORS:
        if hasattr(fitted, name):
            return fitted, name
    inner = getattr(fitted, "estimator_", None)
    return None if inner is None else _source(inner)


def _tells_about(support: NDArray[np.bool_], name: str, values: Any) -> bool:
    """Whether an attribute is an order of the selected features or a value for each.

    Others, such as the gains of a greedy selector, are not importances.
    """
    if name == "indices_":
        order = np.sort(np.atleast_1d([] if values is None else values))
        return np.array_equal(order, np.flatnonzero(support))
    return np.shape(values) == support.shape


def _support(selector: Any) -> NDArray[np.float64]:
    """1 for each feature that a selector chose under the budget that it was given."""
    name = type(selector).__name__
    if not hasattr(selector, "get_support"):
        raise ValueError(
            f"{name} has none of {_IMPORTANCES} and no get_support: pass a "
            "selector or an estimator with importances."
        )
    if _budget_parameter(selector) is None:
        raise ValueError(
            f"{name} has none of {_IMPORTANCES} and none of the parameters "
            f"{', '.join(_BUDGETS)}: pass a selector that takes a number of features."
        )
    return np.asarray(selector.get_support(), dtype=np.float64)


def _from_order(order: Any, n_features: int, _: Any) -> NDArray[np.float64]:
    """Larger for what was taken earlier, 0 for what was not taken."""
    values = np.zeros(n_features)
    values[np.asarray(order, dtype=np.intp)] = np.arange(len(order), 0, -1)
    return values


def _from_weights(weights: Any, n_features: int, thing: Any) -> NDArray[np.float64]:
    """Mean size over the labels: columns in abess, rows in scikit-learn."""
    dense = weights.toarray() if sp.issparse(weights) else np.asarray(weights)
    if dense.ndim < 2:
        return np.abs(dense, dtype=np.float64)
    by_column = hasattr(thing, "support_size") or dense.shape[1] != n_features
    axis = 1 if by_column and len(dense) == n_features else 0
    return np.asarray(np.abs(dense).mean(axis=axis), dtype=np.float64)


def _from_values(values: Any, *_: Any) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)


# How importances are read from each attribute.
_READ: dict[str, Any] = {
    "indices_": _from_order,
    "scores_": _from_values,
    "ranking_": lambda ranks, *_: np.max(ranks) - _from_values(ranks),
    "feature_importances_": _from_values,
    "coef_": _from_weights,
}
