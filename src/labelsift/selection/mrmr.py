# SPDX-License-Identifier: BSD-3-Clause
"""MRMR: information about the labels minus redundancy with other features."""

from typing import Any

from numpy.typing import NDArray

from labelsift.selection.base import TargetInformationSelector
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.order import Redundancy, SharedInformation
from labelsift.solvers.information.targets import TargetInformation


class MRMR(TargetInformationSelector):
    r"""Minimum redundancy, maximum relevance, with the relevance of all labels.

    Takes one feature after the other, each time the f that has the largest

    .. math::

        J(f) = \sum_i I(f; y_i) - \frac{1}{|S|} \sum_{s \in S} I(f; s)

    among those not yet in the set S of features taken, where I is the mutual
    information between binned features and labels y_i. The sum over labels grows with
    their number and I(f; s) does not: with many labels, copies of a strong feature are
    still taken early. Information that only several features together have about a
    label is ignored.

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
    discretize : {"width", "quantile", "presence"} or None, default="width"
        How features are binned: into bins of equal width or of about equally many
        samples, or zero against the rest (good for text). None takes X as integer
        codes from 0. The bins are those of the samples given to fit.
    n_bins : int, default=3
        Number of bins of "width" and "quantile".
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values, also both in one Y; "values" takes any number as it is.
        Values are cut into ``n_bins`` bins of about equally many samples.

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
    MDMR : Also uses the information beyond the selected features.
    LRFS : Uses the information about a label given the other labels.

    References
    ----------
    H. Peng, F. Long, C. Ding (2005), Feature selection based on mutual information:
    criteria of max-dependency, max-relevance, and min-redundancy, IEEE Transactions on
    Pattern Analysis and Machine Intelligence 27(8). The sum over the labels is ours.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import MRMR
    >>> traits = load_dataset("traits")
    >>> selector = MRMR(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_4']
    """

    def _terms(
        self, information: Information | TargetInformation
    ) -> tuple[NDArray[Any], Redundancy]:
        return information.about_labels(), SharedInformation(information)
