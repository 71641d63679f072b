# SPDX-License-Identifier: BSD-3-Clause
"""Dependence on the labels by the Hilbert-Schmidt criterion, one feature at a time."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.validation import StrOptions
from labelsift.solvers.ridge.centring import centred_cross, column_means


class HSICRanking(WeightedFitMixin, BaseSelector):
    r"""Rank each feature by its dependence on the label matrix (MDDM on axes).

    With linear kernels the Hilbert-Schmidt independence criterion of a feature x and
    the labels is

    .. math::

        \mathrm{HSIC}(x) = \|x^T H Y\|^2 = \sum_i (x^T H y_i)^2, \qquad H = I - 11^T/n:

    squared covariances, summed over the labels. ``MDDM`` (mu = 0) looks for the
    directions of largest dependence; restricted to single features, the best k are
    those that rank first, so that no search is needed.

    Covariances depend on units: standardise X first. Then the score is
    sum_i n^2 var(y_i) corr(x, y_i)^2: common labels weigh most; with
    ``label_kernel="correlation"`` they weigh alike. One feature is looked at at a time:
    near copies of a good feature rank next to it.

    Cost: one product X'Y, O(nnz(X) n_labels); memory O(n_features n_labels) beyond X.
    Sparse X is centred implicitly and never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    label_kernel : {"linear", "correlation"}, default="linear"
        "linear": labels as they are. "correlation": labels of unit variance.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index, constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        HSIC; 0 for constant columns (or just below the worst other score, where that
        is 0).
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.

    See Also
    --------
    labelsift.subspace.MDDM : Directions in place of features.
    FisherScore : Correlations that count the more the closer they are to 1.

    References
    ----------
    Y. Zhang, Z.-H. Zhou (2010), Multilabel dimensionality reduction via dependence
    maximization, ACM Transactions on Knowledge Discovery from Data 4(3).

    L. Song, A. Smola, A. Gretton, J. Bedo, K. Borgwardt (2012), Feature selection via
    dependence maximization, Journal of Machine Learning Research 13.

    Examples
    --------
    >>> from sklearn.preprocessing import scale
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import HSICRanking
    >>> traits = load_dataset("traits")
    >>> selector = HSICRanking(3).fit(scale(traits.X), traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_2']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "label_kernel": [StrOptions({"linear", "correlation"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        label_kernel: str = "linear",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.label_kernel = label_kernel

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        Y = Y[:, ~constant_labels(Y)].astype(np.float64)
        if self.label_kernel == "correlation":
            share = np.average(Y, axis=0, weights=weights)
            Y /= np.sqrt(share * (1 - share))
        return Ranking.from_scores(dependence(X, Y, weights))


def dependence(
    X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """Sum of the squared products of each centred column of X with those of Y."""
    Y = Y - np.average(Y, axis=0, weights=weights)
    if weights is not None:
        Y *= weights[:, np.newaxis]
    products = centred_cross(X, column_means(X, weights), Y)
    return np.einsum("ij,ij->i", products, products)
