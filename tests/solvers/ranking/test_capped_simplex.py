# SPDX-License-Identifier: BSD-3-Clause
import cvxpy as cp
import numpy as np
import pytest

from labelsift.solvers.ranking.capped_simplex import capped_shares, largest


@pytest.mark.parametrize("m", [1, 2, 4, 7])
def test_shares_minimise_the_weighted_squares(rng, m):
    sizes = rng.uniform(0.1, 2, size=8) ** 2
    eta = cp.Variable(8)
    cost = sum(cp.quad_over_lin(size, eta[j]) for j, size in enumerate(sizes))
    cp.Problem(cp.Minimize(cost), [eta >= 0, eta <= 1, cp.sum(eta) == m]).solve(
        solver=cp.CLARABEL
    )
    shares = capped_shares(sizes, m)
    assert shares.sum() == pytest.approx(m)
    assert np.sum(sizes**2 / shares) == pytest.approx(cost.value, rel=1e-6)
    np.testing.assert_allclose(shares, eta.value, atol=1e-3)


def test_no_more_sizes_than_shares_get_one_each():
    sizes = np.array([0.0, 2.0, 1e-9, 0.0])
    np.testing.assert_array_equal(capped_shares(sizes, 3), [0, 1, 1, 0])
    np.testing.assert_array_equal(capped_shares(np.zeros(3), 1), np.zeros(3))


def test_equal_sizes_share_evenly():
    np.testing.assert_allclose(capped_shares(np.full(5, 0.1), 2), np.full(5, 0.4))


def test_largest_takes_all_where_it_can():
    values = np.array([3.0, 1.0, 2.0])
    assert sorted(largest(values, 2)) == [0, 2]
    assert sorted(largest(values, 5)) == [0, 1, 2]
