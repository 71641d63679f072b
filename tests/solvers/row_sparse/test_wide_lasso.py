# SPDX-License-Identifier: BSD-3-Clause
"""The compiled Newton systems give what the solver for all losses gives."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.row_sparse import wide_lasso
from labelsift.solvers.row_sparse.descent import RowDescent
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import least_squares
from labelsift.solvers.row_sparse.norms import CautiousFace, EuclideanNorm
from labelsift.solvers.row_sparse.wide_lasso import (
    CollectedBlock,
    SparseDescent,
    minimise_rows,
)


def _loss(n=150, d=2100, t=5, sparse=True):
    rng = np.random.default_rng(0)
    X = sp.random_array((n, d), density=0.03, rng=rng, format="csr")
    Y = X[:, :400] @ rng.normal(size=(400, t)) + 0.1 * rng.normal(size=(n, t))
    X = X if sparse else X.toarray()
    mean = np.asarray(X.mean(axis=0)).ravel()
    return least_squares(X, Y - Y.mean(axis=0), mean=mean, form="residual")


def _block(loss, features):
    return CollectedBlock(loss.residual_block(features))


def test_products_are_those_of_the_sparse_block():
    loss, features = _loss(), np.arange(5, 900, 2)
    plain, collected = loss.residual_block(features), _block(loss, features)
    W = np.random.default_rng(1).normal(size=(len(features), 5))
    for block in (plain, collected):
        block.place(W)
    np.testing.assert_allclose(collected.stored, plain.stored, atol=1e-10)
    np.testing.assert_allclose(collected.correlation(), plain.correlation(), atol=1e-9)
    np.testing.assert_allclose(collected.curve(W), plain.curve(W), atol=1e-9)
    assert collected.residual_sq(W) == pytest.approx(plain.residual_sq(W))


@pytest.mark.parametrize("cautious", [False, True])
def test_a_newton_step_solves_the_system(cautious):
    loss, features, norm = _loss(), np.arange(60), EuclideanNorm()
    W = np.random.default_rng(2).normal(size=(60, 5))
    W[7] = 0.0  # not in use: it does not move
    descents = [
        kind(block, norm, 0.8, W.copy())
        for kind, block in (
            (RowDescent, loss.residual_block(features)),
            (SparseDescent, _block(loss, features)),
        )
    ]
    face = CautiousFace(norm.face(W)) if cautious else norm.face(W)
    (plain, _), (step, products) = (it._newton_step(face, 3) for it in descents)
    assert products == 3
    np.testing.assert_allclose(step, plain, rtol=1e-7, atol=1e-10)
    assert not step[7].any()


@pytest.mark.parametrize("alpha", [0.02, 0.3])
def test_the_minimum_is_that_of_the_other_solver(alpha):
    loss = _loss()
    result = minimise_rows(loss, alpha=alpha, tol=1e-9)
    wanted = minimise_group_lasso(loss, alpha=alpha, tol=1e-9)
    assert result.converged
    assert result.gap <= 1e-9 * loss.target_sq / 2
    assert (np.diff(result.objective) <= 1e-9).all()
    goal = 1e-9 * loss.target_sq / 2
    assert result.objective[-1] == pytest.approx(wanted.objective[-1], abs=goal)
    again = minimise_rows(loss, alpha=alpha, tol=1e-9, W_init=result.solution)
    assert again.n_iter == 0


def test_few_features_and_dense_ones_take_the_old_way(monkeypatch):
    def never(*_):
        raise AssertionError

    monkeypatch.setattr(wide_lasso, "_descent", never)
    for loss in (_loss(d=1900), _loss(sparse=False)):
        result = minimise_rows(loss, alpha=0.3)
        wanted = minimise_group_lasso(loss, alpha=0.3)
        np.testing.assert_array_equal(result.solution, wanted.solution)
    with pytest.raises(AssertionError):
        minimise_rows(_loss(), alpha=0.3)
