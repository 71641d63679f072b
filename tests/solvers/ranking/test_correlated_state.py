# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.solvers.ranking.correlated_state import CorrelatedState
from labelsift.solvers.ranking.dcd import RankStart
from reference.larank_svm import clarank, with_ones
from solvers.ranking.problems import task, tiny


def _begun(seed, C, mu, m, start=None, **shape):
    """A state at the start of a problem, and its X and Y."""
    X, Y = tiny(seed, **shape)
    design, pairs = task(X, Y)
    state = CorrelatedState(design, pairs, C, mu, m)
    start = start or RankStart.cold(design, pairs, m)
    state.begin(start.alpha, start.eta)
    return state, X, Y


def test_a_start_of_rank_one_leaves_every_direction_a_part():
    X, Y = tiny(2, n=20)
    alpha = np.zeros_like(RankStart.cold(*task(X, Y), 5).alpha)
    alpha[0] = 0.1
    state, _, _ = _begun(2, 1.5, 0.3, 5, RankStart(alpha, np.ones(5)), n=20)
    shares = np.linalg.eigvalsh(state.D)
    assert shares.sum() == pytest.approx(1)
    assert shares[0] > 0.02
    assert shares[-2] < 0.03


@pytest.mark.parametrize("mu", [0.1, 1.0, 10.0])
def test_bounds_hold_while_the_covariance_moves_and_where_it_follows(mu):
    state, X, Y = _begun(0, 5.0, mu, 5)
    value, _ = clarank(with_ones(X), Y, 5.0, mu)
    gaps = []
    for turn in range(60):
        if turn == 40:
            state.settle()
        state.sweep(3)
        now = state.bounds()
        assert now.lower <= value * (1 + 1e-6)
        assert now.upper >= value * (1 - 1e-6)
        assert now.gap >= now.inner - 1e-9 * value
        gaps.append(now.gap / value)
        if state.moves and now.inner < 0.5 * now.gap:
            state.move(now, 1e-2, nearer=now.gap / value <= min(gaps))
    assert gaps[39] < 0.1 * gaps[0]
    assert gaps[-1] < 1e-3


def test_every_direction_stays_open_while_the_covariance_moves():
    state, _, _ = _begun(1, 10.0, 5.0, 8, n=40, d=8, c=6)
    for _ in range(30):
        state.sweep(3)
        now = state.bounds()
        state.move(now, 1e-2, nearer=True)
        least = 0.1 * min(now.gap / now.upper, 1) / len(state.D)
        assert np.linalg.eigvalsh(state.D)[0] >= 0.99 * least
        assert np.trace(state.D) == pytest.approx(1)


def test_the_dual_never_falls_where_the_covariance_follows():
    state, _, _ = _begun(1, 10.0, 1.0, 8, n=40, d=8, c=6)
    state.settle()
    values = []
    for _ in range(30):
        state.sweep(1)
        values.append(state.bounds().lower)
    assert np.all(np.diff(values) >= -1e-9 * np.abs(values[:-1]))
    assert values[-1] > values[0]
