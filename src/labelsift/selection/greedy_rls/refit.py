# SPDX-License-Identifier: BSD-3-Clause
"""Ridge weights after every step of a selection, from one triangular factor."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

from labelsift.selection.greedy_rls.steps import Steps


@dataclass(frozen=True)
class Factor:
    """R and Q'[Y; 0], where [B; sqrt(alpha) I] = Q R and B holds the model's columns.

    The first columns of a QR decomposition are the decomposition of the first columns:
    leading blocks of R and rows of Q'[Y; 0] give the weights of every shorter prefix,
    without the data.
    """

    R: NDArray[Any]  # upper triangular; the constant column first, if any
    projected: NDArray[Any]  # Q'[Y; 0]
    bias: float  # value of the constant column; 0 without one

    @classmethod
    def from_rows(
        cls, X: Any, features: NDArray[Any], Y: NDArray[Any], alpha: float, bias: float
    ) -> "Factor":
        """Decompose the selected columns of X, in the order of the selection."""
        B = X[:, features]
        B = (B.toarray() if sp.issparse(B) else B).astype(np.float64, copy=False)
        if bias:
            B = np.column_stack([np.full(len(Y), bias), B])
        penalty = np.sqrt(alpha) * np.eye(B.shape[1])
        Q, R = qr(np.vstack([B, penalty]), mode="economic", overwrite_a=True)
        return cls(R, Q[: len(Y)].T @ Y, bias)

    def weights(self, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Weights (t, count) and intercepts (t,) of the first ``count`` features."""
        size = count + bool(self.bias)
        W = solve_triangular(self.R[:size, :size], self.projected[:size]).T
        if not self.bias:
            return W, np.zeros(len(W))
        return W[:, 1:], self.bias * W[:, 0]


@dataclass(frozen=True)
class Fit:
    """The selection by one penalty, with the weights after each step."""

    alpha: float
    steps: Steps
    features: NDArray[Any]  # in the order in which they were taken
    ends: NDArray[Any]  # number of features after each step
    factor: Factor  # weights, as far as this selection is the best one


@dataclass(frozen=True)
class BestFits:
    """Of the selections by many penalties, those that are best for some budget."""

    fits: list[Fit]
    winner: NDArray[Any]  # which of them is best for each number of steps, from one
    errors: NDArray[Any]  # its error

    @classmethod
    def keep(
        cls,
        selections: list[Steps],
        alphas: NDArray[Any],
        groups: list[NDArray[Any]] | None,
        factor: Callable[[NDArray[Any], float], Factor],
    ) -> "BestFits":
        """Keep the best selections, with weights as far as each is the best.

        One that ended early (its max_cost was reached) counts with its last error.
        """
        longest = max(len(steps.errors) for steps in selections)
        table = [
            np.pad(steps.errors, (0, longest - len(steps.errors)), mode="edge")
            for steps in selections
        ]
        best, fits = np.argmin(table, axis=0), []
        for i in np.unique(best):
            order, alpha = selections[i].order, float(alphas[i])
            blocks = (
                order[:, np.newaxis] if groups is None else [groups[f] for f in order]
            )
            ends, features = np.cumsum([len(b) for b in blocks]), np.concatenate(blocks)
            last = min(np.flatnonzero(best == i)[-1], len(order) - 1)
            weights = factor(features[: ends[last]], alpha)
            fits.append(Fit(alpha, selections[i], features, ends, weights))
        winner = np.searchsorted(np.unique(best), best)
        return cls(fits, winner, np.min(table, axis=0))

    def best(self, n_steps: int) -> Fit:
        """The best selection of this many steps."""
        return self.fits[self.winner[n_steps - 1]]
