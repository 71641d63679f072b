# SPDX-License-Identifier: BSD-3-Clause
from itertools import combinations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from core.quiet import fit
from labelsift.datasets import make_planted
from labelsift.selection import RALMFS
from labelsift.solvers.fingerprint import fingerprints, uniform
from reference.ralm import loss, run, unit_scale


@pytest.fixture(params=[(80, 15), (20, 40)], ids=["tall", "wide"])
def data(request):
    n, d = request.param
    return make_planted(n, d, 5, n_relevant=4, random_state=0)


@pytest.mark.parametrize("seed", [None, 7])
@pytest.mark.parametrize("rounds", [1, 4, 30])
def test_equals_the_reference_round_by_round(data, seed, rounds):
    selector = fit(
        RALMFS(6, mu=0.3, rho=1.1, tol=0, max_iter=rounds, random_state=seed),
        data.X, data.Y,
    )  # fmt: skip
    V, E = np.zeros((data.X.shape[1], 5)), np.zeros(data.Y.shape)
    if seed is not None:
        drawn = np.random.RandomState(seed).randint(2**31)
        rows, columns = fingerprints(data.X, data.Y)
        V, E = uniform(columns, 5, drawn), uniform(rows, 5, drawn)
    X = data.X / unit_scale(data.X)
    V, b = run(X, data.Y, V, E, 6, 0.3, 1.1, rounds)
    np.testing.assert_allclose(
        selector.coef_.T * unit_scale(data.X), V, rtol=1e-6, atol=1e-9
    )
    assert selector.objective_[-1] == pytest.approx(loss(X, data.Y, V, b))


def test_exactly_k_features_have_weight(data):
    for k in (1, 3, 8):
        selector = fit(RALMFS(k), data.X, data.Y)
        assert selector.n_weighted_ == k
        np.testing.assert_array_equal(selector.support_, selector.coef_.any(axis=0))
        assert (selector.scores_[~selector.support_] < 0).all()


def test_comes_near_the_best_pair_of_features():
    data = make_planted(120, 8, 3, n_relevant=2, noise=0.05, random_state=2)
    selector = fit(RALMFS(2), data.X, data.Y)
    losses = {}
    for pair in combinations(range(8), 2):
        kept = data.X[:, pair] / unit_scale(data.X[:, pair])
        start = np.zeros((2, 3)), np.zeros(data.Y.shape)
        V, b = run(kept, data.Y, *start, 2, 0.1, 1.05, 400)
        losses[pair] = loss(kept, data.Y, V, b)
    assert losses[tuple(np.flatnonzero(selector.support_))] == min(losses.values())


def test_the_order_of_features_and_labels_does_not_matter(data, rng):
    features = rng.permutation(data.X.shape[1])
    plain = fit(RALMFS(5), data.X, data.Y)
    moved = fit(RALMFS(5), data.X[:, features], data.Y[:, ::-1])
    np.testing.assert_allclose(moved.scores_, plain.scores_[features], rtol=1e-5)


def test_an_offset_of_x_does_not_matter(data):
    plain = fit(RALMFS(5), data.X, data.Y)
    moved = fit(RALMFS(5), data.X + 100.0, data.Y)
    np.testing.assert_allclose(moved.scores_, plain.scores_, rtol=1e-5)


def test_the_others_follow_by_their_products_with_the_unit_residuals(data):
    selector = fit(RALMFS(4), data.X, data.Y)
    R = data.Y - data.X @ selector.coef_.T - selector.intercept_
    U = R / np.linalg.norm(R, axis=1, keepdims=True)
    pull = np.linalg.norm((data.X - data.X.mean(axis=0)).T @ U, axis=1)
    rest = np.flatnonzero(~selector.support_)
    expected = rest[np.argsort(-pull[rest])]
    np.testing.assert_array_equal(selector.feature_order_[4:], expected)


def test_the_scale_of_x_does_not_matter(data):
    plain = fit(RALMFS(5), data.X, data.Y)
    scaled = fit(RALMFS(5), 1000 * data.X, data.Y)
    np.testing.assert_array_equal(scaled.feature_order_, plain.feature_order_)
    np.testing.assert_allclose(1000 * scaled.coef_, plain.coef_, rtol=1e-6)


def test_constant_columns_never_have_weight(data):
    X = np.column_stack([np.full(len(data.Y), 3.0), data.X])
    selector = fit(RALMFS(5, random_state=0), X, data.Y)
    assert selector.feature_order_[-1] == 0
    assert not selector.coef_[:, 0].any()


def test_too_few_rounds_are_told(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 .* raise max_iter, rho"):
        RALMFS(3, max_iter=2).fit(data.X, data.Y)
