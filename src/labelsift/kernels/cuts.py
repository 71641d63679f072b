# SPDX-License-Identifier: BSD-3-Clause
"""The threshold of best F1, in one pass over sorted scores."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


@kernel()
def best_cuts(
    scores: NDArray[Any],
    order: NDArray[Any],
    counts: NDArray[Any],
    hits: NDArray[Any],
    positive: NDArray[Any],
    min_f1: float,
    out: NDArray[Any],
) -> None:
    """Fill in the threshold of each row of scores.

    Row r is about label r modulo the number of labels, and ``order`` sorts it upwards.
    A sample counts by ``counts``, and by ``hits`` of shape (n_labels, n_samples) where
    it has the label: ``positive`` in all. From the highest score down, F1 is taken
    after all samples of a score: only a better one replaces the last, so that of equals
    the highest stays.
    """
    n_rows, n_samples = scores.shape
    for row in range(n_rows):
        label, highest = row % len(hits), scores[row, order[row, n_samples - 1]]
        best, above, rows, at, after = -1.0, 0.0, 0.0, highest, highest
        following = highest
        for i in range(n_samples - 1, -1, -1):
            sample, score = order[row, i], following
            above += hits[label, sample]
            rows += counts[sample]
            following = scores[row, order[row, i - 1]] if i else -np.inf
            f1 = 2 * above / (rows + positive[label])
            if following != score and f1 > best:
                best, at, after = f1, score, following
        midway = at / 2 + after / 2
        if best < min_f1:
            out[row] = highest
        elif after == -np.inf:
            out[row] = np.nextafter(at, after)
        else:
            out[row] = midway if midway < at else after


def warm_up() -> None:
    """Compile the kernel of this module."""
    scores, counts = np.zeros((1, 2)), np.ones(2)
    hits, one = np.array([[1.0, 0.0]]), np.ones(1)
    best_cuts(scores, np.argsort(scores), counts, hits, one, 0.1, np.empty(1))
