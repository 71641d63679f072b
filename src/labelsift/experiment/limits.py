# SPDX-License-Identifier: BSD-3-Clause
"""Limits on time, and the memory that a piece of work needed."""

import ctypes
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class TaskTimeoutError(BaseException):
    """Raised inside work that has taken too long.

    No Exception: it comes anywhere, and an ``except Exception`` that happens to be
    around must not take it for an error of its own.
    """


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise TaskTimeoutError in this thread once the time is over; None: no limit.

    Any thread of any process can be limited so, on every system; a signal would reach
    main threads only. Compiled code is not interrupted: the error comes on its return.
    """
    if seconds is None:
        yield
        return
    lock, over = threading.Lock(), threading.Event()
    target = ctypes.c_ulong(threading.get_ident())

    def strike() -> None:
        with lock:
            if not over.is_set():
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(target, ctypes.py_object(TaskTimeoutError))

    timer = threading.Timer(seconds, strike)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over.set()
        timer.cancel()


class PeakMemory:
    """Peak of the process above what it held when this was created.

    On Linux the kernel resets the peak, so that it belongs to this piece of work;
    elsewhere it is not measured.
    """

    def __init__(self) -> None:
        self.before = math.nan
        try:
            _CLEAR.write_text("5")
            self.before = _kib("VmRSS")
        except OSError:
            return

    def mib(self) -> float:
        """MiB so far; NaN where the system does not tell."""
        if math.isnan(self.before):
            return math.nan
        return max(0.0, _kib("VmHWM") - self.before) / 1024


def _kib(name: str) -> float:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return float(line.split()[1])
    raise OSError(f"{_STATUS} has no {name}.")
