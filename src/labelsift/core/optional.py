# SPDX-License-Identifier: BSD-3-Clause
"""Import errors that name the extra to install."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

# Which extra of labelsift installs which package; the first one is recommended.
EXTRAS = {
    "cli": ("click", "rich"),
    "frames": ("pandas", "pyarrow"),
    "excel": ("openpyxl",),
    "report": ("jinja2", "plotly", "pandas", "cloudpickle"),
    "plot": ("matplotlib",),
    "dask": ("dask", "distributed"),
    "gpu": ("torch",),
}


def import_extra(module: str, purpose: str) -> Any:
    """Import a module of an extra, or say which extra ``purpose`` needs installed."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        extra = next(name for name, packages in EXTRAS.items() if package in packages)
        raise ImportError(
            f"{purpose} needs the package {package!r}: "
            f"install it with pip install 'labelsift[{extra}]'."
        ) from error


def require_extra(extra: str, purpose: str) -> None:
    """Raise an ImportError that names the extra where one of its packages is missing.

    Parameters
    ----------
    extra : str
        A name in EXTRAS.
    purpose : str
        What it is needed for, as the subject of the error's sentence.
    """
    for package in EXTRAS[extra]:
        if find_spec(package) is None:
            raise ImportError(
                f"{purpose} needs the package {package!r}: install it with pip install "
                f"'labelsift[{extra}]'."
            )
