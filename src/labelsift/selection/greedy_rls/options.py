# SPDX-License-Identifier: BSD-3-Clause
"""Reading the options of greedy least squares: penalties, weights, groups, costs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from labelsift.selection.greedy_rls.steps import Rule

DEFAULT_ALPHAS = 2.0 ** np.arange(-15, 16)


def check_combination(
    criterion: str, alpha: Any, solver: str, groups: Any, costs: Any, max_cost: Any
) -> None:
    """Raise for options that contradict each other."""
    gcv, grouped = criterion == "gcv", groups is not None
    contradictions = [
        (
            gcv and solver != "auto",
            f'criterion="gcv" with solver="{solver}"',
            'it never forms an n x d array, leave solver="auto"',
        ),
        (
            gcv and alpha == "loo",
            'criterion="gcv" with alpha="loo"',
            "it computes no leave-one-out error, pass a number",
        ),
        (gcv and grouped, 'criterion="gcv" with groups', 'use criterion="loo"'),
        (
            grouped and solver in ("mixed", "sparse"),
            f'groups with solver="{solver}"',
            'blocks of features need solver="dense"',
        ),
        (
            max_cost is not None and costs is None,
            f"max_cost={max_cost} without costs",
            "pass the cost of each feature as costs",
        ),
    ]
    for contradiction, combination, remedy in contradictions:
        if contradiction:
            raise ValueError(f"{combination} is not possible: {remedy}.")


def read_alphas(alpha: Any, alphas: Any) -> NDArray[Any]:
    """The penalties to try."""
    if alpha != "loo":
        return np.array([alpha], dtype=np.float64)
    if alphas is None:
        return DEFAULT_ALPHAS
    grid = read_vector(alphas, "alphas")
    if not len(grid) or not (grid > 0).all():
        raise ValueError(f"alphas must be positive penalties, got {alphas!r}.")
    return grid


def label_scaling(
    label_weight: Any, mean: NDArray[Any], live: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Centre and scale of each -1/+1 label that is live, that is, has both values.

    Selection sees (label - centre) * scale; ``mean`` holds the means of live labels.
    """
    if label_weight is None:
        return np.zeros_like(mean), np.ones_like(mean)
    if isinstance(label_weight, str):
        power = {"balanced": -1.0, "sqrt": -0.5}[label_weight]
        return mean, np.sqrt(1 - mean**2) ** power
    weights = read_vector(label_weight, "label_weight", len(live))
    if (weights < 0).any() or not weights[live].any():
        raise ValueError(
            "label_weight must be at least 0 for every label and positive for one "
            f"that has both values, got {label_weight!r}."
        )
    return np.zeros_like(mean), weights[live]


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
    constant: NDArray[Any],
    max_features: int,
    groups: list[NDArray[Any]] | None,
    costs: Any,
    max_cost: float | None,
) -> Rule:
    """The limits of the selection, for features or groups of them."""
    d = len(constant)
    sizes, last = np.ones(d, dtype=int), constant
    if groups is not None:
        sizes = np.array([len(group) for group in groups])
        last = np.array([constant[group].all() for group in groups])
    if sizes.min() > max_features:
        raise ValueError(
            f"n_features_to_select={max_features} is less than the smallest group "
            f"({sizes.min()} features): raise it."
        )
    if costs is None:
        return Rule(sizes, last, max_features)
    by_feature = read_vector(costs, "costs", d)
    if not (by_feature > 0).all():
        raise ValueError(f"costs must be positive, got {by_feature.min()}.")
    total = by_feature
    if groups is not None:
        total = np.array([by_feature[group].sum() for group in groups])
    rule = Rule(sizes, last, max_features, total, max_cost or np.inf)
    if not rule.open(np.zeros(len(sizes), dtype=bool)).any():
        cheapest = total[~last | last.all()].min()
        raise ValueError(
            f"max_cost={max_cost} is below the cheapest choice, which costs "
            f"{cheapest:g}: raise it."
        )
    return rule


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
