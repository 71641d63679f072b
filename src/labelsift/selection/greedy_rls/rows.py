# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out errors of rows in blocks, wherever these are.

The arrays of ``dense.py`` follow, row by row, from a small *plan*: the features b_i
taken so far with their delta_i, the r vectors v (V, r x d), the rows P_b of P before
each step (B, r x t), P as it is, and the means. With x0 = x - (1 - rho) x_mean and
a0 = y - (1 - rho) y_mean,

    u_i = delta_i (x0[b_i] - sum_{s<i} u_s V[s, b_i]),         i = 1, ..., r,
    C = x0 - u V,    A = a0 - u B,    Q = A P',    g = g0 - sum_i u_i^2 / delta_i.

So a block of rows can be built at any step, by two matrix products, and the first step
is the case r = 0. Blocks that are kept follow each step at the cost of ``dense.py``;
what is lost is built again, which costs time and never the answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

from labelsift.selection.greedy_rls.dense import (
    tile_column,
    tile_columns,
    tile_width,
)
from labelsift.selection.greedy_rls.problem import summed_error

# Rows of a block that is not kept are built this many at a time.
PASSED_ROWS = 4096


@dataclass(frozen=True)
class Plan:
    """What brings any rows to the present step."""

    n: float  # rows, or the sum of their weights
    rho: float  # share of the means that the constant column leaves
    x_mean: NDArray[Any]
    y_mean: NDArray[Any]
    features: NDArray[Any]  # b, (r,)
    deltas: NDArray[Any]  # of them, (r,)
    V: NDArray[Any]  # (r, d)
    B: NDArray[Any]  # (r, t)
    P: NDArray[Any]  # (d, t)
    delta: NDArray[Any]  # of every candidate, (d,)
    p: NDArray[Any]  # squared norms of the rows of P

    @property
    def step(self) -> int:
        """How many features were taken."""
        return len(self.features)


@dataclass(frozen=True)
class Change:
    """The last step, for rows that are up to date with the one before."""

    step: int  # how many features are taken now
    feature: int
    delta_b: float
    p_b: float
    v: NDArray[Any]
    z: NDArray[Any]
    delta: NDArray[Any]  # of every candidate, now
    p: NDArray[Any]


class Answer(NamedTuple):
    """Sums over the rows of a block."""

    error: float  # squared leave-one-out errors of the model as it is
    errors: NDArray[Any]  # with each candidate added
    slack: NDArray[Any]  # smallest 1 - leverage of a row with each candidate


class Rows(Protocol):
    """Blocks of rows, in one memory or in many."""

    def scores(self, plan: Plan, change: Change | None) -> Iterable[Answer]:
        """The answer of every block, in the order of the blocks."""


