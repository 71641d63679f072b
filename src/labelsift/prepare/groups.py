# SPDX-License-Identifier: BSD-3-Clause
"""Columns of a table and the columns made of them: chosen, counted and paid for whole.

A method that ranks the columns that were made places a column of the table where the
first of its own stands, and it brings all of them. GreedyRLS by leave-one-out takes
groups itself.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import fit_weighted


class Choice(NamedTuple):
    """Columns of the table, best first, and the score of the best made of each."""

    columns: NDArray[np.intp]
    scores: NDArray[np.float64]


class Groups:
    """Which columns were made of each column of a table.

    Parameters
    ----------
    members : sequence of array-like
        A partition of the columns that were made.
    names : sequence of str
        Their names, for display.
    """

    def __init__(self, members: Any, names: Sequence[str] = ()) -> None:
        self.members = [np.asarray(group, dtype=np.intp) for group in members]
        self.names = list(names)

    @classmethod
    def single(cls, n_columns: int) -> "Groups":
        """Columns that are what they were made of."""
        return cls(np.arange(n_columns)[:, np.newaxis])

    def joined(self, parts: Sequence[ArrayLike]) -> "Groups":
        """Groups of what was made of several columns each."""
        return Groups([self.outputs(part) for part in parts])

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """How many columns were made of each column."""
        return np.array([len(group) for group in self.members], dtype=np.intp)

    @cached_property
    def owner(self) -> NDArray[np.intp]:
        """The column that each column was made of."""
        owner = np.empty(int(self.sizes.sum()), dtype=np.intp)
        for column, group in enumerate(self.members):
            owner[group] = column
        return owner

    def outputs(self, columns: ArrayLike) -> NDArray[np.intp]:
        """The columns that were made of some columns, in their order."""
        return np.concatenate([self.members[i] for i in np.asarray(columns)])

    def first_appearance(self, order: ArrayLike) -> NDArray[np.intp]:
        """The columns of the table in the order in which their first one stands."""
        owners = self.owner[np.asarray(order, dtype=np.intp)]
        _, first = np.unique(owners, return_index=True)
        return owners[np.sort(first)]

    def per_column(self, costs: ArrayLike) -> NDArray[np.float64]:
        """Costs of the table's columns, shared evenly by what was made of each."""
        return (np.asarray(costs, dtype=np.float64) / self.sizes)[self.owner]

    def width(self, count: int, whole: bool) -> int:
        """How many ranked columns hold the first ``count`` columns of the table.

        At worst all columns of the largest groups come first; of the last group one is
        enough, unless groups are taken whole.
        """
        largest = np.sort(self.sizes)[::-1][:count]
        return int(largest.sum() if whole else largest[:-1].sum() + 1)


def grouped_choices(
    estimator: Any,
    counts: Sequence[int],
    X: Any,
    Y: Any,
    groups: Groups,
    weights: Any = None,
) -> Iterator[Choice]:
    """Columns of the table that an unfitted selector takes, for each count.

    Parameters
    ----------
    estimator : selector
        With its parameters; ``costs`` are those of the table's columns.
    counts : sequence of int
        How many columns of the table, increasing.
    X, Y
        What was made of the table, and the labels.
    groups : Groups
        Which columns of X belong together.
    weights : ndarray or None
        How often each row counts; None: once.

    Yields
    ------
    Choice
        Fewer columns than asked for where the selector ends early.
    """
    whole = takes_groups(estimator) and len(groups) < X.shape[1]
    params = estimator.get_params(deep=False)
    if whole:
        estimator.set_params(groups=groups.members)
    if params.get("costs") is not None:
        estimator.set_params(costs=groups.per_column(params["costs"]))
    if "refit" in params:
        estimator.set_params(refit=False)

    def fitted(width: int) -> Any:
        fresh = clone(estimator).set_params(n_features_to_select=width)
        return fit_weighted(fresh, X, Y, weights)

    widths = [groups.width(count, whole) for count in counts]
    nested = whole or getattr(estimator, "nested_budgets", True)
    models: Iterator[Any] = map(fitted, widths)
    if nested:
        last = fitted(widths[-1])
        nested = whole or getattr(last, "nested_budgets", True)
        # Only a fit shows of some selectors that budgets do not nest.
        models = repeat(last) if nested else chain(map(fitted, widths[:-1]), [last])
    elif isinstance(estimator, BaseSelector):
        models = estimator.fit_budgets(X, Y, widths, weights)
    previous = 0
    for count, model in zip(counts, models, strict=False):
        columns = groups.first_appearance(model.feature_order_)[:count]
        if not nested or len(columns) > previous:
            best = [model.scores_[groups.members[i]].max() for i in columns]
            yield Choice(columns, np.array(best))
        previous = len(columns)


def takes_groups(estimator: Any) -> bool:
    """Whether a selector takes groups of columns by itself: GreedyRLS by loo."""
    params = estimator.get_params(deep=False)
    return "groups" in params and params.get("criterion", "loo") == "loo"
