# SPDX-License-Identifier: BSD-3-Clause
"""MDMR: information about the labels beyond the features already selected."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.selection.base import TargetInformationSelector
from labelsift.solvers.information.bins import Bins
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.order import Redundancy
from labelsift.solvers.information.sparse_pairs import SparsePairs
from labelsift.solvers.information.targets import TargetInformation


class MDMR(TargetInformationSelector):
    r"""Maximum dependency on the labels, minimum redundancy with selected features.

    Takes one feature after the other, each time the f that has the largest

    .. math::

        J(f) = \sum_i I(f; y_i) - \frac{1}{|S|} \sum_{s \in S} \Bigl\{ I(f; s)
             - \sum_i I(f; y_i \mid s) \Bigr\}

    among those not yet in the set S of features taken, where I is the mutual
    information between binned features and labels y_i: a feature loses its
    redundancy with s and gains its information about the labels given s. The sums over
    labels grow with their number and I(f; s) does not: with many labels, copies of a
    strong feature are still taken early.

    All counts are exact, and only the terms of the newest feature s are counted in each
    round. Cost of a round: O(nnz(X) c) to count, where c is the mean number of labels
    of a sample, and O(n_features n_labels n_bins^2) to sum. Where two features of
    sparse X have less than one sample in common on average, as rare words do, a feature
    is counted only in rounds where a bound on J(f) reaches the best one, by sums over
    the labels that occur with it. Memory: for dense X a byte per sample and bin (9/8
    with dense labels), for sparse X up to 48 bytes per stored entry, which is never
    densified; and up to 28 bytes per label and bin.

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
    MRMR : The same without the conditional term.
    LRFS : Uses the information about a label given the other labels.

    References
    ----------
    Y. Lin, Q. Hu, J. Liu, J. Duan (2015), Multi-label feature selection based on
    max-dependency and min-redundancy, Neurocomputing 168.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import MDMR
    >>> traits = load_dataset("traits")
    >>> selector = MDMR(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_4']
    """

    _by_label = True

    def _information(
        self, bins: Bins, Y: NDArray[Any], weights: NDArray[Any] | None
    ) -> Information | TargetInformation:
        plain = Y.dtype.kind != "f" and weights is None
        if plain and SparsePairs.serves(bins):
            return SparsePairs(bins, Y)
        return super()._information(bins, Y, weights)

    def _terms(
        self, information: Information | TargetInformation
    ) -> tuple[NDArray[Any], Redundancy]:
        def redundancy(s: int) -> NDArray[Any]:
            shared = information.about_feature(s)
            return shared - information.about_labels_given_feature(s)

        return information.about_labels(), redundancy

    def _taken(
        self,
        information: Information | TargetInformation,
        candidates: NDArray[np.bool_],
    ) -> NDArray[np.intp]:
        if isinstance(information, SparsePairs):
            return information.order(candidates, self.n_features_)
        return super()._taken(information, candidates)
