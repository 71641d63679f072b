# SPDX-License-Identifier: BSD-3-Clause
"""Fisher score, averaged over the labels."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.targets import TARGET, known_patterns
from labelsift.sums.fit import StreamFitMixin, SumsSelector
from labelsift.sums.part import summed
from labelsift.sums.sums import Sums


class FisherScore(WeightedFitMixin, StreamFitMixin, SumsSelector):
    r"""Rank each feature by its Fisher score, averaged over the labels.

    For feature x and a label that splits the samples into two classes c,

    .. math::

        F = \frac{\sum_c n_c (\bar x_c - \bar x)^2}{\sum_c n_c \sigma_c^2}
          = \frac{R^2}{1 - R^2},

    the spread between the classes over the spread within them, where R is the
    correlation of feature and label: between and within add up to the total spread, so
    sums of x per label and the total spread of x suffice. The score of the feature is
    the mean of F over the labels that have both values.

    Of a target with real values R is the correlation too, and F tells how much of it
    the feature explains. A label that is unknown in a row (NaN) is scored without that
    row, and rows may have weights.

    A feature that separates a label perfectly would score infinitely; 1 - R^2 is
    bounded below by machine precision, so scores stay finite. The score looks at one
    feature at a time: near copies of a good feature rank next to it.

    Cost: one product X'Y, O(nnz(X) n_labels); memory O(n_features n_labels) beyond X.
    Sparse X is centred implicitly and never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values, also both in one Y; "values" takes any number as it is.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index, constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Mean Fisher score; 0 for constant columns (or just below the worst other score,
        where that is 0).
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.

    See Also
    --------
    RandomRanking : The control to compare with.

    References
    ----------
    R. O. Duda, P. E. Hart, D. G. Stork (2001), Pattern Classification, 2nd ed.,
    section 3.8.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import FisherScore
    >>> traits = load_dataset("traits")
    >>> selector = FisherScore(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_2']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "target": TARGET,
    }
    takes_mixed = True
    takes_unknown = True
    _products = (False, False)

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        target: str = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.target = target

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        Y = Y[:, ~constant_labels(Y)]
        share = np.empty((X.shape[1], Y.shape[1]))
        for rows, columns in known_patterns(Y):
            own = None if weights is None else weights[rows]
            sums = summed(X[rows], Y[rows][:, columns], own, full=self._products)
            share[:, columns] = _squared_correlations(sums.xx, sums.xy, sums.yy)
        return _ranking(share)

    def _rank_sums(self, sums: Sums) -> Ranking:
        live = sums.live
        xx, yy = sums.spread, sums.y_spread[live]
        return _ranking(_squared_correlations(xx, sums.xy[:, live], yy))


def _squared_correlations(
    xx: NDArray[Any], xy: NDArray[Any], yy: NDArray[Any]
) -> NDArray[Any]:
    """R^2 of each feature and target; columns without spread have none."""
    spread = np.where(xx > 0, xx, np.inf)[:, np.newaxis]
    return xy**2 / (spread * yy)


def _ranking(share: NDArray[Any]) -> Ranking:
    """By the mean of F over the targets."""
    within = np.maximum(1 - share, np.finfo(np.float64).eps)
    return Ranking.from_scores((share / within).mean(axis=1))
