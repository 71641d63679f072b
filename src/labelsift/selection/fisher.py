# SPDX-License-Identifier: BSD-3-Clause
"""Fisher score, averaged over the labels."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.core.base import BaseSelector
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking

# Rows of dense X that are centred at a time: bounds the temporary copy.
_BLOCK_BYTES = 2**24


class FisherScore(BaseSelector):
    r"""Rank each feature by its Fisher score, averaged over the labels.

    For feature x and a label that splits the samples into two classes c,

    .. math::

        F = \frac{\sum_c n_c (\bar x_c - \bar x)^2}{\sum_c n_c \sigma_c^2}
          = \frac{R^2}{1 - R^2},

    the spread between the classes over the spread within them, where R is the
    correlation of feature and label: between and within add up to the total spread, so
    sums of x per label and the total spread of x suffice. The score of the feature is
    the mean of F over the labels that have both values.

    A feature that separates a label perfectly would score infinitely; 1 - R^2 is
    bounded below by machine precision, so scores stay finite. The score looks at one
    feature at a time: near copies of a good feature rank next to it.

    Cost: one product X'Y, O(nnz(X) n_labels); memory O(n_features n_labels) beyond X.
    Sparse X is centred implicitly and never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.

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

    def __init__(self, n_features_to_select: int | float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        Y = Y[:, ~constant_labels(Y)]
        total, covariance = _spread(X, Y)
        counts = Y.sum(axis=0, dtype=np.float64)
        between = covariance**2 / (counts * (1 - counts / len(Y)))
        share = np.divide(  # R^2 of each feature and label; constant columns have none
            between,
            total[:, np.newaxis],
            out=np.zeros_like(between),
            where=total[:, np.newaxis] > 0,
        )
        within = np.maximum(1 - share, np.finfo(np.float64).eps)
        return Ranking.from_scores((share / within).mean(axis=1))


def _spread(X: Any, Y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sum of squares of each centred column of X, and its product with Y.

    Both are taken about the mean, so that a large offset of a column costs no digits.
    """
    n, d = X.shape
    mean = np.ravel(X.sum(axis=0, dtype=np.float64)) / n
    counts = Y.sum(axis=0, dtype=np.float64)
    if sp.issparse(X):
        X = X.tocsc().astype(np.float64)
        products = X.T @ sp.csr_array(Y, dtype=np.float64)
        covariance = products.toarray() - np.outer(mean, counts)
        stored = np.diff(X.indptr)
        X.data -= np.repeat(mean, stored)
        total = np.bincount(
            np.repeat(np.arange(d), stored), weights=X.data**2, minlength=d
        )
        return total + (n - stored) * mean**2, covariance
    total, covariance = np.zeros(d), np.zeros((d, Y.shape[1]))
    for rows in gen_batches(n, max(1, _BLOCK_BYTES // (8 * d))):
        centred = X[rows] - mean
        total += np.einsum("ij,ij->j", centred, centred)
        covariance += centred.T @ Y[rows].astype(np.float64)
    return total, covariance
