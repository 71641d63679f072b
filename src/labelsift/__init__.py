# SPDX-License-Identifier: BSD-3-Clause
"""labelsift: the few features that many labels share.

The public names live in the rooms: ``labelsift.selection``, ``subspace``,
``classification``, ``metrics``, ``model_selection``, ``datasets``, ``stats``,
``plots``, ``results``, ``report``. A room is loaded when it is first touched, so that
``import labelsift`` costs nothing.
"""

from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

_ROOMS = (
    "classification",
    "datasets",
    "metrics",
    "model_selection",
    "plots",
    "report",
    "results",
    "selection",
    "stats",
    "subspace",
)

__all__ = [*_ROOMS, "__version__"]


def __getattr__(name: str) -> ModuleType:
    if name in _ROOMS:
        return import_module(f"labelsift.{name}")
    raise AttributeError(f"module 'labelsift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
