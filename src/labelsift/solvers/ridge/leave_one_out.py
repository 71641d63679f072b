# SPDX-License-Identifier: BSD-3-Clause
"""Leave-one-out errors of ridge fits on the first columns of X, for all prefixes."""

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.core.targets import known_patterns

# Entries of the basis at a time: 2 MiB, which a processor keeps at hand.
_BLOCK_ENTRIES = 2**18


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
    """Sums of squared errors of the prefixes, from none of the columns to all.

    The squared residuals of a row follow from those before it, for all labels at once.
    """
    design = np.hstack([np.ones((len(dense), 1)), dense.astype(np.float64)])
    # Ridge is least squares with rows sqrt(alpha) I below; the fits of all prefixes of
    # the columns are in one QR decomposition.
    root, (n, d) = np.sqrt(counts)[:, np.newaxis], design.shape
    stacked = np.zeros((n + d, d), order="F")
    np.multiply(root, design, out=stacked[:n])
    np.fill_diagonal(stacked[n:], np.sqrt(alpha))
    basis = scipy.linalg.qr(
        stacked, mode="economic", overwrite_a=True, check_finite=False
    )[0][:n]
    # Of the weighted fit: sqrt(w) times the residual, and w times a copy's leverage.
    codes, copy = root * codes, 1 / np.maximum(counts, 1)
    weights = basis.T @ codes  # of each column of the basis, for every label
    earlier = np.triu(weights @ weights.T, 1)
    errors = np.zeros(d)
    for rows in gen_batches(n, max(1, _BLOCK_ENTRIES // d)):
        Q, own = basis[rows], codes[rows]
        along = own @ weights.T - Q @ earlier  # <residual so far, weights>
        lost = Q * (2 * along - Q * np.einsum("jk,jk->j", weights, weights))
        squares = np.einsum("ik,ik->i", own, own)[:, np.newaxis] - np.cumsum(lost, 1)
        slack = 1 - copy[rows, np.newaxis] * np.cumsum(Q * Q, 1)
        errors += np.sum(np.maximum(squares, 0.0) / slack**2, axis=0)
    return errors
