# SPDX-License-Identifier: BSD-3-Clause
"""The methods and read-outs of comparisons where Y holds values, or has gaps."""

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
from labelsift.experiment.catalogue import READOUTS as LABEL_READOUTS
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


# Ridge regression fits each column of Y to its known rows.
READOUTS_OF = {
    "values": READOUTS,
    "known values": {"ridge": READOUTS["ridge"]},
    "known labels": {"ridge": LABEL_READOUTS["ridge"]},
}
_WHY = {
    "values": "learns from labels, and Y holds values",
    "known values": "needs complete labels, and Y holds values of which some are "
    "unknown",
    "known labels": "needs every label, and some are unknown",
}


class RandomOfValues(RandomRanking):
    """The random ranking, which needs no Y: values and gaps are no matter."""

    target = "values"
    takes_unknown = True


def told(estimator: Any, name: str = "", kind: str = "values") -> Any:
    """An estimator told what Y holds; a ValueError where it cannot learn from that."""
    if isinstance(estimator, RandomRanking):
        return RandomOfValues(**estimator.get_params())
    if not _takes(estimator, kind):
        raise ValueError(
            f"{name or type(estimator).__name__} {_WHY[kind]}: choose from "
            f"{', '.join(selectors(kind))}."
        )
    if kind.endswith("values"):
        return estimator.set_params(target="values")
    return estimator


def _takes(estimator: Any, kind: str) -> bool:
    """Whether an estimator learns from values, and from Y with gaps."""
    params = estimator.get_params(deep=False)
    if kind.endswith("values") and "target" not in params:
        return False
    gaps = getattr(estimator, "takes_unknown", False)
    return kind == "values" or (gaps and params.get("objective") != "fair")


@cache
def selectors(kind: str = "values") -> tuple[str, ...]:
    """The selectors that learn from such a Y, the random ranking aside."""
    return tuple(name for name in SELECTORS if _takes(CATALOGUE[name].make(2), kind))


def as_readout(estimator: Any, kind: str = "values") -> Any:
    """A regressor of all targets from any regressor that the user brings."""
    if kind != "values":
        raise ValueError(
            f"readout {type(estimator).__name__} needs every entry of Y, and some are "
            "unknown: use ridge."
        )
    if is_classifier(estimator):
        raise ValueError(
            f"readout {type(estimator).__name__} is a classifier, and Y holds values: "
            f"pass a regressor, or one of {', '.join(READOUTS)}."
        )
    several = get_tags(estimator).target_tags.multi_output
    return estimator if several else MultiOutputRegressor(estimator)
