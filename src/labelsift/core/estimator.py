# SPDX-License-Identifier: BSD-3-Clause
"""Base class of all estimators: validation of X and the label matrix."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length

from labelsift.core.labels import Labels
from labelsift.core.result import SolverResult
from labelsift.core.targets import read_targets, regression_codes
from labelsift.core.validation import (
    validate_features,
    validate_parameters,
    validate_weights,
    weighted_rows,
)
from labelsift.core.warning import warn


class LabelEstimator(BaseEstimator):
    """Base class of all estimators: validation of X and the label matrix."""

    # The legal values of each constructor argument, checked in fit.
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}
    # Whether rows whose labels are all NaN may be passed to fit.
    allow_unlabelled: ClassVar[bool] = False
    # Whether single labels may be NaN; rows without any known one are dropped.
    takes_unknown: ClassVar[bool] = False
    # Whether Y may hold columns of labels and columns of values.
    takes_mixed: ClassVar[bool] = False
    # Whether X may be an array of another library than numpy, on any device.
    takes_device: ClassVar[bool] = False
    # Which columns of Y hold values; None: all hold labels.
    _value_columns: NDArray[np.bool_] | None = None
    _flat_values = False

    def _read(self, X: Any, y: Any) -> tuple[Any, NDArray[Any]]:
        """Validate the input of fit and store the names."""
        X, Y, _ = self._read_weighted(X, y, None)
        return X, Y

    def _read_weighted(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, NDArray[Any], tuple[NDArray[np.float64], ...]]:
        """The same with weights: none where all are 1. Rows of weight 0 are absent."""
        validate_parameters(self)
        X = validate_features(self, X, reset=True)
        weights = validate_weights(sample_weight, X)
        if weights is not None and y is not None:
            check_consistent_length(X, y)
            X, y = (weighted_rows(data, weights) for data in (X, y))
            weights = weights[weights > 0]
            weights = None if (weights == 1).all() else weights
        labels = self._read_targets(y)
        check_consistent_length(X, labels.matrix)
        self._introduce_targets(labels)
        Y = labels.matrix
        if self.takes_unknown and Y.dtype.kind == "f":
            known = ~np.isnan(Y).all(axis=1)
            if not known.all():
                X, Y = X[known], Y[known]
                weights = None if weights is None else weights[known]
        return X, Y, () if weights is None else (weights,)

    def _read_targets(self, y: Any) -> Labels:
        return read_targets(
            y,
            type(self).__name__,
            target=getattr(self, "target", None),
            mixed=self.takes_mixed,
            unknown=self.takes_unknown,
            unlabelled=self.allow_unlabelled,
            classifier=is_classifier(self),
        )

    def _introduce_targets(self, labels: Labels) -> None:
        """Set the attributes that tell about y."""
        self._forget("label_names_in_", "classes_")
        if labels.names is not None:
            self.label_names_in_ = labels.names
        self._value_columns, self._flat_values = labels.values, labels.flat
        if hasattr(self, "target"):
            self.target_ = labels.kind
        if labels.values is None or not labels.values.all():
            n_labels = labels.matrix.shape[1]
            self.classes_ = (
                np.arange(n_labels) if labels.classes is None else labels.classes
            )
        self._labels_from_classes = labels.classes is not None
        self._label_dtype, self._label_negative = labels.dtype, labels.negative

    def _forget(self, *names: str) -> None:
        """Delete attributes of an earlier fit that this one does not set."""
        for name in names:
            if hasattr(self, name):
                delattr(self, name)

    def _codes(self, Y: NDArray[Any]) -> NDArray[np.float64]:
        """Labels as -1/+1, values as they are."""
        return regression_codes(Y, self._value_columns)

    def _finish(
        self, X: Any, Y: NDArray[Any], weights: tuple[NDArray[Any], ...]
    ) -> None:
        """What follows a fit on checked data: nothing, unless a mixin has more."""

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
        tags.array_api_support = self.takes_device
        tags.target_tags.multi_output = True
        return tags


def fit_weighted(estimator: Any, X: Any, y: Any, weights: Any = None) -> Any:
    """Fit an estimator, with weights only where there are some."""
    if weights is None:
        return estimator.fit(X, y)
    return estimator.fit(X, y, sample_weight=weights)


class WeightedFitMixin:
    """A ``fit`` with weights of the samples; comes before the base class."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from samples that count as often as their weights say.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples; CSR and CSC are never densified. An estimator with
            ``fit_sums`` also takes a function that yields batches (X, Y), or a
            ``pyarrow.dataset`` of Parquet files, in any size.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or \
(n_samples,)
            Labels as 0/1, bool or -1/+1, or the classes of a 1-D y; where the
            estimator takes them, real values. Of batches None; of a dataset the
            patterns of its label columns.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            How often each sample counts; a whole number is the same as repeating the
            row, and 0 as leaving it out. None: once.

        Returns
        -------
        self
            The fitted estimator.
        """
        return self._fit_weighted(X, y, sample_weight)  # type: ignore[attr-defined]
