# SPDX-License-Identifier: BSD-3-Clause
"""Input validation. The only file that uses scikit-learn's private names."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
)
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import (
    _check_sample_weight,
    _get_feature_names,
    validate_data,
)

from labelsift.core.arrays import check_foreign, is_foreign, library, namespace

__all__ = [
    "HasMethods",
    "Interval",
    "RealNotInt",
    "StrOptions",
    "check_device",
    "check_local",
    "check_sizes",
    "column_names",
    "column_sizes",
    "constant_columns",
    "is_collection",
    "output_container",
    "row_weights",
    "sigmoid_calibration",
    "validate_features",
    "validate_parameters",
    "validate_weights",
    "weighted_rows",
]


_COMPLEX = "Complex data not supported"
# Values between 1 / this and this have squares, and in float64 fourth powers, whose
# sums over many rows stay finite.
_LARGEST = {np.dtype(np.float64): 1e75, np.dtype(np.float32): 1e15}

# What can be fitted from blocks of rows, for the sentence of those that cannot, and
# what on a device.
FROM_BLOCKS = (
    "BinaryRidge, CSFS, FisherScore, GreedyRLS, LRFS, MDMR, MLLS, MRMR, MTLasso, OPLS, "
    "PPT or RegularizedCCA"
)
_ON_DEVICE = (
    "BinaryRidge, CSFS, FisherScore, GreedyRLS, MLLS, MTLasso, OPLS or RegularizedCCA"
)


def is_collection(data: Any) -> bool:
    """Whether this is a dask array, dataframe, bag or delayed object."""
    return hasattr(type(data), "__dask_graph__")


def check_local(data: Any, name: str) -> None:
    """Raise a TypeError for a dask collection: it would be gathered into one memory."""
    if is_collection(data):
        raise TypeError(
            f"{name} is a dask {type(data).__name__}, and its rows are not gathered "
            f"into one memory unasked: pass {name}.compute() if they fit, or fit "
            f"{FROM_BLOCKS} to X and y in blocks of rows."
        )


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
    check_local(X, "X")
    dtypes: list[Any] = [np.float64, np.float32]
    if is_foreign(X):
        check_device(estimator, X)
        dtypes = [namespace(X).float64, namespace(X).float32]
    try:
        X = validate_data(
            estimator,
            X,
            accept_sparse=["csr", "csc"],
            dtype=dtypes,
            ensure_min_samples=2 if reset else 1,
            reset=reset,
        )
    except ValueError as error:
        if not str(error).startswith(_COMPLEX):
            raise
        # scikit-learn's own sentence goes on with all numbers of X.
        raise ValueError(f"{_COMPLEX}: X must hold real numbers.") from None
    if sp.issparse(X):
        X = sp.csr_array(X) if X.format == "csr" else sp.csc_array(X)
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    if reset:
        check_sizes(column_sizes(X), X.dtype)
    return X


def check_device(estimator: Any, X: Any) -> None:
    """Raise for an array of another library that this estimator cannot use."""
    if not getattr(estimator, "takes_device", False):
        raise TypeError(
            f"X is an array of {library(X)}, and {type(estimator).__name__} works with "
            f"numpy and scipy only: pass a numpy array, or use {_ON_DEVICE}."
        )
    check_foreign(X)


def validate_weights(sample_weight: Any, X: Any) -> NDArray[np.float64] | None:
    """One weight per row, none negative, and two rows with a weight."""
    weights = row_weights(sample_weight, X)
    if weights is not None and (positive := np.count_nonzero(weights)) < 2:
        raise ValueError(
            f"sample_weight is positive for {positive} sample(s), the others have a "
            "weight of zero: give at least two samples a weight."
        )
    return weights


def row_weights(sample_weight: Any, X: Any) -> NDArray[np.float64] | None:
    """One weight per row, none negative; None: all are 1."""
    if sample_weight is None:
        return None
    check_local(sample_weight, "sample_weight")
    weights: NDArray[np.float64] = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    return weights


def weighted_rows(data: Any, weights: NDArray[np.float64]) -> Any:
    """The rows that have a weight, of an array, list or frame."""
    if sp.issparse(data):
        return data.tocsr()[weights > 0]
    if not hasattr(data, "__getitem__"):  # an array by its interface only
        data = np.asarray(data)
    return _safe_indexing(data, np.flatnonzero(weights))


def output_container(estimator: BaseEstimator) -> str:
    """What ``set_output`` asks ``transform`` for: "default", "pandas" or "polars"."""
    return str(_get_output_config("transform", estimator)["dense"])


def sigmoid_calibration() -> Any:
    """Platt's sigmoid as scikit-learn fits it; its module is loaded when asked for."""
    from sklearn.calibration import _SigmoidCalibration

    return _SigmoidCalibration()


def check_sizes(size: NDArray[Any], dtype: np.dtype[Any]) -> None:
    """Raise for columns whose squares, or squares of squares, no float can hold.

    Beyond that, sums of squares are infinite or 0 and every method would give NaN,
    equal scores, or not end. ``size`` holds the largest absolute value of each column.
    """
    largest = _LARGEST[dtype]
    wrong = np.flatnonzero((size > largest) | ((size < 1 / largest) & (size > 0)))
    if len(wrong):
        raise ValueError(
            f"Column {wrong[0]} of X has values of size {size[wrong[0]]:.0e}, outside "
            f"{1 / largest:.0e} to {largest:.0e}: rescale X first, for example with "
            "MaxAbsScaler."
        )


def column_sizes(X: Any) -> NDArray[Any]:
    """The largest absolute value of each column."""
    if not sp.issparse(X):
        return np.maximum(X.max(axis=0), -X.min(axis=0))
    size = np.zeros(X.shape[1], dtype=X.dtype)  # of another type: slower
    columns = (
        X.indices
        if X.format == "csr"
        else np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))
    )
    np.maximum.at(size, columns, np.abs(X.data))
    return size


def constant_columns(X: Any) -> NDArray[np.bool_]:
    """Which columns are constant (implicit zeros of sparse X count)."""
    if not sp.issparse(X):
        return np.asarray(X.min(axis=0) == X.max(axis=0))
    X = X.tocsc()  # once: both of the next would
    low, high = X.min(axis=0).toarray(), X.max(axis=0).toarray()
    return np.asarray(np.ravel(low) == np.ravel(high))
