# SPDX-License-Identifier: BSD-3-Clause
"""Compiled code that does not listen, run so that Ctrl-C and time limits are heard."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

# How often the waiting thread listens, in seconds.
_LISTEN_EVERY = 0.1

T = TypeVar("T")


def interruptible(work: Callable[[], T]) -> T:
    """Run a call in a thread of its own and wait for it.

    An interruption ends the waiting at once; the call itself ends in the background,
    or with the process.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    while True:
        try:
            return future.result(timeout=_LISTEN_EVERY)
        except TimeoutError:
            if future.done():  # an error of the work itself
                raise
