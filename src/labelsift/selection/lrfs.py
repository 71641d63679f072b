# SPDX-License-Identifier: BSD-3-Clause
"""LRFS: information of a feature about each label given the other labels."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.validation import StrOptions
from labelsift.core.warning import warn
from labelsift.selection.base import TargetInformationSelector
from labelsift.solvers.information.mutual import DECIMALS, Information
from labelsift.solvers.information.order import Redundancy, SharedInformation
from labelsift.solvers.information.targets import TargetInformation


class LRFS(TargetInformationSelector):
    r"""Feature selection with label redundancy.

    Takes one feature after the other, each time the f that has the largest

    .. math::

        J(f) = \sum_i \sum_{j \ne i} I(f; y_j \mid y_i)
             - \frac{w}{|S|} \sum_{s \in S} I(f; s)

    among those not yet in the set S of features taken, where I is the mutual
    information between binned features and labels. Labels with one value are left out.
    With the weight w = 1, as in the paper and its public code, the first term, a sum
    over all pairs of labels, outweighs the second: the order is nearly that of the
    first term alone.

    All counts are exact, and only I(f; s) of the newest feature s is counted in each
    round. Cost: O(nnz(X) c^2) to count and O(n_features n_labels^2 n_bins) to sum
    at first, where c is the mean number of labels of a sample, then at most O(nnz(X)) a
    round: the least relevant features are not looked at while they cannot be taken.
    Memory: for dense X a byte per sample and bin (9/8 with dense labels), for
    sparse X 8 bytes per stored entry, which is never densified; and 16 bytes per label
    and bin.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    redundancy_weight : {"once", "labels"}, default="once"
        "once": w = 1. "labels": w is the number of labels with both values, as where
        the second term is written inside the sum over labels (eq. 3 of the second
        reference).
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
    MRMR : The same order by the information about each label alone.
    MDMR : Uses the information beyond the selected features.

    References
    ----------
    P. Zhang, G. Liu, W. Gao (2019), Distinguishing two types of labels for multi-label
    feature selection, Pattern Recognition 95.

    Robust multi-label feature selection with shared label enhancement (RLEFS), eq. 3.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import LRFS
    >>> traits = load_dataset("traits")
    >>> selector = LRFS(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_]
    ['pixel_5_2', 'pixel_1_2', 'pixel_3_2']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TargetInformationSelector._parameter_constraints,
        "redundancy_weight": [StrOptions({"once", "labels"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        redundancy_weight: str = "once",
        discretize: str | None = "width",
        n_bins: int = 3,
        target: str = "auto",
    ) -> None:
        super().__init__(
            n_features_to_select, discretize=discretize, n_bins=n_bins, target=target
        )
        self.redundancy_weight = redundancy_weight

    def _terms(
        self, information: Information | TargetInformation
    ) -> tuple[NDArray[Any], Redundancy]:
        relevance = information.about_labels_given_labels()
        if not np.round(relevance, DECIMALS).any():
            warn(
                "LRFS ranks features by their information about a label given another "
                "label, which is 0 here (there is one label, or each determines "
                "the others): only redundancy decides. Use MRMR."
            )
        weight = information.n_labels if self.redundancy_weight == "labels" else 1
        return relevance, SharedInformation(information, weight)
