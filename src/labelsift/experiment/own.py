# SPDX-License-Identifier: BSD-3-Clause
"""Methods, read-outs and measures that users bring: by class path, or as instances.

Importing a class runs its code: only names that the user typed or installed are
imported, never names from a ledger or an export.
"""

import hashlib
import importlib
import math
import os
import sys
import uuid
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import GridSearchCV

from labelsift.classification import LabelScorer
from labelsift.core.base import BaseLabelRanker
from labelsift.core.code_version import code_version
from labelsift.core.warning import warn
from labelsift.experiment.catalogue import CATALOGUE, of_values, readouts_of
from labelsift.experiment.task import MethodSpec
from labelsift.metrics import EVERY_MEASURE, MEASURES, Measure, scorer
from labelsift.metrics.catalogue import (
    BUILT_IN,
    BUILT_IN_VALUES,
    VALUE_MEASURES,
)
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.selection import ImportanceSelector

# Installed packages offer methods under this name.
GROUP = "labelsift.methods"


def is_class_path(name: str) -> bool:
    """Whether a name is of the form ``package.module:Class``."""
    module, colon, thing = name.partition(":")
    words = [*module.split("."), *thing.split(".")]
    return bool(colon) and all(word.isidentifier() for word in words)


def load(path: str) -> Any:
    """Import what ``package.module:Name`` names; the current folder counts too."""
    module, _, name = path.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        thing: Any = importlib.import_module(module)
    except ImportError as error:
        raise ValueError(
            f"{path!r} cannot be imported ({error}): check the name, or install the "
            "package."
        ) from error
    for word in name.split("."):
        if not hasattr(thing, word):
            raise ValueError(f"{path!r}: the module {module} has no {name!r}.")
        thing = getattr(thing, word)
    return thing


def installed_methods() -> dict[str, str]:
    """Names and class paths of methods that installed packages offer."""
    return {point.name: point.value for point in entry_points(group=GROUP)}


def find_method(name: str) -> Any:
    """The estimator that a typed name means; None for a method of the catalogue."""
    if name in CATALOGUE:
        return None
    path = name if is_class_path(name) else installed_methods().get(name)
    if path is None:
        known = [*CATALOGUE, *installed_methods()]
        raise ValueError(
            f"There is no method {name!r}: choose from {', '.join(known)}, or name a "
            "class as package.module:Class."
        )
    thing = load(path)
    return thing() if isinstance(thing, type) else thing


def own_spec(estimator: Any, **parts: Any) -> MethodSpec:
    """The spec of an estimator that the user brings: class, parameters, code."""
    params = described(estimator) or {}
    return MethodSpec(class_path(estimator), params, code=code_of(estimator), **parts)


def as_selector(estimator: Any) -> Any:
    """An estimator with our contract, or one that is ranked by its importances."""
    ours = hasattr(estimator, "with_budget") and hasattr(estimator, "get_params")
    if ours and "n_features_to_select" in estimator.get_params(deep=False):
        return estimator
    return ImportanceSelector(estimator)


def class_path(thing: Any) -> str:
    """``package.module:Class`` of an instance, class or function."""
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}:{named.__qualname__}"


def code_of(thing: Any) -> str:
    """Version of the code of an object and of the estimators inside it.

    Where the code cannot be read, a version of its own every time, with a warning.
    """
    versions = [code_version(part) for part in _with_parts(thing)]
    if None not in versions and described(thing) is not None:
        return " ".join(map(str, versions))
    warn(
        f"The code or the parameters of {class_path(thing)} cannot be read as text, so "
        "that its results cannot be recognised later: it is run every time. Put the "
        "class into a file to have stored results reused."
    )
    return uuid.uuid4().hex


def _with_parts(thing: Any) -> list[Any]:
    """The object and every estimator or function among its parameters."""
    if not isinstance(thing, BaseEstimator):
        return [thing]
    inner = [
        value
        for value in thing.get_params(deep=True).values()
        if isinstance(value, BaseEstimator) or callable(value)
    ]
    return [thing, *inner]


