# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out errors of rows on a device, by the array API.

``score`` is the kernel of ``kernels/greedy.py`` as array code: one pass that applies
the last step to C and Q and sums the errors of every candidate. An array library would
run it operation by operation, each a pass of its own; torch.compile makes few passes of
it. Rows are the last axis, and in groups of some thousands: a group is what a processor
of a device sums on its own, from neighbouring memory, and sums of sums lose few digits.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.arrays import array_device, like, namespace, to_numpy
from labelsift.core.compiled import compiled
from labelsift.selection.greedy_rls.rows import Answer, Change, Plan

# Entries of a block: bounds the temporary arrays, of which a library that runs one
# operation at a time makes about eight.
_BLOCK_ENTRIES = 2**27
# Rows of a group at most, and what they are a multiple of: lines of memory.
_GROUP, _LINE = 8192, 64
# From this many entries of X on, 50 steps take so long (0.3 s on a large device) that
# the seconds of compiling are worth it.
_COMPILED_ENTRIES = 2**26


def score(
    xp: Any, block: tuple[Any, ...], taken: tuple[Any, Any], scalars: Any, vectors: Any
) -> tuple[Any, ...]:
    """Bring a block up to date with the last step, and score every candidate.

    With c and a the columns of C and Q of the feature that was taken (``taken``) and
    u = delta_b c, the step is C -= u v', Q -= delta_b a v' + u z'; with r = delta_i C

        errors_i = sum_j [s_j - 2 r Q_ji + r^2 p_i] / (g_j - r C_ji)^2.

    C and Q have the shape (features, groups, rows), and change in place. Returned are g
    and s as they are now, and the errors with the smallest 1 - leverage below them.
    """
    C, Q, g, s, cap = block
    delta_b, p_b, floor = scalars[0], scalars[1], scalars[2]
    v, z, delta, p = [xp.reshape(vectors[i, :], (-1, 1, 1)) for i in range(4)]
    storage, wide = C.dtype, vectors.dtype
    c, a = _as(xp, taken[0], wide), _as(xp, taken[1], wide)
    u = delta_b * c
    g = xp.maximum(g - u * c, floor)
    s = s + u * (u * p_b - 2.0 * a)
    new_c = _as(xp, C, wide) - u * v
    new_q = _as(xp, Q, wide) - (delta_b * a) * v - u * z
    C[...] = _as(xp, new_c, storage)
    Q[...] = _as(xp, new_q, storage)
    r = delta * new_c
    residual = xp.maximum(s + r * (r * p - 2.0 * new_q), 0.0 * floor)
    left_out = xp.maximum(g - r * new_c, floor)
    if cap is not None:
        left_out = left_out / cap
    errors = xp.sum(xp.sum(residual / (left_out * left_out), axis=2), axis=1)
    slack = xp.min(xp.min(left_out, axis=2), axis=1)
    return g, s, xp.stack([errors, slack])


def _as(xp: Any, array: Any, dtype: Any) -> Any:
    return array if array.dtype == dtype else xp.astype(array, dtype)


