# SPDX-License-Identifier: BSD-3-Clause
"""Finds what the package makes public, so that nothing new escapes the contracts."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

import labelsift
from labelsift.core.base import BaseSelector, BaseSubspace


def rooms():
    """Every package directly below labelsift."""
    return [
        importlib.import_module(f"labelsift.{info.name}")
        for info in pkgutil.iter_modules(labelsift.__path__)
        if info.ispkg
    ]


def public_objects():
    """(room, name, object) for every public name."""
    return [
        (room, name, getattr(room, name))
        for room in rooms()
        for name in getattr(room, "__all__", [])
    ]


def public_estimators():
    """Every public estimator class."""
    found = {
        thing
        for _, _, thing in public_objects()
        if inspect.isclass(thing) and issubclass(thing, BaseEstimator)
    }
    return sorted(found, key=lambda cls: cls.__name__)


def estimators():
    """Every public estimator that learns from labels or values."""
    return [cls for cls in public_estimators() if get_tags(cls()).target_tags.required]


def of_labels():
    """Those that predict labels by default, if they predict: not the regressors."""
    return [
        cls for cls in estimators() if get_tags(cls()).estimator_type != "regressor"
    ]


def selectors():
    """Every public selector."""
    return [cls for cls in estimators() if issubclass(cls, BaseSelector)]


def subspaces():
    """Every public subspace."""
    return [cls for cls in estimators() if issubclass(cls, BaseSubspace)]


def each(classes):
    """Run a test for each of the classes, as its argument ``cls``."""
    return pytest.mark.parametrize("cls", classes, ids=lambda cls: cls.__name__)
