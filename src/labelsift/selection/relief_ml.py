# SPDX-License-Identifier: BSD-3-Clause
"""Relief for many labels: features that differ where label sets do."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state

from labelsift.core.base import BaseSelector
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.validation import Interval, StrOptions
from labelsift.core.warning import warn
from labelsift.solvers.neighbours import nearest_neighbours

# Neighbours that are listed for each row, for each hit or miss that a label wants.
_LIST = 4


class ReliefML(BaseSelector):
    r"""RReliefF with a distance of label sets, or ReliefF label by label.

    Features are divided by their ranges. With d_f the difference of a row and one of
    its nearest rows in feature f, d_y the distance of their label sets, and sums N over
    all m such pairs,

    .. math::

        W_f = \frac{N_{yf}}{N_y} - \frac{N_f - N_{yf}}{m - N_y}, \qquad
        N_y = \sum d_y, \quad N_f = \sum d_f, \quad N_{yf} = \sum d_y d_f:

    how much f differs between near rows that differ in their labels, less how much it
    differs between near rows that do not. With ``per_label`` it is instead the mean
    over rows and labels of the difference to the nearest rows without the row's value
    of the label (misses), less that to the nearest rows with it (hits), as in ReliefF.

    Features are judged among rows that are near in *all* features: where most of them
    are noise, so are the neighbours. A feature that tells few of many labels hardly
    shows in the distance of label sets; it does with ``per_label``. Near copies of a
    good feature share its rank, and an outlier sets the range of its feature: scale
    robustly beforehand.

    Cost: one exact search for neighbours, O(n_rows n_samples n_features) for dense X,
    then O(n_rows n_neighbors) differences of rows. ``per_label`` searches again among
    the rows of each label whose hits or misses are not near. Memory: X once more in
    float64, sparse where X is, and O(n_rows n_neighbors); never n_samples x n_samples.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    n_neighbors : int, default=10
        Nearest rows of each row (for each label: hits, and misses); all other rows
        where there are fewer.
    label_distance : {"hamming", "f1"}, default="hamming"
        Distance of two label sets: share of the labels in which they differ, or one
        minus the F1 measure of one by the other (0 for two empty sets).
    per_label : bool, default=False
        ReliefF for each label, averaged (RF-BR); ``label_distance`` plays no part.
    metric : {"euclidean", "cosine"}, default="euclidean"
        What makes rows near: distance, or angle, of features divided by their ranges.
    n_rows : int or None, default=None
        Rows whose neighbours are looked at, drawn at random; None for all of them.
        Advisable above some 50 000 samples.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw of rows.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index, constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        W, between -1 and 1.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.

    See Also
    --------
    FisherScore : One feature at a time, without neighbours.
    labelsift.classification.MLkNN : A read-out by the same neighbours.

    References
    ----------
    M. Robnik-Sikonja, I. Kononenko (2003), Theoretical and empirical analysis of
    ReliefF and RReliefF, Machine Learning 53.

    O. Reyes, C. Morell, S. Ventura (2015), Scalable extensions of the ReliefF algorithm
    for weighting and selecting features on the multi-label learning context,
    Neurocomputing 161.

    N. Spolaor, E. A. Cherman, M. C. Monard, H. D. Lee (2013), ReliefF for multi-label
    feature selection, BRACIS (``per_label``).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import ReliefML
    >>> traits = load_dataset("traits")
    >>> selector = ReliefML(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_2_2', 'pixel_3_3', 'pixel_5_2']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "label_distance": [StrOptions({"hamming", "f1"})],
        "per_label": ["boolean"],
        "metric": [StrOptions({"euclidean", "cosine"})],
        "n_rows": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_neighbors: int = 10,
        label_distance: str = "hamming",
        per_label: bool = False,
        metric: str = "euclidean",
        n_rows: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.label_distance = label_distance
        self.per_label = per_label
        self.metric = metric
        self.n_rows = n_rows
        self.random_state = random_state

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        X = _by_range(X)
        Y = Y[:, ~constant_labels(Y)]
        points = normalize(X) if self.metric == "cosine" else X
        weigh = self._hits_and_misses if self.per_label else self._label_distances
        return Ranking.from_scores(_weighted_differences(X, weigh(points, Y)))

    def _rows(self, n_samples: int) -> NDArray[np.intp]:
        if self.n_rows is None or self.n_rows >= n_samples:
            return np.arange(n_samples)
        rng = check_random_state(self.random_state)
        return np.sort(rng.choice(n_samples, self.n_rows, replace=False))

    def _label_distances(self, points: Any, Y: NDArray[Any]) -> Any:
        """Weights of pairs that make the sum of their differences RReliefF's W."""
        rows = self._rows(len(Y))
        nearest = _nearest(points, rows, min(self.n_neighbors, len(Y) - 1))
        distance = _DISTANCES[self.label_distance]
        apart = np.column_stack([distance(Y[rows], Y[j]) for j in nearest.T])
        differ = apart.sum()
        agree = apart.size - differ
        if not (differ > 0 and agree > 0):
            warn(
                "ReliefML compares near rows that differ in their labels with near "
                f"rows that do not, but {'none' if differ == 0 else 'all'} differ: all "
                "scores are 0. Raise n_neighbors."
            )
            return sp.csr_array((len(Y), len(Y)))
        return _pairs(rows, nearest, apart / differ - (1 - apart) / agree, len(Y))

    def _hits_and_misses(self, points: Any, Y: NDArray[Any]) -> Any:
        """Weights of pairs that make the sum of their differences that of RF-BR."""
        rows, k = self._rows(len(Y)), min(self.n_neighbors, len(Y) - 1)
        listed = _nearest(points, rows, min(_LIST * k, len(Y) - 1))
        total = sp.csr_array((len(Y), len(Y)))
        for label in Y.T:
            found = [
                _nearest_of_value(points, rows, listed, label == value, k)
                for value in (0, 1)
            ]
            # The nearest come first: without one there is none, nothing to compare.
            both = (found[0][:, :1] >= 0) & (found[1][:, :1] >= 0)
            for value, nearest in enumerate(found):
                known = (nearest >= 0) & both
                sign = np.where(label[rows] == value, -1.0, 1.0)
                share = sign / np.maximum(known.sum(axis=1), 1)
                weights = np.where(known, share[:, np.newaxis], 0.0)
                total = total + _pairs(rows, np.maximum(nearest, 0), weights, len(Y))
        return total / (Y.shape[1] * len(rows))


def _by_range(X: Any) -> Any:
    """X in float64, each column divided by its range; rows stay where they are."""
    low, high = X.min(axis=0), X.max(axis=0)
    if sp.issparse(X):
        low, high = low.toarray(), high.toarray()
    span = np.ravel(high).astype(np.float64) - np.ravel(low)
    factor = np.divide(1.0, span, out=np.zeros_like(span), where=span > 0)
    if not sp.issparse(X):
        return X * factor
    X = sp.csr_array(X, dtype=np.float64, copy=True)
    X.data *= factor[X.indices]
    return X


def _weighted_differences(X: Any, pairs: Any) -> NDArray[np.float64]:
    """Sum of weight |x_i - x_j| over the pairs, for each feature."""
    from labelsift.kernels import differences as kernel

    out = np.zeros(X.shape[1])
    csr = pairs.data, pairs.indices, pairs.indptr
    if sp.issparse(X):
        kernel.add_sparse_differences(X.data, X.indices, X.indptr, *csr, out)
    else:
        kernel.add_dense_differences(np.ascontiguousarray(X), *csr, out)
    return out


def _pairs(
    rows: NDArray[Any], nearest: NDArray[Any], weights: NDArray[Any], n_samples: int
) -> Any:
    """Weights of pairs of rows as a sparse matrix."""
    first = np.repeat(rows, nearest.shape[1])
    entries = (weights.ravel(), (first, nearest.ravel()))
    pairs = sp.csr_array(entries, shape=(n_samples, n_samples))
    pairs.eliminate_zeros()
    return pairs


def _nearest(
    points: Any, rows: NDArray[Any], count: int, among: NDArray[Any] | None = None
) -> NDArray[np.intp]:
    """The nearest of each row among some others, itself left out; -1 beyond the last.

    One more is asked for, as a row may be the nearest of itself.
    """
    pool = points if among is None else points[among]
    asked = min(count + 1, pool.shape[0])
    found, _ = nearest_neighbours(pool, asked, points[rows])
    found = found if among is None else among[found]
    return _first(found, found != rows[:, np.newaxis], count)


def _first(
    values: NDArray[Any], wanted: NDArray[np.bool_], count: int
) -> NDArray[np.intp]:
    """The first values of each row that are wanted; -1 where there are fewer."""
    order = np.argsort(~wanted, axis=1, kind="stable")[:, :count]
    chosen = np.take_along_axis(values, order, axis=1)
    return np.where(np.take_along_axis(wanted, order, axis=1), chosen, -1)


def _nearest_of_value(
    points: Any,
    rows: NDArray[Any],
    listed: NDArray[Any],
    has_value: NDArray[np.bool_],
    count: int,
) -> NDArray[np.intp]:
    """The nearest rows that have a value of a label: listed ones where they suffice."""
    wanted = has_value[listed]
    nearest = np.full((len(rows), count), -1)
    few = wanted.sum(axis=1) < count
    nearest[~few] = _first(listed[~few], wanted[~few], count)
    among = np.flatnonzero(has_value)
    if few.any() and len(among):
        found = _nearest(points, rows[few], count, among)
        nearest[few, : found.shape[1]] = found
    return nearest


def _hamming(A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray((A != B).mean(axis=1))


def _f1(A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
    shared = 2.0 * (A & B).sum(axis=1)
    sizes = A.sum(axis=1, dtype=np.int64) + B.sum(axis=1, dtype=np.int64)
    return 1 - np.divide(shared, sizes, out=np.ones(len(A)), where=sizes > 0)


_DISTANCES = {"hamming": _hamming, "f1": _f1}
