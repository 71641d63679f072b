# SPDX-License-Identifier: BSD-3-Clause
"""Some columns of X'X from one more pass over the batches of which sums were made."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.core.arrays import is_foreign, to_numpy
from labelsift.core.validation import row_weights, weighted_rows
from labelsift.sums.part import checked_block
from labelsift.sums.sources import Batches
from labelsift.sums.sums import Sums

# Entries of dense X that are centred at a time, in float64.
_ENTRIES = 2**18


def gram_columns(
    batches: Batches, sums: Sums, features: NDArray[Any]
) -> NDArray[np.float64]:
    """X'x_b of centred data for each feature b, as rows.

    The means are those of all rows, so that the products of the batches add up.
    """
    d, rows = len(sums.x_mean), 0
    total = np.zeros((len(features), d))
    for X, weights in _blocks(batches):
        if X.shape[1] != d:
            raise _changed(sums, f"a batch of {X.shape[1]} features")
        _add_products(total, X, weights, sums.x_mean, features)
        rows += X.shape[0]
    if rows != sums.rows:
        raise _changed(sums, f"{rows} rows")
    total[:, sums.constant] = 0.0
    return total


def _blocks(batches: Batches) -> Iterator[tuple[Any, NDArray[Any] | None]]:
    """X and weights of every batch; rows of weight 0 are left out."""
    for X, _, *given in batches():
        own = given[0] if given else None
        X, own = (to_numpy(part) if is_foreign(part) else part for part in (X, own))
        X = checked_block(X)
        if not X.shape[0] or (own is not None and not np.any(own)):
            continue
        weights = row_weights(own, X)
        if weights is not None:
            X, weights = weighted_rows(X, weights), weights[weights > 0]
        yield X, weights


def _add_products(
    total: NDArray[Any],
    X: Any,
    weights: NDArray[Any] | None,
    mean: NDArray[Any],
    features: NDArray[Any],
) -> None:
    """Add those of a batch; sparse X is centred after the product."""
    if sp.issparse(X):
        chosen = _weighted(X[:, features].toarray() - mean[features], weights)
        total += (X.T @ chosen).T
        total -= np.outer(chosen.sum(axis=0), mean)
        return
    for rows in gen_batches(X.shape[0], max(1, _ENTRIES // X.shape[1])):
        centred = X[rows] - mean
        own = None if weights is None else weights[rows]
        total += _weighted(centred[:, features], own).T @ centred


def _changed(sums: Sums, now: str) -> ValueError:
    return ValueError(
        f"The batches held {sums.rows} rows of {len(sums.x_mean)} features when they "
        f"were read first, and {now} when they were read again: pass a function that "
        "yields the same batches at every call."
    )


def _weighted(X: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any]:
    return X if weights is None else X * weights[:, np.newaxis]
