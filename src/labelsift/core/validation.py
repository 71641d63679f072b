# SPDX-License-Identifier: BSD-3-Clause
"""Input validation. The only file that uses scikit-learn's private names."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
)
from sklearn.utils.validation import _get_feature_names, validate_data

__all__ = [
    "HasMethods",
    "Interval",
    "RealNotInt",
    "StrOptions",
    "column_names",
    "constant_columns",
    "validate_features",
    "validate_parameters",
]


# Values between 1 / this and this have fourth powers that a float64 can hold.
LARGEST_VALUE = 1e75


def validate_parameters(estimator: BaseEstimator) -> None:
    """Check the constructor's arguments against ``_parameter_constraints``."""
    estimator._validate_params()


def column_names(frame: Any) -> NDArray[np.object_] | None:
    """Column names of a DataFrame when all are strings, else None."""
    names: NDArray[np.object_] | None = _get_feature_names(frame)
    return names


def validate_features(estimator: BaseEstimator, X: Any, *, reset: bool) -> Any:
    """Check X and return it as an ndarray, csr_array or csc_array.

    float32 and float64 are preserved, anything else becomes float64. Sparse X stays
    sparse in its own format, as an array (so that ``*``, ``sum`` and slices mean one
    thing) in canonical form, copied only where it was not canonical. ``reset`` is True
    in fit, which needs two samples and stores the feature names.
    """
    X = validate_data(
        estimator,
        X,
        accept_sparse=["csr", "csc"],
        dtype=[np.float64, np.float32],
        ensure_min_samples=2 if reset else 1,
        reset=reset,
    )
    if sp.issparse(X):
        X = sp.csr_array(X) if X.format == "csr" else sp.csc_array(X)
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    if reset and X.dtype == np.float64:  # float32 has no such values
        _check_scale(X)
    return X


def _check_scale(X: Any) -> None:
    """Raise for columns whose squares, or squares of squares, no float can hold.

    Beyond that, sums of squares are infinite or 0 and every method would give NaN,
    equal scores, or not end.
    """
    size = _column_sizes(X)
    wrong = np.flatnonzero(
        (size > LARGEST_VALUE) | ((size < 1 / LARGEST_VALUE) & (size > 0))
    )
    if len(wrong):
        raise ValueError(
            f"Column {wrong[0]} of X has values of size {size[wrong[0]]:.0e}, outside "
            f"{1 / LARGEST_VALUE:.0e} to {LARGEST_VALUE:.0e}: rescale X first, for "
            "example with MaxAbsScaler."
        )


def _column_sizes(X: Any) -> NDArray[Any]:
    """The largest absolute value of each column."""
    if not sp.issparse(X):
        return np.maximum(X.max(axis=0), -X.min(axis=0))
    size = np.zeros(X.shape[1])
    columns = (
        X.indices
        if X.format == "csr"
        else np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))
    )
    np.maximum.at(size, columns, np.abs(X.data))
    return size


def constant_columns(X: Any) -> NDArray[np.bool_]:
    """Which columns are constant (implicit zeros of sparse X count)."""
    low, high = X.min(axis=0), X.max(axis=0)
    if sp.issparse(low):
        low, high = low.toarray(), high.toarray()
    return np.ravel(low) == np.ravel(high)
