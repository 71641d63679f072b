# SPDX-License-Identifier: BSD-3-Clause
"""Pairs in order, counted by comparing all of them: for few samples and many scores."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def pairs_in_order(
    truth: NDArray[Any], stack: NDArray[Any], labels: NDArray[Any], out: NDArray[Any]
) -> None:
    """Twice the pairs of a positive above a negative, plus the ties.

    Comparing has no branches, so that a processor does several pairs at a time: some
    thousand pairs take as long as sorting some hundred scores.

    Parameters
    ----------
    truth : ndarray of bool of shape (n_samples, n_labels)
        Which samples have a label.
    stack : ndarray of shape (n_layers, n_samples, n_labels)
        Scores.
    labels : ndarray of int
        The columns looked at.
    out : ndarray of int of shape (n_layers, len(labels))
        Receives the counts.
    """
    n_samples = stack.shape[1]
    upper, lower = np.empty(n_samples, stack.dtype), np.empty(n_samples, stack.dtype)
    for layer in range(stack.shape[0]):
        for k in range(len(labels)):
            n_upper = n_lower = 0
            for i in range(n_samples):
                if truth[i, labels[k]]:
                    upper[n_upper] = stack[layer, i, labels[k]]
                    n_upper += 1
                else:
                    lower[n_lower] = stack[layer, i, labels[k]]
                    n_lower += 1
            twice = 0
            for i in range(n_upper):
                value = upper[i]
                for j in range(n_lower):
                    twice += (lower[j] < value) + (lower[j] <= value)
            out[layer, k] = twice


def warm_up() -> None:
    """Compile the kernels of this module."""
    truth, out = np.array([[True], [False]]), np.empty((1, 1), np.int64)
    for dtype in (np.float64, np.float32):
        pairs_in_order(truth, np.zeros((1, 2, 1), dtype), np.array([0]), out)
