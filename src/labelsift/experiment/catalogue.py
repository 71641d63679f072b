# SPDX-License-Identifier: BSD-3-Clause
"""The methods and read-outs of suites and comparisons, by name."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Self

import scipy.sparse as sp
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
from labelsift.core.data import MultiLabelData
from labelsift.experiment.task import MethodSpec
from labelsift.selection import METHODS, GreedyRLS
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


class Size(NamedTuple):
    """Size of a fit: rows, features, labels, stored values of X, largest budget."""

    n: int
    d: int
    t: int
    nnz: int
    k: int

    @classmethod
    def of(cls, data: MultiLabelData, k: int) -> Self:
        """Size of a fit on all rows; of a table as many numbers as it has cells."""
        n, d = data.n_samples, data.n_features
        nnz = data.X.nnz if sp.issparse(data.X) else n * d
        return cls(n, d, data.n_labels, nnz, k)

    @property
    def is_wide(self) -> bool:
        """Whether X is sparse with more features than rows, and these than k."""
        return self.k <= self.n < self.d and self.nnz < self.n * self.d

    def wide(self, factor: float) -> float:
        """The factor where X is wide, else 1."""
        return factor if self.is_wide else 1.0

    @property
    def square(self) -> int:
        """Multiplications of a Gram matrix of the smaller side."""
        return min(self.n, self.d) ** 2 * max(self.n, self.d)

    @property
    def trees(self) -> float:
        """Comparisons of a tree that looks at the root of the features."""
        return self.n * math.sqrt(self.d) * math.log2(2 + self.n)

    @property
    def cube(self) -> int:
        """The smaller side to the third power: a factorisation."""
        return min(self.n, self.d) ** 3


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


def _gcv_seconds(s: Size) -> float:
    """Of GreedyRLS by GCV; a pass over X a step where it is wide."""
    if s.is_wide:
        return s.k * (1.5e-9 * s.nnz + 2e-9 * s.n * s.t + 3e-10 * s.k**2)
    return s.k * (9.8e-10 * s.d * s.k + 1.9e-7 * s.n) + 1e-8 * s.nnz


def _mdmr_seconds(s: Size) -> float:
    """Of MDMR; features that share few rows need few labels each."""
    if s.is_wide and s.nnz**2 < s.n * s.d**2:
        return 1.2e-8 * s.k * s.d
    return s.t * s.k * (1.1e-8 * s.d + 4.9e-9 * s.n) + 0.003


def _mt_lasso_seconds(s: Size) -> float:
    """Of MTLasso; most features of wide X are left out along the path."""
    seconds = 4.5e-9 * s.nnz * s.k + 3e-7 * s.k**2 * s.t + 0.007
    return seconds / (s.wide(8) if s.d >= 2000 else s.wide(5))


def _mifs_seconds(s: Size) -> float:
    """Of MIFS; distances of sparse rows take little."""
    distances = 3.2e-10 * s.n**2 * min(s.d, 1000) / s.wide(100)
    return 6.3e-6 * s.d * s.t / (s.wide(3) if s.d > 4000 else 1) + distances


def _csfs_seconds(s: Size) -> float:
    """Of CSFS; few Newton steps where X is wide."""
    seconds = 2.7e-9 * s.nnz * s.t + 6.8e-6 * s.d * s.t + 5.4e-12 * s.square
    return seconds / (s.wide(3) if s.d >= 2000 else 1)


# Estimated seconds of one fit of each selector; docs/results/perf/estimates.txt says on
# which data sets the constants were fitted.
_SECONDS: dict[str, Callable[[Size], float]] = {
    "greedy-rls": lambda s: 1.2e-9 * s.n * s.d * (s.k + s.t) + 0.004,
    GREEDY_GCV: _gcv_seconds,
    GREEDY_FAIR: lambda s: s.d * (s.k * (3.8e-10 * s.k + 2.5e-8 * s.t) + 6e-8 * s.n),
    "fisher": lambda s: s.t * (2.2e-7 * s.d + 6e-8 * s.n),
    "random": lambda s: 1e-8 * s.d,
    "rfs": lambda s: 3.1e-9 * s.cube + 4.4e-9 * s.nnz * s.t + 0.01,
    "csfs": _csfs_seconds,
    "sfus": lambda s: 3.8e-9 * s.cube + 1e-8 * s.nnz * s.t + 0.01,
    "mifs": _mifs_seconds,
    "rlefs": lambda s: s.n * (4.4e-6 * s.t + 1.7e-8 * s.d) / s.wide(2) + 0.07,
    "ralm": lambda s: 1e-9 * s.square + 2e-8 * s.nnz * s.t + 0.012,
    "mt-lasso": _mt_lasso_seconds,
    "ppt": lambda s: s.t * (2.2e-7 * s.d + 6e-8 * s.n) + 0.001,
    "mdmr": _mdmr_seconds,
    "lrfs": lambda s: s.t * (2.7e-7 * s.d + 1.2e-7 * s.n) + 5.2e-8 * s.k**2,
    "mrmr": lambda s: 8e-8 * s.n * s.t + 5.2e-8 * s.k**2 + 0.001,
    "d2f": lambda s: s.t * s.k * (9.8e-9 * s.d + 6.8e-9 * s.n) + 0.002,
    "pmu": lambda s: 1.2e-8 * s.d * s.t * s.k + 5.6e-7 * s.n * s.t + 0.001,
    "fimf": lambda s: s.t * (3.2e-7 * s.d + 1.6e-7 * s.n) + 0.001,
    "grro": lambda s: s.k * (1.4e-6 * s.d + 5.6e-8 * s.n) + 0.002,
    "mdfs": lambda s: s.nnz * (5.3e-8 * s.t + 3.7e-10 * s.n) + 6.5e-6 * s.d * s.t,
    "rfsfs": lambda s: 5.2e-8 * s.nnz * s.t + 0.001,
    "mfs-mcdm": lambda s: 3.2e-11 * s.d**2 * s.n + 0.002,
    "hsic": lambda s: s.t * (1.3e-7 * s.d + 4e-8 * s.n),
    "relief-ml": lambda s: 8.9e-11 * s.n**2 * min(s.d, 1000) + 0.002,
    "scls": lambda s: s.k * (1.2e-8 * s.d + 2e-10 * s.nnz) + 5e-8 * s.n * s.t,
    "mlfs": lambda s: 4.6e-8 * s.nnz * s.t + 0.012,
    "cmlfs": lambda s: 6.7e-8 * s.nnz * s.t + 0.008,
    "anova": lambda s: s.t * (8.1e-9 * s.nnz + 6.8e-7 * s.d + 6.2e-4),
    "chi2": lambda s: s.t * (9e-7 * s.d + 3e-7 * s.n + 0.0018),
    "mutual-info": lambda s: 4.9e-6 * s.n * s.d * s.t,
    "forest": lambda s: 2e-6 * s.trees + 4.9e-5 * s.n * s.t + 0.08,
    "extra-trees": lambda s: 2.2e-6 * s.trees + 2.2e-5 * s.n * s.t + 0.08,
    "rfe-ridge": lambda s: 2.5e-7 * s.d**2 + 8.6e-9 * s.n * s.d * s.t + 0.018,
    "l1-logistic": lambda s: 2e-7 * s.nnz * s.t + 0.006,
    "permutation": lambda s: s.n * s.d * (7.1e-8 * s.t + 3.5e-6) + 0.075,
    "fastcan": lambda s: 5e-9 * s.n * s.d * s.k * s.t,
    "abess": lambda s: 5e-9 * s.n * s.d * s.k,
}


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
        seconds=_SECONDS[family],
    )


def _selector(name: str, scale: str = "") -> Method:
    """A selector with its defaults, and a seed where it is random."""

    def make(n_labels: int) -> Any:
        selector = METHODS[name]()
        seeded = "random_state" in selector.get_params()
        return selector.set_params(random_state=0) if seeded else selector

    return Method(make, selects=True, scale=scale, seconds=_SECONDS[name])


CATALOGUE: dict[str, Method] = {
    **{name: _selector(name) for name in METHODS if name != "importance"},
    **{name: _familiar(name) for name in FAMILIAR},
    "rlefs": _selector("rlefs", scale="minmax"),
    GREEDY_GCV: Method(
        lambda _: GreedyRLS(criterion="gcv"),
        selects=True,
        seconds=_SECONDS[GREEDY_GCV],
    ),
    GREEDY_FAIR: Method(
        lambda _: GreedyRLS(criterion="gcv", objective="fair"),
        selects=True,
        seconds=_SECONDS[GREEDY_FAIR],
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
