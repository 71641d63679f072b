# SPDX-License-Identifier: BSD-3-Clause
"""Ridge weights and errors of labels after every step, from one triangular factor."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from labelsift.selection.greedy_rls.labels import LabelScaling
from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.steps import Steps
from labelsift.solvers.ridge.centring import scaled_rows
from labelsift.sums.sums import Sums

# Above this density B'B of sparse B takes longer than the decomposition of dense B.
_DENSITY = 0.1
# Squares of B over alpha, up to which the digits that B'B costs do not count.
_CONDITION = 1e6


@dataclass(frozen=True)
class Factor:
    """R and Q'[Y; 0], where [B; sqrt(alpha) I] = Q R and B holds the model's columns.

    The first columns of a QR decomposition are the decomposition of the first columns:
    leading blocks of R and rows of Q'[Y; 0] give the weights of every shorter prefix,
    without the data.
    """

    R: NDArray[Any]  # upper triangular; the constant column first, if any
    projected: NDArray[Any]  # Q'[Y; 0]
    ones: NDArray[Any]  # Q'[1; 0]: centres labels without the data
    alpha: float
    bias: float  # value of the constant column; 0 where there is none

    @classmethod
    def from_rows(
        cls,
        X: Any,
        features: NDArray[Any],
        Y: NDArray[Any],
        alpha: float,
        bias: float,
        weights: NDArray[Any] | None = None,
    ) -> "Factor":
        """Decompose the selected columns of X, in the order of the selection.

        Rows that have weights are multiplied with their roots.
        """
        B = X[:, features].astype(np.float64, copy=False)
        ones = np.ones(len(Y))
        if weights is not None:
            ones = np.sqrt(weights)
            B, Y = scaled_rows(B, ones), scaled_rows(Y, ones)
        others = np.column_stack([Y, ones])
        if sp.issparse(B):
            if _has_cheap_products(B, bias * ones, alpha):
                return cls._from_products(B, others, alpha, bias)
            B = B.toarray()
        if bias:
            B = np.column_stack([bias * ones, B])
        size = B.shape[1]
        stacked = np.zeros((len(Y) + size, size + others.shape[1]))
        stacked[: len(Y)] = np.hstack([B, others])
        np.fill_diagonal(stacked[len(Y) :], np.sqrt(alpha))
        # Columns after those of the model become their products with Q.
        R = np.asarray(np.linalg.qr(stacked, mode="r"))[:size]
        return cls(R[:, :size], R[:, size:-1], R[:, -1], alpha, bias)

    @classmethod
    def _from_products(
        cls, B: Any, others: NDArray[Any], alpha: float, bias: float
    ) -> "Factor":
        """The same of sparse B, without the constant column, and [Y, 1].

        R is the Cholesky factor of B'B + alpha I.
        """
        gram, right = (B.T @ B).toarray(), B.T @ others
        if bias:
            first = bias * others[:, -1]
            inner = B.T @ first
            gram = np.block([[first @ first, inner], [inner[:, np.newaxis], gram]])
            right = np.vstack([first @ others, right])
        np.fill_diagonal(gram, np.diag(gram) + alpha)
        R = cholesky(gram, overwrite_a=True)
        projected = solve_triangular(R, right, trans="T")
        return cls(R, projected[:, :-1], projected[:, -1], alpha, bias)

    @classmethod
    def from_sums(
        cls, gram: NDArray[Any], moments: Moments, features: NDArray[Any], alpha: float
    ) -> "Factor":
        """The same from centred X'X of the selected features and the moments.

        Below the row of the constant column is the Cholesky factor of what that leaves,
        X'H X + alpha I with H = (I - J) + rho J: centred products and a share of the
        means, so that a large offset of a column costs no digits.
        """
        n, bias, rho = moments.n, moments.bias, moments.rho(alpha)
        mean, y_mean = moments.x_mean[features], moments.y_mean
        step = np.sqrt(rho * n) * mean
        inner = gram + np.outer(step, step) + alpha * np.eye(len(features))
        try:
            R = cholesky(inner)
        except LinAlgError:
            raise ValueError(
                f"X'X + alpha I is not positive definite at alpha={alpha}: check the "
                "sums, scale the features or raise alpha."
            ) from None
        right = np.column_stack([moments.products(rho)[features], rho * n * mean])
        projected = solve_triangular(R, right, trans="T")
        if bias:
            corner = np.sqrt(n * bias**2 + alpha)
            first = n * bias / corner * np.append(y_mean, 1.0)
            top = np.append(corner, n * bias / corner * mean)
            R = np.vstack([top, np.column_stack([np.zeros(len(R)), R])])
            projected = np.vstack([first, projected])
        return cls(R, projected[:, :-1], projected[:, -1], alpha, bias)

    def weights(self, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Weights (t, count) and intercepts (t,) of the first ``count`` features."""
        size = count + bool(self.bias)
        W = solve_triangular(self.R[:size, :size], self.projected[:size]).T
        if not self.bias:
            return W, np.zeros(len(W))
        return W[:, 1:], self.bias * W[:, 0]

    def label_errors(self, counts: NDArray[Any], labels: LabelScaling) -> NDArray[Any]:
        """GCV of each label, as selection sees it, with the first features only.

        With Z = Q'[y; 0] and the weights W the ridge leaves |y|^2 - |Z|^2, of which
        alpha |W|^2 is the penalty and the rest r_l the squared residual; column i of
        R^-1 takes 1 - alpha |R^-1_i|^2 from tr H. GCV is n r_l / (tr H)^2.
        """
        at = counts - 1 + bool(self.bias)
        size = at.max() + 1
        inverse = solve_triangular(self.R[:size, :size], np.eye(size))
        gram = inverse.T @ inverse
        Z = (self.projected - np.outer(self.ones, labels.centre))[:size]
        # |W|^2 of every prefix: W grows by Z_i R^-1_i.
        inner, own = np.tril(gram, -1) @ Z, np.diag(gram)[:, np.newaxis] * Z
        fitted = np.cumsum(Z**2 + self.alpha * Z * (2 * inner + own), axis=0)
        freedom = labels.n - np.cumsum(1 - self.alpha * np.diag(gram))
        residual = np.maximum(labels.squares - fitted[at], 0)
        errors = labels.n * residual / freedom[at, np.newaxis] ** 2
        return np.asarray(errors * labels.scale**2)


