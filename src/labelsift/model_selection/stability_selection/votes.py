# SPDX-License-Identifier: BSD-3-Clause
"""What a selector chooses on every half, and how often it chooses each feature."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from labelsift.model_selection.meta_selector import (
    Told,
    fit_quietly,
    seeded_clone,
    warn_once,
)
from labelsift.model_selection.stability_selection.halves import Pair

# How selectors call their number of features: ours and RFE, SelectKBest,
# SelectFromModel.
_BUDGETS = ("n_features_to_select", "k", "max_features")

# The features chosen on a half, best first, whether the first of them are what a
# smaller budget chooses, and what was warned of.
_Choice = tuple[NDArray[np.intp], bool, list[Told]]


@dataclass(frozen=True)
class Votes:
    """The blocks of features chosen on each half; every feature has one block."""

    chosen: list[NDArray[np.intp]]  # first and second half of each pair in turn
    nested: bool  # whether the first of them are what a smaller budget chooses
    q: int  # blocks chosen per half, at most
    block: NDArray[np.intp]  # of each feature

    def tally(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
        """For each feature: halves, pairs of halves, mean place on the halves."""
        shape = len(self.chosen), int(self.block.max()) + 1
        place = np.full(shape, self.q, dtype=np.int32)
        for row, blocks in zip(place, self.chosen, strict=True):
            row[blocks] = np.arange(len(blocks))
        taken = place < self.q
        halves, pairs = taken.sum(axis=0), (taken[::2] & taken[1::2]).sum(axis=0)
        columns = halves, pairs, place.mean(axis=0)
        return tuple(column[self.block] for column in columns)

    def path(self) -> NDArray[np.float64]:
        """Share of the halves for each number of blocks per half; q x features."""
        path = np.zeros((self.q, int(self.block.max()) + 1))
        for blocks in self.chosen:
            path[np.arange(len(blocks)), blocks] += 1
        return path.cumsum(axis=0)[:, self.block] / len(self.chosen)


def collect_votes(
    selector: Any,
    X: Any,
    y: NDArray[Any],
    pairs: list[Pair],
    seeds: NDArray[Any],
    *,
    q: int,
    block: NDArray[np.intp],
    n_jobs: int | None,
) -> Votes:
    """Fit the selector with a budget of q on every half; warn once of all fits."""
    budget = {_budget_name(selector): q}
    both = Parallel(n_jobs=n_jobs)(
        delayed(_fit_pair)(selector, budget, X, y, pair, int(seed))
        for pair, seed in zip(pairs, seeds, strict=True)
    )
    halves = [half for pair in both for half in pair]
    warn_once([told for _, _, told in halves], "on halves")
    chosen = [_first_places(block[features])[:q] for features, _, _ in halves]
    return Votes(chosen, all(nested for _, nested, _ in halves), q, block)


def _budget_name(selector: Any) -> str:
    """How a selector calls its number of features."""
    if not hasattr(selector, "get_support") or not hasattr(selector, "get_params"):
        raise ValueError(
            f"selector={selector!r} has no get_support: pass a feature selector."
        )
    names = [name for name in _BUDGETS if name in selector.get_params(deep=False)]
    if not names:
        raise ValueError(
            f"selector={selector!r} has no parameter for a number of features "
            f"({', '.join(_BUDGETS)}): pass a selector that has."
        )
    return names[0]


def _fit_pair(
    selector: Any,
    budget: dict[str, int],
    X: Any,
    y: NDArray[Any],
    pair: Pair,
    seed: int,
) -> list[_Choice]:
    """Fit the selector on the two halves of a pair."""
    seeds = np.random.RandomState(seed).randint(np.iinfo(np.int32).max, size=2)
    choices = []
    for rows, own_seed in zip(pair, seeds, strict=True):
        half = seeded_clone(selector, int(own_seed), **budget)
        told = fit_quietly(half, X[rows], y[rows])
        chosen = half.get_support(indices=True)
        if hasattr(half, "feature_order_"):
            chosen = half.feature_order_[: len(chosen)]
        choices.append((chosen, getattr(half, "nested_budgets", False), told))
    return choices


def _first_places(blocks: NDArray[np.intp]) -> NDArray[np.intp]:
    """Distinct blocks in the order of their first feature."""
    _, first = np.unique(blocks, return_index=True)
    return blocks[np.sort(first)]
