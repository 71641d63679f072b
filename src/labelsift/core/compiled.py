# SPDX-License-Identifier: BSD-3-Clause
"""Array code that torch compiles, and runs as it is where it cannot."""

from collections.abc import Callable
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

from labelsift.core.arrays import library, namespace
from labelsift.core.optional import import_extra
from labelsift.core.warning import warn

# Shapes of one function that are compiled before torch would give up: it counts those
# of the whole process, and every fit to another number of rows has its own.
_SHAPES = 256
# What could not be compiled in this process, by the words of its warning.
_FAILED: set[str] = set()


def compiled(function: Callable[..., Any], X: Any, kind: str) -> Callable[..., Any]:
    """A function of a namespace and arrays like X, compiled where torch can do it.

    ``kind`` says what it is: where one kind cannot be compiled, others still can.
    """
    plain = partial(function, namespace(X))
    if library(X) != "torch":
        return plain
    torch = import_extra("torch", "Compiling for a device")
    fast = _fast(torch, function)
    return partial(_run, torch, fast, plain, f"{kind} on {X.device.type}")


@cache
def _fast(torch: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled form, of which torch makes one for every shape."""
    # torch does not look into scikit-learn, whose namespace wraps these.
    xp = SimpleNamespace(
        astype=_astype,
        maximum=torch.maximum,
        min=torch.amin,
        reshape=torch.reshape,
        stack=torch.stack,
        sum=torch.sum,
    )
    return torch.compile(partial(function, xp), dynamic=False, fullgraph=True)


def _astype(array: Any, dtype: Any) -> Any:
    return array.to(dtype)


def _run(
    torch: Any,
    fast: Callable[..., Any],
    plain: Callable[..., Any],
    kind: str,
    *arguments: Any,
) -> Any:
    """Run the compiled form, or the plain one after a warning."""
    if kind in _FAILED:
        return plain(*arguments)
    try:
        with torch._dynamo.config.patch(cache_size_limit=_SHAPES):
            return fast(*arguments)
    except torch.cuda.OutOfMemoryError:
        raise
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        warn(
            f"torch.compile does not work here ({reason}): {kind} run one operation at "
            "a time, several times slower."
        )
        _FAILED.add(kind)
        return plain(*arguments)
