# SPDX-License-Identifier: BSD-3-Clause
"""One clear sentence for an extra that is not installed."""

from importlib import import_module
from typing import Any

# Which extra of labelsift brings which package.
EXTRAS = {
    "cli": ("click", "rich"),
    "report": ("jinja2", "plotly"),
    "plot": ("matplotlib",),
    "frames": ("pandas", "pyarrow"),
    "dask": ("dask", "distributed"),
}


def import_extra(module: str, purpose: str) -> Any:
    """Import a module of an extra, or say which extra ``purpose`` needs installed."""
    package = module.partition(".")[0]
    extra = next(name for name, packages in EXTRAS.items() if package in packages)
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ImportError(
            f"{purpose} needs the package {package!r}: "
            f"install it with pip install 'labelsift[{extra}]'."
        ) from error
