# SPDX-License-Identifier: BSD-3-Clause
"""Reading the options of greedy least squares: penalties, weights, groups, costs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from labelsift.selection.greedy_rls.steps import Rule

DEFAULT_ALPHAS = 2.0 ** np.arange(-15, 16)
# alpha="auto" as a share of a column's squared norm: see perf/greedy_default.py.
AUTO_SHARE = 0.05


def check_combination(options: Any) -> None:
    """Refuse options of a GreedyRLS that contradict each other."""
    gcv, fair = options.criterion == "gcv", options.objective == "fair"
    grouped = options.groups is not None
    # An array is not comparable with a string.
    weighted = options.label_weight is not None and not (
        isinstance(options.label_weight, str) and options.label_weight == "auto"
    )
    contradictions = [
        (
            fair and not gcv,
            f'objective="fair" with criterion="{options.criterion}"',
            'errors of every label are cheap with criterion="gcv" only',
        ),
        (
            fair and grouped,
            'objective="fair" with groups',
            "it takes one feature at a time, leave groups=None",
        ),
        (
            fair and weighted,
            f'objective="fair" with label_weight={options.label_weight!r}',
            "it scales the labels itself, leave label_weight alone",
        ),
        (
            gcv and options.solver != "auto",
            f'criterion="gcv" with solver="{options.solver}"',
            'it never forms an n x d array, leave solver="auto"',
        ),
        (
            gcv and options.alpha == "loo",
            'criterion="gcv" with alpha="loo"',
            'it computes no leave-one-out error, pass a number or "auto"',
        ),
        (gcv and grouped, 'criterion="gcv" with groups', 'use criterion="loo"'),
        (
            grouped and options.solver in ("mixed", "sparse"),
            f'groups with solver="{options.solver}"',
            'blocks of features need solver="dense"',
        ),
        (
            options.max_cost is not None and options.costs is None,
            f"max_cost={options.max_cost} without costs",
            "pass the cost of each feature as costs",
        ),
        (
            options.screen is not None and grouped,
            f"screen={options.screen} with groups",
            "it scores single features, leave screen=None",
        ),
        (
            options.screen is not None and options.costs is not None,
            f"screen={options.screen} with costs",
            "it would drop cheap features, leave screen=None",
        ),
    ]
    for contradiction, combination, remedy in contradictions:
        if contradiction:
            raise ValueError(f"{combination} is not possible: {remedy}.")


def read_penalty(
    options: Any, spread: NDArray[Any], n: float
) -> tuple[NDArray[Any], float]:
    """The penalties that a GreedyRLS tries, and the value of its constant column.

    ``spread`` holds the squared norms of the centred columns that are not constant.
    Their median is the unit of "auto": multiplying X by a number changes nothing then,
    nor does one column of another scale. The constant column grows with the root of
    that penalty, so that the intercept is penalised as with alpha = 1.
    """
    alpha, bias = options.alpha, options.bias
    if alpha == "auto":
        unit = float(np.median(spread)) if len(spread) else float(n)
        return np.array([AUTO_SHARE * unit]), bias * float(np.sqrt(AUTO_SHARE * unit))
    if alpha != "loo":
        return np.array([alpha], dtype=np.float64), bias
    if options.alphas is None:
        return DEFAULT_ALPHAS, bias
    grid = read_vector(options.alphas, "alphas")
    if not len(grid) or not (grid > 0).all():
        raise ValueError(f"alphas must be positive penalties, got {options.alphas!r}.")
    return grid, bias


def read_groups(groups: Any, n_features: int) -> list[NDArray[Any]] | None:
    """Groups of feature indices that hold every feature once."""
    if groups is None:
        return None
    blocks = [np.atleast_1d(np.asarray(group)) for group in groups]
    members = np.concatenate(blocks) if blocks else np.empty(0)
    partition = members.dtype.kind in "iu" and np.array_equal(
        np.sort(members), np.arange(n_features)
    )
    if not partition or not all(block.size for block in blocks):
        raise ValueError(
            f"groups must partition the {n_features} features: a list of lists of "
            "indices in which every feature appears once."
        )
    return blocks


def read_rule(
    options: Any, constant: NDArray[Any]
) -> tuple[list[NDArray[Any]] | None, Rule]:
    """The groups of a GreedyRLS, if any, and which features or groups it may take."""
    d, max_features = len(constant), options.n_features_
    groups = read_groups(options.groups, d)
    sizes, last = np.ones(d, dtype=int), constant
    if groups is not None:
        sizes = np.array([len(group) for group in groups])
        last = np.array([constant[group].all() for group in groups])
    if sizes.min() > max_features:
        raise ValueError(
            f"n_features_to_select={max_features} is less than the smallest group "
            f"({sizes.min()} features): raise it."
        )
    if options.costs is None:
        return groups, Rule(sizes, last, max_features)
    by_feature = read_vector(options.costs, "costs", d)
    if not (by_feature > 0).all():
        raise ValueError(f"costs must be positive, got {by_feature.min()}.")
    total = by_feature
    if groups is not None:
        total = np.array([by_feature[group].sum() for group in groups])
    most = options.max_cost or np.inf
    rule = Rule(sizes, last, max_features, total, most, options.weigh_costs)
    if not rule.open(np.zeros(len(sizes), dtype=bool)).any():
        cheapest = total[~last | last.all()].min()
        raise ValueError(
            f"max_cost={options.max_cost} is below the cheapest choice, which costs "
            f"{cheapest:g}: raise it."
        )
    return groups, rule


def read_vector(values: Any, name: str, length: int | None = None) -> NDArray[Any]:
    """A vector of finite floats, optionally of a given length."""
    vector = check_array(
        values,
        dtype=np.float64,
        ensure_2d=False,
        ensure_min_samples=0,
        input_name=name,
    )
    if vector.ndim != 1 or length not in (None, len(vector)):
        wanted = "" if length is None else f"of length {length} "
        raise ValueError(
            f"{name} must be a vector {wanted}of numbers, got shape {vector.shape}."
        )
    return np.asarray(vector)
