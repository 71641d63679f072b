# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.solvers.ridge.exchange import Candidates, RidgeModel
from reference.explain import errors, objective, swaps
from reference.greedy_rls import ridge

FEATURES = [4, 0, 7, 2]
ALPHAS = pytest.mark.parametrize("alpha", [1e-3, 1.0, 30.0])


@pytest.fixture
def problem(rng):
    X = rng.normal(size=(25, 10)) + np.arange(10)
    X[:, 9] = X[:, 4] + 0.1 * rng.normal(size=25)
    Y = np.sign(X[:, [4, 0]] - X[:, [4, 0]].mean(axis=0) + rng.normal(size=(25, 2)))
    return X, Y


def model_of(X, Y, alpha, features=FEATURES):
    Z = np.column_stack([X[:, features], np.ones(len(X))])
    return Z, RidgeModel.fit(Z, Y, alpha)


@ALPHAS
def test_the_model_is_ridge_regression(problem, alpha):
    X, Y = problem
    Z, model = model_of(X, Y, alpha)
    np.testing.assert_allclose(model.W, ridge(Z, Y, alpha), rtol=1e-8)
    gram = Z.T @ Z + alpha * np.eye(5)
    np.testing.assert_allclose(model.P, np.linalg.inv(gram), rtol=1e-8)
    leverage = np.diag(Z @ np.linalg.solve(gram, Z.T))
    np.testing.assert_allclose(model.g, 1 - leverage, rtol=1e-8)
    expected = errors(X, Y, FEATURES, alpha)
    np.testing.assert_allclose(model.squared_errors(), expected, rtol=1e-8)


@ALPHAS
@pytest.mark.parametrize("places", [[0], [2], [0, 3], [1, 2, 3]])
def test_errors_without_features_are_those_of_training_again(problem, alpha, places):
    X, Y = problem
    _, model = model_of(X, Y, alpha)
    others = np.delete(FEATURES, places)
    expected = errors(X, Y, others, alpha)
    found = model.squared_errors_without(places)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-12)


@ALPHAS
def test_errors_with_substitutes_are_those_of_training_again(problem, alpha):
    X, Y = problem
    _, model = model_of(X, Y, alpha)
    expected = swaps(X, Y, FEATURES, alpha)
    left = [b for b in range(10) if b not in FEATURES]
    for j, f in enumerate(FEATURES):
        found = model.errors_with(j, X[:, left]) / Y.size
        np.testing.assert_allclose(found, [expected[f, b] for b in left], rtol=1e-8)


@ALPHAS
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_gains_are_those_of_the_objective(problem, alpha, form):
    X, Y = problem
    _, model = model_of(X, Y, alpha)
    candidates = Candidates(model, form(X))
    left = [b for b in range(10) if b not in FEATURES]
    for j in range(4):
        others = np.delete(FEATURES, j)
        before = objective(X, Y, others, alpha)
        expected = [before - objective(X, Y, [*others, b], alpha) for b in left]
        np.testing.assert_allclose(candidates.gains(j)[left], expected, rtol=1e-7)


def test_single_precision_costs_no_digits(problem):
    X, Y = problem
    X = X.astype(np.float32)
    _, model = model_of(X.astype(float), Y, 1.0)
    for form in (np.asarray, sp.csr_array):
        found = Candidates(model, form(X)).gains(1)
        np.testing.assert_allclose(
            found, Candidates(model, X.astype(float)).gains(1), rtol=1e-9
        )


@ALPHAS
def test_joint_rises_are_those_of_the_objective(problem, alpha):
    X, Y = problem
    _, model = model_of(X, Y, alpha)

    def rise(*places):
        full = objective(X, Y, FEATURES, alpha)
        return objective(X, Y, np.delete(FEATURES, places), alpha) - full

    found = model.joint_rises()
    for i in range(4):
        for j in range(i):
            expected = rise(i, j) - rise(i) - rise(j)
            assert found[i, j] == pytest.approx(expected, rel=1e-6, abs=1e-8)
            assert found[j, i] == pytest.approx(found[i, j])
        assert found[i, i] == -np.inf
