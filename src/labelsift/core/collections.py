# SPDX-License-Identifier: BSD-3-Clause
"""Dask collections in the methods of fitted estimators: mapped lazily.

A collection stands for rows that may not fit into one memory: it is never handed to
numpy, which would gather them without a word.
"""

from functools import wraps
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelsift.core.validation import is_collection, output_container


def by_blocks(method: Any) -> Any:
    """Let a method of a fitted estimator answer a dask collection lazily."""

    @wraps(method)
    def answer(self: Any, X: Any) -> Any:
        if is_collection(X):
            check_is_fitted(self)
            return lazily(self, method.__name__, X)
        return method(self, X)

    return answer


def lazily(fitted: Any, method: str, X: Any) -> Any:
    """A method of a fitted estimator on every block of X, computed when asked for.

    An array gives an array, in blocks of the same rows; of a frame, ``transform`` gives
    a frame and every other method an array whose numbers of rows are not known yet.
    """
    container = output_container(fitted) if method == "transform" else "default"
    if container != "default":
        raise ValueError(
            f"The output of transform is set to {container}, which holds rows in one "
            'memory: call set_output(transform="default") for dask collections.'
        )
    kind = type(X)  # a delayed object has every attribute
    if hasattr(kind, "map_blocks"):
        return _lazy_array(fitted, method, X)
    if hasattr(kind, "map_partitions") and hasattr(kind, "columns"):
        return _lazy_frame(fitted, method, X)
    raise TypeError(
        f"X is a dask {kind.__name__}: pass a dask array or dataframe to {method}."
    )


def _lazy_array(fitted: Any, method: str, X: Any) -> Any:
    """One task for each block of rows."""
    if X.ndim != 2 or X.shape[1] != fitted.n_features_in_:
        raise ValueError(
            f"X has shape {X.shape}, but {type(fitted).__name__} was fitted to "
            f"{fitted.n_features_in_} features: pass the same columns."
        )
    X = X.rechunk({1: -1})
    empty = _empty_result(fitted, method, np.ones((1, X.shape[1]), X.dtype))
    shape: dict[str, Any] = {"drop_axis": 1}
    if empty.ndim == 2:
        shape = {"chunks": (X.chunks[0], (empty.shape[1],))}
    return X.map_blocks(
        _on_block, fitted, method, empty, dtype=empty.dtype, meta=empty, **shape
    )


def _lazy_frame(fitted: Any, method: str, X: Any) -> Any:
    """One task for each partition."""
    one = X._meta.reindex([0]).fillna(1.0).astype(X._meta.dtypes)
    if method == "transform" and hasattr(fitted, "get_support"):
        _empty_result(fitted, method, one)  # checks the names of the columns
        return X[list(X.columns[fitted.get_support()])]
    empty = _empty_result(fitted, method, one)
    if method != "transform":
        return X.map_partitions(_on_block, fitted, method, empty, meta=empty)
    names = fitted.get_feature_names_out()
    frame = type(X._meta)(empty, columns=names, index=X._meta.index[:0])
    return X.map_partitions(_on_partition, fitted, empty, frame, meta=frame)


def _empty_result(fitted: Any, method: str, row: Any) -> Any:
    """No rows of what a method answers, had from one row of ones."""
    return np.asarray(getattr(fitted, method)(row))[:0]


def _on_block(block: Any, fitted: Any, method: str, empty: Any) -> Any:
    """The method on one block, which may have no rows."""
    return getattr(fitted, method)(block) if block.shape[0] else empty


def _on_partition(block: Any, fitted: Any, empty: Any, frame: Any) -> Any:
    """A subspace's coordinates of one partition as a frame."""
    values = _on_block(block, fitted, "transform", empty)
    return type(frame)(values, columns=frame.columns, index=block.index)
