# SPDX-License-Identifier: BSD-3-Clause
"""A random order, constant columns last."""

import numpy as np


def random_order(X, seed):
    """Sort the moving columns by uniform draws, then append the others."""
    draws = np.random.RandomState(seed).uniform(size=X.shape[1])
    moving = [i for i in range(X.shape[1]) if len(set(X[:, i])) > 1]
    constant = [i for i in range(X.shape[1]) if i not in moving]
    return sorted(moving, key=lambda i: -draws[i]) + constant
