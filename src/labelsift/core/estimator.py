# SPDX-License-Identifier: BSD-3-Clause
"""Base class of all estimators: validation of X and the label matrix."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length

from labelsift.core.labels import read_labels
from labelsift.core.result import SolverResult
from labelsift.core.validation import validate_features, validate_parameters
from labelsift.core.warning import warn


class LabelEstimator(BaseEstimator):
    """Base class of all estimators: validation of X and the label matrix."""

    # The legal values of each constructor argument, checked in fit.
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}
    # Whether rows whose labels are all NaN may be passed to fit.
    allow_unlabelled: ClassVar[bool] = False

    def _read(self, X: Any, y: Any) -> tuple[Any, NDArray[Any]]:
        """Validate the input of fit and store the names."""
        validate_parameters(self)
        X = validate_features(self, X, reset=True)
        labels = read_labels(
            y, type(self).__name__, allow_unlabelled=self.allow_unlabelled
        )
        check_consistent_length(X, labels.matrix)
        if labels.names is not None:
            self.label_names_in_ = labels.names
        elif hasattr(self, "label_names_in_"):
            del self.label_names_in_
        n_labels = labels.matrix.shape[1]
        self.classes_ = (
            np.arange(n_labels) if labels.classes is None else labels.classes
        )
        self._labels_from_classes = labels.classes is not None
        self._label_dtype, self._label_negative = labels.dtype, labels.negative
        return X, labels.matrix

    def _warn_unless_converged(self, result: SolverResult) -> None:
        """Warn about a solver that stopped before convergence."""
        if not result.converged:
            warn(
                f"{type(self).__name__} did not converge in max_iter={self.max_iter} "
                f"iterations and stopped at a gap of {result.gap:.1e} "
                f"(tol={self.tol:g}): {result.remedy}.",
                ConvergenceWarning,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags
