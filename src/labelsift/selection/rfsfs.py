# SPDX-License-Identifier: BSD-3-Clause
"""RFSFS and SRFS: non-negative regression with flexible sparsity, by coordinates."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.validation import Interval, StrOptions
from labelsift.selection.base import RowSparseSelector
from labelsift.solvers.ridge.centring import column_means

# Sweeps over the features with weights between two sweeps over all of them.
_ACTIVE_SWEEPS = 9


class RFSFS(RowSparseSelector):
    r"""Robust flexible sparse feature selection, with weights that are not negative.

    .. math::

        \min_{W \ge 0} \|XW - Y\|_F^2 + \alpha \operatorname{tr}(W (D - S) W^T)
            + \beta\, \Omega(W) + \gamma \bigl( \|WW^T\|_1 - \|W\|_F^2 \bigr),

    where S holds the cosines of the label columns and D their sums: labels that occur
    together shall use the same features. Omega is the sum of all entries
    (``penalty="l1"``, RFSFS) or of the norms of the rows ("l21", SRFS). For W >= 0 the
    last term is gamma times the sum of w_il w_jl over pairs of features i != j: it
    discourages two features from serving the same label. X and Y are centred.

    The published multiplicative update needs X >= 0 (standardised X overflows), takes
    thousands of rounds, and its ranking after 50 depends on the random start. Here each
    entry (each row for "l21") is minimised exactly in turn, for X of any sign, from
    W = 0: deterministic, with exact zeros, and the objective never rises. The problem
    is convex where no eigenvalue of X'X is below gamma; otherwise (always for more
    features than samples) what is found is a local minimum.

    W >= 0 gives no weight to a feature whose absence tells a label.

    Cost of a sweep: O(nnz(X) n_labels), most sweeps over the features with weights
    only. Memory O((n_samples + n_features) n_labels) beyond X (dense X is centred in a
    copy); sparse X is centred implicitly. No d x d array is formed.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    alpha : float, default=0.1
        Weight of the label graph; of the order of n_samples to matter for standardised
        X.
    beta : float, default=0.1
        Weight of the sparsity; at ``beta_max_`` no feature has weight.
    gamma : float, default=0.1
        Weight of the redundancy; of the order of n_samples to matter.
    penalty : {"l1", "l21"}, default="l1"
        Sparsity of entries (RFSFS) or of rows (SRFS).
    center : bool, default=True
        Whether X and Y are centred; uncentred coordinates crawl.
    solver : {"coordinate", "multiplicative"}, default="coordinate"
        "multiplicative" is the published update from equal weights, for comparison; it
        needs X >= 0 and ``center=False``.
    tol : float, default=1e-6
        Stop when ten sweeps, the first of them over all features, lower the objective
        by less than this share of itself ("multiplicative": one round).
    max_iter : int, default=500
        Sweeps at most.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Row norms of W; below 0 for features without weight.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        The weights W, transposed; 0 for labels that hold one value only.
    n_weighted_ : int
        Features with weight.
    beta_max_ : float
        The smallest beta at which W = 0.
    objective_ : ndarray
        The objective at the start and after each sweep; it never rises.
    n_iter_ : int
        Sweeps done.

    See Also
    --------
    CSFS : Weights of any sign, without the label graph.
    RLEFS : Another method with weights that are not negative.

    References
    ----------
    Y. Li, L. Hu, W. Gao (2023), Multi-label feature selection via robust flexible
    sparse regularization, Pattern Recognition 134. SRFS: Information Fusion (2025).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import RFSFS
    >>> traits = load_dataset("traits")
    >>> selector = RFSFS(10, beta=100.0).fit(traits.X, traits.Y)
    >>> selector.transform(traits.X).shape
    (1797, 10)
    """

    more_weights = "lower beta"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RowSparseSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="left")],
        "penalty": [StrOptions({"l1", "l21"})],
        "center": ["boolean"],
        "solver": [StrOptions({"coordinate", "multiplicative"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 0.1,
        beta: float = 0.1,
        gamma: float = 0.1,
        penalty: str = "l1",
        center: bool = True,
        solver: str = "coordinate",
        tol: float = 1e-6,
        max_iter: int = 500,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.penalty = penalty
        self.center = center
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        learned = ~constant_labels(Y)
        labels = Y[:, learned].astype(np.float64)
        unit = labels / np.linalg.norm(labels, axis=0)
        problem = FlexibleRegression(
            X,
            labels - labels.mean(axis=0) if self.center else labels,
            unit.T @ unit,
            (self.alpha, self.beta, self.gamma),
            by_norm=self.penalty == "l21",
            center=self.center,
        )
        if self.solver == "multiplicative":
            self._check_not_negative(X)
            result = problem.multiply(self.tol, self.max_iter)
        else:
            result = problem.descend(self.tol, self.max_iter)
        self.beta_max_ = problem.beta_max
        return self._rank_rows(X, problem.W, problem.residual(), result, learned)

    def _check_not_negative(self, X: Any) -> None:
        smallest = X.min()
        if self.center or smallest < 0:
            what = "center=True" if self.center else f"X holds {smallest:g}"
            raise ValueError(
                f"solver='multiplicative' needs X >= 0 as it is, but {what}: pass "
                "center=False and features that are not negative, or choose "
                "solver='coordinate'."
            )


class FlexibleRegression:
    """The objective at weights that move; ``W`` is where they are."""

    def __init__(
        self,
        X: Any,
        Y: NDArray[Any],
        S: NDArray[Any],
        weights: tuple[float, float, float],
        *,
        by_norm: bool,
        center: bool,
    ) -> None:
        self.Y, self.S, self.degrees = Y, S, S.sum(axis=1)
        self.weights, self.by_norm = tuple(map(float, weights)), by_norm
        self.mean = column_means(X) if center else np.zeros(X.shape[1])
        if sp.issparse(X):
            self.X = sp.csc_array(X, dtype=np.float64)
            squares = np.ravel(self.X.multiply(self.X).sum(axis=0))
            self.curvatures = squares - len(Y) * self.mean**2
        else:
            self.X = np.asfortranarray(X - self.mean)
            self.curvatures = np.einsum("ij,ij->j", self.X, self.X)
        self.W = np.zeros((X.shape[1], Y.shape[1]))

    @property
    def beta_max(self) -> float:
        """Where the steepest way from W = 0 leads up."""
        pull = np.maximum(self._products(self.Y), 0)
        steepest = np.linalg.norm(pull, axis=1) if self.by_norm else pull
        return float(2 * steepest.max())

    def residual(self) -> NDArray[Any]:
        """Y - XW, X centred where it shall be."""
        fitted = self.X @ self.W
        return self.Y - (fitted - self.mean @ self.W if sp.issparse(self.X) else fitted)

    def objective(self, residual: NDArray[Any]) -> float:
        """The objective, given the residual."""
        alpha, beta, gamma = self.weights
        W, sums = self.W, self.W.sum(axis=0)
        squares = np.vdot(W, W)
        graph = np.vdot(W, W * self.degrees - W @ self.S)
        size = np.linalg.norm(W, axis=1).sum() if self.by_norm else W.sum()
        redundancy = sums @ sums - squares
        loss = np.vdot(residual, residual)
        return float(loss + alpha * graph + beta * size + gamma * redundancy)

    def descend(self, tol: float, max_iter: int) -> SolverResult:
        """Sweep over all features, then some times over those with weights."""
        every = np.arange(len(self.W))
        trace, fall = [self.objective(self.Y)], np.inf
        while fall > tol and len(trace) <= max_iter:
            before = trace[-1]
            trace.append(self._sweep(every))
            used = np.flatnonzero(self.W.any(axis=1))
            for _ in range(min(_ACTIVE_SWEEPS, max_iter + 1 - len(trace))):
                trace.append(self._sweep(used))
            fall = 1 - trace[-1] / before
        return SolverResult(
            self.W, np.array(trace), fall, len(trace) - 1, converged=fall <= tol
        )

    def multiply(self, tol: float, max_iter: int) -> SolverResult:
        """The published update, from equal weights that fit best."""
        alpha, beta, gamma = self.weights
        self.W += 1.0
        fitted, products = self.X @ self.W, self._products(self.Y)
        self.W *= np.vdot(fitted, self.Y) / np.vdot(fitted, fitted)
        trace, fall = [self.objective(self.residual())], np.inf
        while fall > tol and len(trace) <= max_iter:
            W = self.W
            sizes = np.linalg.norm(W, axis=1, keepdims=True) if self.by_norm else W
            shrink = np.divide(W, 2 * sizes, out=np.zeros_like(W), where=sizes > 0)
            up = products + alpha * W @ self.S + gamma * W
            down = self.X.T @ (self.X @ W) + alpha * W * self.degrees
            down += beta * shrink + gamma * W.sum(axis=0)
            self.W = W * np.divide(up, down, out=np.zeros_like(W), where=down > 0)
            trace.append(self.objective(self.residual()))
            fall = 1 - trace[-1] / trace[-2]
        return SolverResult(
            self.W, np.array(trace), fall, len(trace) - 1, converged=fall <= tol
        )

    def _products(self, R: NDArray[Any]) -> NDArray[Any]:
        """X'R, X centred where it shall be."""
        products = self.X.T @ R
        if sp.issparse(self.X):
            products = products - np.outer(self.mean, R.sum(axis=0))
        return np.asarray(products)

    def _sweep(self, features: NDArray[np.intp]) -> float:
        """Minimise over the rows of some features in turn; the objective after it."""
        from labelsift.kernels import nonnegative_rows as kernel

        sums, labels = self.W.sum(axis=0), (self.S, self.degrees)
        rest = (*labels, self.weights, self.by_norm)
        if not sp.issparse(self.X):
            residual = self.Y - self.X @ self.W
            state = (self.curvatures, features, self.W, residual, sums)
            kernel.sweep_dense(self.X, *state, *rest)
            return self.objective(residual)
        residual = self.Y - self.X @ self.W
        state = (self.curvatures, features, self.W, residual, sums)
        csc = (self.X.data, self.X.indices, self.X.indptr)
        kernel.sweep_sparse(*csc, self.mean, residual.sum(axis=0), *state, *rest)
        return self.objective(residual + self.mean @ self.W)
