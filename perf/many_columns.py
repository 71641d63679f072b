# SPDX-License-Identifier: BSD-3-Clause
"""Passes over batches that GreedyRLS by gcv takes where X'X does not fit.

    python perf/many_columns.py

20,000 x 20,000 text-like rows in ten sparse batches, 10 labels, 60 features: in memory,
then from batches with 1, 8 and 32 columns of X'X in a pass (X'X would take 6.4 GB, and
Sums allow 2). Prints passes, seconds of the processor, whether the order is that of the
fit in memory, and by how much the errors differ.
"""

from time import process_time

import numpy as np
import scipy.sparse as sp

from labelsift.selection import GreedyRLS
from labelsift.selection.greedy_rls import columns

ROWS, FEATURES, LABELS, WORDS, BUDGET = 20_000, 20_000, 10, 80, 60


def make_batches(count=10):
    """Words by Zipf's law; the labels depend on a hundred frequent ones."""
    rng = np.random.default_rng(0)
    frequency = (1.0 + np.arange(FEATURES)) ** -0.8
    frequency = rng.permutation(frequency / frequency.sum())
    frequent = np.argsort(-frequency)[20:120]
    weights = rng.normal(size=(100, LABELS))
    rows = ROWS // count
    for _ in range(count):
        words = rng.choice(FEATURES, size=rows * WORDS, p=frequency)
        values = rng.uniform(0.5, 1.5, rows * WORDS)
        places = np.repeat(np.arange(rows), WORDS)
        X = sp.csr_array((values, (places, words)), shape=(rows, FEATURES))
        noise = 0.5 * rng.normal(size=(rows, LABELS))
        yield X, (X[:, frequent] @ weights + noise > 0.3).astype(int)


def fitted(source, labels=None):
    """A fit and its seconds of the processor."""
    start = process_time()
    selector = GreedyRLS(BUDGET, criterion="gcv").fit(source, labels)
    return selector, process_time() - start


def main():
    batches = list(make_batches())
    X = sp.vstack([X for X, _ in batches], format="csr")
    Y = np.vstack([Y for _, Y in batches])
    fitted(X, Y)  # compiles nothing, but fills caches
    expected, seconds = fitted(X, Y)
    print(f"{'':34}passes  CPU s  same order  errors differ by")
    print(f"{'in memory':34}{expected.n_passes_:6}{seconds:7.2f}")
    for most in (1, 8, 32):
        columns._MOST = most
        actual, seconds = fitted(lambda: iter(batches))
        assert actual.solver_ == "columns"
        same = np.array_equal(actual.feature_order_, expected.feature_order_)
        apart = np.abs(actual.gcv_error_ - expected.gcv_error_).max()
        name = f"batches, {most} column(s) in a pass"
        print(f"{name:34}{actual.n_passes_:6}{seconds:7.2f}{same!s:>12}{apart:18.0e}")


if __name__ == "__main__":
    main()
