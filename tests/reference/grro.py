# SPDX-License-Identifier: BSD-3-Clause
"""GRRO: every pair counted on its own, one linear system for all entries of W."""

from math import log

import numpy as np

from reference.information import mutual_information


def matrices(codes, Y):
    """P, Q and D, entry by entry."""
    features, labels = codes.T, Y.T.astype(float)
    P = [[mutual_information(f, y) / log(2) for y in labels] for f in features]
    Q = [[mutual_information(f, g) / log(2) for g in features] for f in features]
    D = [[1 - y @ z / np.sqrt((y @ y) * (z @ z)) for z in labels] for y in labels]
    Q, D = np.array(Q), np.array(D)
    np.fill_diagonal(Q, 1)
    np.fill_diagonal(D, 0)
    return np.array(P), Q, D


def grro(P, Q, D, alpha, beta, shift=0.0):
    """W from (I + alpha Q) W + beta W D = P, its rows one after the other."""
    d, t = P.shape
    left = (1 + shift) * np.eye(d) + alpha * Q
    system = np.kron(left, np.eye(t)) + beta * np.kron(np.eye(d), D.T)
    return np.linalg.solve(system, P.ravel()).reshape(d, t)
