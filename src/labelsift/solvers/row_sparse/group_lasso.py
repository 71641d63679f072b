# SPDX-License-Identifier: BSD-3-Clause
r"""Least squares with a penalty on whole rows of W: the group lasso of many labels.

.. math::

    \min_W \tfrac12 \|Y - XW\|_F^2 + \alpha \sum_j \|W_j\|_p, \qquad p = 2
    \text{ or } \infty,

by block coordinate descent on a growing set of working features, with Newton steps
between the sweeps, until the duality gap is small. Rows without weights are exactly
zero and the objective never rises, but for rounding.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import SolverResult
from labelsift.solvers.row_sparse.descent import RowDescent, duality_gap
from labelsift.solvers.row_sparse.least_squares import RowLoss
from labelsift.solvers.row_sparse.norms import row_norm

# Working features to begin with, and how many may enter for each that has weights.
_FIRST_FEATURES = 128
_GROWTH = 3
# A set of working features is left when its gap is this share of the gap of all.
_SHARE = 0.1


def minimise_group_lasso(
    loss: RowLoss,
    *,
    alpha: float,
    norm: str = "2",
    W_init: NDArray[Any] | None = None,
    tol: float = 1e-6,
    max_iter: int = 10_000,
    descend: Callable[..., RowDescent] = RowDescent,
) -> SolverResult:
    """Minimise a loss plus alpha times the sum of the norms of W's rows.

    alpha is n_samples times that of scikit-learn's MultiTaskLasso. W starts at
    ``W_init``, or at 0; the next point of a path starts at the last solution. ``tol``
    is the duality gap to stop at, as a share of 1/2 ||Y||^2; where rounding alone may
    leave a larger one (``RowLoss.rounding``), that one. ``descend`` makes the descent
    over a block. The result holds the weights, of shape (n_features, n_labels), the
    objective at the start and after each sweep, and the duality gap.
    """
    rows, W = row_norm(norm), _start(loss, alpha, W_init)
    used = np.flatnonzero(W.any(axis=1))
    trace: list[float] = []
    while True:
        correlation, residual_sq = loss.correlation(used, W[used])
        strength = rows.dual(correlation)
        trace = trace or [residual_sq / 2 + alpha * rows.values(W[used]).sum()]
        gap = duality_gap(
            rows, alpha, W[used], correlation[used], residual_sq, strength.max()
        )
        goal = max(tol * loss.target_sq / 2, loss.rounding(used, W[used]))
        if gap <= goal or len(trace) > max_iter:
            break
        working = working_features(used, strength, alpha)
        descent = descend(loss.block(working), rows, alpha, W[working])
        enough = max((1 - _SHARE) * goal, _SHARE * gap)
        trace.extend(descent.run(enough, range(len(trace), max_iter + 1)))
        W[working] = descent.W
        used = working[descent.W.any(axis=1)]
    return SolverResult(
        W, np.array(trace), gap, n_iter=len(trace) - 1, converged=gap <= goal
    )


def largest_alpha(loss: RowLoss, norm: str) -> float:
    """The smallest alpha at which all weights are 0."""
    return float(row_norm(norm).dual(loss.cross).max())


def _start(loss: RowLoss, alpha: float, W_init: NDArray[Any] | None) -> NDArray[Any]:
    if not alpha > 0:
        raise ValueError(f"alpha must be positive, got {alpha!r}.")
    if W_init is None:
        return np.zeros_like(loss.cross)
    if W_init.shape != loss.cross.shape:
        raise ValueError(
            f"W_init must have shape {loss.cross.shape} (n_features, n_labels), got "
            f"{W_init.shape}."
        )
    return np.array(W_init, dtype=np.float64)


def working_features(
    used: NDArray[np.intp], strength: NDArray[Any], alpha: float
) -> NDArray[np.intp]:
    """Features with weights, and the strongest of those that should have some."""
    strength = strength.copy()
    strength[used] = 0.0
    entering = np.flatnonzero(strength > alpha)
    most = max(_GROWTH * len(used), _FIRST_FEATURES)
    if len(entering) > most:
        strongest = np.argsort(-strength[entering], kind="stable")[:most]
        entering = entering[strongest]
    return np.sort(np.concatenate([used, entering]))