class Block:
    """Some rows with their two arrays, as tiles; up to date with step ``step``.

    X, Y and the constant column hold each row times the root of its weight, if any.
    """

    def __init__(
        self, plan: Plan, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> None:
        n, d = X.shape
        root, share = None, np.ones(n)
        self._cap = None
        if weights is not None:
            root, share = np.sqrt(weights)[:, np.newaxis], weights
            self._cap = np.maximum(weights, 1)
        x_mean = (1 - plan.rho) * plan.x_mean
        U = _changes(plan, _centred(X, plan.features, x_mean, root))
        A = Y - (1 - plan.rho) * plan.y_mean
        A = (A if root is None else root * A) - U @ plan.B
        width = tile_width(d)
        self._C, self._Q = np.zeros((2, -(-d // width), n, width))
        for tile, columns in tile_columns(self._C, d):
            _centred(X, columns, x_mean, root, out=tile)
            if plan.step:
                tile -= U @ plan.V[:, columns]
        for tile, columns in tile_columns(self._Q, d):
            np.matmul(A, plan.P[columns].T, out=tile)
        self._floor = plan.n * np.finfo(np.float64).eps
        start = share if self._cap is None else self._cap
        left = start - (1 - plan.rho) / plan.n * share - U**2 @ (1 / plan.deltas)
        self._g, self._s = np.maximum(left, self._floor), row_norms(A, squared=True)
        self._d, self.step = d, plan.step

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """C, Q, g and s."""
        return self._C, self._Q, self._g, self._s

    def score(self, delta: NDArray[Any], p: NDArray[Any]) -> Answer:
        """The errors of every candidate; nothing changes."""
        rows, columns = np.zeros(len(self._g)), np.zeros(self._d)
        return self._pass(rows, rows, columns, columns, delta, p)

    def advance(self, change: Change) -> Answer:
        """Follow one step, and score."""
        c, a = (tile_column(array, change.feature) for array in (self._C, self._Q))
        u, self.step = change.delta_b * c, -1  # neither here nor there
        self._g = np.maximum(self._g - u * c, self._floor)
        self._s += u * (u * change.p_b - 2 * a)
        a *= change.delta_b
        answer = self._pass(u, a, change.v, change.z, change.delta, change.p)
        self.step = change.step
        return answer

    def _pass(
        self,
        u: NDArray[Any],
        a: NDArray[Any],
        v: NDArray[Any],
        z: NDArray[Any],
        delta: NDArray[Any],
        p: NDArray[Any],
    ) -> Answer:
        """Change C and Q, and score, in one pass over them."""
        from labelsift.kernels.greedy import update_and_score

        tiles, _, width = self._C.shape
        shape, padding = (tiles, width), tiles * width - self._d
        v, z, delta, p = (
            np.pad(x, (0, padding)).reshape(shape) for x in (v, z, delta, p)
        )
        errors, slack = np.empty(shape), np.empty(shape)
        update_and_score(
            self._C, self._Q, u, a, v, z, self._g, self._s, delta, p, self._floor,
            errors, slack, self._cap,
        )  # fmt: skip
        total = summed_error(self._s, self._g, self._cap)
        return Answer(total, errors.ravel()[: self._d], slack.ravel()[: self._d])


def passed_by(
    plan: Plan, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
) -> Answer:
    """The answer of rows that are not kept: built, scored and dropped."""
    answers = []
    for first in range(0, X.shape[0], PASSED_ROWS):
        rows = slice(first, first + PASSED_ROWS)
        own = None if weights is None else weights[rows]
        answers.append(Block(plan, X[rows], Y[rows], own).score(plan.delta, plan.p))
    return added(answers, len(plan.p))


def added(answers: Iterable[Answer], d: int) -> Answer:
    """Sums of answers, in their order; blocks without rows add nothing."""
    error, errors, slack = 0.0, np.zeros(d), np.ones(d)
    for answer in answers:
        error += answer.error
        errors += answer.errors
        np.minimum(slack, answer.slack, out=slack)
    return Answer(error, errors, slack)


class LocalRows:
    """Blocks in this memory: all are kept."""

    def __init__(self, parts: Iterable[tuple[Any, ...]]) -> None:
        self._parts: list[tuple[Any, ...]] | None = list(parts)
        self._blocks: list[Block] = []

    def scores(self, plan: Plan, change: Change | None) -> Iterable[Answer]:
        """The answer of every block."""
        if change is not None:
            return [block.advance(change) for block in self._blocks]
        self._blocks = [Block(plan, *part) for part in self._parts or ()]
        self._parts = None
        return [block.score(plan.delta, plan.p) for block in self._blocks]


def _centred(
    X: Any, columns: Any, mean: NDArray[Any], root: Any, out: Any = None
) -> NDArray[Any]:
    """Some columns less a share of their means; rows times the roots of weights."""
    part = X[:, columns]
    part = part.toarray() if sp.issparse(part) else part
    centred = np.subtract(part, mean[columns], out=out)
    return centred if root is None else np.multiply(root, centred, out=out)


def _changes(plan: Plan, taken: NDArray[Any]) -> NDArray[Any]:
    """u of every step, from the columns of the features that were taken."""
    U = np.empty_like(taken, dtype=np.float64)
    for i, (b, delta) in enumerate(zip(plan.features, plan.deltas, strict=True)):
        U[:, i] = delta * (taken[:, i] - U[:, :i] @ plan.V[:i, b])
    return U
