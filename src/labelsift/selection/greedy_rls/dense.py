# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out errors of all candidates from two n x d arrays.

With H and the residuals A = H Y of the current model, the arrays are C = H X and
Q = A A'X. Adding feature i turns row j of A into A_j - delta_i C_ji P_i, where P = X'A
and delta_i = 1 / (alpha + x_i'C_i), and its leverage into g_j - delta_i C_ji^2, so that

    e_i = sum_j [s_j - 2 r Q_ji + r^2 p_i] / (g_j - r C_ji)^2,    r = delta_i C_ji,

with s_j = |A_j|^2 and p_i = |P_i|^2. The labels enter through Q, s and p alone: a step
costs O(n d) whatever their number. Taking feature b changes C by rank one and Q by rank
two; the kernel applies the change of the last step in the pass that scores.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

from labelsift.selection.greedy_rls.problem import (
    Problem,
    least_slack,
    summed_error,
    transposed_product,
)
from labelsift.selection.greedy_rls.steps import Rule

# Columns of a tile: its vectors stay in half of a first-level cache of 32 KiB, and the
# inner loop has no remainder.
_WIDTHS = (160, 128, 96, 64)
# Below this many entries starting threads costs more than they save.
_WORTH_THREADS = 2**20


class DenseModel:
    """The model with its two n x d arrays.

    Vectors over features are padded to whole tiles; a padding column is zero, and so
    are its products. Q is ``label_product`` for the penalty, which is overwritten;
    its dtype is the storage precision. Without centred X'X in ``gram`` every step reads
    X once more. Threads of a ``pool`` share the tiles and change nothing in the result.
    """

    def __init__(
        self,
        problem: Problem,
        alpha: float,
        Q: NDArray[Any],
        *,
        steps: int,
        gram: NDArray[Any] | None = None,
        pool: ThreadPoolExecutor | None = None,
    ) -> None:
        n, _, t = problem.shape
        rho = problem.rho(alpha)
        self._problem, self._alpha, self._rho, self._gram = problem, alpha, rho, gram
        self._tiles, self._scale = (Q.shape[0], Q.shape[2]), problem.n * t
        self._C = _centred_tiles(problem, rho, Q)
        self._Q = Q
        self._g, self._cap = problem.slack(rho), problem.cap
        self._s = problem.squared_residuals(rho)
        self._P = self._padded(problem.products(rho))
        self._p = row_norms(self._P, squared=True)
        self._D = self._padded(problem.norms(rho))
        # v and w of all steps, which bring a column of the Gram matrix up to date.
        self._taken = 0
        self._v, self._w = np.empty((2, steps if gram is not None else 0, len(self._D)))
        rows, columns = np.zeros(n), np.zeros(self._tiles)
        self._no_step: tuple[NDArray[Any], ...] = rows, rows, columns, columns
        self._last_step: tuple[NDArray[Any], ...] = self._no_step
        storage = np.finfo(Q.dtype)
        # In float32, the smallest 1 - leverage with any candidate scored so far.
        self._slack = np.ones(self._tiles) if storage.bits == 32 else None
        self._floor = max(n * np.finfo(np.float64).eps, 8 * float(storage.eps))
        self._pool = pool if Q.size >= _WORTH_THREADS else None

    @property
    def error(self) -> float:
        """Mean leave-one-out error of the current model."""
        return summed_error(self._s, self._g, self._cap) / self._scale

    @property
    def slack(self) -> float:
        """Smallest 1 - leverage of a row; in float32 also with any candidate.

        Squares of it are differences of stored numbers, which float32 loses early.
        """
        least = least_slack(self._g, self._cap)
        return least if self._slack is None else min(least, float(self._slack.min()))

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """Mean leave-one-out error with each feature added."""
        from labelsift.kernels.greedy import update_and_score

        (u, a, v, z), self._last_step = self._last_step, self._no_step
        delta = (1 / (self._alpha + self._D)).reshape(self._tiles)
        p, errors = self._p.reshape(self._tiles), np.empty(self._tiles)
        slack = self._slack

        def score(at: slice) -> None:
            update_and_score(
                self._C[at], self._Q[at], u, a, v[at], z[at],
                self._g, self._s, delta[at], p[at], self._floor, errors[at],
                None if slack is None else slack[at], self._cap,
            )  # fmt: skip

        if self._pool is None:
            score(slice(None))
        else:
            tiles = (slice(i, i + 1) for i in range(self._tiles[0]))
            list(self._pool.map(score, tiles))
        return errors.ravel()[: len(candidates)] / self._scale

    def add(self, candidate: int) -> None:
        """Add a feature; C and Q are updated in the next pass."""
        b = candidate
        c, a = (tile_column(array, b) for array in (self._C, self._Q))
        v = self._feature_products(b, c)
        delta, p_b, P_b = 1 / (self._alpha + self._D[b]), self._p[b], self._P[b].copy()
        m = self._P @ P_b
        u, w = delta * c, delta * v
        z = m - p_b * w
        self._g = np.maximum(self._g - u * c, self._floor)
        self._s += u * (u * p_b - 2 * a)
        # Rounding must not make a sum of squares negative.
        self._D = np.maximum(self._D - w * v, 0)
        self._p = np.maximum(self._p - w * (m + z), 0)
        self._P -= np.outer(w, P_b)
        v, z = v.reshape(self._tiles), z.reshape(self._tiles)
        self._last_step = u, delta * a, v, z

    def _feature_products(self, b: int, c: NDArray[Any]) -> NDArray[Any]:
        """v = X'c = X'H x_b."""
        if self._gram is None:
            return self._padded(transposed_product(self._problem.X, c))
        r, x_mean = self._taken, self._problem.x_mean
        means = self._rho * self._problem.n * x_mean[b] * x_mean
        v = self._padded(self._gram[b] + means) - self._w[:r, b] @ self._v[:r]
        self._v[r], self._w[r] = v, v / (self._alpha + self._D[b])
        self._taken += 1
        return v

    def _padded(self, columns: NDArray[Any]) -> NDArray[Any]:
        """Rows of zeros for the columns that fill the last tile."""
        tiles, width = self._tiles
        padded = np.zeros((tiles * width, *columns.shape[1:]))
        padded[: len(columns)] = columns
        return padded


def label_product(problem: Problem, rho: float, dtype: Any) -> NDArray[Any]:
    """Q = A A'X of the constant column alone, as tiles: the only O(n d t) work."""
    n, d, _ = problem.shape
    width = tile_width(d)
    tiles = np.zeros((-(-d // width), n, width), dtype)
    products = problem.products(rho)
    for rows in problem.row_batches():
        residuals = problem.residuals(rho, rows)
        for tile, columns in tile_columns(tiles, d):
            tile[rows] = residuals @ products[columns].T
    return tiles


def with_means(centred: NDArray[Any], problem: Problem, rho: float) -> NDArray[Any]:
    """Q for a penalty, from that of centred data (rho = 0), which all share."""
    d = problem.shape[1]
    y_mean, Q, ones = problem.y_mean, np.zeros_like(centred), problem.ones()
    parts = [problem.residuals(0.0, rows) @ y_mean for rows in problem.row_batches()]
    by_row = np.concatenate(parts) + rho * (y_mean @ y_mean) * np.ravel(ones)
    by_row *= rho * problem.n
    by_column = rho * problem.cross @ y_mean
    for tile, columns in tile_columns(Q, d):
        tile[...] = np.outer(by_row, problem.x_mean[columns])
        tile += ones * by_column[columns]
    Q += centred
    return Q


def _centred_tiles(problem: Problem, rho: float, Q: NDArray[Any]) -> NDArray[Any]:
    """C = H X of the constant column alone, as tiles like Q."""
    tiles = np.zeros_like(Q)
    for tile, columns in tile_columns(tiles, problem.shape[1]):
        part = problem.X[:, columns]
        part = part.toarray() if sp.issparse(part) else part
        means = (1 - rho) * problem.x_mean[columns]
        np.subtract(part, means * problem.ones(), out=tile, casting="same_kind")
    return tiles


def tile_width(d: int) -> int:
    """The width that needs the least padding."""
    return min(_WIDTHS, key=lambda width: -(-d // width) * width)


def tile_columns(tiles: NDArray[Any], d: int) -> list[tuple[NDArray[Any], slice]]:
    """Each tile without its padding, and the columns of X that it holds."""
    width = tiles.shape[2]
    starts = range(0, d, width)
    return [
        (tile[:, : d - start], slice(start, min(start + width, d)))
        for tile, start in zip(tiles, starts, strict=True)
    ]


def tile_column(tiles: NDArray[Any], index: int) -> NDArray[Any]:
    """One column as a float64 vector."""
    tile, place = divmod(index, tiles.shape[2])
    return tiles[tile, :, place].astype(np.float64)
