# SPDX-License-Identifier: BSD-3-Clause
"""p-values of several comparisons made together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def holm(p_values: Any) -> NDArray[np.float64]:
    r"""Correct p-values of simultaneous comparisons by Holm's step-down rule.

    With :math:`p_{(1)} \le \dots \le p_{(m)}`, the i-th becomes
    :math:`\max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})`.

    Parameters
    ----------
    p_values : array of shape (m,)
        Within [0, 1].

    Returns
    -------
    ndarray of shape (m,)
        In the order given.
    """
    given = np.asarray(p_values, dtype=np.float64)
    if given.ndim != 1 or not given.size or not ((given >= 0) & (given <= 1)).all():
        raise ValueError(
            "p_values must be a list of at least one number, each from 0 to 1, but "
            f"they are {given.tolist()}."
        )
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate(given[order] * np.arange(given.size, 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
