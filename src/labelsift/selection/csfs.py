# SPDX-License-Identifier: BSD-3-Clause
"""CSFS: group lasso with an intercept, with or without unlabelled rows."""

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval
from labelsift.selection.base import RowSparseSelector
from labelsift.solvers.ridge.centring import column_means
from labelsift.solvers.row_sparse.forecast import warn_if_long
from labelsift.solvers.row_sparse.group_lasso import minimise_group_lasso
from labelsift.solvers.row_sparse.least_squares import GramLoss, least_squares
from labelsift.solvers.row_sparse.wide_lasso import minimise_rows
from labelsift.sums.fit import SumsSelector
from labelsift.sums.sums import Sums

_REMEDY = "raise max_iter, tol or gamma"

# Products with X that a fit on text costs, and what to do where these are too many.
_PASSES = 600
_SHORTER = (
    "raise gamma or tol, or use GreedyRLS(criterion='gcv') or FisherScore, which take "
    "a small part of it."
)


class CSFS(WeightedFitMixin, SumsSelector, RowSparseSelector):
    r"""Convex semi-supervised feature selection: a group lasso with soft labels.

    .. math::

        \min_{W, b, F} \|X W + 1 b^T - F\|_F^2 + \gamma \sum_j \|W_j\|_2,

    where F holds the labels of the labelled rows, and anything between 0 and 1 (the
    least and largest of real values) in the unlabelled ones (rows of Y that are all
    NaN). Without such rows this is the group
    lasso with an intercept, solved once, until its duality gap is small. With them it
    is convex in W, b and F together: the group lasso and F, clipped to [0, 1], are
    minimised in turn; the objective never rises.

    The authors' program solves with 2 gamma where the objective it prints has gamma
    (its fixed points are those of a weight of 2 gamma), and takes rows without any
    label as unlabelled. Here gamma is what the formula says, and a row of zeros is a
    row with no label present.

    A feature is scored by the norm of its row of W; where that is exactly zero, by the
    norm of its product with the residual, on a scale below 0.

    Cost of a sweep: O(p^2 n_labels) for p working features, and one pass over X
    whenever features may enter. Memory O((n_samples + n_features) n_labels + p^2)
    beyond X (dense X is centred in a copy); sparse X is centred implicitly.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    gamma : float, default=1.0
        Weight of the row sparsity (the paper's gamma); 2 / n_samples times that of
        scikit-learn's MultiTaskLasso.
    tol : float, default=1e-6
        Duality gap to stop at, as a share of the objective at W = 0; with
        unlabelled rows also the share by which the last round lowers the objective.
    max_iter : int, default=10000
        Sweeps of each group lasso, and rounds with unlabelled rows, at most.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values; "values" takes any number as it is.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Row norms of W; below 0 for features without weight.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        The weights W, transposed; 0 for constant labels.
    intercept_ : ndarray of shape (n_labels,)
        The intercept b.
    soft_labels_ : ndarray of shape (n_samples, n_labels)
        F: the labels, and the soft labels of unlabelled rows.
    n_weighted_ : int
        Features with weight.
    duality_gap_ : float
        Bound on how far the objective of the last group lasso is from its minimum.
    objective_ : ndarray
        Objective after each sweep, or after each round with unlabelled rows.
    n_iter_ : int
        Sweeps, or rounds with unlabelled rows.

    See Also
    --------
    RFS : The same penalty on a loss that resists outliers.
    MIFS : CSFS with a latent label space and a graph of the samples.

    References
    ----------
    X. Chang, F. Nie, Y. Yang, H. Huang (2014), "A convex formulation for
    semi-supervised multi-label feature selection", AAAI.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import CSFS
    >>> traits = load_dataset("traits")
    >>> selector = CSFS(10, gamma=100.0).fit(traits.X, traits.Y)
    >>> selector.transform(traits.X).shape
    (1797, 10)
    """

    allow_unlabelled = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RowSparseSelector._parameter_constraints,
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "target": TARGET,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        gamma: float = 1.0,
        tol: float = 1e-6,
        max_iter: int = 10_000,
        target: str = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.gamma = gamma
        self.tol = tol
        self.max_iter = max_iter
        self.target = target

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        learned = ~constant_labels(Y)
        unlabelled = np.isnan(Y[:, 0])
        known = None if weights is None else weights[~unlabelled]
        F = np.where(unlabelled[:, np.newaxis], 0.0, Y)
        F[unlabelled] = np.average(F[~unlabelled], axis=0, weights=known)
        mean = column_means(X, weights)
        fit = _Alternation(X, mean, F[:, learned], weights, self)
        warn_if_long(fit.loss, _PASSES, "CSFS", _SHORTER)
        result = fit.run(F[:, learned], unlabelled)
        W, F[:, learned] = result.solution
        self.soft_labels_, self.duality_gap_ = F, 2 * fit.gap
        self.intercept_ = np.average(F, axis=0, weights=weights)
        self.intercept_[learned] -= mean @ W
        residual = fit.centred(F[:, learned]) - fit.fitted(W)
        if weights is not None:
            residual *= weights[:, np.newaxis]
        return self._rank_rows(X, W, residual, result, learned)

    def _rank_sums(self, sums: Sums) -> Ranking:
        """All rows are labelled; there are no soft labels to keep."""
        learned = sums.live
        target_sq = sums.y_spread[learned].sum()
        loss = GramLoss(sums.xx, sums.xy[:, learned], target_sq)
        lasso = minimise_group_lasso(
            loss, alpha=self.gamma / 2, tol=self.tol, max_iter=self.max_iter
        )
        result = replace(
            lasso,
            objective=2 * lasso.objective,
            gap=2 * lasso.gap / loss.target_sq,
            remedy=_REMEDY,
        )
        W, self.duality_gap_ = lasso.solution, 2 * lasso.gap
        self._forget("soft_labels_")
        self.intercept_ = sums.y_mean.copy()
        self.intercept_[learned] -= sums.x_mean @ W
        used = np.flatnonzero(W.any(axis=1))
        pull, _ = loss.correlation(used, W[used])
        return self._rank_weights(sums.constant, W, pull, result, learned)


