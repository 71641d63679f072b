# SPDX-License-Identifier: BSD-3-Clause
"""Leave-one-out errors of ridge fits on the first columns of X, for all prefixes."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.targets import known_patterns


def leave_one_out_gains(
    X: Any,
    Y: NDArray[Any],
    alpha: float = 1.0,
    *,
    coded: bool = False,
    weights: NDArray[Any] | None = None,
) -> list[float]:
    """By how much each further column reduces the leave-one-out error of a ridge fit.

    The error is the mean square over rows and labels, coded -1 and +1 (``coded``: as
    they are); a gain is a share of the error without any column, negative where a
    column increases it. X, in the order of selection, becomes dense: it has only a few
    columns. Of a row with a weight one copy is left out, or all where there is less;
    each label is fitted to the rows where it is known.
    """
    dense = X.toarray() if sp.issparse(X) else np.asarray(X)
    codes = Y if coded else 2.0 * Y - 1
    errors = np.zeros(X.shape[1] + 1)
    for rows, labels in known_patterns(codes):
        counts = np.ones(len(Y)) if weights is None else weights
        errors += _errors(dense[rows], codes[rows][:, labels], counts[rows], alpha)
    return (-np.diff(errors) / errors[0]).tolist()


def _errors(
    dense: NDArray[Any], codes: NDArray[Any], counts: NDArray[Any], alpha: float
) -> NDArray[np.float64]:
    """Sums of squared errors of the prefixes, from none of the columns to all."""
    design = np.hstack([np.ones((len(dense), 1)), dense.astype(np.float64)])
    # Ridge is least squares with rows sqrt(alpha) I below; the fits of all prefixes of
    # the columns are in one QR decomposition.
    padding = np.sqrt(alpha) * np.eye(design.shape[1])
    root = np.sqrt(counts)[:, np.newaxis]
    basis = np.linalg.qr(np.vstack([root * design, padding]))[0][: len(design)]
    codes = root * codes
    # Of the weighted fit: sqrt(w) times the residual, and w times a copy's leverage.
    residual, slack = codes, np.ones((len(design), 1))
    copy = 1 / np.maximum(counts, 1)[:, np.newaxis]
    errors = []
    for column in basis.T[:, :, np.newaxis]:
        residual = residual - column * (column.T @ codes)
        slack = slack - copy * column**2
        errors.append(((residual / slack) ** 2).sum())
    return np.array(errors)
