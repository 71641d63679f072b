# SPDX-License-Identifier: BSD-3-Clause
"""RFS: robust regression with whole rows of weights penalised."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval
from labelsift.selection.base import RowSparseSelector
from labelsift.solvers.row_sparse.robust import solve_robust_rows, unit_residuals


class RFS(WeightedFitMixin, RowSparseSelector):
    r"""Robust feature selection by joint L2,1 norms of the loss and of the weights.

    .. math::

        \min_W \sum_i \|y_i - x_i W\|_2 + \gamma \sum_j \|W_j\|_2.

    The norms of the residuals are not squared, so that rows that fit badly weigh less,
    and a feature has weights for all labels or for none. There is no intercept and X is
    not centred, as in the paper. A feature is scored by the norm of its row of W; where
    that is exactly zero, by the norm of its product with the residuals, each divided
    by its length, minus two: below 0.

    This is the paper's algorithm at a lower cost: the paper multiplies by dense
    diagonal matrices and treats all features in every round. Here a round solves one
    system over the features that have weights, of the size of the smaller side
    (Woodbury's formula where these features outnumber the samples); the iterates are
    the same, until rows that are optimal at zero are set to zero. The objective, with
    residual norms smoothed by 1e-6, never rises.

    Cost of a round: O(n p^2) for p <= n_samples = n features with weights, O(n^2 p)
    for more, and one pass over X whenever features may enter. Memory: a p x p or n x n
    array, whichever is smaller, and n_features x n_labels. Sparse X stays sparse.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    gamma : float, default=1.0
        Weight of the row sparsity (the paper's gamma).
    tol : float, default=1e-6
        Stop when a round lowers the objective by less than this share of itself.
    max_iter : int, default=500
        Rounds at most.
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
    n_weighted_ : int
        Features with weight.
    objective_ : ndarray
        Objective at W = 0 and after each round; it never rises.
    n_iter_ : int
        Rounds done.

    See Also
    --------
    CSFS : The same penalty on the usual squared loss, with an intercept.
    SFUS : RFS with weights shrunk towards a shared subspace.
    RALMFS : The same loss, with the number of features fixed instead.

    References
    ----------
    F. Nie, H. Huang, X. Cai, C. Ding (2010), "Efficient and robust feature selection
    via joint L2,1-norms minimization", NIPS.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import RFS
    >>> traits = load_dataset("traits")
    >>> selector = RFS(10, gamma=100.0).fit(traits.X, traits.Y)
    >>> selector.transform(traits.X).shape
    (1797, 10)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RowSparseSelector._parameter_constraints,
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "target": TARGET,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        gamma: float = 1.0,
        tol: float = 1e-6,
        max_iter: int = 500,
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
        Y = Y[:, learned].astype(np.float64)
        result = solve_robust_rows(
            X,
            Y,
            alpha=self.gamma,
            tol=self.tol,
            max_iter=self.max_iter,
            weights=weights,
        )
        residual = unit_residuals(Y - X @ result.solution)
        if weights is not None:
            residual *= weights[:, np.newaxis]
        return self._rank_rows(X, result.solution, residual, result, learned)
