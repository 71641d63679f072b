# SPDX-License-Identifier: BSD-3-Clause
"""Leave-one-out errors of ridge fits on the first columns of X, for all prefixes."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray


def leave_one_out_gains(
    X: Any, Y: NDArray[Any], alpha: float = 1.0, *, coded: bool = False
) -> list[float]:
    """By how much each further column reduces the leave-one-out error of a ridge fit.

    The error is the mean square over rows and labels, coded -1 and +1 (``coded``: as
    they are); a gain is a share of the error without any column, negative where a
    column increases it. X, in the order of selection, becomes dense: it has only a few
    columns.
    """
    dense = X.toarray() if sp.issparse(X) else np.asarray(X)
    design = np.hstack([np.ones((len(dense), 1)), dense.astype(np.float64)])
    # Ridge is least squares with rows sqrt(alpha) I below; the fits of all prefixes of
    # the columns are in one QR decomposition.
    padding = np.sqrt(alpha) * np.eye(design.shape[1])
    basis = np.linalg.qr(np.vstack([design, padding]))[0][: len(design)]
    codes = Y if coded else 2.0 * Y - 1
    residual, slack = codes, np.ones((len(design), 1))
    errors = []
    for column in basis.T[:, :, np.newaxis]:
        residual = residual - column * (column.T @ codes)
        slack = slack - column**2
        errors.append(float(((residual / slack) ** 2).mean()))
    return [(errors[k] - errors[k + 1]) / errors[0] for k in range(len(errors) - 1)]
