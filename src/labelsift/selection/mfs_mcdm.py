# SPDX-License-Identifier: BSD-3-Clause
"""MFS-MCDM: ridge weights as a decision table, features ranked by TOPSIS."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.validation import Interval
from labelsift.solvers.ridge.path import ridge_path


class MFSMCDM(WeightedFitMixin, BaseSelector):
    r"""Multi-label feature selection by multi-criteria decision making, corrected.

    The weights M of a ridge regression (n_features x n_labels) are a decision table:
    features are the alternatives, labels the criteria. With columns of \|M\| scaled to
    unit norm and multiplied by the shares of the label entropies, rows v_f, and the
    largest and smallest entry of each column, v_max and v_min, a feature is scored by
    its closeness to the ideal (TOPSIS):

    .. math::

        s_f = \frac{b_f}{a_f + b_f}, \qquad a_f = \|v_f - v_{max}\|, \quad
        b_f = \|v_f - v_{min}\|.

    In the public program the weighted table is overwritten by the unweighted one,
    columns are not scaled, X is neither centred nor scaled, and the sign of M counts:
    a large negative weight is the worst, so that flipping the sign of a feature changes
    the ranking. The corrections make the score well defined, not more accurate. The
    norms of the rows of M rank about as well.

    X is centred; standardise it first, as ridge weights depend on units. Redundant
    features share weights, and none is dropped for it.

    Cost: one ridge regression, a Gram matrix of the smaller side of X and its Cholesky
    factor, and O(n_features n_labels). Sparse X is never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    ridge : float, default=10.0
        Penalty of the ridge regression, on the sum of squares.
    signed : bool, default=False
        Whether the sign of M counts, as published.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index, constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Closeness, in [0, 1].
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        M, transposed; 0 for constant labels.

    See Also
    --------
    labelsift.classification.BinaryRidge : The regression.
    CSFS : Weights that are exactly zero for most features.

    References
    ----------
    A. Hashemi, M. B. Dowlatshahi, H. Nezamabadi-pour (2020), MFS-MCDM: Multi-label
    feature selection using multi-criteria decision making, Knowledge-Based Systems 206.

    Examples
    --------
    >>> from sklearn.preprocessing import scale
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import MFSMCDM
    >>> traits = load_dataset("traits")
    >>> selector = MFSMCDM(3).fit(scale(traits.X), traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_5_2', 'pixel_2_2', 'pixel_5_3']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "ridge": [Interval(Real, 0, None, closed="neither")],
        "signed": ["boolean"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        ridge: float = 10.0,
        signed: bool = False,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ridge = ridge
        self.signed = signed

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        learned = ~constant_labels(Y)
        labels = Y[:, learned].astype(np.float64)
        ((coef, _),) = ridge_path(X, labels, [self.ridge], weights=weights)
        self.coef_ = np.zeros((len(learned), X.shape[1]))
        self.coef_[learned] = coef
        table = coef.T if self.signed else np.abs(coef.T)
        return Ranking.from_scores(closeness(table, label_entropies(labels, weights)))


def closeness(table: NDArray[Any], importance: NDArray[Any]) -> NDArray[np.float64]:
    """TOPSIS: closeness of each row to the ideal; 0 where all rows are equal."""
    sizes = np.linalg.norm(table, axis=0)
    v = table / np.where(sizes > 0, sizes, 1.0) * (importance / importance.sum())
    from_best = np.linalg.norm(v - v.max(axis=0), axis=1)
    from_worst = np.linalg.norm(v - v.min(axis=0), axis=1)
    both = from_best + from_worst
    return np.divide(from_worst, both, out=np.zeros_like(both), where=both > 0)


def label_entropies(
    Y: NDArray[Any], weights: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """Entropy of each 0/1 column, in nats."""
    share = np.average(Y, axis=0, weights=weights)
    return np.asarray(-xlogy(share, share) - xlogy(1 - share, 1 - share))
