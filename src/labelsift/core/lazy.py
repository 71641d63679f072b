# SPDX-License-Identifier: BSD-3-Clause
"""Packages whose public names are imported when they are first used."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any


def export_lazily(package: str, names: Mapping[str, Sequence[str]]) -> None:
    """Import the public names of a package when they are first used.

    A module-level ``__getattr__`` (PEP 562) is not enough where a function bears the
    name of its module: importing the module would set it on the package and hide the
    function. So the package itself becomes a module of its own class.

    Parameters
    ----------
    package : str
        ``__name__`` of the package; it must define ``__all__``.
    names : mapping of str to sequence of str
        For each module of the package, the names that it exports.
    """
    module_of = {name: module for module, group in names.items() for name in group}

    class LazyPackage(ModuleType):
        def __getattr__(self, name: str) -> Any:
            if name not in module_of:
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            value = getattr(import_module(f"{package}.{module_of[name]}"), name)
            setattr(self, name, value)
            return value

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in module_of or not isinstance(value, ModuleType):
                super().__setattr__(name, value)

        def __dir__(self) -> list[str]:
            return sorted(self.__all__)

    sys.modules[package].__class__ = LazyPackage
