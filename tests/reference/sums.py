# SPDX-License-Identifier: BSD-3-Clause
"""Sums over rows from their definition, in rational numbers."""

from fractions import Fraction

import numpy as np


def sums(X, Y, weights=None):
    """n, means and centred products, exact before the last rounding."""
    rows = [[Fraction(float(v)) for v in row] for row in np.column_stack([X, Y])]
    w = [Fraction(float(v)) for v in (np.ones(len(X)) if weights is None else weights)]
    n, width, d = sum(w), len(rows[0]), np.shape(X)[1]
    mean = [sum(a * row[j] for a, row in zip(w, rows, strict=True)) / n
            for j in range(width)]  # fmt: skip
    centred = [[v - m for v, m in zip(row, mean, strict=True)] for row in rows]
    products = np.array(
        [
            [float(sum(a * row[i] * row[j] for a, row in zip(w, centred, strict=True)))
             for j in range(width)]
            for i in range(width)
        ]
    )  # fmt: skip
    means = np.array([float(m) for m in mean])
    return {
        "n": float(n),
        "x_mean": means[:d],
        "y_mean": means[d:],
        "xx": products[:d, :d],
        "xy": products[:d, d:],
        "yy": products[d:, d:],
    }
