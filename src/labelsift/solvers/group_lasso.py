# SPDX-License-Identifier: BSD-3-Clause
r"""Least squares with a penalty on whole rows of W: the group lasso of many labels.

.. math::

    \min_W \tfrac12 \|Y - XW\|_F^2 + \alpha \sum_j \|W_j\|_p, \qquad p = 2
    \text{ or } \infty,

by block coordinate descent on a growing set of working features, with Newton steps
between the sweeps, until the duality gap is small. Rows without weights are exactly
zero and the objective never rises, but for rounding.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from labelsift.core.result import SolverResult
from labelsift.solvers.least_squares import RowLoss, least_squares
from labelsift.solvers.row_descent import RowDescent, duality_gap
from labelsift.solvers.row_norms import row_norm

# Working features to begin with, and how many may enter for each that has weights.
_FIRST_FEATURES = 128
_GROWTH = 3
# A set of working features is left when its gap is this share of the gap of all.
_SHARE = 0.1

Watcher = Callable[[int, float, float], None]


def solve_group_lasso(
    X: Any,
    Y: NDArray[Any],
    *,
    alpha: float,
    norm: str = "2",
    mean: NDArray[Any] | None = None,
    scale: NDArray[Any] | None = None,
    form: str = "auto",
    W_init: NDArray[Any] | None = None,
    tol: float = 1e-6,
    max_iter: int = 10_000,
    on_iteration: Watcher | None = None,
) -> SolverResult:
    """Minimise 1/2 ||Y - XW||^2 + alpha * (sum of the norms of W's rows).

    A warning is given where ``max_iter`` sweeps do not suffice. For a path, or for a
    loss that is known by its Gram matrix, use ``minimise_group_lasso``.

    Parameters
    ----------
    X : ndarray or sparse of shape (n_samples, n_features)
        The samples; sparse X is never made dense.
    Y : ndarray of shape (n_samples, n_labels)
        The targets.
    alpha : float
        Weight of the penalty; n_samples times that of scikit-learn's MultiTaskLasso.
    norm : {"2", "inf"}, default="2"
        Norm of a row.
    mean, scale : ndarray of shape (n_features,) or None, default=None
        Columns are taken as (x - mean) / scale, where ``mean`` must hold their means.
    form : {"auto", "gram", "residual"}, default="auto"
        Form of the loss, see ``least_squares``.
    W_init : ndarray of shape (n_features, n_labels) or None, default=None
        Where to start; None: at 0.
    tol : float, default=1e-6
        The duality gap that suffices, as a share of 1/2 ||Y||^2. Where rounding alone
        may leave a larger one (``RowLoss.rounding``), that one suffices.
    max_iter : int, default=10000
        Sweeps at most.
    on_iteration : callable or None, default=None
        Called as on_iteration(n_iter, objective, gap) before each set of working
        features and at the end.

    Returns
    -------
    SolverResult
        The weights, of shape (n_features, n_labels); the objective at the start and
        after each sweep; the duality gap.
    """
    result = minimise_group_lasso(
        least_squares(X, Y, mean=mean, scale=scale, form=form),
        alpha=alpha,
        norm=norm,
        W_init=W_init,
        tol=tol,
        max_iter=max_iter,
        on_iteration=on_iteration,
    )
    if not result.converged:
        warn_not_converged("The group lasso", result, max_iter)
    return result


def warn_not_converged(who: str, result: SolverResult, max_iter: int) -> None:
    """Say that the duality gap is too large still, and what helps."""
    warnings.warn(
        f"{who} stopped after max_iter={max_iter} sweeps with a duality gap of "
        f"{result.gap:.3g} at an objective of {result.objective[-1]:.6g}: raise "
        "max_iter, tol or alpha.",
        ConvergenceWarning,
        stacklevel=3,
    )


def group_lasso_path(
    loss: RowLoss,
    alphas: Iterable[float],
    *,
    norm: str = "2",
    W_init: NDArray[Any] | None = None,
    tol: float = 1e-6,
    max_iter: int = 10_000,
) -> Iterator[SolverResult]:
    """Minimise for each alpha in turn, each from the last solution.

    Parameters
    ----------
    loss : RowLoss
        The loss, shared by the whole path.
    alphas : iterable of float
        Weights of the penalty, best in descending order.
    norm, W_init, tol, max_iter
        As for ``solve_group_lasso``.

    Yields
    ------
    SolverResult
        One per alpha, as it is asked for.
    """
    for alpha in alphas:
        result = minimise_group_lasso(
            loss, alpha=alpha, norm=norm, W_init=W_init, tol=tol, max_iter=max_iter
        )
        W_init = result.solution
        yield result


def minimise_group_lasso(
    loss: RowLoss,
    *,
    alpha: float,
    norm: str = "2",
    W_init: NDArray[Any] | None = None,
    tol: float = 1e-6,
    max_iter: int = 10_000,
    on_iteration: Watcher | None = None,
) -> SolverResult:
    """Minimise a loss plus alpha times the sum of the norms of W's rows.

    Parameters
    ----------
    loss : RowLoss
        From ``least_squares``, or a ``GramLoss``.
    alpha, norm, W_init, tol, max_iter, on_iteration
        As for ``solve_group_lasso``; no warning is given here.

    Returns
    -------
    SolverResult
        As for ``solve_group_lasso``.
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
        if on_iteration is not None:
            on_iteration(len(trace) - 1, trace[-1], gap)
        if gap <= goal or len(trace) > max_iter:
            break
        working = _working_features(used, strength, alpha)
        descent = RowDescent(loss.block(working), rows, alpha, W[working])
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


def _working_features(
    used: NDArray[np.intp], strength: NDArray[Any], alpha: float
) -> NDArray[np.intp]:
    """Features with weights, and the strongest of those that should have some."""
    strength = strength.copy()
    strength[used] = 0.0
    entering = np.flatnonzero(strength > alpha)
    room = max(_GROWTH * len(used), _FIRST_FEATURES)
    if len(entering) > room:
        strongest = np.argsort(-strength[entering], kind="stable")[:room]
        entering = entering[strongest]
    return np.sort(np.concatenate([used, entering]))
