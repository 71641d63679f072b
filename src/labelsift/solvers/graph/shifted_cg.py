# SPDX-License-Identifier: BSD-3-Clause
"""Systems with a graph's Laplacian and one shift per right-hand side."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def solve_shifted(
    L: Any,
    R: NDArray[Any],
    *,
    beta: float,
    shifts: NDArray[Any],
    start: NDArray[Any] | None = None,
    tol: float = 1e-8,
    max_iter: int = 1000,
) -> NDArray[Any]:
    """Solve (shift_j I + beta L) v_j = r_j for all columns at once.

    Conjugate gradients, scaled by the diagonal: one product L P a step, whatever the
    number of shifts. The number of steps grows with the root of 1 + 2 beta max-degree /
    shift, and is small for graphs of few neighbours. They begin at ``start``, or at the
    solution without L, and end when the norm of each residual is ``tol`` of that of its
    right-hand side, or after ``max_iter``, reached only by rounding.
    """
    if beta == 0:
        return R / shifts
    scale = 1 / (shifts + beta * L.diagonal()[:, np.newaxis])
    V = R / shifts if start is None else start.copy()
    residual = R - shifts * V - beta * (L @ V)
    goal = tol * np.linalg.norm(R, axis=0)
    descend = _descend if R.shape[1] == 1 else _compiled_descent
    descend(L, beta, shifts, scale, goal, V, residual, max_iter)
    return V


def _descend(
    L: Any,
    beta: float,
    shifts: NDArray[Any],
    scale: NDArray[Any],
    goal: NDArray[Any],
    V: NDArray[Any],
    residual: NDArray[Any],
    max_iter: int,
) -> None:
    """Conjugate gradients from V, in place, by array operations."""
    direction = scaled = scale * residual
    size = np.einsum("ij,ij->j", residual, scaled)
    for _ in range(max_iter):
        if (np.linalg.norm(residual, axis=0) <= goal).all():
            break
        image = shifts * direction + beta * (L @ direction)
        curvature = np.einsum("ij,ij->j", direction, image)
        step = np.divide(size, curvature, out=np.zeros_like(size), where=curvature > 0)
        V += step * direction
        residual -= step * image
        scaled = scale * residual
        last, size = size, np.einsum("ij,ij->j", residual, scaled)
        ratio = np.divide(size, last, out=np.zeros_like(size), where=last > 0)
        direction = scaled + ratio * direction


def _compiled_descent(
    L: Any,
    beta: float,
    shifts: NDArray[Any],
    scale: NDArray[Any],
    goal: NDArray[Any],
    V: NDArray[Any],
    residual: NDArray[Any],
    max_iter: int,
) -> None:
    """The same bits from a compiled loop, for two columns and more.

    Both add up rows one after the other; numpy adds up a single column in pairs.
    """
    from labelsift.kernels.graph import shifted_descent

    parts = L.data, L.indices, L.indptr
    scale, solution, residual = map(np.ascontiguousarray, (scale, V, residual))
    shifted_descent(
        parts, float(beta), shifts, scale, goal, solution, residual, max_iter
    )
    V[...] = solution
