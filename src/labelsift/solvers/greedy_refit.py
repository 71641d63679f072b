# SPDX-License-Identifier: BSD-3-Clause
"""Ridge weights of every prefix of a path, from one triangular factor."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

from labelsift.solvers.greedy_path import Path


@dataclass(frozen=True)
class Factor:
    """R and Q'[Y; 0], where [B; sqrt(alpha) I] = Q R and B holds the model's columns.

    The first columns of a QR decomposition are the decomposition of the first columns:
    leading blocks of R and rows of Q'[Y; 0] give the weights of every shorter prefix,
    without the data.

    Parameters
    ----------
    R : ndarray of shape (m, m)
        Upper triangular; the first column is the constant one, where there is one.
    projected : ndarray of shape (m, t)
        Q'[Y; 0].
    bias : float
        Value of the constant column; 0 where there is none.
    """

    R: NDArray[Any]
    projected: NDArray[Any]
    bias: float

    @classmethod
    def from_rows(
        cls, X: Any, features: NDArray[Any], Y: NDArray[Any], alpha: float, bias: float
    ) -> "Factor":
        """Decompose the selected columns of X, in the order of the path."""
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
class FittedPath:
    """A path with its penalty and the weights of its prefixes.

    Parameters
    ----------
    alpha : float
        Penalty.
    path : Path
        Candidates, errors and margins.
    features : ndarray of int
        Features in the order of the path.
    ends : ndarray of int
        Number of features after each step.
    factor : Factor
        Weights, as far as the path is the best one.
    """

    alpha: float
    path: Path
    features: NDArray[Any]
    ends: NDArray[Any]
    factor: Factor


@dataclass(frozen=True)
class PathSet:
    """The paths of many penalties that are best for some budget.

    Parameters
    ----------
    fits : list of FittedPath
        The best paths.
    winner : ndarray of int
        For each number of steps (from one) which of them is best.
    errors : ndarray
        Its error.
    """

    fits: list[FittedPath]
    winner: NDArray[Any]
    errors: NDArray[Any]

    @classmethod
    def keep(
        cls,
        paths: list[Path],
        alphas: NDArray[Any],
        groups: list[NDArray[Any]] | None,
        factor: Callable[[NDArray[Any], float], Factor],
    ) -> "PathSet":
        """Keep the best paths, with weights as far as each is the best.

        A path that ended early (its money was spent) counts with its last error.
        """
        steps = max(len(path.errors) for path in paths)
        table = [
            np.pad(path.errors, (0, steps - len(path.errors)), mode="edge")
            for path in paths
        ]
        best, fits = np.argmin(table, axis=0), []
        for i in np.unique(best):
            order, alpha = paths[i].order, float(alphas[i])
            blocks = (
                order[:, np.newaxis] if groups is None else [groups[f] for f in order]
            )
            ends, features = np.cumsum([len(b) for b in blocks]), np.concatenate(blocks)
            longest = min(np.flatnonzero(best == i)[-1], len(order) - 1)
            weights = factor(features[: ends[longest]], alpha)
            fits.append(FittedPath(alpha, paths[i], features, ends, weights))
        winner = np.searchsorted(np.unique(best), best)
        return cls(fits, winner, np.min(table, axis=0))

    def best(self, steps: int) -> FittedPath:
        """The best path of this many steps."""
        return self.fits[self.winner[steps - 1]]
