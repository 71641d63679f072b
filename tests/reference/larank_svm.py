# SPDX-License-Identifier: BSD-3-Clause
"""LaRank and CLaRank SVM from their formulas, by a general convex solver."""

import itertools

import cvxpy as cp
import numpy as np


def label_pairs(row):
    """All (relevant, irrelevant) pairs of labels of one row of Y."""
    return list(itertools.product(np.flatnonzero(row == 1), np.flatnonzero(row == 0)))


def ranking_loss(X, Y, W):
    """Sum over samples of the mean hinge over pairs, eq. (1) without C."""
    loss = 0.0
    for x, row in zip(X, Y, strict=True):
        pairs = label_pairs(row)
        for k, q in pairs:
            loss += max(0.0, 1 - (W[:, k] - W[:, q]) @ x) / len(pairs)
    return loss


def _loss_expression(X, Y, W):
    terms = []
    for x, row in zip(X, Y, strict=True):
        pairs = label_pairs(row)
        terms += [cp.pos(1 - x @ (W[:, k] - W[:, q])) / len(pairs) for k, q in pairs]
    return sum(terms)


def with_ones(X):
    """X with the bias column last."""
    return np.hstack([X, np.ones((len(X), 1))])


def minimise(penalty, X, Y, W, C, constraints=()):
    """Least value of penalty + C loss; W holds the minimiser afterwards."""
    problem = cp.Problem(
        cp.Minimize(penalty + C * _loss_expression(X, Y, W)), list(constraints)
    )
    return problem.solve(solver=cp.CLARABEL)


def larank(X, Y, C):
    """Value and W of 1/2 |W|^2 + C loss."""
    W = cp.Variable((X.shape[1], Y.shape[1]))
    value = minimise(0.5 * cp.sum_squares(W), X, Y, W, C)
    return value, W.value


def clarank(X, Y, C, mu):
    """Value and W of 1/2 |W|_F^2 + mu/2 |W|_*^2 + C loss: D eliminated."""
    W = cp.Variable((X.shape[1], Y.shape[1]))
    penalty = 0.5 * cp.sum_squares(W) + 0.5 * mu * cp.square(cp.normNuc(W))
    value = minimise(penalty, X, Y, W, C)
    return value, W.value


def pair_by_pair(X, Y, C, order):
    """Dual coordinate descent that touches the weights at every pair, R = I.

    Returns the signed sums of alpha per sample and label, and the weights.
    """
    n, c = Y.shape
    alpha = np.zeros((n, c, c))
    W = np.zeros((X.shape[1], c))
    for i in order:
        pairs = label_pairs(Y[i])
        for k, q in pairs:
            gradient = (W[:, k] - W[:, q]) @ X[i] - 1
            wanted = alpha[i, k, q] - gradient / (2 * X[i] @ X[i])
            step = np.clip(wanted, 0, C / len(pairs)) - alpha[i, k, q]
            alpha[i, k, q] += step
            W[:, k] += step * X[i]
            W[:, q] -= step * X[i]
    return alpha.sum(axis=2) - alpha.sum(axis=1), W
