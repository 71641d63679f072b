# SPDX-License-Identifier: BSD-3-Clause
"""SFUS: robust row-sparse regression with a subspace that the labels share."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval
from labelsift.selection.base import RowSparseSelector, latent_dimension
from labelsift.solvers.row_sparse.robust import solve_robust_rows, unit_residuals


class SFUS(WeightedFitMixin, RowSparseSelector):
    r"""Sub-feature uncovering with sparsity: RFS with a shared subspace.

    .. math::

        \min_{W, Q} \sum_i \|y_i - x_i W\|_2 + \alpha \sum_j \|W_j\|_2
            + \beta \|W - Q Q^T W\|_F^2, \qquad Q^T Q = I,

    with n_latent columns in Q. The loss is the L2,1 norm, not the squared one: so it is
    in a public copy of the authors' program (``subspace_J21``), whose objective is the
    one above.
    There Q has as many columns as labels; then W is always in the span of Q, beta does
    nothing, and SFUS is RFS with gamma = alpha. Hence the
    default here is half of the labels. There is no intercept and X is not centred.

    The best Q are the first left singular vectors of W: a thin decomposition replaces
    the paper's n_features x n_features eigenproblem, and a correction of rank n_latent
    the dense inverse. The objective is not convex in W and Q together; it never rises
    (residual norms smoothed by 1e-6). Cost and memory are those of RFS.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    alpha : float, default=1.0
        Weight of the row sparsity (the paper's alpha).
    beta : float, default=1.0
        Weight of what W has outside the shared subspace (beta).
    n_latent : int or None, default=None
        Dimensions of the subspace, at most the number of labels; None: half of them,
        rounded up.
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
    RFS : SFUS without the subspace.

    References
    ----------
    Z. Ma, F. Nie, Y. Yang, J. Uijlings, N. Sebe (2012), "Web image annotation via
    subspace-sparsity collaborated feature selection", IEEE Transactions on Multimedia
    14(4), 1021-1030.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import SFUS
    >>> traits = load_dataset("traits")
    >>> selector = SFUS(10, alpha=100.0, n_latent=2).fit(traits.X, traits.Y)
    >>> selector.transform(traits.X).shape
    (1797, 10)
    """

    more_weights = "lower alpha"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RowSparseSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "n_latent": [Interval(Integral, 1, None, closed="left"), None],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "target": TARGET,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 1.0,
        beta: float = 1.0,
        n_latent: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 500,
        target: str = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.n_latent = n_latent
        self.tol = tol
        self.max_iter = max_iter
        self.target = target

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        learned = ~constant_labels(Y)
        n_learned = int(learned.sum())
        n_latent = latent_dimension(self.n_latent, (n_learned + 1) // 2, n_learned)
        Y = Y[:, learned].astype(np.float64)
        result = solve_robust_rows(
            X,
            Y,
            alpha=self.alpha,
            beta=self.beta,
            n_latent=n_latent,
            tol=self.tol,
            max_iter=self.max_iter,
            weights=weights,
        )
        residual = unit_residuals(Y - X @ result.solution)
        if weights is not None:
            residual *= weights[:, np.newaxis]
        return self._rank_rows(X, result.solution, residual, result, learned)
