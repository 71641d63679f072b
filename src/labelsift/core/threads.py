# SPDX-License-Identifier: BSD-3-Clause
"""A limit of threads for a while: of linear algebra, and of compiled code."""

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import ThreadpoolController


@contextmanager
def limited_threads(threads: int) -> Iterator[None]:
    """Let libraries use so many threads; numba is loaded where it is not."""
    import numba

    before = numba.get_num_threads()
    with _libraries(len(sys.modules)).limit(limits=threads):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        try:
            yield
        finally:
            numba.set_num_threads(before)


@functools.lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:
    """The libraries with threads; looked for again once more modules are loaded."""
    return ThreadpoolController()