class _UnreadableError(Exception):
    """A value that has no text."""


def described(thing: Any) -> dict[str, Any] | None:
    """Parameters of an estimator in plain values; None where one has no text."""
    if not hasattr(thing, "get_params"):
        return {}
    try:
        params = thing.get_params(deep=False)
        return {name: _plain(value) for name, value in sorted(params.items())}
    except _UnreadableError:
        return None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest = hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()
        return {"array": [str(value.dtype), list(value.shape), digest]}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, BaseEstimator):
        return {"class": class_path(value), "params": described(value)}
    if isinstance(value, type) or hasattr(value, "__qualname__"):
        return {"function": class_path(value)}
    raise _UnreadableError


def find_readout(
    name: str, value: Any = None, target: str = "labels"
) -> tuple[str, Any]:
    """Display name and estimator of a read-out; None for one of the catalogue."""
    known = readouts_of(target)
    if value is None and name in known:
        return name, None
    if value is None:
        if not is_class_path(name):
            raise ValueError(
                f"readout={name!r} is not known: use {', '.join(known)}, or name a "
                "class as sklearn.ensemble:ExtraTreesClassifier."
            )
        thing = load(name)
        value = thing() if isinstance(thing, type) else thing
        name = name.partition(":")[2]
    if not hasattr(value, "fit"):
        raise ValueError(
            f"readout {name!r} is {value!r}: pass a classifier or a regressor."
        )
    return name, value


def find_measure(value: Any) -> Measure:
    """A measure by name, class path or as an object; an own one becomes known.

    One that is defined again, as in a notebook, replaces the earlier one.
    """
    if isinstance(value, str) and value in EVERY_MEASURE:
        return EVERY_MEASURE[value]
    if isinstance(value, str) and is_class_path(value):
        value = load(value)
    if not isinstance(value, Measure):
        raise ValueError(
            f"measure {value!r} is not known: use {', '.join(EVERY_MEASURE)}, or pass "
            "a labelsift.metrics.Measure, which says what it needs and which way is "
            "better."
        )
    built_in = value.name in (*BUILT_IN, *BUILT_IN_VALUES)
    if built_in and value != EVERY_MEASURE[value.name]:
        raise ValueError(
            f"measure {value.name!r} has the name of a built-in measure: choose "
            "another."
        )
    known = VALUE_MEASURES if value.judges == "values" else MEASURES
    known[value.name] = value
    return value


def described_measure(name: str, described: Mapping[str, Any]) -> Measure:
    """What an export tells of a measure whose code is not imported: words only."""
    if "greater_is_better" not in described:
        raise ValueError("greater_is_better is missing: export the suite again.")
    told = Measure(
        name,
        described.get("title", name),
        _not_imported,
        described["greater_is_better"],
        "scores",
        digits=described.get("digits", 3),
        bounded=described.get("bounded", True),
    )
    return MEASURES.setdefault(name, told)


def _not_imported(truth: Any, scores: Any) -> float:
    raise ValueError("The code of this measure is not imported: run its suite file.")


def as_readout(estimator: Any, target: str = "labels") -> Any:
    """A label ranker from any classifier or regressor that the user brings.

    Where Y holds values, a regressor.
    """
    if target != "labels":
        return of_values().as_readout(estimator, target)
    ours = isinstance(estimator, BaseLabelRanker)
    return estimator if ours else LabelScorer(estimator)


def tuned_readout(readout: Any, grid: Mapping[str, Any]) -> Any:
    """A read-out that chooses from a grid by macro AUC, on its training rows alone."""
    if not grid:
        return readout
    known = readout.get_params(deep=False)
    names = {
        name if name.partition("__")[0] in known else f"estimator__{name}": values
        for name, values in grid.items()
    }
    folds = IterativeStratifiedKFold(3, random_state=0)
    search = GridSearchCV(readout, names, scoring=scorer("macro_auc"), cv=folds)
    return LabelScorer(search, per_label=False)
