# SPDX-License-Identifier: BSD-3-Clause
"""What selectors that fit another selector many times share."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from labelsift.core.estimator import LabelEstimator
from labelsift.core.labels import Labels
from labelsift.core.selector import LazySelectorMixin
from labelsift.core.targets import read_targets
from labelsift.core.warning import warn

# The text and the class of a warning.
Told = tuple[str, type[Warning]]


class MetaSelector(LazySelectorMixin, MetaEstimatorMixin, LabelEstimator):
    """A selector whose answer comes from many fits of another one."""

    def _inner_selector(self) -> Any:
        """The selector that is fitted many times."""
        raise NotImplementedError(f"{type(self).__name__} must write _inner_selector.")

    def _inner_labels(self, Y: NDArray[Any]) -> NDArray[Any]:
        """Labels as the inner selector gets them: a 1-D y as it came."""
        if self._labels_from_classes:
            return self.classes_[Y.argmax(axis=1)]
        return Y

    def _read_targets(self, y: Any) -> Labels:
        """Values where the inner selector was told so."""
        if getattr(self._inner_selector(), "target", None) != "values":
            return super()._read_targets(y)
        return read_targets(y, type(self).__name__, target="values")

    def _keep_order(
        self, scores: NDArray[np.float64], order: NDArray[np.intp], count: int
    ) -> None:
        """Set what every selector leaves behind."""
        self.scores_, self.feature_order_, self.n_features_ = scores, order, count
        self.support_ = np.zeros(len(scores), dtype=bool)
        self.support_[order[:count]] = True

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._inner_selector()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.positive_only = inner.positive_only
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def seeded_clone(selector: Any, seed: int, **parameters: Any) -> Any:
    """An unfitted copy that draws from its own seed, where it draws at all.

    The seed of the selector itself would make all its draws alike: chance would look
    like agreement.
    """
    copy = clone(selector).set_params(**parameters)
    if "random_state" in copy.get_params(deep=False):
        copy.set_params(random_state=seed)
    return copy


def fit_quietly(selector: Any, X: Any, y: Any) -> list[Told]:
    """Fit, and hand over what it warns of instead of showing it.

    Labels that hold one value only are left out: who splits the rows tells of them.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", ".*hold one value only", UserWarning)
        selector.fit(X, y)
    return [(str(warning.message), warning.category) for warning in caught]


def warn_once(told: Sequence[Sequence[Told]], fits: str) -> None:
    """Say in one warning what many fits warned of: how many, and the first."""
    warned = [messages[0] for messages in told if messages]
    if warned:
        sentence, category = warned[0]
        warn(
            f"{len(warned)} of the {len(told)} fits {fits} warned, the first: "
            f"{sentence}",
            category,
        )
