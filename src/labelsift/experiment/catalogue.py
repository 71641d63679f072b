# SPDX-License-Identifier: BSD-3-Clause
"""The methods and read-outs of suites and comparisons, by name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from labelsift.classification import (
    BinaryRidge,
    BinarySVM,
    CLaRankSVM,
    LabelScorer,
    LaRankSVM,
    MLkNN,
)
from labelsift.core.code_version import code_version
from labelsift.experiment.task import MethodSpec
from labelsift.selection import METHODS, GreedyRLS
from labelsift.selection.estimates import SECONDS, Size
from labelsift.selection.familiar import FAMILIAR
from labelsift.subspace import ASO, MDDM, MLLS, OPLS, RegularizedCCA

# Controls: a random ranking, and a read-out on every feature.
RANDOM = "random"
ALL_FEATURES = "all-features"
# What every suite adds to its methods.
CONTROLS = (RANDOM, ALL_FEATURES, "ridge", "rfs")
# GreedyRLS where leave-one-out is slow, and where no label may be left behind.
GREEDY_GCV, GREEDY_FAIR = "greedy-rls-gcv", "greedy-fair"

# The random ranking is the mean of so many; seeds are reserved for more of them.
RANDOM_DRAWS, _SEEDS_PER_SPLIT = 8, 1000


def method_title(name: str) -> str:
    """Display name of a method."""
    return {ALL_FEATURES: "all features", RANDOM: "random ranking"}.get(name, name)


def draws_of(method: str) -> range:
    """How often a method of the catalogue is measured on a split."""
    return range(RANDOM_DRAWS if method == RANDOM else 1)


def with_seed(spec: MethodSpec, split: int, draw: int) -> MethodSpec:
    """The random ranking with the seed of a split and draw; others as they are.

    No two splits and draws share a seed; a ``random_state`` of the spec moves all.
    """
    if spec.name != RANDOM:
        return spec
    first = spec.params.get("random_state", 0)
    seed = first + _SEEDS_PER_SPLIT * split + draw
    return replace(spec, params={**spec.params, "random_state": seed})


@dataclass(frozen=True)
class Method:
    """An entry of the catalogue.

    Parameters
    ----------
    make : callable
        ``make(n_labels)`` returns an estimator with its defaults.
    selects : bool
        Whether it ranks features.
    scale : str
        The scaling that it needs; empty: that of the comparison.
    fast : bool
        Whether "fast" takes it where its estimate is small.
    seconds : callable or None
        ``seconds(size)`` estimates one fit on one core. ``perf/estimates.py`` compares
        the estimates with fits.
    """

    make: Callable[[int], Any]
    selects: bool = False
    scale: str = ""
    fast: bool = True
    seconds: Callable[[Size], float] | None = None


def _fisher_svm(_: int) -> Any:
    from labelsift.experiment.fisher_svm import PerLabelFisherSVM  # in one suite only

    return PerLabelFisherSVM()


def _boosting() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier  # slow to import

    return HistGradientBoostingClassifier(random_state=0)


def _forest() -> Any:
    """100 trees for all labels: the squared error of 0 and 1 is half the Gini index."""
    settings = {"max_features": "sqrt", "min_samples_leaf": 5}
    return RandomForestRegressor(**settings, random_state=0)


READOUTS: dict[str, Callable[[], Any]] = {
    "ridge": lambda: BinaryRidge(1.0),
    "svm": lambda: BinarySVM(1.0, random_state=0),
    "knn": lambda: MLkNN(),
    "3nn": lambda: LabelScorer(KNeighborsRegressor(3)),
    "logistic": lambda: LabelScorer(LogisticRegression(max_iter=1000)),
    "forest": lambda: LabelScorer(_forest()),
    "boosting": lambda: LabelScorer(_boosting()),
    "chain": lambda: LabelScorer(
        ClassifierChain(LogisticRegression(max_iter=1000), random_state=0)
    ),
}


def readouts_of(target: str) -> dict[str, Callable[[], Any]]:
    """The read-outs by name; ``target`` says what Y holds (``MultiLabelData.kind``)."""
    if target == "labels":
        return READOUTS
    others: dict[str, Callable[[], Any]] = of_values().READOUTS_OF[target]
    return others


def of_values() -> Any:
    """The module for Y of values, or with gaps: loaded where it is one."""
    return import_module("labelsift.experiment.of_values")


def weighted() -> Any:
    """The module for rows with weights: loaded where there are some."""
    return import_module("labelsift.experiment.weighted")


def paper_rank(n_labels: int) -> int:
    """The number of components in the MLLS paper, at least one."""
    return max(1, 5 * ((n_labels - 1) // 5))


def _after_cca(name: str, readout: Callable[[], Any]) -> Callable[[int], Any]:
    def make(n_labels: int) -> Any:
        components = max(1, n_labels - 1)
        return Pipeline([("cca", RegularizedCCA(components)), (name, readout())])

    return make


# One of each kind; the others by name, or with "all".
_FAST_FAMILIAR = ("anova", "anova-robin", "chi2", "extra-trees")


def _familiar(name: str) -> Method:
    """A selector that people use today; "anova-max" costs what "anova" costs."""
    family = name.removesuffix("-max").removesuffix("-robin")
    return Method(
        lambda _: FAMILIAR[name](),
        selects=True,
        scale="minmax" if family == "chi2" else "",
        fast=name in _FAST_FAMILIAR,
        seconds=SECONDS[family],
    )


def _selector(name: str, scale: str = "") -> Method:
    """A selector with its defaults, and a seed where it is random."""

    def make(n_labels: int) -> Any:
        selector = METHODS[name]()
        seeded = "random_state" in selector.get_params()
        return selector.set_params(random_state=0) if seeded else selector

    return Method(make, selects=True, scale=scale, seconds=SECONDS[name])


CATALOGUE: dict[str, Method] = {
    **{name: _selector(name) for name in METHODS if name != "importance"},
    **{name: _familiar(name) for name in FAMILIAR},
    "rlefs": _selector("rlefs", scale="minmax"),
    GREEDY_GCV: Method(
        lambda _: GreedyRLS(criterion="gcv"),
        selects=True,
        seconds=SECONDS[GREEDY_GCV],
    ),
    GREEDY_FAIR: Method(
        lambda _: GreedyRLS(criterion="gcv", objective="fair"),
        selects=True,
        seconds=SECONDS[GREEDY_FAIR],
    ),
    "ridge": Method(lambda _: BinaryRidge()),
    "svm": Method(lambda _: BinarySVM(random_state=0)),
    "mlknn": Method(lambda _: MLkNN()),
    "larank-svm": Method(lambda _: LaRankSVM()),
    "clarank-svm": Method(lambda _: CLaRankSVM()),
    "mlls": Method(lambda t: MLLS(paper_rank(t))),
    "aso": Method(lambda t: ASO(paper_rank(t), random_state=0)),
    "opls-ridge": Method(
        lambda t: Pipeline([("opls", OPLS(max(1, t - 1))), ("ridge", BinaryRidge())])
    ),
    "mddm-ridge": Method(
        lambda _: Pipeline([("mddm", MDDM()), ("ridge", BinaryRidge())])
    ),
    "cca-ridge": Method(_after_cca("ridge", BinaryRidge)),
    "cca-svm": Method(_after_cca("svm", lambda: BinarySVM(random_state=0))),
    "fisher-svm": Method(_fisher_svm),
    ALL_FEATURES: Method(lambda _: None),
}


SELECTORS = tuple(name for name, method in CATALOGUE.items() if method.selects)


def selectors_of(kind: str) -> tuple[str, ...]:
    """The selectors that learn from such a Y (``MultiLabelData.kind``)."""
    return SELECTORS if kind == "labels" else tuple(of_values().selectors(kind))


@dataclass(frozen=True)
class Chosen:
    """A method by its spec, and the estimator that the user brings."""

    spec: MethodSpec
    estimator: Any = None


def built_in(name: str, scale: str) -> Chosen:
    """A method of the catalogue, with the scaling that it needs, else that given."""
    return Chosen(MethodSpec(name, scale=CATALOGUE[name].scale or scale))


def chosen_method(value: Any, scale: str) -> Chosen:
    """A selector by its name, by its class (package.module:Class), or as an estimator.

    ``scale`` is the scaling of the data, for what needs no other.
    """
    if isinstance(value, str) and value in SELECTORS:
        return built_in(value, scale)
    if isinstance(value, str) and value in CATALOGUE:
        raise ValueError(
            f"{value!r} predicts and selects nothing: choose from "
            f"{', '.join(SELECTORS)}."
        )
    if isinstance(value, str):
        value = own().find_method(value)
    selector = own().as_selector(value)
    positive = get_tags(selector).input_tags.positive_only
    spec = own().own_spec(value, scale="minmax" if positive else scale)
    return Chosen(spec, selector)


def own() -> Any:
    """The module for what users bring: loaded where somebody brings something."""
    return import_module("labelsift.experiment.own")


@cache
def code_of(name: str) -> str:
    """Version of the code of a method of the catalogue, its steps included."""
    return _code(CATALOGUE[name].make(2))


@cache
def readout_code(name: str, target: str = "labels") -> str:
    """Version of the code of a read-out of the catalogue, and its settings."""
    estimator = readouts_of(target)[name]()
    return " ".join([_code(estimator), *repr(estimator).split()])


def _code(estimator: Any) -> str:
    if estimator is None:
        return ""
    inner = estimator.get_params(deep=True).values()
    parts = [estimator, *(part for part in inner if isinstance(part, BaseEstimator))]
    return " ".join(dict.fromkeys(str(code_version(part)) for part in parts))
