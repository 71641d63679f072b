# SPDX-License-Identifier: BSD-3-Clause
"""The inner loop of greedy regularised least squares: update and score in one pass."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel

Array = NDArray[Any]


# error_model="numpy": a division that could raise is never vectorised.
@kernel(error_model="numpy", fastmath={"contract"})
def update_and_score(
    C: Array,
    Q: Array,
    u: Array,
    a: Array,
    v: Array,
    z: Array,
    g: Array,
    s: Array,
    delta: Array,
    p: Array,
    floor: float,
    errors: Array,
    slack: Array | None,
    cap: Array | None,
) -> None:
    """Bring C and Q up to date and sum every candidate's leave-one-out error.

    C and Q are cut into tiles of columns, (tiles, rows, width), so that a tile is read
    in the order of memory while its own few vectors stay in the first-level cache;
    vectors over features have the shape (tiles, width). The update of the last step is
    C -= u v', Q -= a v' + u z'; then, with r = delta_i C_ji,

        errors_i = sum_j [s_j - 2 r Q_ji + r^2 p_i] / (g_j - r C_ji)^2.

    Both brackets are positive in exact arithmetic and are bounded: the first above 0,
    the second above ``floor``. Where asked for (None is compiled away), slack_i is the
    smallest second bracket of feature i, and rows that have weights count cap_j^2
    times, their bracket in units of cap_j. C and Q may be float32; all arithmetic is
    float64.
    """
    tiles, rows, width = C.shape
    for tile in range(tiles):
        v_tile, z_tile = v[tile], z[tile]
        delta_tile, p_tile, errors_tile = delta[tile], p[tile], errors[tile]
        for i in range(width):
            errors_tile[i] = 0.0
        if slack is not None:
            slack[tile] = 1.0
        for j in range(rows):
            c_row, q_row = C[tile, j], Q[tile, j]
            u_j, a_j, g_j, s_j = u[j], a[j], g[j], s[j]
            for i in range(width):
                c = c_row[i] - u_j * v_tile[i]
                q = q_row[i] - a_j * v_tile[i] - u_j * z_tile[i]
                c_row[i] = c
                q_row[i] = q
                r = delta_tile[i] * c
                residual = s_j + r * (r * p_tile[i] - 2.0 * q)
                residual = residual if residual > 0.0 else 0.0
                left_out = g_j - r * c
                left_out = left_out if left_out > floor else floor
                if cap is not None:
                    left_out /= cap[j]
                if slack is not None:
                    least = slack[tile, i]
                    slack[tile, i] = left_out if left_out < least else least
                errors_tile[i] += residual / (left_out * left_out)


def warm_up() -> None:
    """Compile for both storage precisions."""
    u, a, g, s = np.ones((4, 1))
    v, z, delta, p, errors, slack = np.ones((6, 1, 1))
    for dtype, least in ((np.float64, None), (np.float32, slack)):
        C, Q = np.zeros((2, 1, 1, 1), dtype)
        update_and_score(C, Q, u, a, v, z, g, s, delta, p, 1e-12, errors, least, None)
