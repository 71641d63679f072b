# SPDX-License-Identifier: BSD-3-Clause
"""Finds what the package makes public, so that nothing new escapes the contracts."""

import importlib
import inspect
import pkgutil

from sklearn.base import BaseEstimator

import labelsift


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


def estimators():
    """Every public estimator class."""
    found = {
        thing
        for _, _, thing in public_objects()
        if inspect.isclass(thing) and issubclass(thing, BaseEstimator)
    }
    return sorted(found, key=lambda cls: cls.__name__)
