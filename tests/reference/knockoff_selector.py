# SPDX-License-Identifier: BSD-3-Clause
"""Knockoffs from their definitions, slow and obvious."""

import numpy as np
from scipy.optimize import minimize


def threshold(W, fdr):
    """The least positive |W| with (1 + #{W <= -w}) / max(1, #{W >= w}) <= fdr."""
    for w in sorted({abs(value) for value in W if value != 0}):
        losers = sum(value <= -w for value in W)
        winners = sum(value >= w for value in W)
        if (1 + losers) / max(1, winners) <= fdr + 1e-12:
            return w
    return np.inf


def selected(statistics, fdr, d):
    """Features selected by e-values averaged over draws, level fdr / 2 each."""
    e = np.zeros(len(statistics[0]))
    for W in statistics:
        T = threshold(W, fdr / 2)
        losers = sum(value <= -T for value in W)
        e += [d * (value >= T) / (1 + losers) for value in W]
    e /= len(statistics)
    for k in range(len(e), 0, -1):
        order = np.argsort(-e, kind="stable")
        if e[order[k - 1]] >= d / (k * fdr) - 1e-9:
            return set(order[:k].tolist())
    return set()


def mvr_loss(s, correlation):
    """Trace of the inverse of the correlation of features and copies."""
    S = np.diag(s)
    joint = np.block([[correlation, correlation - S], [correlation - S, correlation]])
    return np.trace(np.linalg.inv(joint))


def mvr(correlation):
    """Its minimum by a general optimiser, s inside the cone."""
    start = np.full(len(correlation), np.linalg.eigvalsh(correlation)[0])

    def loss(s):
        inside = np.linalg.eigvalsh(2 * correlation - np.diag(s))[0] > 0
        return mvr_loss(s, correlation) if inside and (s > 0).all() else 1e12

    found = minimize(loss, start, method="Nelder-Mead", options=dict(
        maxiter=40_000, maxfev=40_000, xatol=1e-9, fatol=1e-10, adaptive=True,
    ))  # fmt: skip
    return found.x
