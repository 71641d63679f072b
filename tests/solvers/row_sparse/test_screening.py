# SPDX-License-Identifier: BSD-3-Clause
"""Screened solutions are those of all features, whatever the rule left out."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.row_sparse import alpha_search
from labelsift.solvers.row_sparse.alpha_search import AlphaSearch, n_used
from labelsift.solvers.row_sparse.descent import duality_gap
from labelsift.solvers.row_sparse.group_lasso import (
    largest_alpha,
    minimise_group_lasso,
)
from labelsift.solvers.row_sparse.least_squares import least_squares
from labelsift.solvers.row_sparse.norms import row_norm
from labelsift.solvers.row_sparse.screening import (
    Candidates,
    Reference,
    minimise_among,
)
from labelsift.solvers.row_sparse.sparse_rows import SparseRows


def _loss(*, sparse, seed=0, n=60, d=200, t=4, form="residual"):
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, d), density=0.2, rng=rng, format="csc")
    W = np.zeros((d, t))
    W[:12] = rng.normal(size=(12, t))
    Y = X @ W + 0.3 * rng.normal(size=(n, t))
    X, Y = X if sparse else X.toarray(), Y - Y.mean(axis=0)
    return least_squares(X, Y, mean=np.asarray(X.mean(axis=0)).ravel(), form=form)


def _gap(loss, norm, alpha, W):
    used = np.flatnonzero(W.any(axis=1))
    correlation, squares = loss.correlation(used, W[used])
    rows = row_norm(norm)
    most = rows.dual(correlation).max()
    return duality_gap(rows, alpha, W[used], correlation[used], squares, most)


def _reference(loss, norm, W):
    used = np.flatnonzero(W.any(axis=1))
    residual = loss.residual(used, W[used])
    return Reference(residual, row_norm(norm).dual(loss.products(residual)))


@pytest.mark.parametrize("norm", ["2", "inf"])
@pytest.mark.parametrize("sparse", [False, True])
def test_features_that_were_left_out_are_let_in(sparse, norm):
    loss = _loss(sparse=sparse)
    alpha = 0.2 * largest_alpha(loss, norm)
    options = {"alpha": alpha, "norm": norm, "tol": 1e-10, "max_iter": 10_000}
    wanted = minimise_group_lasso(loss, **options)
    few = Candidates(loss, np.arange(150, 200))  # those that matter are not among them
    start = SparseRows.of(np.zeros_like(loss.cross))
    result, at = minimise_among(few, None, W_init=start, **options)
    assert result.converged
    W = result.solution.dense()
    np.testing.assert_allclose(W, wanted.solution, atol=1e-5)
    np.testing.assert_array_equal(W.any(axis=1), wanted.solution.any(axis=1))
    assert result.gap == pytest.approx(_gap(loss, norm, alpha, W))
    assert (np.diff(result.objective) <= 1e-9).all()
    expected = _reference(loss, norm, W)
    np.testing.assert_allclose(at.strength, expected.strength)


@pytest.mark.parametrize("norm", ["2", "inf"])
@pytest.mark.parametrize("width", [0.999, 0.9, 0.3])
def test_the_gap_between_two_ends_is_that_of_all_features(width, norm):
    loss = _loss(sparse=True)
    top = 0.5 * largest_alpha(loss, norm)
    alphas = top, width * top, (1 + width) / 2 * top
    options = {"norm": norm, "tol": 1e-8, "max_iter": 10_000}
    start, end, middle = (
        minimise_group_lasso(loss, alpha=alpha, **options).solution for alpha in alphas
    )
    ends = _reference(loss, norm, start), _reference(loss, norm, end)
    candidates = Candidates(loss, ends[0].strong(top, width * top))
    result, at = minimise_among(
        candidates, ends, alpha=alphas[2], W_init=SparseRows.of(start), **options
    )
    W = result.solution.dense()
    assert result.gap == pytest.approx(_gap(loss, norm, alphas[2], W), abs=1e-12)
    np.testing.assert_array_equal(W.any(axis=1), middle.any(axis=1))
    if width == 0.999:  # so narrow that no product with all features is needed
        assert at is None


def test_a_solution_that_is_cut_short_has_not_converged():
    loss = _loss(sparse=True)
    alpha = 0.05 * largest_alpha(loss, "2")
    every = Candidates(loss, np.arange(len(loss.cross)))
    result, _ = minimise_among(
        every,
        None,
        alpha=alpha,
        norm="2",
        W_init=SparseRows.of(np.zeros_like(loss.cross)),
        tol=1e-12,
        max_iter=3,
    )
    assert not result.converged
    assert result.n_iter == 3


@pytest.mark.parametrize("norm", ["2", "inf"])
def test_a_screened_search_finds_what_one_without_finds(norm):
    screened, plain = (
        AlphaSearch(_loss(sparse=True, form=form), None, norm, 1e-8, 10_000)
        for form in ("residual", "gram")
    )
    for budget in (1, 4, 9, 9, 30, 15, 60):
        alpha, result, visited = screened.smallest_alpha(budget)
        wanted_alpha, wanted, _ = plain.smallest_alpha(budget)
        assert alpha == pytest.approx(wanted_alpha)
        np.testing.assert_array_equal(
            result.solution.any(axis=1), wanted.solution.any(axis=1)
        )
        assert n_used(result) <= budget
        assert result.gap <= 1e-8 * screened.loss.target_sq / 2
        assert all(other.converged for other in visited)
    assert any(point.margin > 1 for point in screened.path)


@pytest.mark.parametrize("norm", ["2", "inf"])
def test_features_in_doubt_are_let_in_between_two_ends(norm):
    loss = _loss(sparse=True)
    top = 0.5 * largest_alpha(loss, norm)
    options = {"norm": norm, "tol": 1e-9, "max_iter": 10_000}
    start, end, middle = (
        minimise_group_lasso(loss, alpha=share * top, **options).solution
        for share in (1.0, 0.6, 0.8)
    )
    ends = _reference(loss, norm, start), _reference(loss, norm, end)
    few = Candidates(loss, np.flatnonzero(start.any(axis=1)))  # those of the first end
    result, _ = minimise_among(
        few, ends, alpha=0.8 * top, W_init=SparseRows.of(start), **options
    )
    W = result.solution.dense()
    assert middle.any(axis=1).sum() > start.any(axis=1).sum()
    np.testing.assert_array_equal(W.any(axis=1), middle.any(axis=1))
    assert result.gap == pytest.approx(_gap(loss, norm, 0.8 * top, W), abs=1e-12)


def test_a_point_that_was_on_the_other_side_is_found_out(monkeypatch):
    # Every rough point is taken to be within the budget: all must be solved again.
    asked = 4
    search = AlphaSearch(_loss(sparse=True), None, "2", 1e-8, 10_000)
    wanted = AlphaSearch(_loss(sparse=True, form="gram"), None, "2", 1e-8, 10_000)
    monkeypatch.setattr(alpha_search, "_ROUGH", ((0.3, 1.0001), (0.2, 1.00001)))
    alpha, result, _ = search.smallest_alpha(asked)
    assert n_used(result) <= asked
    assert result.gap <= 1e-8 * search.loss.target_sq / 2
    assert alpha >= (1 - 2e-3) * wanted.smallest_alpha(asked)[0]
