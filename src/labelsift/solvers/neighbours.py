# SPDX-License-Identifier: BSD-3-Clause
"""Exact nearest neighbours of rows, dense or sparse, in blocks."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

# Products with all rows that are held at a time.
_BLOCK_BYTES = 2**25
# Sparse rows are searched as dense ones where the copy is small and this share of it is
# not zero: from there on the dense product is the faster one.
_DENSE_BYTES, _DENSE_SHARE = 2**26, 0.05


def nearest_neighbours(
    X: Any, n_neighbors: int, queries: Any = None
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Find the rows of X that are nearest in Euclidean distance.

    The search is exact: one matrix product per block of queries bounds every distance,
    and only the distances that may matter are summed up, in double precision. Dense
    and sparse input give the same neighbours; ties go to the lowest index.

    Queries are converted to the format of X, an ndarray or canonical csr_array, block
    by block; without them the rows of X are, none of which is its own neighbour.
    Returned are the rows of X by increasing distance and their squared distances, each
    of shape (n_queries, n_neighbors).

    Cost: the products, O(n_queries n_samples n_features) for dense X and less for
    sparse X, of which those among its own rows are formed once for both. The products
    of a block take 32 MiB, never n_queries x n_samples; sparse X is copied by columns,
    or, with one value in twenty or more, as a dense array where that takes at most 64
    MiB.
    """
    X = _dense_if_small(X)
    if queries is None and sp.issparse(X):
        return _among_sparse(X, n_neighbors)
    own_rows = queries is None
    queries = X if queries is None else queries
    n_queries, n_samples = queries.shape[0], X.shape[0]
    indices = np.empty((n_queries, n_neighbors), dtype=np.intp)
    distances = np.empty((n_queries, n_neighbors))
    own = np.arange(n_queries) if own_rows else np.full(n_queries, -1, dtype=np.intp)
    norms, columns = _squared_norms(X), X.tocsc() if sp.issparse(X) else X
    for rows in gen_batches(n_queries, max(1, _BLOCK_BYTES // (8 * n_samples))):
        block = _like(X, queries[rows])
        products = _products(block, columns)
        _search(block, X, products, norms, own[rows], indices[rows], distances[rows])
    return indices, distances


def _among_sparse(
    X: Any, n_neighbors: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Neighbours of the rows of sparse X among themselves, pair by pair."""
    from labelsift.kernels.neighbours import nearest_pairs

    # As distances are summed up: a precise bound is close.
    X = X.astype(np.float64, copy=False)
    norms = _squared_norms(X)
    order = np.argsort(norms, kind="stable")
    X, shape = X[order], (X.shape[0], n_neighbors)
    indices, distances = np.empty(shape, dtype=np.intp), np.empty(shape)
    parts = ((M.data, M.indices, M.indptr) for M in (X, X.tocsc()))
    nearest_pairs(*parts, order, norms[order], _slack(X), indices, distances)
    place = np.argsort(order)
    return indices[place], distances[place]


def _slack(X: Any) -> float:
    """What rounding may add to a distance by products, as a share of both norms."""
    # Of a sum of m products it is at most m eps |q||x|, of a norm m eps |x|^2.
    n_terms = np.diff(X.indptr).max(initial=0) if sp.issparse(X) else X.shape[1]
    return 2 * float(n_terms + 4) * float(np.finfo(X.dtype).eps)


def _dense_if_small(X: Any) -> Any:
    """X, or a dense copy of it where that is small and the search in it faster."""
    if not sp.issparse(X):
        return X
    size = X.shape[0] * X.shape[1]
    fits = size * X.dtype.itemsize <= _DENSE_BYTES
    return X.toarray() if fits and X.nnz >= _DENSE_SHARE * size else X


def _products(block: Any, X: Any) -> NDArray[Any]:
    """Inner products of a block of queries with all rows of X, sparse by columns."""
    if not sp.issparse(X):
        return np.asarray(block @ X.T)
    from labelsift.kernels.row_products import all_products

    products = np.zeros((block.shape[0], X.shape[0]), dtype=X.dtype)
    by_row, by_column = ((it.data, it.indices, it.indptr) for it in (block, X))
    all_products(by_row, by_column, products)
    return products


def _search(
    block: Any,
    X: Any,
    products: NDArray[Any],
    norms: NDArray[Any],
    own: NDArray[Any],
    indices: NDArray[Any],
    distances: NDArray[Any],
) -> None:
    """Fill indices and distances of a block by the compiled search."""
    from labelsift.kernels.neighbours import dense_neighbours, sparse_neighbours

    norms_of = _squared_norms(block), norms, _slack(X)
    bounds = products, *norms_of, own, indices, distances
    if sp.issparse(X):
        csr = X.data, X.indices, X.indptr
        sparse_neighbours(block.data, block.indices, block.indptr, *csr, *bounds)
    else:
        dense_neighbours(block, X, *bounds)


def _like(X: Any, block: Any) -> Any:
    """Convert a block of queries to the format and precision of X."""
    if sp.issparse(X):
        block = sp.csr_array(block)
        block.sort_indices()
        block.indices = block.indices.astype(X.indices.dtype, copy=False)
        block.indptr = block.indptr.astype(X.indptr.dtype, copy=False)
    elif sp.issparse(block):
        block = block.toarray()
    return block.astype(X.dtype, copy=False)


def _squared_norms(X: Any) -> NDArray[np.float64]:
    if sp.issparse(X):
        return np.ravel(X.power(2).sum(axis=1, dtype=np.float64))
    return np.einsum("ij,ij->i", X, X, dtype=np.float64)
