# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf
from sklearn.feature_selection import RFE
from sklearn.linear_model import Ridge

from labelsift.datasets import make_planted
from labelsift.model_selection.knockoff_selector.competition import (
    estimated_correlation,
    group_lasso_alpha,
    known_correlation,
    scores_of_both,
    standardised,
)
from labelsift.selection import GreedyRLS, MTLasso
from reference.mt_lasso import minimise


class Fixed:
    """Copies that are known beforehand."""

    def __init__(self, copies):
        self.copies = copies

    def draw(self, X, rng):
        return self.copies


@pytest.fixture
def problem(rng):
    data = make_planted(80, 8, 3, n_relevant=3, noise=0.5, random_state=1)
    return standardised(data.X), data.Y, standardised(rng.normal(size=(80, 8)))


def test_scores_are_the_norms_of_the_group_lasso(problem):
    X, Y, copies = problem
    alpha = group_lasso_alpha(Y, 8)
    lasso = MTLasso(1, norm="2", alpha=alpha, tol=1e-10)
    scores, told = scores_of_both(lasso, X, Y, Fixed(copies), 0)
    codes = 2.0 * Y - 1
    both = np.hstack([X, copies]) / np.sqrt(80)  # columns of unit norm
    W = minimise(both, codes - codes.mean(axis=0), alpha, "2")
    np.testing.assert_allclose(scores, np.linalg.norm(W, axis=1), atol=1e-4)
    assert (scores > 0).any()
    assert not told


@pytest.mark.parametrize(
    "selector",
    [MTLasso(1, norm="2", alpha=3.0, tol=1e-10), GreedyRLS(6)],
    ids=["lasso", "greedy"],
)
def test_exchanging_a_feature_and_its_copy_flips_that_sign_alone(problem, selector):
    X, Y, copies = problem
    plain, _ = scores_of_both(selector, X, Y, Fixed(copies), 0)
    X, copies = X.copy(), copies.copy()
    for j in (1, 5):
        X[:, j], copies[:, j] = copies[:, j].copy(), X[:, j].copy()
    exchanged, _ = scores_of_both(selector, X, Y, Fixed(copies), 0)
    signs = np.ones(8)
    signs[[1, 5]] = -1
    W = plain[:8] - plain[8:]
    np.testing.assert_allclose(exchanged[:8] - exchanged[8:], signs * W, atol=1e-5)


def test_of_equal_columns_the_original_is_not_always_the_first(problem):
    """A greedy method takes the first of two equal columns."""
    X, Y, _ = problem
    wins = [
        np.sign(scores[:8] - scores[8:])
        for seed in range(40)
        for scores, _ in [scores_of_both(GreedyRLS(3), X, Y, Fixed(X.copy()), seed)]
    ]
    total = np.sum(wins, axis=0)
    assert (np.abs(total) < 30).all()


def test_the_penalty_looks_at_labels_and_numbers_alone():
    Y = np.array([[0, 1], [1, 1], [0, 0], [1, 1]])
    spread = np.sqrt((1 + 0.75) / 2)
    expected = 0.5 * spread * (np.sqrt(2) + np.sqrt(2 * np.log(200)))
    assert group_lasso_alpha(Y, 100) == pytest.approx(expected)


def test_correlations_have_unit_diagonals(problem):
    X, _, _ = problem
    matrix = estimated_correlation(X)
    np.testing.assert_allclose(np.diag(matrix), 1)
    shrunk = ledoit_wolf(X)[0]
    scale = np.sqrt(np.diag(shrunk))
    np.testing.assert_allclose(matrix, shrunk / np.outer(scale, scale))


def test_a_known_covariance_is_cut_and_scaled(rng):
    A = rng.normal(size=(4, 4))
    covariance = A @ A.T + np.eye(4)
    kept = np.array([0, 2, 3])
    matrix = known_correlation(covariance, kept, 4)
    scale = np.sqrt(np.diag(covariance))
    expected = (covariance / np.outer(scale, scale))[np.ix_(kept, kept)]
    np.testing.assert_allclose(matrix, expected)
    assert known_correlation("ledoit-wolf", kept, 4) is None


def test_a_singular_covariance_is_made_regular():
    matrix = known_correlation(np.ones((3, 3)), np.arange(3), 3)
    assert np.linalg.eigvalsh(matrix)[0] > 5e-7
    np.testing.assert_allclose(matrix, 1, atol=1e-5)


@pytest.mark.parametrize(
    ("covariance", "sentence"),
    [
        (np.eye(3), "for the 4 features of X, got shape"),
        (np.triu(np.ones((4, 4))), "symmetric matrix"),
        (np.diag([1.0, 1, 1, 0]), "not positive"),
        (np.eye(4) - 0.9 * (1 - np.eye(4)), "not positive"),
    ],
)
def test_what_is_no_covariance_is_refused(covariance, sentence):
    with pytest.raises(ValueError, match=sentence):
        known_correlation(covariance, np.arange(4), 4)


def test_a_selector_without_scores_is_refused(problem):
    X, Y, copies = problem
    with pytest.raises(ValueError, match="has no scores_: pass a selector that scores"):
        scores_of_both(RFE(Ridge()), X, Y, Fixed(copies), 0)
