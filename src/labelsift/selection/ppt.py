# SPDX-License-Identifier: BSD-3-Clause
"""PPT: label sets as classes, rare ones pruned, features ranked one by one."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking
from labelsift.core.validation import Interval, StrOptions
from labelsift.core.warning import warn
from labelsift.solvers.information.bins import BinColumns, Groups, bin_features
from labelsift.solvers.information.counted import CountedBins, Layout
from labelsift.solvers.information.discretize import BINNING
from labelsift.solvers.information.mutual import (
    DECIMALS,
    count_blocks,
    counted_class_information,
)
from labelsift.sums.fit_counts import CountsFitMixin

# A warning is given below this share of the samples.
_LITTLE = 0.5
# Chi-square divided by n is rounded to this many decimals, so that equal features tie.
_SHARE_DECIMALS = 12


class _CriterionNotScore:
    """Rejects the old name of ``criterion``, which hid the method that scorers call.

    A base class, so that the signature of PPT remains that of its ``__init__``.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if "score" in kwargs:
            raise TypeError(
                f"{cls.__name__} has no argument score={kwargs['score']!r}: "
                f"pass criterion={kwargs['score']!r}."
            )
        return super().__new__(cls)


class PPT(_CriterionNotScore, CountsFitMixin):
    r"""Pruned problem transformation with mutual information or chi-square.

    Every label set that at least ``min_count`` samples have becomes a class C; the
    other samples are left out. Each feature f is scored alone, on its bins b and the
    classes c, by mutual information (PPT+MI) or the chi-square statistic (PPT+CHI),

    .. math::

        I(f; C) = \sum_{b,c} \frac{N_{bc}}{n} \log \frac{n N_{bc}}{N_b N_c}, \qquad
        \chi^2(f) = \sum_{b,c} \frac{(N_{bc} - N_b N_c / n)^2}{N_b N_c / n},

    over the n remaining samples. Where label sets are many and rare, these may be
    few: see ``kept_share_``.

    Cost: O(nnz(X)) to count, O(n_features n_bins n_classes) to sum. Memory: for dense X
    a byte per sample and bin, for sparse X 8 bytes per stored entry, which is never
    densified; and a block of counts of 16 MB.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    criterion : {"mi", "chi2"}, default="mi"
        Mutual information in nats, or chi-square.
    min_count : int, default=6
        How many samples a label set needs to become a class. Where fewer than two sets
        have them, nothing is pruned, with a warning.
    strategy : {"prune", "reassign"}, default="prune"
        "prune" drops the samples with a rarer label set; "reassign" gives them to the
        largest frequent set, not empty, within theirs (the most frequent of several),
        and drops those that have none.
    discretize : {"width", "quantile", "presence"} or None, default="width"
        How features are binned: into bins of equal width or of about equally many
        samples, or zero against the rest (good for text). None takes X as integer
        codes from 0. The bins are those of all samples given to fit.
    n_bins : int, default=3
        Number of bins of "width" and "quantile".

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index, constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Mutual information or chi-square.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    kept_share_ : float
        Share of the samples that have a class.

    See Also
    --------
    MRMR : Uses each label alone, on all samples.
    FisherScore : Another ranking of single features.

    References
    ----------
    J. Read (2008), A pruned problem transformation method for multi-label
    classification, New Zealand Computer Science Research Student Conference.

    G. Doquire, M. Verleysen (2011), Feature selection for multi-label classification
    problems, IWANN.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import PPT
    >>> traits = load_dataset("traits")
    >>> selector = PPT(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_3_2', 'pixel_5_2', 'pixel_4_2']
    >>> selector.kept_share_
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "criterion": [StrOptions({"mi", "chi2"})],
        "min_count": [Interval(Integral, 1, None, closed="left")],
        "strategy": [StrOptions({"prune", "reassign"})],
        **BINNING,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        criterion: str = "mi",
        min_count: int = 6,
        strategy: str = "prune",
        discretize: str | None = "width",
        n_bins: int = 3,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.criterion = criterion
        self.min_count = min_count
        self.strategy = strategy
        self.discretize = discretize
        self.n_bins = n_bins

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        sets, which = label_powerset(Y)
        classes = Groups.of_classes(self._classes(sets, np.bincount(which))[which])
        bins = bin_features(X, self.discretize, self.n_bins)
        return self._rank_classes(bins, classes.sizes, count_blocks(bins, classes))

    def _rank_layout(self, layout: Layout, constant: NDArray[np.bool_]) -> Ranking:
        classes = self._classes(layout.sets, layout.set_sizes)
        members = classes == np.arange(classes.max() + 1)[:, np.newaxis]
        counts, sizes = members @ layout.set_counts, members @ layout.set_sizes
        return self._rank_classes(CountedBins(layout), sizes, [(counts, sizes)])

    def _rank_classes(
        self, bins: BinColumns, sizes: NDArray[Any], blocks: Iterable[Any]
    ) -> Ranking:
        """Rank by the counts of some classes at a time, and how large they are."""
        if self.criterion == "mi":
            scores = counted_class_information(bins, sizes, blocks)
            return Ranking.from_scores(np.round(scores, DECIMALS))
        return Ranking.from_scores(_chi_square(bins, int(sizes.sum()), blocks))

    def _classes(self, sets: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.intp]:
        """Class of each label set, -1 for none; warns where few samples remain."""
        reassign = self.strategy == "reassign"
        classes = pruned_sets(sets, counts, self.min_count, reassign=reassign)
        if classes.max() < 1:
            warn(
                f"Label sets that reach min_count={self.min_count}: "
                f"{classes.max() + 1}. PPT needs at least two, so that none is "
                "pruned: lower min_count."
            )
            classes = pruned_sets(sets, counts, 1)
        self.kept_share_ = float(counts[classes >= 0].sum() / counts.sum())
        if self.kept_share_ < _LITTLE:
            warn(
                f"min_count={self.min_count} keeps {self.kept_share_:.0%} of the "
                "samples, those with a frequent label set: lower min_count or choose "
                "strategy='reassign' to rank features by more of them."
            )
        return classes


def label_powerset(Y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The distinct rows of Y, and which of them each sample has."""
    packed = np.ascontiguousarray(np.packbits(Y, axis=1))
    keys = packed.view(f"V{packed.shape[1]}").ravel()
    _, first, classes = np.unique(keys, return_index=True, return_inverse=True)
    return Y[first], classes


