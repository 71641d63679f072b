# SPDX-License-Identifier: BSD-3-Clause
"""A Fisher ranking and a linear SVM for each label on its own (FS + SVM in tables)."""

from collections.abc import Iterator, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from labelsift.classification.binary_relevance import BinarySVM
from labelsift.core.labels import constant_labels
from labelsift.core.path import RankerPathMixin
from labelsift.core.ranker import BaseLabelRanker
from labelsift.selection.fisher import FisherScore


class PerLabelFisherSVM(RankerPathMixin, BaseLabelRanker):
    """For each label the features of its best Fisher scores, and an SVM on them.

    A grid shares the rankings, which take longer than most of the machines.

    Parameters
    ----------
    n_features : int
        How many features each label chooses.
    C : float
        Regularisation of the SVM.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features": [Interval(Integral, 1, None, closed="left")],
        "C": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(self, n_features: int = 10, C: float = 1.0) -> None:
        self.n_features = n_features
        self.C = C

    def _fit_each(
        self, X: Any, Y: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[Self]:
        learnable = np.flatnonzero(~constant_labels(Y))
        orders = {
            label: FisherScore(1).fit(X, Y[:, [label]]).feature_order_
            for label in learnable.tolist()
        }
        for model in models:
            model._fit_machines(X, Y, orders)
            yield model

    def _fit_machines(
        self, X: Any, Y: NDArray[Any], orders: dict[int, NDArray[Any]]
    ) -> None:
        """Fit label by label; a constant label has constant scores."""
        self.scores_of_constant_ = 2.0 * Y[0] - 1
        self.machines_: dict[int, tuple[NDArray[Any], BinarySVM]] = {}
        for label, order in orders.items():
            columns = np.sort(order[: self.n_features])
            machine = BinarySVM(C=self.C, random_state=0)
            machine.fit(X[:, columns], Y[:, [label]])
            self.machines_[label] = columns, machine

    def _scores(self, X: Any) -> NDArray[Any]:
        scores = np.tile(self.scores_of_constant_, (X.shape[0], 1))
        for label, (columns, machine) in self.machines_.items():
            scores[:, label] = machine.decision_function(X[:, columns]).ravel()
        return scores
