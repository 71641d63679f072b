# SPDX-License-Identifier: BSD-3-Clause
"""What people use today, as selectors for a label matrix: the peers of every method."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    SelectKBest,
    chi2,
    f_classif,
    mutual_info_classif,
)
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier

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
    default = LogisticRegression().get_params().get("penalty", "deprecated")
    renamed = default == "deprecated"
    l1: dict[str, Any] = {"l1_ratio": 1.0} if renamed else {"penalty": "l1"}
    return LogisticRegression(**l1, solver="liblinear", random_state=0)


def _permutation() -> PermutationImportance:
    return PermutationImportance(Ridge(random_state=0), scoring="r2", random_state=0)


def _fastcan() -> ImportanceSelector:
    """fastcan takes a label matrix, which its tags do not say."""
    estimator = import_module("fastcan").FastCan(verbose=0)
    return ImportanceSelector(estimator, per_label=False)


def _abess() -> ImportanceSelector:
    return ImportanceSelector(import_module("abess").MultiTaskRegression())


_ESTIMATORS: dict[str, Callable[[], Any]] = {
    "forest": lambda: RandomForestClassifier(100, random_state=0),
    "extra-trees": lambda: ExtraTreesClassifier(100, random_state=0),
    "rfe-ridge": lambda: RFE(RidgeClassifier(random_state=0), step=0.1),
    "l1-logistic": _l1_logistic,
    "permutation": _permutation,
}
# Packages of others, where they are installed.
_PEERS = {"fastcan": _fastcan, "abess": _abess}


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
    **{name: make for name, make in _PEERS.items() if find_spec(name) is not None},
}


def about(name: str) -> str:
    """What a familiar selector does, in a few words."""
    estimator = FAMILIAR[name]().estimator
    if not isinstance(estimator, SelectKBest):
        inner = estimator.get_params(deep=False).get("estimator")
        parts = [estimator] if inner is None else [estimator, inner]
        return f"importances of {' with '.join(type(it).__name__ for it in parts)}"
    test = getattr(estimator.score_func, "func", estimator.score_func).__name__
    return f"SelectKBest by {test}, {FAMILIAR[name]().combine} over labels"
