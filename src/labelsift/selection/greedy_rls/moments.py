# SPDX-License-Identifier: BSD-3-Clause
"""Raw sums X'X, X'Y, ... as ``Sums``."""

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_scalar, check_symmetric

from labelsift.core.warning import warn
from labelsift.selection.greedy_rls.options import read_vector
from labelsift.sums.part import Part
from labelsift.sums.sums import Sums
from labelsift.sums.targets import Targets

_EPS = np.finfo(np.float64).eps
# A spread below this share of a sum of squares has lost digits worth a warning.
_LOST = 1e-6


def raw_sums(
    XtX: Any, XtY: Any, y_sq: Any, n: int, x_sum: Any, y_sum: Any, target: str
) -> Sums:
    """Check shapes and values, and centre.

    The coding follows from the sums: y^2 adds up to y where y is 0/1, and to n where
    it is -1/+1. Values are not recognised: ``target`` says so. What is constant, is so
    up to rounding.
    """
    check_scalar(n, "n", Integral, min_val=2)
    XtX = check_symmetric(_floats(XtX, "XtX"), raise_exception=True)
    XtY = _floats(XtY, "XtY")
    d, t = XtY.shape
    x_sum = read_vector(x_sum, "x_sum", d)
    y_sum, y_sq = read_vector(y_sum, "y_sum", t), read_vector(y_sq, "y_sq", t)
    if len(XtX) != d:
        raise ValueError(
            f"XtX is for {len(XtX)} features and XtY for {d}: pass sums of one X."
        )
    if np.any(np.diag(XtX) * (1 + 64 * _EPS) < x_sum**2 / n):
        raise ValueError(
            f"XtX, x_sum and n={n} cannot come from the same rows: a sum of squares is "
            "smaller than the squared sum over n."
        )
    negative = _coding(y_sq, y_sum, n, target)
    if negative == -1:
        XtY, y_sum = (XtY + x_sum[:, np.newaxis]) / 2, (y_sum + n) / 2
        y_sq = y_sum
    x_mean, y_mean = x_sum / n, y_sum / n
    xx = XtX - np.outer(x_sum, x_mean)
    y_spread = y_sq - y_sum * y_mean
    varies = np.diag(xx) > 64 * _EPS * np.diag(XtX)
    live = y_spread > 64 * _EPS * y_sq
    _warn_of_lost_digits(np.diag(xx), np.diag(XtX), varies)
    targets = Targets(
        np.full(t, negative is None), np.dtype(int if negative is not None else float),
        negative,
    )  # fmt: skip
    part = Part(
        n,
        float(n),
        x_mean,
        y_mean,
        np.stack([x_mean, np.where(varies, np.inf, x_mean)]),
        np.stack([y_mean, np.where(live, np.inf, y_mean)]),
        xx * np.outer(varies, varies),
        (XtY - np.outer(x_mean, y_sum)) * varies[:, np.newaxis],
        y_spread,
    )
    return Sums.of(part, targets)


def _coding(y_sq: NDArray[Any], y_sum: NDArray[Any], n: int, target: str) -> int | None:
    """How absent labels are coded, 0 or -1; None: values."""
    if target == "values":
        return None
    if np.allclose(y_sq, n):
        return -1
    if np.allclose(y_sq, y_sum):
        return 0
    raise ValueError(
        f"y_sq must equal y_sum (labels coded 0/1) or n={n} (labels coded -1/+1) for "
        'every label: sum labels of one coding, or pass target="values".'
    )


def _warn_of_lost_digits(
    spread: NDArray[Any], squares: NDArray[Any], varies: NDArray[np.bool_]
) -> None:
    lost = np.flatnonzero(varies & (spread < _LOST * squares))
    if len(lost):
        warn(
            f"Column {lost[0]} of X (one of {len(lost)}) has a mean much larger than "
            "its spread, so that X'X has lost its digits: sum by labelsift.sums.Sums "
            "and call fit_sums."
        )


def _floats(values: Any, name: str) -> NDArray[Any]:
    return np.asarray(check_array(values, dtype=np.float64, input_name=name))
