# SPDX-License-Identifier: BSD-3-Clause
"""Values of four methods over the same blocks."""

import numpy as np
import pytest


@pytest.fixture
def values(rng):
    """Four methods over twelve blocks, the last two better, no ties."""
    matrix = rng.normal([0, 0, 0.8, 1.5], size=(12, 4))
    return dict(zip("abcd", matrix.T, strict=True))


@pytest.fixture
def tied(rng):
    matrix = rng.integers(0, 4, size=(15, 4)) + np.array([0, 0, 1, 2])
    return dict(zip("abcd", matrix.T, strict=True))
