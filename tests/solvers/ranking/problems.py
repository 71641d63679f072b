# SPDX-License-Identifier: BSD-3-Clause
"""Small ranking problems that tests of the solvers share."""

import numpy as np

from labelsift.solvers.ranking.design import Design, label_pairs


def tiny(seed, n=12, d=5, c=4):
    """X and Y; the first row has no label, the second has all."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    noise = rng.normal(size=(n, c))
    Y = (X @ rng.normal(size=(d, c)) + noise > 0.3).astype(np.uint8)
    Y[0], Y[1] = 0, 1
    return X, Y


def task(X, Y, bias=True, standardize=False):
    """Design and pairs, as solvers take them."""
    return Design.build(X, bias=bias, standardize=standardize), label_pairs(Y, "test")
