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
    LivelyBlock,
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


def _lively(loss, features):
    return LivelyBlock(loss.residual_block(features))


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


def _placed(kind, loss, features):
    """A block at some weights, of which rows are zero and small."""
    W = np.random.default_rng(3).normal(size=(len(features), 5))
    W[::3] = 0.0
    W[1::3] *= 0.01
    block = kind(loss, features)
    block.place(W)
    return block, W


def test_a_sweep_over_all_rows_is_that_of_the_sparse_block():
    loss, features = _loss(), np.arange(900)
    loss.X.data[loss.X.indptr[4] : loss.X.indptr[5]] = 0.0
    loss.mean[4] = loss.column_sq[4] = 0.0  # an empty column loses its weights
    plain, wanted = _placed(
        lambda *args: args[0].residual_block(args[1]), loss, features
    )
    block, W = _placed(_block, loss, features)
    start = W.copy()
    plain.sweep(wanted, 0.8, False)
    moved = block._sweep(W, 0.8, features)
    np.testing.assert_allclose(W, wanted, atol=1e-11)
    np.testing.assert_array_equal(W.any(axis=1), wanted.any(axis=1))
    assert start[4].any()
    assert not W[4].any()
    np.testing.assert_allclose(block.stored, plain.stored, atol=1e-11)
    np.testing.assert_allclose(block.total, plain.total, atol=1e-10)
    entries = np.diff(loss.X.indptr)[features]
    gain = ((W - start) ** 2).sum(axis=1) * loss.column_sq[features]
    np.testing.assert_allclose(moved, gain / np.maximum(entries, 1), atol=1e-11)


def test_sweeps_in_the_sup_norm_are_those_of_the_sparse_block():
    loss, features = _loss(), np.arange(900)
    plain, wanted = _placed(
        lambda *args: args[0].residual_block(args[1]), loss, features
    )
    block, W = _placed(_block, loss, features)
    first = block.correlation()
    plain.sweep(wanted, 0.8, True)
    block.sweep(W, 0.8, True)
    np.testing.assert_allclose(W, wanted, atol=1e-11)
    np.testing.assert_allclose(block.correlation(), plain.correlation(), atol=1e-9)
    assert not np.allclose(block.correlation(), first)


def test_rows_that_moved_most_are_swept_again():
    loss, features = _loss(), np.arange(900)
    block, W = _placed(_lively, loss, features)
    plain, wanted = _placed(_block, loss, features)
    moved = plain._sweep(wanted, 0.8, features)
    again = np.sort(np.argsort(-moved)[:225])
    others = np.setdiff1d(features, again)
    before = wanted.copy()
    for _ in range(12):
        plain._sweep(wanted, 0.8, again)
    block.sweep(W, 0.8, False)
    np.testing.assert_array_equal(W, wanted)
    np.testing.assert_array_equal(W[others], before[others])
    assert (W[again] != before[again]).any(axis=1).sum() > 150


@pytest.mark.parametrize(("used", "kind"), [(95, LivelyBlock), (94, CollectedBlock)])
def test_rows_are_swept_again_where_nearly_all_features_have_weights(used, kind):
    W = np.zeros((100, 5))
    W[:used] = 1.0
    block = _loss().residual_block(np.arange(100))
    descent = wide_lasso._descent(block, EuclideanNorm(), 0.8, W)
    assert type(descent.block) is kind


def test_correlations_are_those_of_the_current_weights():
    loss, features = _loss(), np.arange(900)
    block, W = _placed(_block, loss, features)
    for move in (lambda: block.sweep(W, 0.8, False), lambda: block.place(0.5 * W)):
        first = block.correlation()
        assert block.correlation() is first
        move()
        wanted = block.X.T @ (block.stored - block.stored.mean(axis=0))
        np.testing.assert_allclose(block.correlation(), wanted, atol=1e-9)
        assert not np.allclose(first, wanted)


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
