# SPDX-License-Identifier: BSD-3-Clause
"""Fisher score, averaged over the labels."""

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.targets import TARGET, known_patterns
from labelsift.solvers.ridge.centring import column_means

# Rows of dense X that are centred at a time: bounds the temporary copy.
_BLOCK_BYTES = 2**24


class FisherScore(WeightedFitMixin, BaseSelector):
    r"""Rank each feature by its Fisher score, averaged over the labels.

    For feature x and a label that splits the samples into two classes c,

    .. math::

        F = \frac{\sum_c n_c (\bar x_c - \bar x)^2}{\sum_c n_c \sigma_c^2}
          = \frac{R^2}{1 - R^2},

    the spread between the classes over the spread within them, where R is the
    correlation of feature and label: between and within add up to the total spread, so
    sums of x per label and the total spread of x suffice. The score of the feature is
    the mean of F over the labels that have both values.

    Of a target with real values R is the correlation too, and F tells how much of it
    the feature explains. A label that is unknown in a row (NaN) is scored without that
    row, and rows may have weights.

    A feature that separates a label perfectly would score infinitely; 1 - R^2 is
    bounded below by machine precision, so scores stay finite. The score looks at one
    feature at a time: near copies of a good feature rank next to it.

    Cost: one product X'Y, O(nnz(X) n_labels); memory O(n_features n_labels) beyond X.
    Sparse X is centred implicitly and never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values, also both in one Y; "values" takes any number as it is.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index, constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Mean Fisher score; 0 for constant columns (or just below the worst other score,
        where that is 0).
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.

    See Also
    --------
    RandomRanking : The control to compare with.

    References
    ----------
    R. O. Duda, P. E. Hart, D. G. Stork (2001), Pattern Classification, 2nd ed.,
    section 3.8.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import FisherScore
    >>> traits = load_dataset("traits")
    >>> selector = FisherScore(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_2']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "target": TARGET,
    }
    takes_mixed = True
    takes_unknown = True

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        target: str = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.target = target

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        Y = Y[:, ~constant_labels(Y)]
        patterns = known_patterns(Y)
        if isinstance(patterns[0][0], slice):
            share = _squared_correlations(X, Y, weights)
        else:
            share = np.empty((X.shape[1], Y.shape[1]))
            for rows, columns in patterns:
                own = None if weights is None else weights[rows]
                known = Y[np.ix_(rows, columns)]
                share[:, columns] = _squared_correlations(X[rows], known, own)
        within = np.maximum(1 - share, np.finfo(np.float64).eps)
        return Ranking.from_scores((share / within).mean(axis=1))


def _squared_correlations(
    X: Any, Y: NDArray[Any], weights: NDArray[Any] | None
) -> NDArray[Any]:
    """R^2 of each feature and target; constant columns have none."""
    if Y.dtype.kind == "f":  # a large offset of a target costs no digits either
        Y = Y - np.average(Y, axis=0, weights=weights)
    n = len(Y) if weights is None else weights.sum()
    sums = _weighted(Y, weights).sum(axis=0, dtype=np.float64)
    squares = _weighted(Y**2, weights).sum(axis=0, dtype=np.float64) - sums**2 / n
    total, covariance = _spread(X, Y, weights, n, sums)
    between = covariance**2 / squares
    return np.divide(
        between,
        total[:, np.newaxis],
        out=np.zeros_like(between),
        where=total[:, np.newaxis] > 0,
    )


def _weighted(rows: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any]:
    return rows if weights is None else (rows.T * weights).T


def _spread(
    X: Any,
    Y: NDArray[Any],
    weights: NDArray[Any] | None,
    n: float,
    sums: NDArray[Any],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sum of squares of each centred column of X, and its product with Y.

    Both are taken about the mean, so that a large offset of a column costs no digits.
    """
    d = X.shape[1]
    if weights is None:
        mean = np.ravel(X.sum(axis=0, dtype=np.float64)) / n
    else:
        mean = column_means(X, weights)
    if sp.issparse(X):
        X = X.tocsc().astype(np.float64)
        products = X.T @ sp.csr_array(_weighted(Y, weights), dtype=np.float64)
        covariance = products.toarray() - np.outer(mean, sums)
        columns = np.repeat(np.arange(d), np.diff(X.indptr))
        each = None if weights is None else weights[X.indices]
        stored = np.bincount(columns, weights=each, minlength=d)
        X.data -= mean[columns]
        squares = _weighted(X.data**2, each)
        total = np.bincount(columns, weights=squares, minlength=d)
        return total + (n - stored) * mean**2, covariance
    total, covariance = np.zeros(d), np.zeros((d, Y.shape[1]))
    for rows in gen_batches(len(Y), max(1, _BLOCK_BYTES // (8 * d))):
        centred = X[rows] - mean
        weighted = _weighted(centred, None if weights is None else weights[rows])
        total += np.einsum("ij,ij->j", centred, weighted)
        covariance += weighted.T @ Y[rows].astype(np.float64)
    return total, covariance
