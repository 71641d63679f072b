# SPDX-License-Identifier: BSD-3-Clause
"""What people use today, as selectors for a label matrix: the peers of every method."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import sklearn
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    SelectKBest,
    chi2,
    f_classif,
    mutual_info_classif,
)
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.utils.fixes import parse_version

from labelsift.selection.importance import ImportanceSelector, PermutationImportance

# SelectKBest, label by label: a test, and how its labels become one order.
_TESTS: dict[str, Any] = {
    "anova": f_classif,
    "chi2": chi2,
    "mutual-info": partial(mutual_info_classif, random_state=0),
}
_COMBINED = {"": "mean", "-max": "max", "-robin": "round-robin"}


def _l1_logistic() -> LogisticRegression:
    """L1-penalised logistic regression; scikit-learn 1.8 renamed the argument."""
    renamed = parse_version(sklearn.__version__) >= parse_version("1.8")
    l1: dict[str, Any] = {"l1_ratio": 1.0} if renamed else {"penalty": "l1"}
    return LogisticRegression(**l1, solver="liblinear", random_state=0)


def _permutation() -> PermutationImportance:
    return PermutationImportance(Ridge(random_state=0), scoring="r2", random_state=0)


def _peer(module: str, name: str) -> Callable[[], Any]:
    return lambda: getattr(import_module(module), name)()


_ESTIMATORS: dict[str, Callable[[], Any]] = {
    "forest": lambda: RandomForestClassifier(100, random_state=0),
    "extra-trees": lambda: ExtraTreesClassifier(100, random_state=0),
    "rfe-ridge": lambda: RFE(RidgeClassifier(random_state=0), step=0.1),
    "l1-logistic": _l1_logistic,
    "permutation": _permutation,
}
# Packages of others, where they are installed.
_PEERS = {
    "fastcan": _peer("fastcan", "FastCan"),
    "abess": _peer("abess", "MultiTaskRegression"),
}


def _by_test(test: Any, combine: str) -> ImportanceSelector:
    return ImportanceSelector(SelectKBest(test), combine=combine)


def _by_estimator(estimator: Callable[[], Any]) -> ImportanceSelector:
    return ImportanceSelector(estimator())


#: Name -> a call that makes the selector.
FAMILIAR: dict[str, Callable[[], ImportanceSelector]] = {
    **{
        name + ending: partial(_by_test, test, combine)
        for name, test in _TESTS.items()
        for ending, combine in _COMBINED.items()
    },
    **{name: partial(_by_estimator, make) for name, make in _ESTIMATORS.items()},
    **{
        name: partial(_by_estimator, make)
        for name, make in _PEERS.items()
        if find_spec(name) is not None
    },
}


def about(name: str) -> str:
    """What a familiar selector does, in a few words."""
    estimator = FAMILIAR[name]().estimator
    if not isinstance(estimator, SelectKBest):
        return f"importances of {type(estimator).__name__}"
    test = getattr(estimator.score_func, "func", estimator.score_func).__name__
    return f"SelectKBest by {test}, {FAMILIAR[name]().combine} over labels"