class _Alternation:
    """Group lasso and soft labels in turn; once where every row is labelled."""

    def __init__(
        self,
        X: Any,
        mean: NDArray[Any],
        F: NDArray[Any],
        weights: NDArray[Any] | None,
        options: CSFS,
    ) -> None:
        self.X, self.mean, self.weights, self.gamma = X, mean, weights, options.gamma
        self.tol, self.max_iter, self.gap = options.tol, options.max_iter, np.inf
        self.loss: Any = least_squares(
            X, self.centred(F), mean=mean, form="residual", weights=weights
        )

    def run(self, F: NDArray[Any], unlabelled: NDArray[np.bool_]) -> SolverResult:
        """W and F; the gap is relative, as is the tolerance."""
        result = self._lasso(None)
        if not unlabelled.any():
            return SolverResult(
                (result.solution, F),
                2 * result.objective,
                self._share(result),
                result.n_iter,
                result.converged,
                _REMEDY,
            )
        trace, F, fall = [2 * result.objective[-1]], F.copy(), np.inf
        # Soft labels stay among the labels, 0 and 1 unless these are real values.
        low, high = F[~unlabelled].min(axis=0), F[~unlabelled].max(axis=0)
        while fall > self.tol and len(trace) <= self.max_iter:
            P = self.fitted(result.solution)[unlabelled] + self._level(F)
            F[unlabelled] = np.clip(P, low, high)
            self._set_targets(F)
            result = self._lasso(result.solution)
            trace.append(2 * result.objective[-1])
            fall = 1 - trace[-1] / trace[-2]
        return SolverResult(
            (result.solution, F),
            np.array(trace),
            max(fall, self._share(result)),
            len(trace),
            fall <= self.tol and result.converged,
            _REMEDY,
        )

    def centred(self, F: NDArray[Any]) -> NDArray[Any]:
        """F without its mean."""
        return F - self._level(F)

    def _level(self, F: NDArray[Any]) -> NDArray[Any]:
        return np.average(F, axis=0, weights=self.weights)

    def _set_targets(self, F: NDArray[Any]) -> None:
        targets = self.centred(F)
        if self.weights is not None:
            targets *= np.sqrt(self.weights)[:, np.newaxis]
        self.loss.set_targets(targets)

    def fitted(self, W: NDArray[Any]) -> NDArray[Any]:
        """XW with centred columns of X."""
        used = np.flatnonzero(W.any(axis=1))
        return self.X[:, used] @ W[used] - self.mean[used] @ W[used]

    def _lasso(self, W: NDArray[Any] | None) -> SolverResult:
        result = minimise_rows(
            self.loss,
            alpha=self.gamma / 2,
            W_init=W,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.gap = result.gap
        return result

    def _share(self, result: SolverResult) -> float:
        """Duality gap of a group lasso, as a share of its objective at W = 0."""
        return float(2 * result.gap / self.loss.target_sq)
