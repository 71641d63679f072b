# SPDX-License-Identifier: BSD-3-Clause
"""Compiled scalar loops: free numba functions on arrays, cached, no classes.

Importing this package is free; numba is loaded with the first kernel module.
"""

import pkgutil
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function, without the global lock, and keep it for other processes.

    Where no folder can be written (a read-only installation and home) it is compiled
    in every process anew; a warning says so once.
    """
    from numba import njit

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher = njit(nogil=True, **options)(function)
        try:
            dispatcher.enable_caching()
        except RuntimeError as error:
            if "no locator available" not in str(error):
                raise
            _say_uncached()
        return dispatcher

    return compiled


@cache
def _say_uncached() -> None:
    """Warn the first time it is called."""
    warnings.warn(
        "Compiled code cannot be stored, so every process compiles it again: set "
        "NUMBA_CACHE_DIR to a folder that can be written.",
        RuntimeWarning,
        stacklevel=4,
    )


def kernel_modules() -> list[str]:
    """Names of the kernel modules, sorted."""
    return sorted(info.name for info in pkgutil.iter_modules(__path__))


def warm_up(module: str) -> None:
    """Compile the kernels of one module on tiny input, or load them from the cache."""
    import_module(f"{__name__}.{module}").warm_up()
