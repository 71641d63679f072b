# SPDX-License-Identifier: BSD-3-Clause
"""Orthonormalised PLS as a d x d generalised eigenproblem, everything dense."""

import numpy as np
import scipy.linalg


def opls(X, Y, beta):
    """Eigenvalues and directions (rows) of X'YY'X w = mu (X'X + n beta I) w, over n.

    X and Y are centred; beta is above 0.
    """
    n, d = X.shape
    total = X.T @ X / n + beta * np.eye(d)
    values, vectors = scipy.linalg.eigh(X.T @ Y @ Y.T @ X / n, total)
    return values[::-1] / n, vectors[:, ::-1].T
