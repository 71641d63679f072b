# SPDX-License-Identifier: BSD-3-Clause
"""SCLS: relevance, scaled down by the redundancy with the selected features."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.selection.base import SummingSelector
from labelsift.solvers.information.mutual import DECIMALS, Information
from labelsift.solvers.information.order import Redundancy, SharedInformation
from labelsift.solvers.information.targets import TargetInformation


class SCLS(SummingSelector):
    r"""Scalable criterion for a large label set.

    Takes one feature after the other, each time the f that has the largest

    .. math::

        J(f) = R(f) \Bigl( 1 - \sum_{s \in S} \frac{I(f; s)}{H(f)} \Bigr),
        \qquad R(f) = \sum_i I(f; y_i),

    among those not yet in the set S of features taken, where I is the mutual
    information between binned features and labels y_i, and H the entropy. A feature
    loses the share of its entropy that it has in common with each s, however many
    labels there are: no term involves both a selected feature and a label.

    The sum over S grows without bound. Once every factor is below 0, J prefers features
    of small relevance: ``turning_point_`` is the number of features selected before.
    The order from there on means "least redundant", not "relevant". The mean of the
    shares instead of their sum never turns over, but selected worse features on image
    and text data. A feature with more bins has more entropy and looks less redundant.

    All counts are exact, and only I(f; s) of the newest feature s is counted in each
    round. Cost: O(nnz(X) c) before the first, where c is the mean number of labels of a
    sample, then at most O(nnz(X)) a round: the least relevant features are not looked
    at while they cannot be taken. Memory: for dense X a byte per sample and bin (9/8
    with dense labels), for sparse X 8 bytes per stored entry, which is never
    densified; and 4 bytes per label and bin.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    redundancy : {"sum", "mean"}, default="sum"
        Whether the shares add up (published) or their mean counts.
    discretize : {"width", "quantile", "presence"} or None, default="quantile"
        How features are binned: into bins of equal width or of about equally many
        samples, or zero against the rest (good for text). None takes X as integer
        codes from 0. The bins are those of the samples given to fit.
    n_bins : int, default=2
        Number of bins of "width" and "quantile".

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_,)
        The features in the order in which they were taken; ties go to the lowest
        index. Features with all samples in one bin come last.
    scores_ : ndarray of shape (n_features_in_,)
        n_features_in_ - position, 0 for a feature that was not reached.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    turning_point_ : int or None
        Number of features selected before the largest J was 0 or less for the first
        time; None if it never was.

    See Also
    --------
    MRMR : Subtracts the mean of I(f; s) itself.
    D2F : Redundancy that concerns the labels only.

    References
    ----------
    J. Lee, D.-W. Kim (2017), SCLS: Multi-label feature selection based on scalable
    criterion for large label set, Pattern Recognition 66.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import SCLS
    >>> traits = load_dataset("traits")
    >>> selector = SCLS(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_2']
    """

    def _terms(
        self, information: Information | TargetInformation
    ) -> tuple[NDArray[Any], Redundancy]:
        relevance, entropy = information.about_labels(), information.entropies()
        # Where a feature has no entropy it has no relevance either.
        worth_of_share = np.divide(
            relevance, entropy, out=np.zeros_like(relevance), where=entropy > 0
        )
        return relevance, SharedInformation(information, worth_of_share)

    def _keep_worth(self, worth: NDArray[Any]) -> None:
        worthless = np.flatnonzero(np.round(worth, DECIMALS) <= 0)
        self.turning_point_ = int(worthless[0]) if len(worthless) else None

    def _cut(self, count: int) -> None:
        super()._cut(count)
        if self.turning_point_ is not None and self.turning_point_ >= count:
            self.turning_point_ = None
