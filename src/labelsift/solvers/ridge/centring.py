# SPDX-License-Identifier: BSD-3-Clause
"""Inner products of X about its column means; X is neither copied nor densified."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

# Part of X that is densified, centred or multiplied at a time.
_BLOCK_BYTES = 2**25


def column_means(X: Any, weights: NDArray[Any] | None = None) -> NDArray[np.float64]:
    """Mean of each column of dense or sparse X, in float64."""
    if weights is not None:
        return np.asarray(X.T @ (weights / weights.sum()))
    if sp.issparse(X):  # whose own mean adds up in the precision of X
        return np.asarray(X.T @ np.ones(X.shape[0])) / X.shape[0]
    return np.asarray(X.mean(axis=0, dtype=np.float64))


def scaled_rows(X: Any, factors: NDArray[Any]) -> Any:
    """A copy of X in float64 with each row multiplied; sparse X stays sparse."""
    if sp.issparse(X):
        return sp.csr_array(sp.diags_array(factors) @ X.astype(np.float64))
    return X * factors[:, np.newaxis]


def centred_products(
    X: Any, mean: NDArray[Any], *, dual: bool, root: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """Xc Xc' where dual, Xc'Xc otherwise, with Xc = X - root mean'.

    Where rows count by weights, X holds them times ``root``, the roots of the weights;
    None stands for ones.
    """
    if sp.issparse(X):
        return _sparse_products(X, mean, dual, root)
    size = X.shape[0] if dual else X.shape[1]
    matrix = np.zeros((size, size))
    for _, block in _centred_blocks(X, mean, dual, root):
        matrix += block @ block.T if dual else block.T @ block
    return matrix


def _sparse_products(
    X: Any, mean: NDArray[Any], dual: bool, root: NDArray[Any] | None
) -> NDArray[np.float64]:
    """The same of CSR X: the mean is subtracted from the products, block by block."""
    ones = np.ones(X.shape[0]) if root is None else root
    if dual:
        along = X @ mean
        shifts = [(ones, along), (along - ones * (mean @ mean), ones)]
    else:
        sums = X.T @ ones
        shifts = [(mean, sums), (sums - (ones @ ones) * mean, mean)]
    matrix = lower_products(X, dual=dual)
    for part in gen_batches(len(matrix), max(1, _BLOCK_BYTES // (8 * len(matrix)))):
        own = matrix[part, part]
        own += np.tril(own, -1).T
        matrix[part, part.stop :] = matrix[part.stop :, part].T
        for first, second in shifts:
            matrix[part] -= np.outer(first[part], second)
    return matrix


def lower_products(X: Any, *, dual: bool) -> NDArray[np.float64]:
    """XX' of sparse X where dual, X'X otherwise: the lower triangle, 0 above it."""
    from labelsift.kernels.row_products import row_products

    by_column = X.tocsr().tocsc().astype(np.float64, copy=False)  # never X itself
    by_column.sum_duplicates()
    forms = by_column.tocsr(), by_column
    rows, columns = ((form.data, form.indices, form.indptr) for form in forms)
    matrix = np.zeros((X.shape[0 if dual else 1],) * 2)
    row_products(*((rows, columns) if dual else (columns, rows)), matrix)
    return matrix


def centred_cross(
    X: Any, mean: NDArray[Any], Y: NDArray[Any], root: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """(X - root mean')'Y; None stands for ones."""
    if sp.issparse(X):
        sums = Y.sum(axis=0) if root is None else root @ Y
        return X.T @ Y - np.outer(mean, sums)
    dual = X.shape[0] <= X.shape[1]
    blocks = _centred_blocks(X, mean, dual, root)
    if dual:
        return np.vstack([block.T @ Y for _, block in blocks])
    return sum(block.T @ Y[rows] for rows, block in blocks)


def _centred_blocks(
    X: Any, mean: NDArray[Any], by_columns: bool, root: NDArray[Any] | None
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Parts of dense X - root mean', cut along the columns or along the rows."""
    n, d = X.shape
    length = max(1, _BLOCK_BYTES // (8 * (n if by_columns else d)))
    for part in gen_batches(d if by_columns else n, length):
        rows, columns = (slice(None), part) if by_columns else (part, slice(None))
        shift = mean[columns]
        if root is not None:
            shift = np.outer(root[rows], shift)
        yield part, X[rows, columns] - shift


def centre_both(within: NDArray[Any], across: NDArray[Any]) -> None:
    """Centre products of training rows, and of test with training rows, in place.

    All rows move by the mean of the training rows.
    """
    means = within.mean(axis=0)
    across -= across.mean(axis=1, keepdims=True) + (means - means.mean())
    within -= means
    within -= (means - means.mean())[:, np.newaxis]
