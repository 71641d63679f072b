# SPDX-License-Identifier: BSD-3-Clause
"""Compiled scalar loops: free numba functions on arrays, cached, no classes.

Importing this package is free; numba is loaded with the first kernel module.
"""

import pkgutil
from importlib import import_module


def kernel_modules() -> list[str]:
    """Names of the kernel modules, sorted."""
    return sorted(info.name for info in pkgutil.iter_modules(__path__))


def warm_up(module: str) -> None:
    """Compile the kernels of one module on tiny input, or load them from the cache."""
    import_module(f"{__name__}.{module}").warm_up()
