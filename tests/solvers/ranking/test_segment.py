# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.solvers.ranking.label_covariance import dual_covariance
from labelsift.solvers.ranking.segment import Segment


def _between(U, V):
    return Segment(U.T @ U, U.T @ V + V.T @ U, V.T @ V)


def test_products_along_a_segment_are_those_of_its_points(rng):
    U, V = rng.normal(size=(2, 7, 4))
    for t in (0.0, 0.3, 1.0):
        point = (1 - t) * U + t * V
        np.testing.assert_allclose(_between(U, V).at(t), point.T @ point, atol=1e-12)


@pytest.mark.parametrize("mu", [0.01, 0.3, 5.0])
@pytest.mark.parametrize("gain", [0.0, 4.0, 100.0])
def test_no_point_of_the_segment_is_better(rng, mu, gain):
    U, V = rng.normal(size=(2, 7, 4))
    line = _between(U, V)

    def value(t):
        return gain * t - dual_covariance(line.at(t), mu)[1] / 2

    best = line.best(gain, mu)
    others = max(value(t) for t in np.linspace(0, 1, 1001))
    assert value(best) >= others - 1e-3 * abs(others)
    assert line.best(-1000.0, mu) == 0
