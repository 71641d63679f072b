# SPDX-License-Identifier: BSD-3-Clause
"""Alternating structure optimisation with the hinge loss."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelsift.core.base import BaseSubspace, LinearRankerMixin
from labelsift.core.labels import constant_labels, signed_labels
from labelsift.core.result import SolverResult
from labelsift.core.subspace import fix_signs
from labelsift.core.validation import Interval


class ASO(LinearRankerMixin, BaseSubspace):
    r"""Support vector machines that share a subspace, by alternation.

    Lowers, over label weights u and intercepts b, shares v and a basis :math:`\Theta`
    of the shared subspace with :math:`\Theta \Theta' = I`,

    .. math::

        \sum_\ell \Bigl( \tfrac1n \sum_i \max(0, 1 - y_{i\ell} (u_\ell'x_i + b_\ell))
        + \alpha \|u_\ell - \Theta'v_\ell\|^2 + \alpha b_\ell^2 \Bigr).

    Two steps take turns, and neither raises the objective: for given
    :math:`\Theta` and v each label is a support vector machine in
    :math:`w_\ell = u_\ell - \Theta'v_\ell`, added to the scores
    :math:`v_\ell'\Theta x`; for given u the leading left singular vectors of
    :math:`[u_1, u_2, \dots]` are the best :math:`\Theta'`, and :math:`v = \Theta u`.
    The first round is a plain support vector machine for each label. The problem is
    not convex: where the rounds end depends on where they start. What lies in the
    subspace is not penalised at all: with as many components as labels there is no
    penalty.

    Cost: per round and label some tens of passes over X, O(nnz(X)) each, started from
    the last round's solution, and a singular value decomposition, O(n_features
    n_labels^2); X is stored in CSR form (12 bytes an entry where X is dense).

    Parameters
    ----------
    n_components : int or None, default=None
        Dimension of the shared subspace; None for n_labels - 1 (at least 1).
    alpha : float, default=1e-3
        Penalty on the part of the weights outside the shared subspace, on the scale of
        the mean loss: C = 1 / (2 n_samples alpha) in a support vector machine.
    tol : float, default=1e-3
        Rounds end when the objective falls by less than this share of itself; also
        how far a margin may be off.
    max_iter : int, default=100
        Rounds at most.
    random_state : int, RandomState instance or None, default=None
        Seed of the order in which samples are visited.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        Orthonormal basis of the shared subspace, each signed so that its largest entry
        is positive.
    n_components_ : int
        Components that exist, at most ``n_components``.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights u.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    objective_ : ndarray of shape (n_iter_,)
        Objective after each round.
    n_iter_ : int
        Rounds done.
    mean_ : ndarray of shape (n_features_in_,)
        Zeros: nothing is centred.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    MLLS : The squared loss and a second penalty, solved exactly.
    labelsift.classification.BinarySVM : No shared subspace.

    References
    ----------
    R. K. Ando, T. Zhang (2005), A framework for learning predictive structures from
    multiple tasks and unlabeled data, JMLR 6, figure 3.
    S. Ji, L. Tang, S. Yu, J. Ye (2008), Extracting shared subspace for multi-label
    classification, KDD, eq. (29).

    Examples
    --------
    >>> from labelsift.datasets import make_planted
    >>> from labelsift.subspace import ASO
    >>> data = make_planted(200, 30, 5, label_rank=2, random_state=0)
    >>> model = ASO(2, random_state=0).fit(data.X, data.Y)
    >>> model.transform(data.X).shape
    (200, 2)
    >>> bool((model.predict(data.X) == data.Y).mean() > 0.95)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        alpha: float = 1e-3,
        tol: float = 1e-3,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _fit(self, X: Any, Y: NDArray[Any]) -> None:
        learnable = np.flatnonzero(~constant_labels(Y))
        size = self.n_components or max(1, Y.shape[1] - 1)
        machines = _Machines(X, signed_labels(Y[:, learnable]), self.alpha, self.tol)
        rng, objective = check_random_state(self.random_state), []
        shared = np.zeros((X.shape[1], len(learnable)))  # Theta'v
        for _ in range(self.max_iter):
            weights, intercept, loss = machines.fit_around(shared, rng)
            left, strength, right = np.linalg.svd(weights, full_matrices=False)
            size = min(size, np.count_nonzero(strength > 1e-10 * strength[0]))
            shared = (left[:, :size] * strength[:size]) @ right[:size]
            penalty = (strength[size:] ** 2).sum() + (intercept**2).sum()
            objective.append(loss + self.alpha * penalty)
            if _has_settled(objective, self.tol):
                break
        self._set_fitted(X, Y, learnable, weights, intercept, left[:, :size].T)
        self.objective_, self.n_iter_ = np.array(objective), len(objective)
        self._warn_unless_converged(_outcome(objective, machines.violation, self.tol))

    def _set_fitted(
        self,
        X: Any,
        Y: NDArray[Any],
        learnable: NDArray[Any],
        weights: NDArray[Any],
        intercept: NDArray[Any],
        basis: NDArray[Any],
    ) -> None:
        self.components_ = fix_signs(basis).astype(X.dtype, copy=False)
        self.n_components_ = len(basis)
        self.mean_ = np.zeros(X.shape[1], dtype=X.dtype)
        self.coef_ = np.zeros((Y.shape[1], X.shape[1]), dtype=X.dtype)
        self.coef_[learnable] = weights.T
        self.intercept_ = signed_labels(Y[0]).astype(X.dtype)
        self.intercept_[learnable] = intercept


class _Machines:
    """One support vector machine per label, solved again as the shared part changes."""

    # Passes over the samples for one machine; the next round continues from it.
    MAX_EPOCHS = 1000

    def __init__(self, X: Any, codes: NDArray[Any], alpha: float, tol: float) -> None:
        self.X = sp.csr_array(X).astype(np.float64, copy=False)
        self.codes, self.tol = codes, tol
        self.C = 1 / (2 * len(codes) * alpha)
        self.curvature = self.X.multiply(self.X).sum(axis=1) + 1.0
        self.dual = np.zeros_like(codes.T)
        self.violation = 0.0  # the largest of the last round

    def fit_around(
        self, shared: NDArray[Any], rng: Any
    ) -> tuple[NDArray[Any], NDArray[Any], float]:
        """Weights u, intercepts and summed mean losses, given the shared part of u."""
        self.violation = 0.0
        offset = np.ascontiguousarray((self.X @ shared).T)
        solutions = [
            self._solve(label, offset[label], rng) for label in range(len(offset))
        ]
        weights = np.column_stack([w[:-1] for w in solutions]) + shared
        intercept = np.array([w[-1] for w in solutions])
        margins = self.codes * (self.X @ weights + intercept)
        return weights, intercept, float(np.maximum(0, 1 - margins).mean(axis=0).sum())

    def _solve(self, label: int, offset: NDArray[Any], rng: Any) -> NDArray[Any]:
        from labelsift.kernels.hinge import hinge_epoch

        X, y, dual = self.X, self.codes[:, label].copy(), self.dual[label]
        signed = dual * y
        w = np.append(X.T @ signed, signed.sum())
        given = (X.data, X.indices, X.indptr, self.curvature, y, offset)
        for _ in range(self.MAX_EPOCHS):
            order = rng.permutation(len(y))
            violation = hinge_epoch(*given, order, self.C, dual, w)
            if violation <= self.tol:
                break
        self.violation = max(self.violation, violation)
        return w


def _has_settled(objective: list[float], tol: float) -> bool:
    """Whether the last round has lowered the objective by no more than its share."""
    return len(objective) > 1 and objective[-1] >= (1 - tol) * objective[-2]


def _outcome(objective: list[float], violation: float, tol: float) -> SolverResult:
    """Whether the rounds have settled, and left every machine solved."""
    fall = 1 - objective[-1] / objective[-2] if len(objective) > 1 else np.inf
    solved = violation <= tol
    return SolverResult(
        None,
        np.array(objective),
        gap=float(fall if solved else violation),
        n_iter=len(objective),
        converged=solved and _has_settled(objective, tol),
        remedy=f"{'' if solved else 'scale X or raise alpha, '}raise max_iter or tol",
    )
