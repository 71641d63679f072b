# SPDX-License-Identifier: BSD-3-Clause
"""Estimators of other packages inside ours: fitted to a label matrix or per label."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from labelsift.core.estimator import fit_weighted
from labelsift.core.labels import constant_labels


class WrapperMixin(MetaEstimatorMixin):
    """Fits clones of an estimator to the labels that have both values.

    Attributes
    ----------
    estimators_ : list of estimators
        The fitted clones: one per label with both values, or one for all of them.
    """

    estimator: Any
    per_label: bool | str

    def _fit_clones(
        self, estimator: Any, X: Any, Y: NDArray[Any], weights: Any = None
    ) -> None:
        """Fit one clone to the label matrix, or one to each label."""
        tags = get_tags(estimator)
        # Others expect the numbers that they are used to: sums of int8 overflow.
        dtype = np.float64 if tags.estimator_type == "regressor" else np.int64
        known = Y[:, ~constant_labels(Y)].astype(dtype)
        targets = [known]
        if self._one_each(tags):
            targets = [known[:, [label]] for label in range(known.shape[1])]
        if tags.target_tags.single_output:
            targets = [y.ravel() if y.shape[1] == 1 else y for y in targets]
        if weights is not None and not has_fit_parameter(estimator, "sample_weight"):
            raise ValueError(
                f"{type(estimator).__name__} takes no sample_weight: leave it out, or "
                "pass an estimator whose fit takes it."
            )
        self.estimators_ = [
            fit_weighted(clone(estimator), X, target, weights) for target in targets
        ]

    def _one_each(self, tags: Any) -> bool:
        """Whether every label has a clone of its own."""
        if self.per_label != "auto":
            return bool(self.per_label)
        classifier = tags.classifier_tags
        takes_matrix = classifier is not None and classifier.multi_label
        return not (takes_matrix or tags.target_tags.multi_output)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self.estimator is not None:
            inner = get_tags(self.estimator).input_tags
            tags.input_tags.sparse = inner.sparse
            tags.input_tags.positive_only = inner.positive_only
        return tags
