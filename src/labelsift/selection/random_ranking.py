# SPDX-License-Identifier: BSD-3-Clause
"""The control of every comparison."""

from typing import Any, ClassVar

from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.result import Ranking


class RandomRanking(WeightedFitMixin, BaseSelector):
    """Features in random order: the control that a method must beat.

    Every feature is scored by an independent uniform draw; labels and weights are not
    used. Constant columns still come last, so that a control on data with many empty
    columns (rcv1 has 27 700 of them) is not artificially weak.

    Cost: O(n_features), beyond the search for constant columns.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    random_state : int, RandomState instance or None, default=None
        Seed of the order.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first.
    scores_ : ndarray of shape (n_features_in_,)
        The uniform draws; 0 for constant columns.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.

    See Also
    --------
    FisherScore : The simplest ranking that uses the labels.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import RandomRanking
    >>> traits = load_dataset("traits")
    >>> RandomRanking(5, random_state=0).fit_transform(traits.X, traits.Y).shape
    (1797, 5)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _rank(self, X: Any, Y: NDArray[Any], *weights: NDArray[Any]) -> Ranking:
        rng = check_random_state(self.random_state)
        return Ranking.from_scores(rng.uniform(size=X.shape[1]))
