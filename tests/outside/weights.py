# SPDX-License-Identifier: BSD-3-Clause
"""What the methods of this package share."""

import numpy as np

POWER = 1.0


def spread(X):
    """Standard deviation of every column."""
    return np.std(X, axis=0) ** POWER
