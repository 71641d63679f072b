# SPDX-License-Identifier: BSD-3-Clause
"""ML-kNN: labels from how many of the nearest samples carry them."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import expit

from labelsift.core.base import BaseLabelRanker
from labelsift.core.collections import by_blocks
from labelsift.core.validation import Interval
from labelsift.core.warning import warn
from labelsift.solvers.neighbours import nearest_neighbours

# Log-odds are rounded to this many decimals, so that equal evidence ties, also in
# probabilities.
_DECIMALS = 12


class MLkNN(BaseLabelRanker):
    r"""Labels by their posterior odds given how many nearest neighbours carry them.

    Let c be the number of the k nearest training samples of x that carry a label, and H
    whether x carries it. With n training samples, n_1 of which carry the label,

    .. math::

        P(H) = \frac{s + n_1}{2 s + n}, \qquad
        P(c \mid H) = \frac{s + N_H(c)}{s (k + 1) + \sum_j N_H(j)},

    where N_H(c) counts the training samples that carry the label (or, for the contrary,
    do not) and have c such neighbours, itself left out. The score is the log-odds

    .. math::

        \log \frac{P(H) P(c \mid H)}{P(\neg H) P(c \mid \neg H)},

    above 0 where carrying the label is the more probable. (The paper's letters: H_1,
    E_c for c neighbours, C(l) for c.)

    Neighbours are exact and ties go to the lowest index. A label with one value only
    has the same count everywhere, so its score is constant.

    Cost: O(n^2 n_features) to fit and O(n n_features) per prediction, less for sparse
    X, in blocks that take at most 80 MiB: no n x n array. A scaled copy of the training
    samples is stored; sparse X with one value in twenty or more is searched in a dense
    copy where that takes at most 64 MiB.

    Parameters
    ----------
    n_neighbors : int, default=10
        Number of neighbours k. Where there are no more training samples than that, all
        the others are taken, and a warning says so.
    smoothing : float, default=1.0
        Added to every count (s); 1 is Laplace smoothing.
    scale : bool, default=True
        Whether to divide each feature by its range over the training samples. Features
        are not shifted, so sparse X stays sparse; distances are those of features
        scaled to [0, 1]. A feature that is constant in training does not count.

    Attributes
    ----------
    n_neighbors_ : int
        Number of neighbours that are used.
    log_odds_ : ndarray of shape (n_labels, n_neighbors_ + 1)
        Score of each label for each count of neighbours.
    feature_range_ : ndarray of shape (n_features_in_,)
        What each feature is divided by: its range; infinity for a constant feature, 1
        where ``scale`` is False.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    BinaryRidge : A linear read-out.

    References
    ----------
    M.-L. Zhang, Z.-H. Zhou (2007), ML-kNN: a lazy learning approach to multi-label
    learning, Pattern Recognition 40.

    Examples
    --------
    >>> from labelsift.classification import MLkNN
    >>> from labelsift.datasets import load_dataset
    >>> traits = load_dataset("traits")
    >>> knn = MLkNN(5).fit(traits.X[:1000], traits.Y[:1000])
    >>> bool((knn.predict(traits.X[1000:]) == traits.Y[1000:]).mean() > 0.95)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "smoothing": [Interval(Real, 0, None, closed="neither")],
        "scale": ["boolean"],
    }

    def __init__(
        self, n_neighbors: int = 10, *, smoothing: float = 1.0, scale: bool = True
    ) -> None:
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing
        self.scale = scale

    @by_blocks
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Posterior probability of every label.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            P(label | count of neighbours). After a fit on a 1-D y, rows are normalised
            to sum to 1 over the classes.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        probabilities = expit(scores)
        if self._labels_from_classes:
            probabilities /= probabilities.sum(axis=1, keepdims=True)
        return probabilities

    def _fit(self, X: Any, Y: NDArray[Any]) -> None:
        self.n_neighbors_ = min(self.n_neighbors, len(Y) - 1)
        if self.n_neighbors_ < self.n_neighbors:
            warn(
                f"n_neighbors={self.n_neighbors} is not less than the {len(Y)} "
                f"training samples: {self.n_neighbors_} neighbours are used."
            )
        self.feature_range_ = _ranges(X) if self.scale else np.ones(X.shape[1])
        self._samples, self._labels = _divided(X, self.feature_range_), Y
        counts = self._counts(None)
        self.log_odds_ = _log_odds(counts, Y, self.n_neighbors_, self.smoothing)

    def _scores(self, X: Any) -> NDArray[Any]:
        counts = self._counts(_divided(X, self.feature_range_))
        return self.log_odds_[np.arange(counts.shape[1]), counts]

    def _counts(self, queries: Any) -> NDArray[np.intp]:
        """How many neighbours carry each label; None: of the training samples."""
        neighbours, _ = nearest_neighbours(self._samples, self.n_neighbors_, queries)
        counts = np.zeros((len(neighbours), self._labels.shape[1]), dtype=np.intp)
        for nth in neighbours.T:
            counts += self._labels[nth]
        return counts


def _log_odds(
    counts: NDArray[Any], Y: NDArray[Any], k: int, smoothing: float
) -> NDArray[np.float64]:
    """Posterior log-odds of each label for each count of neighbours."""
    n_labels = Y.shape[1]
    cells = counts + np.arange(n_labels) * (k + 1)
    evidence = []
    for carried in (Y == 1, Y == 0):
        seen = np.bincount(cells[carried], minlength=n_labels * (k + 1))
        seen = seen.reshape(n_labels, k + 1)
        n_seen = seen.sum(axis=1, keepdims=True)
        prior = smoothing + n_seen  # the denominator 2 s + n is common to both
        evidence.append(prior * (smoothing + seen) / (smoothing * (k + 1) + n_seen))
    present, absent = evidence
    return np.round(np.log(present) - np.log(absent), _DECIMALS)


def _ranges(X: Any) -> NDArray[np.float64]:
    """Range of each feature; infinity for a constant one, which then vanishes."""
    low, high = X.min(axis=0), X.max(axis=0)
    if sp.issparse(low):
        low, high = low.toarray(), high.toarray()
    ranges = np.ravel(high).astype(np.float64) - np.ravel(low)
    return np.where(ranges > 0, ranges, np.inf)


def _divided(X: Any, ranges: NDArray[np.float64]) -> Any:
    """X with each column divided, as a C-contiguous ndarray or csr_array."""
    if not sp.issparse(X):
        return np.ascontiguousarray(X / ranges.astype(X.dtype))
    X = X.tocsr(copy=True)
    X.data /= ranges[X.indices].astype(X.dtype)
    return X