class DeviceRows:
    """Rows of dense X on a device, with their two arrays.

    Selection sees ``slope`` Y + ``offset``, Y being on the device as it was read. With
    weights, each row counts by its root. The arrays are stored as ``dtype``, "float64"
    or "float32"; all arithmetic is in float64.
    """

    def __init__(
        self,
        X: Any,
        Y: Any,
        slope: NDArray[Any],
        offset: NDArray[Any],
        weights: Any = None,
        dtype: str = "float64",
    ) -> None:
        self._X, self._Y, self._weights = X, Y, weights
        self._slope, self._offset = slope, offset
        self._xp, self._storage = namespace(X), dtype
        self._blocks: list[tuple[Any, ...]] = []
        self._errors = np.empty(0)
        self._least = np.inf  # 1 - leverage with any candidate scored so far

    def scores(self, plan: Plan, change: Change | None) -> Iterable[Answer]:
        """The answer of all rows; the first call builds the arrays."""
        if change is None:
            parts, shape = self._row_blocks()
            self._blocks = [self._built(plan, rows, shape) for rows in parts]
            error, none = self._first_error(), np.zeros(len(plan.p))
            change = Change(0, 0, 0.0, 0.0, none, none, plan.delta, plan.p)
        else:
            error = float(self._errors[change.feature])
        self._errors, slack = self._follow(change, plan.n)
        if (
            self._storage == "float32"
        ):  # squares of 1 - leverage, stored in float32, are lost early
            self._least = min(self._least, float(slack.min()))
            slack = np.minimum(slack, self._least)
        return [Answer(error, self._errors, slack)]

    def _follow(self, change: Change, n: float) -> tuple[NDArray[Any], NDArray[Any]]:
        """Apply a step to all blocks and score; d sums and minima cross to the host."""
        xp, X = self._xp, self._X
        floor = max(
            n * np.finfo(np.float64).eps, 8 * float(np.finfo(self._storage).eps)
        )
        scalars = like(np.array([change.delta_b, change.p_b, floor]), X)
        vectors = like(np.stack([change.v, change.z, change.delta, change.p]), X)
        at, step = like(np.array([change.feature]), X), self._step()
        answers = []
        for number, (C, Q, g, s, cap) in enumerate(self._blocks):
            taken = xp.take(C, at, axis=0), xp.take(Q, at, axis=0)
            g, s, answer = step((C, Q, g, s, cap), taken, scalars, vectors)
            self._blocks[number] = C, Q, g, s, cap
            answers.append(answer)
        each = xp.stack(answers)
        sums, least = xp.sum(each[:, 0, :], axis=0), xp.min(each[:, 1, :], axis=0)
        errors, slack = to_numpy(xp.stack([sums, least]))
        return errors, slack

    def _step(self) -> Any:
        """``score`` for the library of X."""
        n, d = self._X.shape
        if n * d < _COMPILED_ENTRIES:
            return partial(score, self._xp)
        weighted = "with" if self._weights is not None else "without"
        kind = f"steps of GreedyRLS in {self._storage}, {weighted} weights"
        return compiled(score, self._X, kind)

    def _row_blocks(self) -> tuple[list[slice], tuple[int, int]]:
        """Rows of each block, and its shape; the last may need padding."""
        n, d = self._X.shape
        length = -(-n // -(-n * d // _BLOCK_ENTRIES))
        groups = -(-length // _GROUP)
        rows = -(-length // groups)
        rows = -(-rows // _LINE) * _LINE if groups > 1 else rows
        starts = range(0, n, groups * rows)
        return [slice(i, min(i + groups * rows, n)) for i in starts], (groups, rows)

    def _built(self, plan: Plan, rows: slice, shape: tuple[int, int]) -> Any:
        """C, Q, g and s of some rows before any feature is taken, and their cap."""
        xp, X, wide = self._xp, self._X[rows, :], self._xp.float64
        part = partial(_laid_out, xp, shape)
        shift = (1 - plan.rho) * plan.x_mean
        C = _as(xp, X.T, wide) - like(shift[:, np.newaxis], X)
        shift = self._offset - (1 - plan.rho) * plan.y_mean
        A = _as(xp, self._Y[rows, :].T, wide) * like(self._slope[:, np.newaxis], X)
        A = A + like(shift[:, np.newaxis], X)
        share, cap = float((1 - plan.rho) / plan.n), None
        g = xp.ones_like(C[:1, :]) * (1 - share)
        if self._weights is not None:
            weights = self._weights[None, rows]
            root = xp.sqrt(weights)
            C, A, cap = root * C, root * A, xp.maximum(weights, xp.ones_like(weights))
            g, cap = cap - share * weights, part(cap, 1.0)
        Q, s = like(plan.P, X) @ A, xp.sum(A * A, axis=0, keepdims=True)
        storage = getattr(xp, self._storage)
        C, Q = _as(xp, C, storage), _as(xp, Q, storage)
        # A row of zeros has no error, whatever is added.
        return part(C, 0.0), part(Q, 0.0), part(g, 1.0), part(s, 0.0), cap

    def _first_error(self) -> float:
        """Squared leave-one-out errors of the constant column alone."""
        total = 0.0
        for _, _, g, s, cap in self._blocks:
            left_out = g if cap is None else g / cap
            total += float(self._xp.sum(s / (left_out * left_out)))
        return total


def _laid_out(xp: Any, shape: tuple[int, int], array: Any, fill: float) -> Any:
    """Columns of an array as groups of rows, in neighbouring memory; padded."""
    groups, rows = shape
    device = array_device(array)
    whole = xp.full(
        (array.shape[0], groups * rows), fill, dtype=array.dtype, device=device
    )
    whole[:, : array.shape[1]] = array
    return xp.reshape(whole, (-1, groups, rows))