def pruned_powerset(
    Y: NDArray[Any], min_count: int, *, reassign: bool = False
) -> NDArray[np.intp]:
    """Classes, from 0, of the samples whose label set ``min_count`` have; else -1.

    With ``reassign`` a sample with a rare label set joins the class of the largest
    frequent set, not empty, that is contained in its own; of several as large, the most
    frequent. Needs O(rare sets x frequent sets) memory then.
    """
    sets, classes = label_powerset(Y)
    counts = np.bincount(classes)
    return pruned_sets(sets, counts, min_count, reassign=reassign)[classes]


def pruned_sets(
    sets: NDArray[Any], counts: NDArray[Any], min_count: int, *, reassign: bool = False
) -> NDArray[np.intp]:
    """The class of each distinct label set, by how many samples have it."""
    frequent = counts >= min_count
    renamed = np.where(frequent, np.cumsum(frequent) - 1, -1)
    if reassign and frequent.any():
        subset = _largest_subset(sets[~frequent], sets[frequent], counts[frequent])
        renamed[~frequent] = subset
    return renamed


def _largest_subset(
    rare: NDArray[Any], frequent: NDArray[Any], counts: NDArray[Any]
) -> NDArray[np.intp]:
    """Largest non-empty frequent set within each rare set, or -1."""
    size = frequent.sum(axis=1, dtype=np.int64)
    shared = rare.astype(np.float32) @ frequent.T.astype(np.float32)
    merit = size * (counts.max() + 1) + counts
    merit = np.where((shared == size) & (size > 0), merit, 0)
    best = merit.argmax(axis=1)
    return np.where(merit.max(axis=1) > 0, best, -1)


def _chi_square(
    bins: BinColumns, n_samples: int, blocks: Iterable[Any]
) -> NDArray[Any]:
    """n (sum of N_bc^2 / (N_b N_c) - 1) over bins and classes, for each feature."""
    columns = bins.first_column
    squares, totals = np.zeros(len(bins.totals)), np.zeros(len(bins.totals))
    rest_squares, rest_totals = np.zeros(bins.n_features), np.zeros(bins.n_features)
    for counts, sizes in blocks:
        sizes = sizes[:, np.newaxis]
        sums = np.pad(np.cumsum(counts, axis=1), ((0, 0), (1, 0)))
        rest = sizes - sums[:, columns[1:]] + sums[:, columns[:-1]]
        squares += (counts**2.0 / sizes).sum(axis=0)
        rest_squares += (rest**2.0 / sizes).sum(axis=0)
        totals += counts.sum(axis=0)
        rest_totals += rest.sum(axis=0)
    feature = np.repeat(np.arange(bins.n_features), np.diff(columns))
    shares = rest_squares / np.maximum(rest_totals, 1) + np.bincount(
        feature, weights=squares / np.maximum(totals, 1), minlength=bins.n_features
    )
    return n_samples * np.round(shares - 1, _SHARE_DECIMALS)
