# SPDX-License-Identifier: BSD-3-Clause
"""Reading precomputed sums X'X, X'Y, ..."""

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from sklearn.utils import check_array, check_scalar, check_symmetric

from labelsift.core.warning import warn
from labelsift.selection.greedy_rls.labels import LabelScaling
from labelsift.selection.greedy_rls.options import read_vector
from labelsift.selection.greedy_rls.problem import Moments
from labelsift.selection.greedy_rls.refit import Factor

_EPS = np.finfo(np.float64).eps


@dataclass(frozen=True)
class Sums:
    """Sums over n rows, of labels coded -1/+1 or of values."""

    XtX: NDArray[Any]
    XtY: NDArray[Any]
    n: int
    x_sum: NDArray[Any]
    y_sum: NDArray[Any]
    y_sq: NDArray[Any]
    negative: int | None  # how an absent label is coded, 0 or -1; None: values

    @classmethod
    def read(
        cls, XtX: Any, XtY: Any, y_sq: Any, n: int, x_sum: Any, y_sum: Any, target: str
    ) -> "Sums":
        """Check shapes and values; labels coded 0/1 are recoded to -1/+1.

        The coding follows from the sums: y^2 adds up to y where y is 0/1, and to n
        where it is -1/+1. Values are not recognised: ``target`` says so.
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
                f"XtX, x_sum and n={n} cannot come from the same rows: a sum of "
                "squares is smaller than the squared sum over n."
            )
        if target == "values":
            return cls(XtX, XtY, n, x_sum, y_sum, y_sq, None)
        squares = np.full(t, float(n))
        if np.allclose(y_sq, n):
            return cls(XtX, XtY, n, x_sum, y_sum, squares, -1)
        if np.allclose(y_sq, y_sum):
            XtY, y_sum = 2 * XtY - x_sum[:, np.newaxis], 2 * y_sum - n
            return cls(XtX, XtY, n, x_sum, y_sum, squares, 0)
        raise ValueError(
            f"y_sq must equal y_sum (labels coded 0/1) or n={n} (labels coded -1/+1) "
            'for every label: sum labels of one coding, or pass target="values".'
        )

    @property
    def y_mean(self) -> NDArray[Any]:
        """Mean of each target: -1 or +1 where a label has one value only."""
        return self.y_sum / self.n

    @property
    def y_variance(self) -> NDArray[Any]:
        """Variance of each target."""
        return self.y_sq / self.n - self.y_mean**2

    @property
    def live(self) -> NDArray[np.bool_]:
        """Which targets have more than one value, up to rounding where not labels."""
        if self.negative is not None:
            return np.abs(self.y_mean) < 1
        return np.asarray(self.y_variance > 64 * _EPS * self.y_sq / self.n)

    def check_labels(self) -> None:
        """Warn about labels with one value; a ValueError where all are such."""
        live = self.live
        if not live.any():
            raise ValueError("y_sum has no label with both values: pass at least one.")
        if not live.all():
            warn(
                f"{np.count_nonzero(~live)} of {len(live)} labels hold one value only "
                "and cannot be learned; their scores are constant."
            )

    def moments(self, labels: LabelScaling, bias: float) -> Moments:
        """Centred moments of the labels as selection sees them."""
        live, scale = labels.live, labels.scale
        x_mean, y_mean = self.x_sum / self.n, self.y_mean[live]
        cross = (self.XtY[:, live] - np.outer(self.x_sum, y_mean)) * scale
        y_spread = self.n * labels.variance * scale**2
        spread = np.where(self.constant, 0, self.spread)
        y_mean = (y_mean - labels.centre) * scale
        return Moments(self.n, bias, x_mean, y_mean, spread, cross, y_spread)

    @property
    def spread(self) -> NDArray[Any]:
        """Sum of squares of each centred feature."""
        return np.diag(self.XtX) - self.x_sum**2 / self.n

    @property
    def constant(self) -> NDArray[Any]:
        """Features without spread, up to rounding."""
        return np.asarray(self.spread <= 64 * _EPS * np.diag(self.XtX))

    def gram_column(self, b: int) -> NDArray[Any]:
        """Column b of X'X of centred data."""
        return self.XtX[b] - self.x_sum * (self.x_sum[b] / self.n)

    def factor(
        self, features: NDArray[Any], live: NDArray[Any], alpha: float, bias: float
    ) -> Factor:
        """Cholesky factor of the penalised Gram matrix of some features."""
        gram, ones = self.XtX[np.ix_(features, features)], self.x_sum[features]
        products = self.XtY[features][:, live]
        if bias:
            edge = bias * ones
            gram = np.block(
                [[np.array([[self.n * bias**2]]), edge], [edge[:, None], gram]]
            )
            products = np.vstack([bias * self.y_sum[live], products])
            ones = np.append(bias * self.n, ones)
        try:
            R = cholesky(gram + alpha * np.eye(len(gram)))
        except LinAlgError:
            raise ValueError(
                f"XtX + alpha I is not positive definite at alpha={alpha}: check the "
                "sums, scale the features or raise alpha."
            ) from None
        products, ones = (solve_triangular(R, B, trans="T") for B in (products, ones))
        return Factor(R, products, ones, alpha, bias)


def _floats(values: Any, name: str) -> NDArray[Any]:
    return np.asarray(check_array(values, dtype=np.float64, input_name=name))
