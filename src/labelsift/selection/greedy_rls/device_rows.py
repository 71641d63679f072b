# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out errors of rows on a device, by the array API.

``score`` is the kernel of ``kernels/greedy.py`` as array code: one pass that applies
the last step to C and Q and sums the errors of every candidate. An array library would
run it operation by operation, each a pass of its own; torch.compile makes few passes of
it. Rows are in blocks of one shape, so that it is compiled once, and a block is cut
into groups of rows: the sums over a group fit a device, and lose fewer digits.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.arrays import array_device, library, like, namespace, to_numpy
from labelsift.core.optional import import_extra
from labelsift.core.warning import warn
from labelsift.selection.greedy_rls.rows import Answer, Change, Plan

# Entries of a block: bounds the temporary arrays, of which a library that runs one
# operation at a time makes about eight.
_BLOCK_ENTRIES = 2**27
# Rows that are summed at a time.
_GROUP = 256


def score(
    xp: Any, block: tuple[Any, ...], taken: tuple[Any, Any], scalars: Any, vectors: Any
) -> tuple[Any, ...]:
    """Bring a block up to date with the last step, and score every candidate.

    With c and a the columns of C and Q of the feature that was taken (``taken``) and
    u = delta_b c, the step is C -= u v', Q -= delta_b a v' + u z'; with r = delta_i C

        errors_i = sum_j [s_j - 2 r Q_ji + r^2 p_i] / (g_j - r C_ji)^2.

    C and Q have the shape (groups, rows, features). Returned are the block as it is now
    and the errors, with the smallest 1 - leverage of each candidate below them.
    """
    C, Q, g, s, cap = block
    delta_b, p_b, floor = scalars[0], scalars[1], scalars[2]
    v, z, delta, p = vectors[0, :], vectors[1, :], vectors[2, :], vectors[3, :]
    storage, wide = C.dtype, vectors.dtype
    c, a = (_as(xp, column, wide) for column in taken)
    u = delta_b * c
    g = xp.maximum(g - u * c, floor)
    s = s + u * (u * p_b - 2.0 * a)
    new_c = _as(xp, C, wide) - u * v
    new_q = _as(xp, Q, wide) - (delta_b * a) * v - u * z
    r = delta * new_c
    residual = xp.maximum(s + r * (r * p - 2.0 * new_q), 0.0 * floor)
    left_out = xp.maximum(g - r * new_c, floor)
    if cap is not None:
        left_out = left_out / cap
    errors = xp.sum(xp.sum(residual / (left_out * left_out), axis=1), axis=0)
    slack = xp.min(xp.min(left_out, axis=1), axis=0)
    now = _as(xp, new_c, storage), _as(xp, new_q, storage), g, s, cap
    return now, xp.stack([errors, slack])


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
        self._xp, self._mixed = namespace(X), dtype == "float32"
        self._blocks: list[tuple[Any, ...]] = []
        self._errors = np.empty(0)
        self._least = np.inf  # 1 - leverage with any candidate scored so far

    def scores(self, plan: Plan, change: Change | None) -> Iterable[Answer]:
        """The answer of all rows; the first call builds the arrays."""
        if change is None:
            self._blocks = [self._built(plan, rows) for rows in self._row_blocks()]
            error, none = self._first_error(), np.zeros(len(plan.p))
            change = Change(0, 0, 0.0, 0.0, none, none, plan.delta, plan.p)
        else:
            error = float(self._errors[change.feature])
        self._errors, slack = self._follow(change, plan.n)
        if self._mixed:  # squares of 1 - leverage, stored in float32, are lost early
            self._least = min(self._least, float(slack.min()))
            slack = np.minimum(slack, self._least)
        return [Answer(error, self._errors, slack)]

    def _follow(self, change: Change, n: float) -> tuple[NDArray[Any], NDArray[Any]]:
        """Apply a step to all blocks and score; d sums and minima cross to the host."""
        xp, X = self._xp, self._X
        storage = np.finfo(np.float32 if self._mixed else np.float64)
        floor = max(n * np.finfo(np.float64).eps, 8 * float(storage.eps))
        scalars = like(np.array([change.delta_b, change.p_b, floor]), X)
        vectors = like(np.stack([change.v, change.z, change.delta, change.p]), X)
        at, step = like(np.array([change.feature]), X), fast_score(X)
        answers = []
        for number, block in enumerate(self._blocks):
            taken = xp.take(block[0], at, axis=2), xp.take(block[1], at, axis=2)
            self._blocks[number], answer = step(block, taken, scalars, vectors)
            answers.append(answer)
        each = xp.stack(answers)
        sums, least = xp.sum(each[:, 0, :], axis=0), xp.min(each[:, 1, :], axis=0)
        errors, slack = to_numpy(xp.stack([sums, least]))
        return errors, slack

    def _row_blocks(self) -> list[slice]:
        """Rows of each block, as many in all; the last may need padding."""
        n, d = self._X.shape
        length = -(-n // -(-n * d // _BLOCK_ENTRIES))
        length = -(-length // _GROUP) * _GROUP
        return [slice(first, first + length) for first in range(0, n, length)]

    def _built(self, plan: Plan, rows: slice) -> tuple[Any, ...]:
        """C, Q, g and s of some rows before any feature is taken, and their cap."""
        missing = max(0, rows.stop - self._X.shape[0])
        rows = slice(rows.start, rows.stop - missing)
        xp, X, wide = self._xp, self._X[rows, :], self._xp.float64
        shift = (1 - plan.rho) * plan.x_mean
        C = _as(xp, X, wide) - like(shift, X)
        shift = self._offset - (1 - plan.rho) * plan.y_mean
        A = _as(xp, self._Y[rows, :], wide) * like(self._slope, X) + like(shift, X)
        share, cap = float((1 - plan.rho) / plan.n), None
        g = xp.ones_like(C[:, :1]) * (1 - share)
        if self._weights is not None:
            weights = self._weights[rows, None]
            root = xp.sqrt(weights)
            C, A, cap = root * C, root * A, xp.maximum(weights, xp.ones_like(weights))
            g = cap - share * weights
        # A row of zeros has no error, whatever is added.
        C, A = (_padded(xp, array, missing, 0.0) for array in (C, A))
        g, cap = (_padded(xp, array, missing, 1.0) for array in (g, cap))
        Q, s = A @ like(plan.P.T, X), xp.sum(A * A, axis=1, keepdims=True)
        storage = xp.float32 if self._mixed else wide
        C, Q = _as(xp, C, storage), _as(xp, Q, storage)
        return tuple(
            None if array is None else xp.reshape(array, (-1, _GROUP, array.shape[1]))
            for array in (C, Q, g, s, cap)
        )

    def _first_error(self) -> float:
        """Squared leave-one-out errors of the constant column alone."""
        total = 0.0
        for _, _, g, s, cap in self._blocks:
            left_out = g if cap is None else g / cap
            total += float(self._xp.sum(s / (left_out * left_out)))
        return total


def _padded(xp: Any, array: Any, missing: int, value: float) -> Any:
    """An array with more rows of one value."""
    if array is None or not missing:
        return array
    shape, device = (missing, array.shape[1]), array_device(array)
    end = xp.full(shape, value, dtype=array.dtype, device=device)
    return xp.concat([array, end], axis=0)


@cache
def _scorer(xp: Any, compile_it: bool) -> Callable[..., Any]:
    """``score`` for a library, compiled where that is known to help."""
    plain = partial(score, xp)
    if not compile_it:
        return plain
    torch = import_extra("torch", "Compiling for a device")
    return _Compiled(torch.compile(plain), plain, torch.OutOfMemoryError)


def fast_score(X: Any) -> Callable[..., Any]:
    """``score`` for the library of X."""
    return _scorer(namespace(X), library(X) == "torch")


class _Compiled:
    """A compiled function, until it turns out that this machine cannot compile it."""

    def __init__(
        self, fast: Callable[..., Any], plain: Callable[..., Any], keep: Any
    ) -> None:
        self._function, self._plain, self._keep = fast, plain, keep

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self._function(*arguments)
        except Exception as error:
            if self._function is self._plain or isinstance(error, self._keep):
                raise
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            warn(
                f"torch.compile does not work here ({reason}): the steps of GreedyRLS "
                "run one operation at a time, about five times slower."
            )
            self._function = self._plain
            return self._plain(*arguments)
