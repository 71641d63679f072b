# SPDX-License-Identifier: BSD-3-Clause
"""Centred sums over a block of rows, and how two of them add up.

Products are taken about the mean of their own block and merged as Chan, Golub and
LeVeque (1983) do: with delta the difference of the means and f = n_A n_B / (n_A + n_B)

    S = S_A + S_B + f delta delta',        mean = mean_A + delta n_B / (n_A + n_B).

X'X - n mm' would lose the digits that a large mean has in common with its square.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_array, gen_batches

from labelsift.core.arrays import is_foreign, namespace, to_numpy
from labelsift.solvers.ridge.centring import (
    centred_products,
    column_means,
    scaled_rows,
)

# Entries of dense X that are centred at a time, in float64: few stay in a cache, more
# are worth the change of X'X that follows, many more the start of work on a device.
_FEW_ENTRIES, _MANY_ENTRIES, _DEVICE_ENTRIES = 2**18, 2**22, 2**27
# Bytes of a matrix that is changed at a time.
_STRIP = 2**16
# Below this share of a sum of squares, a spread has lost digits to the mean.
_LOST = 1e-2


@dataclass(frozen=True)
class Part:
    """Sums over rows of d features and t targets, about their means; in float64."""

    rows: int
    n: float  # sum of the weights of the rows
    x_mean: NDArray[Any]
    y_mean: NDArray[Any]
    x_range: NDArray[Any]  # (2, d): minima and maxima
    y_range: NDArray[Any]
    xx: NDArray[Any]  # X'X, or its diagonal
    xy: NDArray[Any]  # X'Y
    yy: NDArray[Any]  # Y'Y, or its diagonal


def block_parts(
    X: Any, Y: NDArray[Any], weights: NDArray[Any] | None, full: tuple[bool, bool]
) -> Iterator[Part]:
    """The parts of a block: one where X is sparse, else one for every few rows.

    ``full`` tells whether xx and yy are matrices or their diagonals.
    """
    if sp.issparse(X) and not _loses_digits(X, weights):
        yield _sparse_part(X, Y, weights, full)
        return
    length = _panel_rows(X.shape[1], full[0])
    if is_foreign(X):
        length = max(1, _DEVICE_ENTRIES // X.shape[1])
    for rows in gen_batches(X.shape[0], length):
        panel = X[rows].toarray() if sp.issparse(X) else X[rows, :]
        own = None if weights is None else weights[rows]
        yield _dense_part(panel, Y[rows, :], own, full)


def _panel_rows(n_features: int, full: bool) -> int:
    """Some times as many as X'X has, within bounds; few where its diagonal is all."""
    few, many = (entries // n_features for entries in (_FEW_ENTRIES, _MANY_ENTRIES))
    return max(1, few, min(6 * n_features, many) if full else 0)


def summed(
    X: Any,
    Y: NDArray[Any],
    weights: NDArray[Any] | None,
    *,
    full: tuple[bool, bool] = (True, False),
) -> Part:
    """The sums over checked rows in memory."""
    return reduce(merge, block_parts(X, Y, weights, full))


def merge(first: Part, second: Part) -> Part:
    """The sums over both; the arrays of the first are overwritten."""
    n = first.n + second.n
    x_delta, y_delta = second.x_mean - first.x_mean, second.y_mean - first.y_mean
    # The root on either side keeps symmetric products symmetric to the last bit.
    root = (first.n * second.n / n) ** 0.5
    x_step, y_step = root * x_delta, root * y_delta
    share = second.n / n
    return Part(
        first.rows + second.rows,
        n,
        first.x_mean + share * x_delta,
        first.y_mean + share * y_delta,
        _joined(first.x_range, second.x_range),
        _joined(first.y_range, second.y_range),
        _add_products(first.xx, second.xx, x_step, x_step),
        _add_products(first.xy, second.xy, x_step, y_step),
        _add_products(first.yy, second.yy, y_step, y_step),
    )


def on_host(part: Part) -> Part:
    """The same with numpy arrays."""
    arrays: dict[str, Any] = {
        name: to_numpy(value) if is_foreign(value) else value
        for name, value in vars(part).items()
    }
    return Part(**arrays)


def _joined(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    xp = namespace(first)
    low = xp.minimum(first[0, :], second[0, :])
    return xp.stack([low, xp.maximum(first[1, :], second[1, :])])


def _add_products(
    total: NDArray[Any], other: NDArray[Any], left: NDArray[Any], right: NDArray[Any]
) -> NDArray[Any]:
    """total + other + left right', in place and without a third matrix."""
    if total.ndim == 1:
        total += other + left * right
        return total
    total += other
    _add_outer(total, left, right)
    return total


def _add_outer(total: Any, left: Any, right: Any) -> None:
    """total + left right', in place; on the host the temporary arrays are small.

    Dask lets its workers return larger ones to the system at once: they would be had
    anew, page by page, every time.
    """
    height = total.shape[0]
    if not is_foreign(total):
        height = max(1, _STRIP // (8 * total.shape[1]))
    for rows in gen_batches(total.shape[0], height):
        total[rows, :] += left[rows, None] * right


def _dense_part(X: Any, Y: Any, weights: Any, full: tuple[bool, bool]) -> Part:
    """Products of centred columns, corrected for the rounding of the means.

    The arrays are those of any library that follows the array API.
    """
    xp = namespace(X)
    X, Y = (xp.asarray(array, dtype=xp.float64) for array in (X, Y))
    rows, w = X.shape[0], None if weights is None else weights[:, None]
    n = float(rows if w is None else xp.sum(w))
    (x_range, x_mean), (y_range, y_mean) = (_location(array, w, n) for array in (X, Y))
    x, y = X - x_mean, Y - y_mean
    wx, wy = (x, y) if w is None else (w * x, w * y)
    x_rest, y_rest = xp.sum(wx, axis=0), xp.sum(wy, axis=0)  # 0 but for rounding
    return Part(
        rows,
        n,
        x_mean + x_rest / n,
        y_mean + y_rest / n,
        x_range,
        y_range,
        _own_products(x, weights, x_rest, n, full[0]),
        wx.T @ y - (x_rest / n)[:, None] * y_rest,
        _own_products(y, weights, y_rest, n, full[1]),
    )


def _location(X: Any, weights: Any, n: float) -> tuple[Any, Any]:
    """Minima and maxima of the columns, and their means.

    The mean of a constant column is its value, to the last bit.
    """
    xp = namespace(X)
    low, high = xp.min(X, axis=0), xp.max(X, axis=0)
    mean = xp.sum(X if weights is None else weights * X, axis=0) / n
    return xp.stack([low, high]), xp.where(low == high, low, mean)


def _own_products(centred: Any, weights: Any, rest: Any, n: float, full: bool) -> Any:
    """Products of the columns with each other, or with themselves."""
    xp = namespace(centred)
    if weights is not None:
        centred = xp.sqrt(weights)[:, None] * centred
    step = rest / n**0.5
    if full:
        products = centred.T @ centred
        _add_outer(products, -step, step)
        return products
    return xp.sum(centred * centred, axis=0) - step * step


def _sparse_part(
    X: Any, Y: NDArray[Any], weights: NDArray[Any] | None, full: Any
) -> Part:
    """X is centred after the products: sparse columns have small means."""
    n = float(X.shape[0] if weights is None else weights.sum())
    X = X.tocsr().astype(np.float64, copy=False)
    x_range, y_range = _range(X), _range(Y)
    x_mean, y_mean = _means(X, weights, x_range), _means(Y, weights, y_range)
    constant = x_range[0] == x_range[1]
    spread = np.where(constant, 0.0, _sparse_spread(X, x_mean, weights, n))
    xx = spread
    if full[0]:
        root = None if weights is None else np.sqrt(weights)
        rows = X if root is None else scaled_rows(X, root)
        xx = centred_products(rows, x_mean, dual=False, root=root)
        np.fill_diagonal(xx, spread)
        xx[constant], xx[:, constant] = 0.0, 0.0
    # A large offset of values costs no digits; 0/1 labels have none and stay sparse.
    y = Y - y_mean if Y.dtype.kind == "f" else Y
    wy = y if weights is None else (y.T * weights).T
    y_sum = wy.sum(axis=0, dtype=np.float64)
    right = wy if Y.dtype.kind == "f" else sp.csr_array(wy, dtype=np.float64)
    products = X.T @ right
    if sp.issparse(products):
        products = products.toarray()
    return Part(
        X.shape[0],
        n,
        x_mean,
        y_mean,
        x_range,
        y_range,
        xx,
        np.where(constant[:, np.newaxis], 0.0, products - np.outer(x_mean, y_sum)),
        _own_products(Y - y_mean, weights, np.zeros(len(y_mean)), n, full[1]),
    )


def _range(X: Any) -> NDArray[np.float64]:
    """Minima and maxima of the columns of sparse X or of Y."""
    low, high = (_ravelled(X.min(axis=0)), _ravelled(X.max(axis=0)))
    return np.stack([low, high]).astype(np.float64)


def _means(
    X: Any, weights: NDArray[Any] | None, limits: NDArray[Any]
) -> NDArray[np.float64]:
    """Means of the columns; of a constant one its value, to the last bit."""
    low, high = limits
    return np.where(low == high, low, column_means(X, weights))


def _sparse_spread(
    X: Any, mean: NDArray[Any], weights: NDArray[Any] | None, n: float
) -> NDArray[Any]:
    """Sum of squares of each centred column of CSR X."""
    each = None
    if weights is not None:
        each = np.repeat(weights, np.diff(X.indptr))
    squares = (X.data - mean[X.indices]) ** 2
    d = X.shape[1]
    stored = np.bincount(X.indices, weights=each, minlength=d)
    if each is not None:
        squares *= each
    total = np.bincount(X.indices, weights=squares, minlength=d)
    return total + np.maximum(n - stored, 0) * mean**2


def _ravelled(values: Any) -> NDArray[Any]:
    return np.ravel(values.toarray() if sp.issparse(values) else values)


def _loses_digits(X: Any, weights: NDArray[Any] | None) -> bool:
    """Whether a column of sparse X is all but full and far from 0.

    Products of such a column lose digits when they are centred afterwards.
    """
    full = X.count_nonzero(axis=0) > X.shape[0] / 2
    if not full.any():
        return False
    columns = X[:, full].tocsr().astype(np.float64)
    n = float(X.shape[0] if weights is None else weights.sum())
    mean = column_means(columns, weights)
    spread = _sparse_spread(columns, mean, weights, n)
    varies = _ravelled(columns.min(axis=0)) < _ravelled(columns.max(axis=0))
    return bool((varies & (spread < _LOST * (spread + n * mean**2))).any())


def checked_block(X: Any) -> Any:
    """X as an ndarray, csr_array or csc_array of floats."""
    X = check_array(
        X,
        accept_sparse=["csr", "csc"],
        dtype=[np.float64, np.float32],
        ensure_min_samples=0,
        input_name="X",
    )
    if sp.issparse(X):
        X = sp.csr_array(X)
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    return X
