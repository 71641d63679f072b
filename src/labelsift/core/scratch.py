# SPDX-License-Identifier: BSD-3-Clause
"""A large array that is used again, as for the same matrix of each split.

Memory that is new to a process has to be found and cleared by the system, which on a
virtual machine can take a fifth of the time of factorising a matrix in it.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

# What nobody uses now: at most one array, the largest.
_free: list[NDArray[np.float64]] = []
# Splits differ by a few rows: a little more is asked for, which costs nothing unused.
_ROOM = 1.05


@contextmanager
def scratch_zeros(*shape: int) -> Iterator[NDArray[np.float64]]:
    """Zeros to work in, not to be used after the block."""
    size = math.prod(shape)
    try:
        memory = _free.pop()  # in one step: another thread gets an array of its own
    except IndexError:
        memory = np.zeros(0)
    if memory.size < size:
        memory = np.zeros(int(_ROOM * size))
    else:
        memory[:size] = 0.0
    try:
        yield memory[:size].reshape(shape)
    finally:
        _free[:] = [max([*_free, memory], key=len)]


def release_scratch() -> None:
    """Give the memory back to the system."""
    _free.clear()
