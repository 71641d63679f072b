# SPDX-License-Identifier: BSD-3-Clause
"""FIMF: a ranking by information about labels, minus what pairs of a few share."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.result import Ranking
from labelsift.core.validation import Interval
from labelsift.selection.base import put_below
from labelsift.solvers.information.bins import bin_features
from labelsift.solvers.information.discretize import BINNING
from labelsift.solvers.information.mutual import DECIMALS, Information
from labelsift.solvers.information.targets import TargetInformation


class FIMF(WeightedFitMixin, BaseSelector):
    r"""Fast multi-label feature selection by information-theoretic ranking.

    Ranks each feature by

    .. math::

        J(f) = \sum_i I(f; y_i) - \sum_{i < j \in Q} I(f; y_i; y_j), \qquad
        I(f; y; z) = I(f; y) - I(f; y \mid z),

    where I is the mutual information between binned features and labels y_i, and Q the
    labels of largest entropy: those nearest to half of the samples. Information
    that two of them share is subtracted. Features are scored one at a time, so copies
    of a good feature rank next to it.

    With all labels in Q this is the first step of ``PMU``, with its flaw: q labels
    bring q (q - 1) / 2 pairs, and for more than three of them relevance may count
    against a feature. Where all labels are frequent and overlap (emotions), 3 to 5 are
    safer.

    All counts are exact. Cost: O(nnz(X) c) to count, where c is the mean number of
    labels of a sample, and for Q O(nnz(X) c_Q^2); there are no rounds. Memory: for
    dense X a byte per sample and bin (9/8 with dense labels), for sparse X 8 bytes per
    stored entry, which is never densified; and 16 bytes per label and bin.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    n_labels : int, default=10
        How many labels are in Q; all of them where there are fewer.
    n_candidates : int or None, default=None
        Only so many features, those of largest entropy, are ranked by J; the others
        follow by their entropy. None: all of them.
    discretize : {"width", "quantile", "presence"} or None, default="quantile"
        How features are binned: into bins of equal width or of about equally many
        samples, or zero against the rest (good for text). None takes X as integer
        codes from 0. The bins are those of the samples given to fit.
    n_bins : int, default=2
        Number of bins of "width" and "quantile".

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index. Features that are no
        candidates come after the others, then those with all samples in one bin.
    scores_ : ndarray of shape (n_features_in_,)
        J in nats; for features that are no candidates 1 below the lowest J, or less.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.

    See Also
    --------
    PMU : All pairs of labels, and the redundancy of features.
    FisherScore : Another ranking of single features, without bins.

    References
    ----------
    J. Lee, D.-W. Kim (2015), Fast multi-label feature selection based on
    information-theoretic feature ranking, Pattern Recognition 48(9).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import FIMF
    >>> traits = load_dataset("traits")
    >>> selector = FIMF(3, n_labels=3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_6_6', 'pixel_7_5', 'pixel_5_2']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "n_labels": [Interval(Integral, 1, None, closed="left")],
        "n_candidates": [Interval(Integral, 1, None, closed="left"), None],
        **BINNING,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_labels: int = 10,
        n_candidates: int | None = None,
        discretize: str | None = "quantile",
        n_bins: int = 2,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_labels = n_labels
        self.n_candidates = n_candidates
        self.discretize = discretize
        self.n_bins = n_bins

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        bins = bin_features(X, self.discretize, self.n_bins, weights)
        even = _most_even(Y, weights)[: self.n_labels]
        every, few = (
            Information(bins, labels)
            if weights is None
            else TargetInformation(bins, labels.astype(np.intp), weights)
            for labels in (Y, Y[:, even])
        )
        scores = np.round(every.about_labels() - few.shared_by_labels(), DECIMALS)
        entropy = every.entropies()
        outside = bins.is_constant
        if self.n_candidates is not None:
            by_entropy = np.argsort(-entropy, kind="stable")
            outside[by_entropy[self.n_candidates :]] = True
        put_below(scores, outside, entropy)
        return Ranking.from_scores(scores)


def _most_even(Y: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[np.intp]:
    """Labels by decreasing entropy: the nearer to half of the samples, the more."""
    counts, n = Y.sum(axis=0, dtype=np.int64), len(Y)
    if weights is not None:
        counts, n = weights @ Y, weights.sum()
    uneven = np.abs(2 * counts - n)
    return np.argsort(uneven, kind="stable")
