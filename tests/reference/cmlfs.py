# SPDX-License-Identifier: BSD-3-Clause
"""MLFS from its formula: a convex program over weights and the capped simplex."""

import itertools

import cvxpy as cp
import numpy as np

from reference.larank_svm import larank, minimise


def mlfs(X, Y, C, m, R=None, n_exempt=1):
    """Value, W and eta of 1/2 sum_j w^j R w^j' / eta_j + C loss, sum eta = m.

    The last ``n_exempt`` columns of X (the bias) have eta = 1 and do not count.
    """
    d, c = X.shape[1] - n_exempt, Y.shape[1]
    root = np.eye(c) if R is None else np.linalg.cholesky(R)
    W, eta = cp.Variable((d + n_exempt, c)), cp.Variable(d)
    rows = W @ root
    penalty = sum(cp.quad_over_lin(rows[j], eta[j]) for j in range(d))
    penalty += cp.sum_squares(rows[d:])
    limits = [eta >= 0, eta <= 1, cp.sum(eta) == m]
    value = minimise(0.5 * penalty, X, Y, W, C, limits)
    return value, W.value, eta.value


def best_subset(X, Y, C, m, n_exempt=1):
    """Least LaRank value over all subsets of m columns: what MLFS relaxes."""
    d = X.shape[1] - n_exempt
    exempt = list(range(d, d + n_exempt))
    return min(
        larank(X[:, [*subset, *exempt]], Y, C)[0]
        for subset in itertools.combinations(range(d), m)
    )
