# SPDX-License-Identifier: BSD-3-Clause
"""The methods and read-outs of comparisons where Y holds values."""

from collections.abc import Callable
from functools import cache
from typing import Any

from sklearn.base import is_classifier
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.utils import get_tags

from labelsift.classification import MultiTargetRidge
from labelsift.experiment.catalogue import CATALOGUE, SELECTORS
from labelsift.selection import RandomRanking

READOUTS: dict[str, Callable[[], Any]] = {
    "ridge": lambda: MultiTargetRidge(1.0),
    "knn": lambda: KNeighborsRegressor(10),
    "3nn": lambda: KNeighborsRegressor(3),
    "forest": lambda: RandomForestRegressor(100, random_state=0),
    "boosting": lambda: MultiOutputRegressor(
        HistGradientBoostingRegressor(random_state=0)
    ),
}


class RandomOfValues(RandomRanking):
    """The random ranking, where Y holds values."""

    target = "values"


def told(estimator: Any, name: str = "") -> Any:
    """An estimator told that Y holds values; a ValueError where it takes none."""
    if isinstance(estimator, RandomRanking):
        return RandomOfValues(**estimator.get_params())
    if not _takes_values(estimator):
        raise ValueError(
            f"{name or type(estimator).__name__} learns from labels, and Y holds "
            f"values: choose from {', '.join(selectors())}."
        )
    return estimator.set_params(target="values")


def _takes_values(estimator: Any) -> bool:
    return "target" in estimator.get_params(deep=False)


@cache
def selectors() -> tuple[str, ...]:
    """The selectors that learn from values, the random ranking aside."""
    return tuple(name for name in SELECTORS if _takes_values(CATALOGUE[name].make(2)))


def as_readout(estimator: Any) -> Any:
    """A regressor of all targets from any regressor that the user brings."""
    if is_classifier(estimator):
        raise ValueError(
            f"readout {type(estimator).__name__} is a classifier, and Y holds values: "
            f"pass a regressor, or one of {', '.join(READOUTS)}."
        )
    several = get_tags(estimator).target_tags.multi_output
    return estimator if several else MultiOutputRegressor(estimator)
