# SPDX-License-Identifier: BSD-3-Clause
"""RALM-FS: robust regression on exactly k features by an augmented Lagrangian."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval, constant_columns
from labelsift.selection.base import RowSparseSelector
from labelsift.solvers.fingerprint import distinct_fingerprints, uniform
from labelsift.solvers.ridge.path import CentredGram
from labelsift.solvers.row_sparse.robust import unit_residuals

# The weight of the constraints stops growing here, as in the authors' program.
_LARGEST_MU = 1e10
# Entries of an array of all budgets that run together: they share products with X.
_MOST_ENTRIES = 2**18


class RALMFS(WeightedFitMixin, RowSparseSelector):
    r"""Robust selection of exactly k features by an L2,0 constraint.

    .. math::

        \min_{W, b} \sum_i \|y_i - x_i W - b\|_2 \quad \text{where exactly } k
        \text{ rows of } W \text{ are not zero},

    with k = n_features_to_select. W is split into a copy V with k rows and the
    residuals into E, and an augmented Lagrangian is lowered over one of them after the
    other, with multipliers L and M and a weight mu that grows by ``rho`` each round:

    .. math::

        W &= (I + X_c^T X_c)^{-1} (V - L/\mu + X_c^T (Y + E - M/\mu)), \\
        V &= \text{the } k \text{ largest rows of } W + L/\mu, \\
        E &= \text{the rows of } X W + b - Y + M/\mu, \text{ shortened by } 1/\mu,

    where X_c is X with centred columns, divided by the root of the mean eigenvalue of
    its Gram matrix. (The authors' program takes X as it is; then the two constraints
    converge at very different speeds unless X happens to be of that scale.) The problem
    is not convex: the features depend on the start and on ``rho``, and
    only the constraints are guaranteed at the end. Each budget is a run of its own
    and budgets do not nest. Features outside the k follow in the order of their
    products with the residuals, each divided by its length.

    The matrix is the same in every round and is factored once, on the smaller side of
    X (Woodbury's formula). Cost: O(min(n, d)^3) once, then O(nnz(X) n_labels +
    min(n, d)^2 n_labels) a round. Memory: an array of min(n_samples, n_features)
    squared. Sparse X is centred implicitly and never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    mu : float, default=0.1
        First weight of the constraints.
    rho : float, default=1.05
        Growth of mu in a round; above 1. Slower growth gives the features more rounds
        to settle before the constraints hold.
    tol : float, default=1e-4
        Stop when both constraints hold up to this share of the norms of W and Y.
    max_iter : int, default=1000
        Rounds at most.
    random_state : int, RandomState instance or None, default=None
        None starts at V = 0 and E = 0, which is a ridge regression; a seed starts at
        random as in the authors' program, at numbers drawn from the values of a column
        or row and not from its position.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values; "values" takes any number as it is.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, the k chosen first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Row norms of V for the chosen, below 0 for the others.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        The weights V, transposed; 0 for constant labels.
    intercept_ : ndarray of shape (n_labels,)
        Added to X coef_'; 0 for constant labels.
    n_weighted_ : int
        Features with weight.
    objective_ : ndarray
        The loss at V after each round; it may rise.
    n_iter_ : int
        Rounds done.

    See Also
    --------
    RFS : The same loss with a penalty instead of a count: convex.

    References
    ----------
    X. Cai, F. Nie, H. Huang (2013), "Exact top-k feature selection via L2,0-norm
    constraint", IJCAI.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import RALMFS
    >>> traits = load_dataset("traits")
    >>> selector = RALMFS(10).fit(traits.X, traits.Y)
    >>> int(selector.coef_.any(axis=0).sum())
    10
    """

    more_weights = "drop constant columns"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RowSparseSelector._parameter_constraints,
        "mu": [Interval(Real, 0, None, closed="neither")],
        "rho": [Interval(Real, 1, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "target": TARGET,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        mu: float = 0.1,
        rho: float = 1.05,
        tol: float = 1e-4,
        max_iter: int = 1000,
        random_state: Any = None,
        target: str = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.mu = mu
        self.rho = rho
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.target = target

    @property
    def nested_budgets(self) -> bool:
        """Whether ``with_budget`` works: no, each budget is a run of its own."""
        return False

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        learned = ~constant_labels(Y)
        Y = Y[:, learned].astype(np.float64)
        start = self._once("start", lambda: self._start(X, Y))
        design = self._once("design", lambda: _Design.of(X, weights))
        group = self._budgets_beside(_MOST_ENTRIES // (max(X.shape) * Y.shape[1]))
        options = (self.mu, self.rho, self.tol, self.max_iter)
        solved = self._once(
            f"budgets {group}", lambda: _solve(design, Y, start, group, *options)
        )
        result = solved[self.n_features_]
        V, b = result.solution
        unit = unit_residuals(Y - design.times(V) - b)
        W = V / design.scale
        self.intercept_ = np.zeros(len(learned))
        self.intercept_[learned] = b - design.mean @ W
        unit -= np.average(unit, axis=0, weights=weights)
        if weights is not None:
            unit *= weights[:, np.newaxis]
        return self._rank_rows(X, W, unit, result, learned)

    def _start(self, X: Any, Y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """V and E before the first round."""
        if self.random_state is None:
            return np.zeros((X.shape[1], Y.shape[1])), np.zeros(Y.shape)
        seed = check_random_state(self.random_state).randint(2**31)
        rows, columns = distinct_fingerprints(X, Y)
        V, E = (uniform(keys, Y.shape[1], seed) for keys in (columns, rows))
        V[constant_columns(X)] = 0  # the updates would never change them
        return V, E


@dataclass(frozen=True)
class _Design:
    """X centred and scaled, with the inverse of I plus its smaller Gram matrix."""

    X: Any
    mean: NDArray[Any]
    scale: float
    inverse: NDArray[Any]
    weights: NDArray[Any] | None  # of the rows; None: all are 1
    root: NDArray[Any]  # of the weights, (n, 1, 1); a single 1 without

    @classmethod
    def of(cls, X: Any, weights: NDArray[Any] | None) -> "_Design":
        gram = CentredGram.of(X, weights=weights)
        n, d = X.shape
        root = np.ones((1, 1, 1))
        if weights is not None:
            n, root = weights.sum(), np.sqrt(weights)[:, np.newaxis, np.newaxis]
        scale = float(np.sqrt(np.trace(gram.matrix) / min(n, d))) or 1.0
        matrix = gram.matrix / scale**2
        unit = np.eye(len(matrix))
        inverse = scipy.linalg.solve(matrix + unit, unit, assume_a="pos")
        X = gram.X if weights is None else X
        X = sp.csc_array(X) if sp.issparse(X) else X
        return cls(X, gram.mean, scale, inverse, weights, root)

    def times(self, W: NDArray[Any]) -> NDArray[Any]:
        """X_c W, by the rows of W that are not zero where these are few."""
        flat = W.reshape(len(W), -1)
        rows = np.flatnonzero(flat.any(axis=1))
        if 2 * len(rows) > len(W):
            product = self.X @ flat
        else:
            product = self.X[:, rows] @ flat[rows]
        product -= self.level(product)
        return (product / self.scale).reshape(-1, *W.shape[1:])

    def cross(self, T: NDArray[Any]) -> NDArray[Any]:
        """X_c' T, with the weights of the rows."""
        seen = self.root**2 * (T - self.level(T)) / self.scale
        return (self.X.T @ seen.reshape(len(T), -1)).reshape(-1, *T.shape[1:])

    def level(self, T: NDArray[Any]) -> NDArray[Any]:
        """Mean of each column."""
        return np.average(T, axis=0, weights=self.weights)

    def losses(self, T: NDArray[Any]) -> NDArray[Any]:
        """Sum of the norms of the rows, for each budget."""
        norms = np.sqrt(np.einsum("ijk,ijk->ij", T, T))
        return (self.root[:, :, 0] ** 2 * norms).sum(axis=0)

    def solve(
        self, near: NDArray[Any], product: NDArray[Any], targets: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """W = (I + X_c'X_c)^-1 (near + X_c'targets), and X_c W.

        ``product`` is X_c near. With it, A = (I + X_c X_c')^-1 and Woodbury's formula,
        W = near - X_c'R and X_c W = targets + R, where R = A (product - targets).
        """
        n, d = self.X.shape
        if n > d:
            W = self._divided(near + self.cross(targets))
            return W, self.times(W)
        rest = self._divided(self.root * (product - targets)) / self.root
        return near - self.cross(rest), targets + rest

    def _divided(self, T: NDArray[Any]) -> NDArray[Any]:
        return (self.inverse @ T.reshape(len(T), -1)).reshape(T.shape)


def _solve(
    design: _Design,
    Y: NDArray[Any],
    start: tuple[NDArray[Any], NDArray[Any]],
    budgets: Sequence[int],
    mu: float,
    rho: float,
    tol: float,
    max_iter: int,
) -> dict[int, SolverResult]:
    """V with k rows, and b, for each budget k, by rounds of all budgets together.

    Arrays are (n or d, n_budgets, n_labels): a product with X then serves all budgets.
    U = L/mu, S = M/mu; XV, XW and XU are products with X_c.
    """
    active, Y = np.array(budgets), Y[:, np.newaxis]
    V, E = (np.repeat(part[:, np.newaxis], len(active), axis=1) for part in start)
    U, S = np.zeros_like(V), np.zeros_like(E)
    XV, XU = design.times(V), np.zeros_like(E)
    traces: dict[int, list[float]] = {k: [] for k in budgets}
    solved: dict[int, SolverResult] = {}
    for number in range(1, max_iter + 1):
        targets = Y + E - S
        b = design.level(targets)
        W, XW = design.solve(V - U, XV - XU, targets)
        V, others = _largest_rows(W + U, active)
        XV = design.times(V)
        excess = XW + b - Y
        E = _shorten(excess + S, 1 / mu)
        growth = min(_LARGEST_MU, rho * mu) / mu
        off = np.maximum(
            _norms(W - V) / np.maximum(_norms(W), 1e-12),
            _norms(design.root * (excess - E)) / _norms(design.root * Y),
        )
        # W + U - V, and so on, over the new mu.
        U, S, XU = others / growth, (S + excess - E) / growth, (XU + XW - XV) / growth
        mu *= growth
        for k, loss in zip(active, design.losses(Y - XV - b), strict=True):
            traces[k].append(float(loss))
        ended = (off <= tol) | (number == max_iter)
        for place in np.flatnonzero(ended):
            k, gap, remedy = (
                active[place],
                float(off[place]),
                "raise max_iter, rho or tol",
            )
            found = V[:, place], b[place]
            solved[k] = SolverResult(
                found, np.array(traces[k]), gap, number, gap <= tol, remedy
            )
        if ended.all():
            break
        if ended.any():
            active = active[~ended]
            V, U, E, S, XV, XU = (M[:, ~ended] for M in (V, U, E, S, XV, XU))
    return solved


def _norms(M: NDArray[Any]) -> NDArray[Any]:
    """Norm of the matrix of each budget."""
    return np.sqrt(np.einsum("ijk,ijk->ij", M, M).sum(axis=0))


def _largest_rows(
    W: NDArray[Any], budgets: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """W without all rows but the k largest, and without these; ties: lowest index."""
    chosen = np.zeros(W.shape[:2], dtype=bool)
    for place, norms in enumerate(np.einsum("ijk,ijk->ji", W, W)):
        k = budgets[place]
        least = np.partition(norms, len(norms) - k)[len(norms) - k]
        above, tied = norms > least, np.flatnonzero(norms == least)
        chosen[:, place] = above
        chosen[tied[: k - np.count_nonzero(above)], place] = True
    V = W * chosen[:, :, np.newaxis]
    return V, W - V


def _shorten(rows: NDArray[Any], length: float) -> NDArray[Any]:
    """Each row shortened by a length, to zero where it is shorter."""
    norms = np.sqrt(np.einsum("ijk,ijk->ij", rows, rows))[:, :, np.newaxis]
    return rows * np.maximum(1 - length / np.maximum(norms, length), 0)
