# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of a positive above a negative, counted in many score matrices at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def pairs_in_order(
    truth: NDArray[Any], columns: NDArray[Any], labels: NDArray[Any], out: NDArray[Any]
) -> None:
    """Twice the pairs of a positive above a negative, plus the ties, by comparing all.

    Comparing has no branches, so that a processor does several pairs at a time: some
    thousand pairs take as long as sorting some hundred scores. ``columns`` holds scores
    of shape (n_layers, n_labels, n_samples); ``out`` receives a count for each layer
    and each of the ``labels``.
    """
    n_layers, _, n_samples = columns.shape
    upper, lower = np.empty_like(columns[0, 0]), np.empty_like(columns[0, 0])
    for layer in range(n_layers):
        for k in range(len(labels)):
            n_upper = n_lower = 0
            for i in range(n_samples):
                if truth[i, labels[k]]:
                    upper[n_upper] = columns[layer, labels[k], i]
                    n_upper += 1
                else:
                    lower[n_lower] = columns[layer, labels[k], i]
                    n_lower += 1
            twice = 0
            for i in range(n_upper):
                value = upper[i]
                for j in range(n_lower):
                    twice += (lower[j] < value) + (lower[j] <= value)
            out[layer, k] = twice


@kernel()
def sorted_pairs_in_order(
    upper: NDArray[Any], lower: NDArray[Any], out: NDArray[Any]
) -> None:
    """The same count for one label, by merging scores of positives and negatives.

    Each row of ``upper`` and ``lower`` ascends; ``out`` receives a count for each.
    """
    n_lower = lower.shape[1]
    for layer in range(upper.shape[0]):
        twice = below = not_above = 0
        for i in range(upper.shape[1]):
            value = upper[layer, i]
            while below < n_lower and lower[layer, below] < value:
                below += 1
            not_above = max(not_above, below)
            while not_above < n_lower and lower[layer, not_above] <= value:
                not_above += 1
            twice += below + not_above
        out[layer] = twice


@kernel()
def labels_in_order(
    truth: NDArray[Any], stack: NDArray[Any], out: NDArray[Any]
) -> None:
    """The pairs of a true label above a false one, strictly, by comparing all.

    ``stack`` holds scores of shape (n_layers, n_samples, n_labels); ``out`` receives a
    count for each layer and sample.
    """
    n_layers, n_samples, n_labels = stack.shape
    upper, lower = np.empty_like(stack[0, 0]), np.empty_like(stack[0, 0])
    for layer in range(n_layers):
        for i in range(n_samples):
            n_upper = n_lower = 0
            for label in range(n_labels):
                if truth[i, label]:
                    upper[n_upper] = stack[layer, i, label]
                    n_upper += 1
                else:
                    lower[n_lower] = stack[layer, i, label]
                    n_lower += 1
            above = 0
            for a in range(n_upper):
                for b in range(n_lower):
                    above += upper[a] > lower[b]
            out[layer, i] = above


def warm_up() -> None:
    """Compile the kernels of this module."""
    truth, out = np.array([[True], [False]]), np.empty((1, 1), np.int64)
    for dtype in (np.float64, np.float32):
        pairs_in_order(truth, np.zeros((1, 1, 2), dtype), np.array([0]), out)
        sorted_pairs_in_order(np.zeros((1, 1), dtype), np.zeros((1, 1), dtype), out[0])
        labels_in_order(truth[:1], np.zeros((1, 1, 1), dtype), out)
