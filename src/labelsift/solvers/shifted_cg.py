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
    shift, and is small for graphs of few neighbours.

    Parameters
    ----------
    L : sparse of shape (n, n)
        A Laplacian, positive semidefinite.
    R : ndarray of shape (n, m)
        Right-hand sides.
    beta : float
        Weight of L, at least 0.
    shifts : ndarray of shape (m,)
        Above 0.
    start : ndarray of shape (n, m) or None, default=None
        Where to begin; None: the solution without L.
    tol : float, default=1e-8
        Norm of each residual that suffices, relative to its right-hand side.
    max_iter : int, default=1000
        Steps at most; rounding alone can use them up.

    Returns
    -------
    ndarray of shape (n, m)
        The solutions.
    """
    if beta == 0:
        return R / shifts
    scale = 1 / (shifts + beta * L.diagonal()[:, np.newaxis])
    V = R / shifts if start is None else start.copy()
    residual = R - shifts * V - beta * (L @ V)
    goal = tol * np.linalg.norm(R, axis=0)
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
    return V
