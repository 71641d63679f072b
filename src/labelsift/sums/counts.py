# SPDX-License-Identifier: BSD-3-Clause
"""How many rows lie in which bins and have which labels, over blocks of rows."""

from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length, gen_batches

from labelsift.core.memory_size import Size, read_size, size_text
from labelsift.core.validation import column_names
from labelsift.solvers.information.counted import Layout
from labelsift.solvers.information.discretize import bin_edges, codes_of
from labelsift.sums.merging import Mergeable
from labelsift.sums.part import checked_block
from labelsift.sums.sums import Sums
from labelsift.sums.targets import Targets, agreed_names, read_targets

# Entries of 0/1 columns that are made at a time.
_PANEL = 2**22
# What counting them takes, about.
WORK_BYTES = 16 * _PANEL


class Counts(Mergeable):
    """Counts over rows that add up: all that information methods need of the data.

    Rows are counted by pairs of bins of two features, by label, and by label set. The
    bins are told before the first row, so that all blocks have the same. Counts are
    whole numbers: any split into blocks gives the same, bit for bit.

    Memory: 8 (d b)^2 (t + 1) bytes for d features of b bins and t labels, 8 (d b)^2
    without ``by_label``, and 8 d b for every distinct label set.

    Parameters
    ----------
    x_range : array-like of shape (2, n_features)
        Minima and maxima of the features over all rows (``Sums.x_range``).
    discretize : {"width", "presence"}, default="width"
        How features are binned, as in ``MRMR``; "quantile" needs all values at once.
    n_bins : int, default=3
        Bins of "width".
    by_label : bool, default=True
        Whether pairs of bins are counted for each label too, which MDMR needs.
    memory : int, str or None, default=None
        How much memory the counts may take: bytes, or a size as "8G"; None: 2G.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import MRMR
    >>> from labelsift.sums import Counts
    >>> traits = load_dataset("traits")
    >>> def read():
    ...     for rows in (slice(0, 1000), slice(1000, None)):
    ...         yield traits.X[rows], traits.Y[rows]
    >>> selector = MRMR(3).fit_counts(Counts.from_batches(read))
    >>> [traits.feature_names[i] for i in selector.feature_order_]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_4']
    """

    def __init__(
        self,
        x_range: Any,
        *,
        discretize: str = "width",
        n_bins: int = 3,
        by_label: bool = True,
        memory: Size = None,
    ) -> None:
        if discretize not in ("width", "presence"):
            raise ValueError(
                f'discretize must be "width" or "presence", got {discretize!r}: other '
                "bins need all values of a feature at once."
            )
        self.x_range = np.asarray(x_range, dtype=np.float64)
        self.discretize, self.n_bins = discretize, n_bins
        self._edges = None
        if discretize == "width":
            self._edges = bin_edges(self.x_range, "width", n_bins)
        self._width = 2 if self._edges is None else n_bins
        self._by_label, self._memory = by_label, read_size(memory)
        self.rows = 0
        self.targets: Targets | None = None
        self.feature_names: NDArray[Any] | None = None
        size = self.x_range.shape[1] * self._width
        self.pairs = np.zeros((0, 0), dtype=np.int64)
        self.by_label = np.zeros((0, size, size), dtype=np.int64)
        self.label_sets: dict[bytes, NDArray[np.int64]] = {}

    @classmethod
    def from_batches(
        cls,
        batches: Callable[[], Iterable[Any]],
        *,
        discretize: str = "width",
        n_bins: int = 3,
        by_label: bool = True,
        memory: Size = None,
    ) -> "Counts":
        """Count batches, in two passes: for the ranges, and for the counts.

        Parameters
        ----------
        batches : callable
            Returns an iterable of ``(X, Y)``, the same at every call.
        discretize, n_bins, by_label, memory
            As for ``Counts``.

        Returns
        -------
        Counts
            Over all rows.
        """
        if not callable(batches):
            raise ValueError(
                "batches must be a function that returns the batches, as they are read "
                f"twice, got {type(batches).__name__}."
            )
        sums = Sums(target="labels", feature_products=False, label_products=False)
        sums.update_batches(batches)
        counts = cls(
            sums.x_range,
            discretize=discretize,
            n_bins=n_bins,
            by_label=by_label,
            memory=memory,
        )
        for batch in batches():
            counts.update(*batch)
        return counts

    def update(self, X: Any, Y: Any) -> Self:
        """Count a block of rows.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_rows, n_features)
            The rows; some thousand sparse ones at a time are made dense.
        Y : array-like, sparse or DataFrame of shape (n_rows, n_labels) or (n_rows,)
            Labels as 0/1, bool or -1/+1, or classes.

        Returns
        -------
        self
            With the rows counted.
        """
        names = column_names(X)
        X = checked_block(X)
        check_consistent_length(X, Y)
        if not X.shape[0]:
            return self
        matrix, targets = read_targets(Y, "labels", None, self.targets)
        if self.targets is not None:
            targets = self.targets.agreed(targets)
        self._begin(X.shape[1], matrix.shape[1])
        names = agreed_names(self.feature_names, names, "feature")
        for rows in gen_batches(X.shape[0], max(1, _PANEL // max(1, len(self.pairs)))):
            panel = X[rows].toarray() if sp.issparse(X) else X[rows]
            self._count(codes_of(panel, self._edges, self.n_bins), matrix[rows])
        self.rows += X.shape[0]
        self.targets, self.feature_names = targets, names
        return self

    def add(self, other: "Counts") -> Self:
        """Add the counts of other rows, which are unchanged.

        Parameters
        ----------
        other : Counts
            With the same bins.

        Returns
        -------
        self
            With the rows of both.
        """
        if not other.rows:
            return self
        same = (self.discretize, self.n_bins, self._by_label) == (
            other.discretize,
            other.n_bins,
            other._by_label,
        )
        if not same or not np.array_equal(self.x_range, other.x_range):
            raise ValueError(
                "The two Counts have different bins: make both with the same x_range, "
                "discretize, n_bins and by_label."
            )
        assert other.targets is not None
        targets = other.targets
        if self.targets is not None:
            targets = self.targets.agreed(targets)
        self._begin(self.x_range.shape[1], len(targets.values))
        self.pairs += other.pairs
        self.by_label += other.by_label
        for key, counts in other.label_sets.items():
            self._add_set(key, counts)
        self.rows += other.rows
        self.targets = targets
        self.feature_names = agreed_names(
            self.feature_names, other.feature_names, "feature"
        )
        return self

    def layout(self) -> Layout:
        """Which bins have a column, and everything counted by these columns."""
        d = self.x_range.shape[1]
        if not self.rows:
            raise ValueError(
                "These Counts hold no rows: update them with a block first."
            )
        keys = sorted(self.label_sets)
        n_labels = len(self.by_label) if self._by_label else self._n_labels
        sets = np.array([np.frombuffer(key, np.uint8) for key in keys])
        sets = np.unpackbits(sets, axis=1)[:, :n_labels]
        counts = np.array([self.label_sets[key] for key in keys])
        sizes = counts[:, : self._width].sum(axis=1)
        cells = np.diagonal(self.pairs).reshape(d, self._width)
        by_label = self.by_label if self._by_label else None
        return Layout.of(self.rows, cells, self.pairs, by_label, sets, counts, sizes)

    def _begin(self, n_features: int, n_labels: int) -> None:
        """Make room at the first rows; compare the columns at others."""
        if n_features != self.x_range.shape[1]:
            raise ValueError(
                f"X has {n_features} features and x_range {self.x_range.shape[1]}: "
                "pass the same columns."
            )
        if self.rows:
            return
        size = n_features * self._width
        needed = counts_bytes(size, n_labels * self._by_label) + WORK_BYTES
        if needed > self._memory:
            raise ValueError(
                f"The counts of {n_features} features and {n_labels} labels take about "
                f"{size_text(needed)} of memory, and {size_text(self._memory)} are "
                f"allowed: allow them by memory={size_text(needed)!r}, or pass "
                "by_label=False, which is enough for all but MDMR."
            )
        self._n_labels = n_labels
        self.pairs = np.zeros((size, size), dtype=np.int64)
        shape = (n_labels if self._by_label else 0, size, size)
        self.by_label = np.zeros(shape, dtype=np.int64)

    def _count(self, codes: NDArray[Any], Y: NDArray[Any]) -> None:
        """Add some rows, as products of their 0/1 columns: exact in float64."""
        n, d = codes.shape
        columns = np.zeros((n, d * self._width))
        places = codes + self._width * np.arange(d)
        columns[np.arange(n)[:, np.newaxis], places] = 1
        self.pairs += (columns.T @ columns).astype(np.int64)
        for label, total in enumerate(self.by_label):
            rows = columns[Y[:, label] == 1]
            total += (rows.T @ rows).astype(np.int64)
        packed = np.packbits(Y.astype(np.uint8), axis=1)
        sets, which = np.unique(packed, axis=0, return_inverse=True)
        ones = (np.ones(n), (np.ravel(which), np.arange(n)))
        counts = sp.csr_array(ones, shape=(len(sets), n)) @ columns
        for key, row in zip(sets, counts, strict=True):
            self._add_set(key.tobytes(), row.astype(np.int64))

    def _add_set(self, key: bytes, counts: NDArray[np.int64]) -> None:
        if key in self.label_sets:
            self.label_sets[key] = self.label_sets[key] + counts
        else:
            self.label_sets[key] = counts


def counts_bytes(n_bins: int, n_labels: int) -> int:
    """Memory of counts by so many bins of all features, without their label sets."""
    return 8 * (1 + n_labels) * n_bins**2
