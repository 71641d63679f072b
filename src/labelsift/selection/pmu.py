# SPDX-License-Identifier: BSD-3-Clause
"""PMU: relevance minus information shared by pairs of labels and of features."""

from typing import Any, ClassVar

from numpy.typing import NDArray

from labelsift.core.validation import StrOptions
from labelsift.selection.base import SummingSelector
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.order import Redundancy
from labelsift.solvers.information.targets import TargetInformation


class PMU(SummingSelector):
    r"""Pairwise multi-label utility.

    Takes one feature after the other, each time the f that has the largest

    .. math::

        J(f) = \sum_i I(f; y_i) - \sum_{s \in S} \sum_i I(f; s; y_i)
             - w \sum_{i < j} I(f; y_i; y_j), \qquad
        I(a; b; c) = I(a; b) - I(a; b \mid c),

    among those not yet in the set S of features taken, where I is the mutual
    information between binned features and labels y_i: ``D2F``, minus
    the information of f that two labels share.

    With w = 1, as published, t labels bring t (t - 1) / 2 pairs against t relevances.
    Written out, the terms without S are
    (1 - (t - 1) / 2) R + L / 2 with R = sum_i I(f; y_i) and
    L = sum_{i != j} I(f; y_i | y_j): for more than three labels the relevance of f
    counts against it, unless labels hardly overlap. On emotions (6 labels) the
    first features are worse than random ones. ``pairs="mean"`` takes
    w = 2 / (t - 1): what remains is L / (t - 1), the relevance of ``LRFS``.

    All counts are exact, and only the terms of the newest feature s are counted in each
    round. Cost: O(nnz(X) c^2) to count and O(n_features n_labels^2 n_bins) to sum at
    first, where c is the mean number of labels of a sample, then O(nnz(X) c) and
    O(n_features n_labels n_bins^2) a round. Memory: for dense X a byte per sample and
    bin (9/8 with dense labels), for sparse X 8 bytes per stored entry, which is never
    densified; and 16 bytes per label and bin.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    pairs : {"sum", "mean"}, default="sum"
        Weight w of the pairs of labels: 1 (published) or 2 / (n_labels - 1).
    redundancy : {"sum", "mean"}, default="sum"
        Whether the terms of all s add up (published) or their mean counts.
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
    D2F : The same without pairs of labels.
    FIMF : The first step of PMU on a few labels, as a ranking.

    References
    ----------
    J. Lee, D.-W. Kim (2013), Feature selection for multi-label classification using
    multivariate mutual information, Pattern Recognition Letters 34(3).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import PMU
    >>> traits = load_dataset("traits")
    >>> selector = PMU(3, pairs="mean").fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_]
    ['pixel_5_2', 'pixel_6_6', 'pixel_4_6']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SummingSelector._parameter_constraints,
        "pairs": [StrOptions({"sum", "mean"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        pairs: str = "sum",
        redundancy: str = "sum",
        discretize: str | None = "quantile",
        n_bins: int = 2,
    ) -> None:
        super().__init__(
            n_features_to_select,
            redundancy=redundancy,
            discretize=discretize,
            n_bins=n_bins,
        )
        self.pairs = pairs

    def _terms(
        self, information: Information | TargetInformation
    ) -> tuple[NDArray[Any], Redundancy]:
        others = information.n_labels - 1
        weight = 2 / others if self.pairs == "mean" and others else 1.0
        relevance = information.about_labels()
        relevance -= weight * information.shared_by_labels()
        return relevance, information.shared_with_feature