def _has_cheap_products(B: Any, constant: NDArray[Any], alpha: float) -> bool:
    """Whether B'B of sparse B takes little time and costs no digits that count."""
    squares = B.power(2).sum() + constant @ constant
    few = B.nnz <= _DENSITY * B.shape[0] * B.shape[1]
    return bool(few and squares <= _CONDITION * alpha)


@dataclass(frozen=True)
class PatternFactor:
    """A factor for each set of targets that are known in the same rows."""

    parts: list[tuple[Factor, NDArray[Any], float]]  # targets, and rows by weight

    def weights(self, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """As of one factor."""
        n_targets = sum(len(columns) for _, columns, _ in self.parts)
        W, intercept = np.empty((n_targets, count)), np.empty(n_targets)
        for factor, columns, _ in self.parts:
            W[columns], intercept[columns] = factor.weights(count)
        return W, intercept

    def label_errors(self, counts: NDArray[Any], labels: LabelScaling) -> NDArray[Any]:
        """As of one factor."""
        n_targets = sum(len(columns) for _, columns, _ in self.parts)
        errors = np.empty((len(counts), n_targets))
        for factor, columns, n in self.parts:
            part = labels.part(columns, n)
            errors[:, columns] = factor.label_errors(counts, part)
        return errors


@dataclass(frozen=True)
class Fit:
    """The selection by one penalty, with the weights after each step."""

    alpha: float
    steps: Steps
    features: NDArray[Any]  # in the order in which they were taken
    ends: NDArray[Any]  # number of features after each step
    # Weights, as far as this selection is the best one.
    factor: Factor | PatternFactor


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
        factor: Callable[[NDArray[Any], float], "Factor | PatternFactor"],
        *,
        whole: bool,
    ) -> "BestFits":
        """Keep the best selections, with weights as far as each is the best.

        One that ended early (its money was spent) counts with its last error. ``whole``
        asks for the weights after all steps.
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
            last = len(order) - 1
            if not whole:
                last = min(np.flatnonzero(best == i)[-1], last)
            weights = factor(features[: ends[last]], alpha)
            fits.append(Fit(alpha, selections[i], features, ends, weights))
        winner = np.searchsorted(np.unique(best), best)
        return cls(fits, winner, np.min(table, axis=0))

    def best(self, n_steps: int) -> Fit:
        """The best selection of this many steps."""
        return self.fits[self.winner[n_steps - 1]]


def prefix_gains(sums: Sums, features: NDArray[Any], alpha: float = 1.0) -> list[float]:
    """By how much each further feature lowers the GCV of a ridge fit with intercept.

    As shares of the error without any, over all live targets together.
    """
    live, n = sums.live, sums.n
    _, xy, _ = sums.coded()
    codes = np.where(sums.targets.values, 1.0, 2.0)[live]
    squares = codes**2 * sums.y_spread[live]
    d, t = len(sums.x_mean), len(squares)
    centred = Moments(
        n, 0.0, np.zeros(d), np.zeros(t), sums.spread, xy[:, live], squares
    )
    labels = LabelScaling(
        n, np.zeros(t), np.ones(t, bool), squares / n, np.zeros(t), np.ones(t)
    )
    gram = sums.xx[np.ix_(features, features)]
    factor = Factor.from_sums(gram, centred, features, alpha)
    counts = np.arange(1, len(features) + 1)
    errors = factor.label_errors(counts, labels).sum(axis=1)
    start = squares.sum() / n
    return (-np.diff(np.append(start, errors)) / start).tolist()
