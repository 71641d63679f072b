# SPDX-License-Identifier: BSD-3-Clause
"""Discretisation: from numbers to codes of bins."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from labelsift.core.validation import Interval, StrOptions

# The legal values of the two arguments that every selector on bins has.
BINNING: dict[str, list[Any]] = {
    "discretize": [StrOptions({"width", "quantile", "presence"}), None],
    "n_bins": [Interval(Integral, 2, None, closed="left")],
}

# Bytes of dense X that are sorted at a time: bounds the temporary copy.
_BLOCK_BYTES = 2**24
_LARGEST_CODE = np.iinfo(np.int32).max


def discretize(
    X: Any, how: str | None, n_bins: int, weights: NDArray[Any] | None = None
) -> Any:
    """Give every entry of X the code of its bin.

    "width" cuts the range of each feature into bins of equal width, "quantile" into
    bins that hold about equally many samples, "presence" separates zero from the rest,
    and None takes X as codes. Bins may stay empty. A value on an edge belongs to the
    upper bin. The order of the codes has no meaning. Where rows have ``weights``, bins
    of "quantile" hold about equal sums of them.

    Sparse X gives a csc_array without stored zeros, in which 0 is the bin of the value
    zero. Cost: O(n_bins nnz(X)), and a sort for "quantile".
    """
    if sp.issparse(X):
        X = sp.csc_array(X)
    if how is None:
        return _given_codes(X)
    if how == "presence":
        return _like(X, (_values(X) != 0).astype(np.uint8))
    edges = bin_edges(X, how, n_bins, weights)
    if not sp.issparse(X):
        return _find_bins(X, edges, n_bins)
    stored = np.diff(X.indptr)
    codes = _find_bins(X.data, (np.repeat(edge, stored) for edge in edges), n_bins)
    zero = _find_bins(np.zeros(X.shape[1]), edges, n_bins).astype(np.int32)
    return _like(X, (codes - np.repeat(zero, stored)) % n_bins)


def codes_of(X: NDArray[Any], edges: NDArray[Any] | None, n_bins: int) -> NDArray[Any]:
    """Codes of dense X by edges that are known; None: zero against the rest."""
    if edges is None:
        return (X != 0).astype(np.uint8)
    return np.asarray(_find_bins(X, edges, n_bins))


def bin_edges(
    X: Any, how: str, n_bins: int, weights: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Lower edges of all bins but the first: ascending, of shape (n_bins - 1, d).

    An edge of "quantile" is a value of the feature above its minimum (inf where there
    is none): at the minimum it would cut off nothing.
    """
    if how == "width":
        low, high = X.min(axis=0), X.max(axis=0)
        if sp.issparse(low):
            low, high = low.toarray(), high.toarray()
        # Halved, so that the width of a huge range does not overflow.
        low, high = (0.5 * np.ravel(end).astype(np.float64) for end in (low, high))
        return 2 * np.linspace(low, high, n_bins + 1)[1:-1]
    if weights is not None:
        return _weighted_quantiles(X, n_bins, weights)
    ranks = X.shape[0] * np.arange(1, n_bins) // n_bins
    if sp.issparse(X):
        return _sparse_quantiles(X, ranks)
    size = max(1, _BLOCK_BYTES // (X.itemsize * X.shape[0]))
    blocks = gen_batches(X.shape[1], size)
    return np.hstack([_quantiles(X[:, block], ranks) for block in blocks])


def _quantiles(X: NDArray[Any], ranks: NDArray[Any]) -> NDArray[Any]:
    """Values at these ranks of each column, or the next above the minimum."""
    ascending = np.sort(X, axis=0)
    low = ascending[0]
    above = np.where(ascending > low, ascending, np.inf).min(axis=0)
    return np.maximum(ascending[ranks], above)


def _weighted_quantiles(X: Any, n_bins: int, weights: NDArray[Any]) -> NDArray[Any]:
    """The values that the rows would have at these ranks, each repeated by weight."""
    edges = np.empty((n_bins - 1, X.shape[1]))
    reached = weights.sum() * np.arange(1, n_bins) / n_bins
    for column, edge in enumerate(edges.T):
        values = X[:, [column]]
        values = np.ravel(values.toarray() if sp.issparse(values) else values)
        order = np.argsort(values, kind="stable")
        at = np.searchsorted(np.cumsum(weights[order]), reached, side="right")
        ascending = values[order]
        above = ascending[ascending > ascending[0]].min(initial=np.inf)
        edge[:] = np.maximum(ascending[np.minimum(at, len(order) - 1)], above)
    return edges


def _sparse_quantiles(X: Any, ranks: NDArray[Any]) -> NDArray[Any]:
    """The same for a csc_array: zeros are between negative and positive values."""
    X = X.copy()
    X.eliminate_zeros()
    n, d = X.shape
    stored = np.diff(X.indptr)
    column = np.repeat(np.arange(d), stored)
    ascending = np.append(X.data[np.lexsort((X.data, column))], 0)
    n_negative = np.bincount(column[X.data < 0], minlength=d)
    n_zero = n - stored

    def at(rank: int) -> NDArray[Any]:
        is_zero = (rank >= n_negative) & (rank < n_negative + n_zero)
        place = X.indptr[:-1] + rank - np.where(rank < n_negative, 0, n_zero)
        return ascending[np.where(is_zero, X.nnz, place)]

    low = at(0)
    above = np.where((low < 0) & (n_zero > 0), 0, np.inf)
    larger = X.data > low[column]
    np.minimum.at(above, column[larger], X.data[larger])
    return np.maximum([at(rank) for rank in ranks], above)


def _find_bins(
    values: NDArray[Any], edges: Iterable[NDArray[Any]], n_bins: int
) -> NDArray[Any]:
    """Number of edges that each value has reached."""
    codes = np.zeros(values.shape, np.uint8 if n_bins <= 256 else np.int32)
    for edge in edges:
        codes += values >= edge
    return codes


def _given_codes(X: Any) -> Any:
    """X as codes, checked."""
    values = _values(X)
    wrong = (values < 0) | (values > _LARGEST_CODE) | (values != np.floor(values))
    if wrong.any():
        value = values[wrong][0]
        raise ValueError(
            "discretize=None takes X as integer codes from 0 to "
            f"{_LARGEST_CODE}, but X holds {value:g}: choose discretize='width', "
            "'quantile' or 'presence', or code X."
        )
    small = values.max(initial=0) < 256
    return _like(X, values.astype(np.uint8 if small else np.int32))


def _values(X: Any) -> NDArray[Any]:
    """All entries of dense X, the stored ones of sparse X."""
    return X.data if sp.issparse(X) else X


def _like(X: Any, codes: NDArray[Any]) -> Any:
    """Codes of the stored entries of X, in the form of X."""
    if not sp.issparse(X):
        return codes
    sparse = sp.csc_array((codes, X.indices, X.indptr), shape=X.shape, copy=True)
    sparse.eliminate_zeros()
    return sparse
