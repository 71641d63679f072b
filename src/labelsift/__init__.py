# SPDX-License-Identifier: BSD-3-Clause
"""labelsift: the few features that many labels share.

The public names are in the subpackages ``labelsift.selection``, ``subspace``,
``classification``, ``sums``, ``metrics``, ``prepare``, ``model_selection``,
``datasets``, ``experiment``, ``stats``, ``plots``, ``tables``, ``compare``, ``bench``.
Each is imported on first access, so that ``import labelsift`` costs nothing.
"""

from importlib import import_module
from types import ModuleType

__version__ = "0.2.0"

_SUBPACKAGES = (
    "bench",
    "classification",
    "compare",
    "datasets",
    "experiment",
    "metrics",
    "model_selection",
    "plots",
    "prepare",
    "selection",
    "stats",
    "subspace",
    "sums",
    "tables",
)
# Subpackages of 0.1 and where their contents are now.
_MOVED = {
    "report": "labelsift.compare (pages) and labelsift.plots (pictures)",
    "results": "labelsift.stats, labelsift.compare and labelsift.bench",
}

__all__ = [*_SUBPACKAGES, "__version__"]


def __getattr__(name: str) -> ModuleType:
    if name in _SUBPACKAGES:
        return import_module(f"labelsift.{name}")
    if name in _MOVED:
        raise AttributeError(f"labelsift.{name} has moved to {_MOVED[name]}.")
    raise AttributeError(f"module 'labelsift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
