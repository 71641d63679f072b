# SPDX-License-Identifier: BSD-3-Clause
"""How stable a selection is: Nogueira's index with its confidence interval."""

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_scalar

from labelsift.core.warning import warn


@dataclass(frozen=True)
class Stability:
    """The stability of a selection.

    Parameters
    ----------
    index : float
        1 for equal selections, 0 in expectation for random selections.
    variance : float
        Estimated variance of the index.
    lower, upper : float
        Asymptotic confidence interval of the index.
    level : float
        Confidence level of the interval.
    """

    index: float
    variance: float
    lower: float
    upper: float
    level: float


def stability(
    selections: Any, n_features: int | None = None, *, level: float = 0.95
) -> Stability:
    r"""Measure how much selections of features agree beyond chance.

    For M selections among d features, where feature f is chosen with frequency
    :math:`p_f` and :math:`\bar k` features are chosen on average,

    .. math::

        \Phi = 1 - \frac{\frac1d \sum_f \frac{M}{M-1} p_f (1 - p_f)}
        {\frac{\bar k}{d} (1 - \frac{\bar k}{d})},

    the spread of the choices over the spread that chance would give. For selections of
    equal size it is Kuncheva's index, averaged over all pairs. The variance is

    .. math::

        v = \frac{4}{M^2} \sum_i (\varphi_i - \bar\varphi)^2, \qquad
        \varphi_i = \frac{\frac1d \sum_f z_{if} p_f - \frac{k_i \bar k}{d^2}
        + \frac{\Phi}{2} (\frac{2 k_i \bar k}{d^2} - \frac{k_i}{d} - \frac{\bar k}{d}
        + 1)}{\frac{\bar k}{d} (1 - \frac{\bar k}{d})}

    for selection i of :math:`k_i` features with indicators :math:`z_{if}`, and the
    interval is :math:`\Phi \pm u \sqrt v` with u the normal quantile of the level. It
    holds for many independent selections (resampled data), and is not cut at 1.

    Time and memory O(M d).

    Parameters
    ----------
    selections : bool matrix, list of masks or list of index arrays
        A boolean matrix of shape (n_selections, n_features) or a list of its rows, as
        ``support_`` gives them; or one array of feature indices per selection, of any
        sizes, as ``get_support(indices=True)`` gives them.
    n_features : int or None, default=None
        How many features there are to choose from; needed with indices.
    level : float in (0, 1), default=0.95
        Confidence level of the interval.

    Returns
    -------
    Stability
        Index, variance and interval; all NaN, with an UndefinedMetricWarning, when
        every selection is empty or every selection holds all features.

    References
    ----------
    S. Nogueira, K. Sechidis, G. Brown (2018), On the Stability of Feature Selection
    Algorithms, Journal of Machine Learning Research 18(174):1-54, definition 4 and
    corollary 9.

    Examples
    --------
    >>> from labelsift.metrics import stability
    >>> result = stability([[0, 1, 2], [0, 1, 3], [0, 1, 2, 5]], n_features=20)
    >>> round(result.index, 3), round(result.lower, 3), round(result.upper, 3)
    (0.64, 0.52, 0.76)
    """
    check_scalar(
        level, "level", Real, min_val=0, max_val=1, include_boundaries="neither"
    )
    chosen = _masks(selections, n_features)
    index, variance = _index_and_variance(chosen)
    reach = float(norm.ppf((1 + level) / 2)) * math.sqrt(variance)
    return Stability(index, variance, index - reach, index + reach, level)


def _index_and_variance(chosen: NDArray[np.bool_]) -> tuple[float, float]:
    count, d = chosen.shape
    frequency = chosen.mean(axis=0)
    share = np.count_nonzero(chosen, axis=1) / d  # k_i / d
    mean_share = share.mean()
    by_chance = mean_share * (1 - mean_share)
    if by_chance == 0:
        warn(
            "stability is not defined when every selection is empty or holds all "
            "features: it is set to NaN.",
            UndefinedMetricWarning,
        )
        return math.nan, math.nan
    spread = count / (count - 1) * np.mean(frequency * (1 - frequency))
    index = 1 - spread / by_chance
    agreement = chosen @ frequency / d - share * mean_share
    correction = 2 * share * mean_share - share - mean_share + 1
    phi = (agreement + index / 2 * correction) / by_chance
    return float(index), float(4 / count * np.var(phi))


def _masks(selections: Any, n_features: int | None) -> NDArray[np.bool_]:
    """Selections as a boolean matrix, one row each."""
    if n_features is not None:
        check_scalar(n_features, "n_features", Integral, min_val=1)
    if hasattr(selections, "__array__"):
        selections = np.asarray(selections)
    rows = [np.asarray(selection) for selection in selections]
    if len(rows) < 2:
        raise ValueError(
            f"stability compares selections and needs at least two, got {len(rows)}."
        )
    if any(row.ndim != 1 for row in rows):
        raise ValueError(
            "selections must be a boolean matrix, or a list of masks or index arrays "
            "of one dimension each."
        )
    if all(row.dtype == np.bool_ for row in rows):
        return _stacked(rows, n_features)
    if n_features is None:
        raise ValueError(
            "selections given by indices need n_features, the number of features they "
            "were chosen from; a 0/1 matrix must be passed as bool."
        )
    return _from_indices(rows, n_features)


def _stacked(rows: list[NDArray[Any]], n_features: int | None) -> NDArray[np.bool_]:
    lengths = {len(row) for row in rows} | ({n_features} if n_features else set())
    if len(lengths) > 1 or 0 in lengths:
        raise ValueError(
            f"The masks in selections must all be of length n_features={n_features}, "
            f"got lengths {sorted({len(row) for row in rows})}."
        )
    return np.stack(rows)


def _from_indices(rows: list[NDArray[Any]], n_features: int) -> NDArray[np.bool_]:
    masks = np.zeros((len(rows), n_features), dtype=np.bool_)
    for i, row in enumerate(rows):
        if not len(row):
            continue
        if row.dtype.kind not in "iu":
            raise ValueError(
                f"Selection {i} holds dtype {row.dtype}: pass feature indices as "
                "integers or masks as bool."
            )
        if row.min() < 0 or row.max() >= n_features:
            raise ValueError(
                f"Selection {i} holds a feature outside 0..{n_features - 1}: check "
                f"n_features={n_features}."
            )
        masks[i, row] = True
        if np.count_nonzero(masks[i]) < len(row):
            raise ValueError(
                f"Selection {i} holds a feature twice: pass each index once, or a 0/1 "
                "matrix as bool."
            )
    return masks
