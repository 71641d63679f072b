# SPDX-License-Identifier: BSD-3-Clause
"""The multiplicative updates of RLEFS, block by block.

What follows from W, F and B and is read by more than one block is computed once, when
one of them changes, and stored with them.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelsift.core.result import SolverResult
from labelsift.solvers.fingerprint import fingerprints, uniform

# Smoothing of row norms: sqrt(|r|^2 + eps^2) has a derivative at 0.
_EPS = 1e-6
# Starts are this share of the mean away from 0, where a factor has no effect.
_FLOOR = 1e-3
# Features for a sample from which W is updated row by row: measured.
_WIDE = 2
# Many weights fall to 0 through the numbers below 2**-1022, with which a processor
# calculates slowly; times this they stay above.
_UNIT = 2.0**128


@dataclass(frozen=True)
class Problem:
    """Data and weights of J."""

    X: Any
    columns: Any  # X as a csc_array where W is updated row by row, else None
    Y: Any
    S: NDArray[Any]  # with self-loops
    alpha: float
    beta: float
    gamma: float
    lam: float

    @classmethod
    def of(cls, X: Any, Y: NDArray[Any], S: NDArray[Any], *weights: float) -> "Problem":
        """Store X by rows and by columns where it is sparse and W is large."""
        columns = None
        if sp.issparse(X) and X.shape[1] > _WIDE * X.shape[0]:
            X, columns = _sorted(sp.csr_array(X)), _sorted(sp.csc_array(X))
        return cls(X, columns, sp.csr_array(Y), S, *weights)

    @property
    def unit(self) -> float:
        """W is stored times this power of 2, which changes no digit."""
        return 1.0 if self.columns is None else _UNIT

    @property
    def A(self) -> NDArray[Any]:
        """Degrees of the label graph with self-loops, as a row."""
        return self.S.sum(axis=1)


def _sorted(X: Any) -> Any:
    """Sparse X with sorted indices, so that sums are added in the same order."""
    return X if X.has_sorted_indices else X.sorted_indices()


@dataclass(frozen=True)
class Point:
    """W, F, B and what more than one block reads of them."""

    unit: float  # W and what is pulled are stored times this, ``problem.unit``
    W: NDArray[Any]
    F: NDArray[Any]
    B: NDArray[Any]
    XW: NDArray[Any]
    YB: NDArray[Any]
    # alpha WS, and the term of J with the label graph.
    pulled: NDArray[Any]
    graph: float
    # Smoothed norms of the rows of W, XW - F and F - YB, as columns.
    sizes: NDArray[Any]
    misfits: NDArray[Any]
    changes: NDArray[Any]
    gram: NDArray[Any]  # F'F

    @classmethod
    def of(cls, problem: Problem, W: Any, F: Any, B: Any) -> "Point":
        """A point of any W, F and B."""
        unit, XW, YB = problem.unit, problem.X @ W, problem.Y @ B
        norms = _norms(W), _norms(XW - F), _norms(F - YB)
        W = unit * W
        terms = _graph_terms(problem, W)
        return cls(unit, W, F, B, XW, YB, *terms, *norms, F.T @ F)

    def with_W(self, W: Any, XW: Any, pulled: Any, graph: float) -> "Point":
        """The point with other weights."""
        point = replace(self, W=W, XW=XW, pulled=pulled, graph=graph)
        sizes, misfits = _norms(W, self.unit), _norms(XW - self.F)
        return replace(point, sizes=sizes, misfits=misfits)

    def with_F(self, F: NDArray[Any]) -> "Point":
        """The point with other enhanced labels."""
        misfits, changes = _norms(self.XW - F), _norms(F - self.YB)
        return replace(self, F=F, gram=F.T @ F, misfits=misfits, changes=changes)

    def with_B(self, B: NDArray[Any], YB: NDArray[Any]) -> "Point":
        """The point with another mixing of labels."""
        return replace(self, B=B, YB=YB, changes=_norms(self.F - YB))


def _norms(M: NDArray[Any], unit: float = 1.0) -> NDArray[Any]:
    """Smoothed norms of the rows of M / unit, as a column."""
    squares = np.einsum("ij,ij->i", M, M) / unit**2
    return np.sqrt(squares + _EPS**2)[:, np.newaxis]


def start(problem: Problem, init: str, random_state: Any) -> Point:
    """Where the updates begin."""
    d, t = problem.X.shape[1], problem.Y.shape[1]
    W = np.ones((d, t))
    if init == "random" or random_state is not None:
        rng = check_random_state(random_state)
        seed = rng.randint(2**31)
        rows, columns = fingerprints(problem.X, problem.Y.toarray())
        W = 1 - uniform(columns, t, seed)
    if init == "random":
        F, B = 1 - uniform(rows, t, seed), 1 - rng.uniform(size=(t, t))
    else:
        B = np.diag(1 / np.sqrt(np.asarray(problem.Y.sum(axis=0))))
        B, F = (M + _FLOOR * M.mean() for M in (B, problem.Y @ B))
        W *= np.linalg.norm(F) / (np.linalg.norm(problem.X @ W) or 1.0)
    return Point.of(problem, W, F, B)


def solve(problem: Problem, point: Point, tol: float, max_iter: int) -> SolverResult:
    """Update W, F and B until J falls by no more than the share ``tol``."""
    trace = [_objective(problem, point)]
    for _ in range(max_iter):
        point = _update_B(problem, _update_F(problem, _update_W(problem, point)))
        trace.append(_objective(problem, point))
        fall = (trace[-2] - trace[-1]) / abs(trace[-2])
        if fall <= tol:
            break
    point = replace(point, W=point.W / point.unit)
    return SolverResult(
        point, np.array(trace[1:]), fall, len(trace) - 1, converged=fall <= tol
    )


def _objective(problem: Problem, point: Point) -> float:
    shrinking = problem.gamma * point.sizes.sum()
    return float(_F_terms(problem, point) + point.graph + shrinking)


def _F_terms(problem: Problem, point: Point) -> float:
    """The part of J that holds F."""
    skew = point.gram - np.eye(len(point.gram))
    return float(
        point.misfits.sum()
        + problem.beta * point.changes.sum()
        + problem.lam / 2 * np.vdot(skew, skew)
    )


def _ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> NDArray[Any]:
    """A factor of a multiplicative update; 1 for 0/0."""
    positive = denominator > 0
    if positive.all():  # nearly always, and in half the time
        return np.asarray(numerator / denominator)
    return np.divide(
        numerator, denominator, out=np.ones_like(numerator), where=positive
    )


def _graph_terms(problem: Problem, W: NDArray[Any]) -> tuple[NDArray[Any], float]:
    """Alpha WS, and the term of J with the label graph."""
    laplacian = np.diag(problem.A) - problem.S
    graph = problem.alpha * np.vdot(W, W @ laplacian) / problem.unit**2
    return problem.alpha * W @ problem.S, graph


def _update_W(problem: Problem, point: Point) -> Point:
    if problem.columns is not None:
        return _update_rows(problem, point)
    W, t = point.W, point.W.shape[1]
    weight = 0.5 / point.misfits
    pulls = problem.X.T @ np.hstack([weight * point.F, weight * point.XW])
    up = pulls[:, :t] + point.pulled
    down = pulls[:, t:] + problem.alpha * W * problem.A
    W = W * _ratio(up, down + problem.gamma * 0.5 / point.sizes * W)
    return point.with_W(W, problem.X @ W, *_graph_terms(problem, W))


def _update_rows(problem: Problem, point: Point) -> Point:
    """The same for sparse X, in few passes over W; ``point.pulled`` is overwritten."""
    from labelsift.kernels import factor_rows as kernel

    X, columns, unit, scaled = problem.X, problem.columns, point.unit, point.pulled
    n, t = point.F.shape
    alpha, squares = float(problem.alpha), np.zeros(t)
    # Rows that begin and end with a cache line are read faster; one more is room.
    weighted = kernel.aligned_rows(n + 1, -(-2 * t // 8) * 8)
    weight = unit * 0.5 / point.misfits
    np.multiply(weight, point.F, out=weighted[:n, :t])
    np.multiply(weight, point.XW, out=weighted[:n, t : 2 * t])
    rest = point.W, problem.gamma * 0.5 / point.sizes[:, 0], problem.A, alpha, unit
    entries = columns.data, columns.indices, columns.indptr
    kernel.scale_rows(entries, weighted[:n], *rest, scaled, squares, weighted[n])
    XW, pulled = np.empty((n, t)), kernel.aligned_rows(*scaled.shape)
    kernel.multiply((X.data, X.indices, X.indptr), scaled, XW)
    XW /= unit
    np.matmul(scaled, alpha * problem.S, out=pulled)
    graph = (alpha * problem.A @ squares - np.vdot(scaled, pulled)) / unit**2
    return point.with_W(scaled, XW, pulled, graph)


def _update_F(problem: Problem, point: Point) -> Point:
    F, kept = point.F, problem.lam * point.F
    fit, follow = 0.5 / point.misfits, problem.beta * 0.5 / point.changes
    up = fit * point.XW + follow * point.YB + kept
    down = (fit + follow) * F + kept @ point.gram
    factor, before = _ratio(up, down), _F_terms(problem, point)
    for exponent in (1.0, 0.5, 0.25):
        moved = point.with_F(F * factor**exponent)
        if _F_terms(problem, moved) <= before:
            return moved
    return point  # at the minimum over F, up to rounding


def _update_B(problem: Problem, point: Point) -> Point:
    weight = 0.5 / point.changes
    up = problem.Y.T @ (weight * point.F)
    B = point.B * _ratio(up, problem.Y.T @ (weight * point.YB))
    return point.with_B(B, problem.Y @ B)
