# SPDX-License-Identifier: BSD-3-Clause
"""Pairs in order, counted by comparing all of them: for few samples and many scores."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def pairs_in_order(
    stack: NDArray[Any],
    positives: NDArray[Any],
    negatives: NDArray[Any],
    label: int,
    out: NDArray[Any],
) -> None:
    """Twice the pairs of a positive above a negative, plus the ties, in each layer.

    Comparing has no branches, so that a processor does several pairs at a time: some
    thousand pairs take as long as sorting some hundred scores.

    Parameters
    ----------
    stack : ndarray of shape (n_layers, n_samples, n_labels)
        Scores.
    positives, negatives : ndarray of int
        The rows with and without the label.
    label : int
        The column looked at.
    out : ndarray of int of shape (n_layers,)
        Receives the counts.
    """
    lower = np.empty(len(negatives), stack.dtype)
    for layer in range(stack.shape[0]):
        for j in range(len(negatives)):
            lower[j] = stack[layer, negatives[j], label]
        twice = 0
        for i in range(len(positives)):
            value = stack[layer, positives[i], label]
            for j in range(len(lower)):
                twice += (lower[j] < value) + (lower[j] <= value)
        out[layer] = twice


def warm_up() -> None:
    """Compile the kernels of this module."""
    rows, out = np.array([0]), np.empty(1, np.int64)
    for dtype in (np.float64, np.float32):
        pairs_in_order(np.zeros((1, 2, 1), dtype=dtype), rows, rows + 1, 0, out)
