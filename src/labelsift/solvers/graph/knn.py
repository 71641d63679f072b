# SPDX-License-Identifier: BSD-3-Clause
"""Graphs of nearest neighbours with unit or heat-kernel weights; never n x n."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import laplacian

from labelsift.core.warning import warn
from labelsift.solvers.neighbours import nearest_neighbours

# Smaller weights have no effect; a warning if most are smaller.
_FAINT = 1e-8

# Of the heat kernel: a number, "auto", or None for unit weights.
Bandwidth = float | str | None


def knn_graph(X: Any, n_neighbors: int, bandwidth: Bandwidth = "auto") -> Any:
    """Join each row to its nearest rows with weight exp(-distance^2 / bandwidth).

    Two rows are joined when one of them is among the ``n_neighbors`` nearest of the
    other. Rows without any non-zero entry have no neighbours: they
    would be the neighbours of every short document.

    A bandwidth of "auto" is the median squared distance to the neighbours (of those
    above 0 where most are 0). Without a bandwidth (None) the weight is 1 where each row
    is among the nearest of the other, and 1/2 where one is. The weights are a symmetric
    csr_array, 0 on the diagonal.

    Cost: that of ``nearest_neighbours``; memory O(n_samples n_neighbors) beyond its
    blocks.
    """
    n_samples = X.shape[0]
    rows = X.tocsr() if sp.issparse(X) else X
    filled = _filled_rows(rows)
    if n_neighbors >= len(filled):
        raise ValueError(
            f"n_neighbors={n_neighbors} must be less than the number of rows of X that "
            f"are not all zero ({len(filled)}): lower n_neighbors or pass more samples."
        )
    if len(filled) < n_samples:
        rows = rows[filled]
    nearest, squared = nearest_neighbours(rows, n_neighbors)
    weights = np.ones(squared.size)
    if bandwidth is not None:
        weights = _heat(squared.ravel(), bandwidth)
    ends = np.repeat(filled, n_neighbors), filled[nearest.ravel()]
    one_way = sp.csr_array((weights, ends), shape=(n_samples, n_samples))
    if bandwidth is None:
        return ((one_way + one_way.T) / 2).tocsr()
    graph = one_way.maximum(one_way.T).tocsr()
    graph.eliminate_zeros()
    return graph


def knn_laplacian(X: Any, n_neighbors: int, bandwidth: Bandwidth = "auto") -> Any:
    """Degrees minus weights of ``knn_graph``: v'Lv sums weight * difference^2."""
    return sp.csr_array(laplacian(knn_graph(X, n_neighbors, bandwidth)))


def _heat(squared: NDArray[Any], bandwidth: float | str) -> NDArray[Any]:
    """Weights of squared distances."""
    if bandwidth == "auto":
        bandwidth = float(np.median(squared) or _median(squared[squared > 0]))
    weights = np.exp(-squared / float(bandwidth))
    _warn_when_faint(weights, float(bandwidth))
    return weights


def _filled_rows(X: Any) -> NDArray[np.intp]:
    if sp.issparse(X):
        return np.flatnonzero(np.ravel(abs(X).sum(axis=1)) > 0)
    return np.flatnonzero(X.any(axis=1))


def _median(values: NDArray[Any]) -> float:
    return float(np.median(values)) if len(values) else 1.0


def _warn_when_faint(weights: NDArray[Any], bandwidth: float) -> None:
    faint = float(np.mean(weights < _FAINT))
    if faint > 0.5:
        warn(
            f"{faint:.0%} of the weights of the neighbour graph are below {_FAINT:g} "
            f"with bandwidth={bandwidth:g}, so the graph does almost nothing: use "
            'bandwidth="auto" or scale X.'
        )
