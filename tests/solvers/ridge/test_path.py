# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LinearRegression, Ridge

from labelsift.solvers.ridge import centring
from labelsift.solvers.ridge import path as module
from labelsift.solvers.ridge.path import (
    CentredGram,
    column_means,
    leading_directions,
    ridge_path,
)

PENALTIES = [0.01, 1.0, 300.0]


@pytest.fixture(params=[(40, 9), (9, 40), (12, 12)], ids=str)
def problem(request, rng):
    n, d = request.param
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.5) + (np.arange(d) % 2)
    return X, rng.normal(size=(n, 3)) + 2


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("penalties", [PENALTIES, PENALTIES[:1]], ids=["all", "one"])
def test_each_penalty_is_scikit_learns_ridge(problem, form, penalties):
    X, Y = problem
    for penalty, (coef, intercept) in zip(
        penalties, ridge_path(form(X), Y, penalties), strict=True
    ):
        expected = Ridge(alpha=penalty, solver="svd").fit(X, Y)
        np.testing.assert_allclose(coef, expected.coef_, atol=1e-9)
        np.testing.assert_allclose(intercept, expected.intercept_, atol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_no_penalty_gives_the_solution_of_least_norm(problem, form):
    X, Y = problem
    [(coef, intercept)] = ridge_path(form(X), Y, [0.0])
    expected = LinearRegression().fit(X, Y)
    np.testing.assert_allclose(coef, expected.coef_, atol=1e-8)
    np.testing.assert_allclose(intercept, expected.intercept_, atol=1e-8)


def test_large_sparse_problems_need_no_gram_matrix(problem, monkeypatch):
    X, Y = problem
    expected = list(ridge_path(X, Y, PENALTIES))
    monkeypatch.setattr(module, "_LARGEST_GRAM", 4)
    monkeypatch.setattr(CentredGram, "of", None)
    found = list(ridge_path(sp.csr_array(X), Y, PENALTIES))
    for (coef, intercept), (wanted, level) in zip(found, expected, strict=True):
        np.testing.assert_allclose(coef, wanted, atol=1e-6)
        np.testing.assert_allclose(intercept, level, atol=1e-6)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_gram_matrix_is_that_of_centred_samples_whatever_the_blocks(
    problem, form, monkeypatch
):
    monkeypatch.setattr(centring, "_BLOCK_BYTES", 8 * min(problem[0].shape) * 5)
    X, Y = problem
    centred = X - X.mean(axis=0)
    gram = CentredGram.of(form(X))
    expected = centred @ centred.T if gram.dual else centred.T @ centred
    np.testing.assert_allclose(gram.matrix, expected, atol=1e-12)
    assert gram.dual == (len(X) <= X.shape[1])
    Yc = Y - Y.mean(axis=0)
    weights = gram.weights(gram.targets(Yc)) if gram.dual else gram.targets(Yc)
    np.testing.assert_allclose(weights, centred.T @ Yc, atol=1e-12)


def test_single_precision_samples_are_solved_in_double(rng):
    X = (rng.normal(size=(50, 4)) + 1000).astype(np.float32)
    Y = rng.normal(size=(50, 2))
    [(coef, _)] = ridge_path(X, Y, [0.1])
    expected = Ridge(alpha=0.1, solver="svd").fit(X.astype(np.float64), Y)
    np.testing.assert_allclose(coef, expected.coef_, rtol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array])
def test_means_of_single_precision_samples_are_exact_in_double(rng, form):
    X = (0.1 + rng.random((20_000, 3))).astype(np.float32)
    exact = X.astype(np.float64).mean(axis=0)
    np.testing.assert_allclose(column_means(form(X)), exact, rtol=1e-13)


def test_a_feature_without_spread_gets_no_weight():
    X = np.ones((6, 2))
    [(coef, intercept)] = ridge_path(X, np.arange(6.0)[:, np.newaxis], [0.0])
    np.testing.assert_array_equal(coef, 0)
    np.testing.assert_allclose(intercept, 2.5)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("centred", [True, False])
def test_a_fold_predicts_as_a_fit_on_its_training_rows(problem, form, centred):
    X, Y = problem
    train, test = np.arange(2, len(X)), np.array([1, 0])
    path = CentredGram.of(form(X), centred=centred).fold(Y, train, test)
    for penalty, scores in zip(PENALTIES, path.solutions(PENALTIES), strict=True):
        alone = Ridge(alpha=penalty, solver="svd", fit_intercept=centred)
        expected = alone.fit(X[train], Y[train]).predict(X[test])
        np.testing.assert_allclose(scores + path.mean, expected, atol=1e-9)


def test_rows_may_be_left_out_of_both_parts_of_a_fold(problem):
    X, Y = problem
    train, test = np.arange(4, len(X)), np.array([0])
    path = CentredGram.of(X).fold(Y, train, test)
    [scores] = path.solutions([1.0])
    expected = Ridge(alpha=1.0, solver="svd").fit(X[train], Y[train]).predict(X[test])
    np.testing.assert_allclose(scores + path.mean, expected, atol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("penalties", [[0.5], [0.5, 0.0]], ids=["one", "zero"])
def test_without_centring_there_is_no_intercept(problem, form, penalties):
    X, Y = problem
    (coef, intercept), *_ = ridge_path(form(X), Y, penalties, centred=False)
    expected = Ridge(alpha=0.5, solver="svd", fit_intercept=False).fit(X, Y)
    np.testing.assert_allclose(coef, expected.coef_, atol=1e-9)
    np.testing.assert_array_equal(intercept, 0)


def test_directions_are_those_of_what_two_penalties_explain_apart(problem):
    X, Y = problem
    path = CentredGram.of(X).path(Y)
    rotation = path.directions(0.1, 2.0)
    Xc, Yc = X - X.mean(axis=0), Y - Y.mean(axis=0)

    def smoother(penalty):
        return Xc @ np.linalg.solve(Xc.T @ Xc + penalty * np.eye(X.shape[1]), Xc.T)

    gain = Yc.T @ (smoother(0.1) - smoother(2.0)) @ Yc
    rotated = rotation.T @ gain @ rotation
    np.testing.assert_allclose(rotated, np.diag(np.diagonal(rotated)), atol=1e-9)
    assert (np.diff(np.diagonal(rotated)) <= 0).all()


def test_directions_without_strength_are_left_out():
    values, directions = leading_directions(np.diag([2.0, 0.0, 5.0]))
    np.testing.assert_allclose(values, [5, 2])
    np.testing.assert_allclose(np.abs(directions), [[0, 1], [0, 0], [1, 0]])
    with pytest.raises(ValueError, match="are uncorrelated"):
        leading_directions(np.zeros((2, 2)))
