# SPDX-License-Identifier: BSD-3-Clause
"""Candidates of wide sparse X give what those of any X give."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.row_sparse import alpha_search, wide_candidates
from labelsift.solvers.row_sparse.alpha_search import AlphaSearch, n_used
from labelsift.solvers.row_sparse.blocks import GramBlock
from labelsift.solvers.row_sparse.group_lasso import largest_alpha
from labelsift.solvers.row_sparse.least_squares import least_squares
from labelsift.solvers.row_sparse.screening import Candidates, minimise_among
from labelsift.solvers.row_sparse.sparse_rows import SparseRows
from labelsift.solvers.row_sparse.wide_candidates import (
    GramCandidates,
    WideCandidates,
    all_correlations,
    candidates_of,
    is_wide,
)
from labelsift.solvers.row_sparse.wide_lasso import CollectedBlock

KINDS = [GramCandidates, WideCandidates]


def _loss(n=150, d=2100, t=5, *, sparse=True, weights=None):
    rng = np.random.default_rng(0)
    X = sp.random_array((n, d), density=0.03, rng=rng, format="csr")
    Y = X[:, :400] @ rng.normal(size=(400, t)) + 0.1 * rng.normal(size=(n, t))
    X = X if sparse else X.toarray()
    share = np.full(n, 1 / n) if weights is None else weights / weights.sum()
    return least_squares(
        X,
        Y - share @ Y,
        mean=np.asarray(X.T @ share).ravel(),
        form="residual",
        weights=weights,
    )


@pytest.fixture
def features():
    return np.arange(3, 1200, 4)


@pytest.fixture
def weights(features):
    W = np.random.default_rng(1).normal(size=(len(features), 5))
    W[::3] = 0.0
    return W


@pytest.mark.parametrize("kind", KINDS)
def test_products_are_those_of_candidates_of_any_loss(kind, features, weights):
    loss = _loss()
    plain, wide = Candidates(loss, features), kind(loss, features)
    rows = SparseRows.of(weights)
    wanted, wanted_sq = plain.correlation(rows.places, rows.values)
    correlation, squares = wide.correlation(rows.places, rows.values)
    np.testing.assert_allclose(correlation, wanted, atol=1e-10)
    assert squares == pytest.approx(wanted_sq, rel=1e-10)
    residual = wide.residual(rows)
    np.testing.assert_allclose(residual, plain.residual(rows), atol=1e-10)
    np.testing.assert_allclose(
        wide.all_products(residual), loss.products(residual), atol=1e-10
    )
    gaps = [each.gap(rows, "inf", 0.3, 0.0) for each in (plain, wide)]
    assert gaps[1] == pytest.approx(gaps[0], rel=1e-9)


@pytest.mark.parametrize("loop", [0.0, np.inf])
@pytest.mark.parametrize("kind", KINDS)
def test_blocks_sweep_as_those_of_the_loss(kind, loop, features, weights, monkeypatch):
    monkeypatch.setattr(wide_candidates, "_LOOP", loop)
    loss, some = _loss(), np.arange(7, 60, 2)
    swept = []
    for block in (
        loss.block(features[some]),
        kind(loss, features).block(some),
    ):
        W = weights[some]
        block.place(W)
        block.sweep(W, 0.3, True)
        swept.append((W, block.correlation(), block.residual_sq(W)))
    if kind is WideCandidates:
        assert isinstance(block, CollectedBlock if loop == 0 else GramBlock)
    for wanted, found in zip(*swept, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-10)


@pytest.mark.parametrize("large", [0, 10_000])
@pytest.mark.parametrize("norm", ["2", "inf"])
@pytest.mark.parametrize("kind", KINDS)
def test_solutions_are_those_of_candidates_of_any_loss(kind, norm, large, monkeypatch):
    monkeypatch.setattr(wide_candidates, "_LARGE", large)
    loss = _loss()
    options = {
        "alpha": 0.4 * largest_alpha(loss, norm),
        "norm": norm,
        "W_init": SparseRows.of(np.zeros_like(loss.cross)),
        "tol": 1e-10,
        "max_iter": 10_000,
    }
    few = np.arange(350, 700)  # most of those that matter are to be let in
    wanted, at = minimise_among(Candidates(loss, few), None, **options)
    found, found_at = minimise_among(kind(loss, few), None, **options)
    assert found.converged
    assert found.gap <= 1e-10 * loss.target_sq / 2
    np.testing.assert_array_equal(found.solution.places, wanted.solution.places)
    np.testing.assert_allclose(found.solution.values, wanted.solution.values, atol=1e-5)
    np.testing.assert_allclose(found_at.strength, at.strength, atol=1e-4)


def test_correlations_of_all_features(weights, features):
    for loss in (_loss(), _loss(sparse=False)):
        wanted, _ = loss.correlation(features, weights)
        found = all_correlations(loss, features, weights)
        np.testing.assert_allclose(found, wanted, atol=1e-10)
        np.testing.assert_array_equal(
            all_correlations(loss, features[:0], weights[:0]), loss.cross
        )


def test_few_features_dense_ones_and_rows_with_weights_take_the_old_way(features):
    rows = np.random.default_rng(2).uniform(1, 2, size=150)
    for loss in (_loss(d=1900), _loss(sparse=False), _loss(weights=rows)):
        assert not is_wide(loss)
        assert type(candidates_of(loss, features)) is Candidates
        search = AlphaSearch(loss, None, "inf", 1e-6, 1000)
        assert not search.wide
    loss = _loss()
    assert type(candidates_of(loss, features)) is GramCandidates
    assert type(candidates_of(loss, np.arange(1001))) is WideCandidates


@pytest.mark.parametrize("few", [0, 10_000])
@pytest.mark.parametrize("norm", ["2", "inf"])
def test_a_search_that_guesses_finds_what_bisection_finds(norm, few, monkeypatch):
    monkeypatch.setattr(alpha_search, "_MANY", 8)
    monkeypatch.setattr(wide_candidates, "_FEW", few)
    wide, plain = (AlphaSearch(_loss(), None, norm, 1e-9, 10_000) for _ in range(2))
    plain.wide = False
    monkeypatch.setattr(plain, "_candidates", _never_wide(plain))
    for budget in (5, 20, 45, 60, 30):
        alpha, result, _ = wide.smallest_alpha(budget)
        wanted_alpha, wanted, _ = plain.smallest_alpha(budget)
        assert alpha == wanted_alpha
        np.testing.assert_array_equal(
            result.solution.any(axis=1), wanted.solution.any(axis=1)
        )
        assert n_used(result) <= budget
        assert result.gap <= 1e-9 * wide.loss.target_sq / 2
    assert len(wide.between) < len(plain.between)


def _never_wide(search):
    """Candidates of any loss, for a loss that is wide."""

    def candidates(at, alpha, end):
        return Candidates(search.loss, at.strong(alpha, end))

    return candidates


def test_alphas_between_two_are_those_of_repeated_halving():
    first, last = 13.983544, 0.9 * 13.983544
    alphas = alpha_search._halved(first, last)
    assert len(alphas) == 129
    for within in (
        [True] * 7,
        [False] * 7,
        [True, False, False, True, False, True, True],
    ):
        best, beyond = first, last
        for inside in within:
            assert beyond < (1 - 1e-3) * best
            middle = (best + beyond) / 2
            assert middle in alphas
            best, beyond = (middle, beyond) if inside else (best, middle)
        assert beyond >= (1 - 1e-3) * best
