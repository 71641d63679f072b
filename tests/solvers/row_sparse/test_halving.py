# SPDX-License-Identifier: BSD-3-Clause
"""Bisection by counts ends where it ends without guesses, after fewer looks."""

import numpy as np
import pytest

from labelsift.solvers.row_sparse.halving import halve, neighbours


def _search(all_counts, budget, *, guess):
    """Look at places until it ends; where that is, and the places in order."""
    last = len(all_counts) - 1
    known, looked_at = {0: all_counts[0], last: all_counts[last]}, []
    while True:
        through, place = halve(known, budget, guess=guess)
        if place in known:
            return place, looked_at, through
        known[place] = all_counts[place]
        looked_at.append(place)


def _bisection(all_counts, budget):
    low, high, middles = 0, len(all_counts) - 1, []
    while high - low > 1:
        middles.append((low + high) // 2)
        if all_counts[middles[-1]] <= budget:
            low = middles[-1]
        else:
            high = middles[-1]
    return low, middles


@pytest.mark.parametrize("budget", [10, 13, 25, 39])
def test_without_guesses_it_is_bisection_of_any_counts(budget, rng):
    counts = [10, *rng.integers(5, 45, size=127).tolist(), 40]  # far from rising
    place, middles = _bisection(counts, budget)
    assert _search(counts, budget, guess=False) == (place, middles, middles)


@pytest.mark.parametrize("budget", [505, 600, 720, 901, 998])
def test_guesses_end_at_the_same_place_after_fewer_looks(budget, rng):
    smooth = 500 * 2 ** (np.linspace(0, 1, 129) ** 1.1)
    rising = np.round(smooth + rng.uniform(-1, 1, size=129)).astype(int).tolist()
    place, middles = _bisection(rising, budget)
    guessed, looked_at, _ = _search(rising, budget, guess=True)
    assert guessed == place
    assert len(looked_at) < len(middles)


@pytest.mark.parametrize("seed", range(20))
def test_a_guess_is_never_the_end(seed):
    # All features enter at one place, which no neighbour lets expect.
    rng = np.random.default_rng(seed)
    step = int(rng.integers(1, 128))
    counts = [100] * step + [900] * (129 - step)
    budget = int(rng.integers(101, 900))
    assert _search(counts, budget, guess=True)[0] == step - 1


def test_neighbours_are_the_nearest_known_places():
    assert neighbours({0: 1, 4: 2, 9: 3, 16: 4}, 6) == (4, 9)
