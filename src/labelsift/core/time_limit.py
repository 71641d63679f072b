# SPDX-License-Identifier: BSD-3-Clause
"""Work that may take so long and no longer, by the clock or by processor time."""

import ctypes
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

# The least wait of a watcher whose clock is behind the wall's, in seconds.
_SHORTEST = 0.01
_MOMENT = 1e-3


class TaskTimeoutError(BaseException):
    """Raised inside work that has taken too long.

    Not an Exception: it is raised anywhere, and a surrounding ``except Exception`` must
    not catch it.
    """


@contextmanager
def time_limit(seconds: float | None, *, processor: bool = False) -> Iterator[None]:
    """Raise TaskTimeoutError in this thread once the time is over; None: no limit.

    Works in any thread of any process, on every system; a signal would reach main
    threads only. Compiled code is not interrupted: the error is raised on its return.
    ``processor``: the time is that of the process on processors, so that a busy machine
    stops nothing early.
    """
    if seconds is None:
        yield
        return
    clock = time.process_time if processor else time.monotonic
    end, struck = clock() + seconds, threading.Event()
    lock, over = threading.Lock(), threading.Event()
    target = ctypes.c_ulong(threading.get_ident())

    def watch() -> None:
        while (left := end - clock()) > 0:
            if over.wait(max(left, _SHORTEST)):
                return
        # A thread that the one in question just starts has its number for a moment: it
        # would be struck instead, never say that it runs, and be waited for forever.
        while any(thread.ident is None for thread in threading.enumerate()):
            if over.wait(_MOMENT):
                return
        with lock:
            if not over.is_set():
                struck.set()
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(target, ctypes.py_object(TaskTimeoutError))

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    except (TaskTimeoutError, SystemError) as error:
        # A compiled function that returns while the error is raised makes the latter.
        cause = error.__cause__ if isinstance(error, SystemError) else error
        if not struck.is_set() or not isinstance(cause, TaskTimeoutError):
            raise  # of another limit, or no limit
        of = " of processor time" if processor else ""
        text = f"Stopped after the limit of {seconds:g} s{of}."
        raise TaskTimeoutError(text) from None
    finally:
        with lock:
            over.set()


def limited(items: Iterable[T], seconds: float | None) -> Iterator[T]:
    """Items, none of which may take more processor time to compute."""
    iterator = iter(items)
    while True:
        with time_limit(seconds, processor=True):
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


def timed(
    items: Iterable[T], clock: Callable[[], float] = time.perf_counter
) -> Iterator[tuple[T, float]]:
    """Each item with the seconds it took to compute."""
    start = clock()
    for item in items:
        yield item, clock() - start
        start = clock()
