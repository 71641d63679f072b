# SPDX-License-Identifier: BSD-3-Clause
"""The input of a ranking machine: rows of X and pairs of labels."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler
from sklearn.utils import gen_batches

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs, Samples

# Of dense float32 rows this much is converted to float64 at a time.
_BLOCK_BYTES = 2**24


@dataclass(frozen=True)
class Design:
    """X / scale - centre, with a column of ones, both implicit."""

    X: Any  # CSR or C-ordered rows, divided by ``scale`` already
    centre: NDArray[np.float64]  # 0 where dense X was centred itself
    bias: bool  # whether to add a column of ones
    mean: NDArray[np.float64]  # of the user's features; 0 where not standardised
    scale: NDArray[np.float64]  # of the user's features; 1 where not standardised

    @classmethod
    def build(cls, X: Any, *, bias: bool, standardize: bool) -> Self:
        """Read X; ``standardize`` makes a scaled copy."""
        d = X.shape[1]
        rows = X.tocsr() if sp.issparse(X) else np.ascontiguousarray(X)
        if not standardize:
            return cls(rows, np.zeros(d), bias, np.zeros(d), np.ones(d))
        scaler = StandardScaler(with_mean=not sp.issparse(X)).fit(rows)
        mean, scale = (np.asarray(a, np.float64) for a in (scaler.mean_, scaler.scale_))
        centre = mean / scale if sp.issparse(X) else np.zeros(d)
        return cls(scaler.transform(rows), centre, bias, mean, scale)

    @property
    def n_features(self) -> int:
        """Columns that can be selected: without the ones."""
        return int(self.X.shape[1])

    def columns(self, keep: NDArray[Any]) -> Self:
        """The same rows with some of the columns; a copy."""
        X = self.X[:, keep]
        if not sp.issparse(X):
            X = np.ascontiguousarray(X)
        return replace(
            self,
            X=X,
            centre=self.centre[keep],
            mean=self.mean[keep],
            scale=self.scale[keep],
        )

    def scores(self, weights: NDArray[Any], bias: NDArray[Any]) -> NDArray[Any]:
        """The score of every label for every row."""
        scores = np.empty((self.X.shape[0], weights.shape[1]))
        for rows in self._blocks():
            scores[rows] = self.X[rows] @ weights
        scores += bias - self.centre @ weights
        return scores

    def centred(
        self, gathered: NDArray[Any], total: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """From X'B and 1'B: the rows of U that belong to columns, and to the ones."""
        if self.centre.any():
            gathered = gathered - np.outer(self.centre, total)
        return gathered, total * float(self.bias)

    def gather(self, forces: NDArray[Any]) -> NDArray[Any]:
        """X'B, before centring."""
        return sum(self.X[rows].T @ forces[rows] for rows in self._blocks())

    def _blocks(self) -> Iterator[slice]:
        """All rows at once, or some of a dense X that numpy would copy to float64."""
        n, d = self.X.shape
        if sp.issparse(self.X) or self.X.dtype == np.float64:
            return iter([slice(None)])
        return gen_batches(n, max(1, _BLOCK_BYTES // (8 * d)))

    def samples(self, eta: NDArray[Any]) -> "Samples":
        """The rows under the weights ``eta`` of the columns, for the kernels."""
        from labelsift.kernels.rank_dcd import Samples, squared_norms

        n, d = self.X.shape
        if sp.issparse(self.X):
            stored = (self.X.data, self.X.indices, self.X.indptr)
        else:
            no_indices = np.empty(0, dtype=np.int32)
            stored = (self.X.ravel(), no_indices, np.arange(n + 1) * d)
        shift = np.asarray(self.X @ (eta * self.centre), dtype=np.float64)
        offset = float(eta @ self.centre**2) + float(self.bias)
        norms = squared_norms(*stored, eta) - 2 * shift + offset
        return Samples(*stored, eta, shift, offset, np.maximum(norms, 0.0))


def label_pairs(Y: NDArray[Any], owner: str) -> "Pairs":
    """All (relevant, irrelevant) pairs of labels of every row of a 0/1 matrix.

    Rows without labels, or with all of them, have no pairs and are not used; where no
    row has one, ``owner`` begins the error message. Pair t of row i is
    alpha[start[i] + t].
    """
    from labelsift.kernels.rank_dcd import Pairs

    labels = np.argsort(Y == 0, axis=1, kind="stable").astype(np.int32)
    n_relevant = Y.sum(axis=1, dtype=np.int64)
    counts = n_relevant * (Y.shape[1] - n_relevant)
    rows = np.flatnonzero(counts)
    if not len(rows):
        raise ValueError(
            f"{owner} ranks the labels of a sample against each other, but no sample "
            "has one label present and another absent: pass a Y of at least two labels "
            "that differ."
        )
    shares = np.divide(1.0, counts, out=np.zeros(len(Y)), where=counts > 0)
    return Pairs(rows, labels, n_relevant, np.cumsum(counts) - counts, shares)


def pair_counts(pairs: "Pairs") -> NDArray[np.int64]:
    """How many pairs each row has."""
    n_labels = pairs.labels.shape[1]
    return np.asarray(pairs.n_relevant * (n_labels - pairs.n_relevant))
