# SPDX-License-Identifier: BSD-3-Clause
"""D2F: relevance minus the label information shared with selected features."""

from typing import Any

from numpy.typing import NDArray

from labelsift.selection.base import SummingSelector
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.order import Redundancy
from labelsift.solvers.information.targets import TargetInformation


class D2F(SummingSelector):
    r"""Feature selection by information of degree two: pairs, and one triple.

    Takes one feature after the other, each time the f that has the largest

    .. math::

        J(f) = \sum_i I(f; y_i) - \sum_{s \in S} \sum_i I(f; s; y_i), \qquad
        I(f; s; y) = I(f; y) - I(f; y \mid s),

    among those not yet in the set S of features taken, where I is the mutual
    information between binned features and labels y_i. Information about a label that f
    shares with s is subtracted (I > 0), synergy is added (I < 0); what f and s share
    that concerns no label costs nothing.

    Summed over the labels, the triples are R(f) - sum_i I(f; y_i | s) with R the first
    sum: the counts of ``MDMR``. The sum over S grows without bound, and beyond many
    features only redundancy decides; whether the sum or the mean chooses better depends
    on the data.

    All counts are exact, and only the terms of the newest feature s are counted in each
    round. Cost of a round: O(nnz(X) c) to count, where c is the mean number of labels
    of a sample, and O(n_features n_labels n_bins^2) to sum. Memory: for dense X a byte
    per sample and bin (9/8 with dense labels), for sparse X 8 bytes per stored entry,
    which is never densified; and 16 bytes per label and bin.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    redundancy : {"sum", "mean"}, default="sum"
        Whether the triples of all s add up (published) or their mean counts.
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

    See Also
    --------
    MDMR : The mean of I(f; s) - sum_i I(f; y_i | s) in place of the triples.
    PMU : D2F with what pairs of labels share taken off the relevance.
    SCLS : Redundancy without labels: cheaper by far.

    References
    ----------
    J. Lee, D.-W. Kim (2015), Mutual information-based multi-label feature selection
    using interaction information, Expert Systems with Applications 42(4).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import D2F
    >>> traits = load_dataset("traits")
    >>> selector = D2F(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_]
    ['pixel_5_2', 'pixel_5_4', 'pixel_4_6']
    """

    def _terms(
        self, information: Information | TargetInformation
    ) -> tuple[NDArray[Any], Redundancy]:
        return information.about_labels(), information.shared_with_feature
