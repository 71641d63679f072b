# SPDX-License-Identifier: BSD-3-Clause
"""Grids of ranking machines: the order of visits, and what they give."""

import itertools

import numpy as np
import pytest

from labelsift.classification import CLaRankSVM, LaRankSVM
from labelsift.datasets import make_planted
from labelsift.selection import CMLFS, MLFS

EXACT = {"tol": 1e-7, "max_iter": 100_000}


@pytest.fixture(scope="module")
def data():
    return make_planted(n_samples=60, n_features=8, n_relevant=4, random_state=0)


@pytest.mark.parametrize(
    ("machine", "grid"),
    [
        (LaRankSVM(**EXACT), {"C": [1.0, 0.1]}),
        (CLaRankSVM(**EXACT), {"C": [1.0, 0.1], "mu": [0.5, 0.01]}),
        (MLFS(1.0, **EXACT), {"C": [1.0, 0.1], "m": [4, 2, None]}),
    ],
)
def test_scores_of_folds_are_those_of_single_fits(data, machine, grid):
    points = [
        dict(zip(grid, values, strict=True))
        for values in itertools.product(*grid.values())
    ]
    folds = [(np.arange(40), np.arange(40, 60)), (np.arange(20, 60), np.arange(20))]
    [(positions, scores)] = machine.fold_scores(data.X, data.Y, folds, points)
    assert sorted(positions) == list(range(len(points)))
    for (train, test), own in zip(folds, scores, strict=True):
        for position, found in zip(positions, own, strict=True):
            single = type(machine)(**{**machine.get_params(), **points[position]})
            single.fit(data.X[train], data.Y[train])
            expected = single.decision_function(data.X[test])
            np.testing.assert_allclose(found, expected, atol=2e-3)


def test_neighbours_in_m_follow_each_other(data, monkeypatch):
    visited = []
    learn = CMLFS._learn
    monkeypatch.setattr(
        CMLFS,
        "_learn",
        lambda self, *args: (
            visited.append((self.mu, self.C, self.m)) or learn(self, *args)
        ),
    )
    points = [
        {"m": m, "mu": mu, "C": C}
        for m, mu, C in itertools.product([3, 2], [0.1, 0.01], [1.0, 0.1])
    ]
    fold = (np.arange(40), np.arange(40, 60))
    [_] = CMLFS(1.0).fold_scores(data.X, data.Y, [fold], points)
    assert visited == sorted(visited)
    assert len(visited) == len(points)
