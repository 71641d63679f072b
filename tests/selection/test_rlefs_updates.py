# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import fields

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection import rlefs_updates as updates
from labelsift.selection.rlefs import label_affinity


def problem_of(X, Y, alpha):
    S = label_affinity(Y, "cosine")
    weights = alpha, 0.7, 0.2, 0.5 * len(Y)
    return updates.Problem.of(X, Y, S + np.diag(S.sum(axis=1)), *weights)


@pytest.fixture
def wide(rng):
    X = rng.random((30, 100)) * (rng.random((30, 100)) < 0.15)
    X[:, 3] = 0.0
    return sp.csr_array(X), (rng.random((30, 9)) < 0.4).astype(float)


@pytest.mark.parametrize("seed", [None, 0])
@pytest.mark.parametrize("alpha", [0.5, 0.0])
def test_rows_of_wide_data_equal_the_general_path_to_the_last_bit(
    monkeypatch, wide, alpha, seed
):
    """J alone is added up in another order."""
    by_rows = problem_of(*wide, alpha)
    assert by_rows.columns is not None
    monkeypatch.setattr(updates, "_WIDE", np.inf)
    general = problem_of(*wide, alpha)
    assert general.columns is None
    one, other = (
        updates.solve(p, updates.start(p, "labels", seed), 0.0, 60)
        for p in (by_rows, general)
    )
    for name in ("W", "F", "B", "XW", "YB", "sizes"):
        values = (getattr(result.solution, name) for result in (one, other))
        np.testing.assert_array_equal(*values, err_msg=name)
    np.testing.assert_allclose(one.objective, other.objective, rtol=1e-13)


def test_an_alpha_that_is_no_power_of_two_changes_only_rounding(monkeypatch, wide):
    by_rows = problem_of(*wide, 0.3)
    monkeypatch.setattr(updates, "_WIDE", np.inf)
    scores = [
        np.linalg.norm(
            updates.solve(p, updates.start(p, "labels", None), 0.0, 60).solution.W,
            axis=1,
        )
        for p in (by_rows, problem_of(*wide, 0.3))
    ]
    np.testing.assert_allclose(*scores, rtol=1e-10)


@pytest.mark.parametrize("form", [sp.csr_array, np.asarray])
def test_what_is_kept_is_what_follows_from_the_blocks(wide, form):
    X, Y = wide
    problem = problem_of(form(X.toarray()), Y, 0.3)
    point = updates.start(problem, "labels", 0)
    for update in (updates._update_W, updates._update_F, updates._update_B):
        point = update(problem, point)
        W = point.W / point.unit
        fresh = updates.Point.of(problem, W, point.F, point.B)
        for field in fields(point):
            values = (getattr(p, field.name) for p in (point, fresh))
            np.testing.assert_allclose(*values, rtol=1e-9, err_msg=field.name)
