# SPDX-License-Identifier: BSD-3-Clause
"""Scaling of arrays by their training rows: by name, sparse data stay sparse."""

import math
from collections.abc import Callable
from typing import Any

import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler
from sklearn.utils.validation import has_fit_parameter

from labelsift.core.data import MultiLabelData


def default_scale(data: MultiLabelData) -> str:
    """Dense columns are standardised, sparse ones divided by their largest value.

    A table is standardised by its preparation.
    """
    if data.frame is not None:
        return "none"
    return "minmax" if sp.issparse(data.X) else "standardize"


def scaled(
    X: Any, X_test: Any, how: str, weights: NDArray[Any] | None = None
) -> tuple[Any, Any]:
    """Scale both parts by the training part; ``how`` is "none" or in SCALES.

    Rows count by their weights in means, standard deviations and lengths. Sparse data
    stays sparse: "standardize" and "unit-columns" divide only, "minmax" divides by the
    largest value.
    """
    if how == "none":
        return X, X_test
    for scaler in SCALES[how](sp.issparse(X)):
        learned(scaler, X, weights)
        X = scaler.transform(X)
        X_test = scaler.transform(X_test) if X_test.shape[0] else X_test
    return X, X_test


def learned(scaler: Any, X: Any, weights: NDArray[Any] | None) -> Any:
    """Fit a scaler; the largest and smallest values do not depend on weights."""
    if weights is None or not has_fit_parameter(scaler, "sample_weight"):
        return scaler.fit(X)
    return scaler.fit(X, sample_weight=weights)


class Rescaled:
    """A selector that is fitted on data scaled once more; its answer is as any."""

    def __init__(self, selector: Any, scale: str) -> None:
        self.selector, self.scale = selector, scale

    def __getattr__(self, name: str) -> Any:
        return getattr(self.selector, name)

    def __sklearn_clone__(self) -> "Rescaled":
        return Rescaled(clone(self.selector), self.scale)

    def set_params(self, **params: Any) -> "Rescaled":
        self.selector.set_params(**params)
        return self

    def fit(self, X: Any, Y: NDArray[Any]) -> Any:
        return self.selector.fit(scaled(X, X[:0], self.scale)[0], Y)


class _DivideByRoot:
    """Division by the root of the number of training rows (axis 0) or columns (1).

    After standardising, columns have length 1, or rows about 1.
    """

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def fit(self, X: Any, sample_weight: Any = None) -> "_DivideByRoot":
        whole = sample_weight is not None and self.axis == 0
        self.root = math.sqrt(sample_weight.sum() if whole else X.shape[self.axis])
        return self

    def transform(self, X: Any) -> Any:
        return X / self.root


def _standardizer(sparse: bool) -> Any:
    return StandardScaler(with_mean=not sparse)


SCALES: dict[str, Callable[[bool], list[Any]]] = {
    "standardize": lambda sparse: [_standardizer(sparse)],
    "standardize-root": lambda sparse: [_standardizer(sparse), _DivideByRoot(1)],
    "minmax": lambda sparse: [MaxAbsScaler() if sparse else MinMaxScaler()],
    "unit-rows": lambda sparse: [Normalizer()],
    "unit-columns": lambda sparse: [_standardizer(sparse), _DivideByRoot(0)],
}
