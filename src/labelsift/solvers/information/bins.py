# SPDX-License-Identifier: BSD-3-Clause
"""Binned features as 0/1 columns, and how many samples of a group lie in each."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.warning import warn
from labelsift.solvers.information.discretize import discretize

# Up to this code a byte per bin and sample costs no more than indices would.
_MOST_ONE_HOT = 8
# Groups that hold more than this share of the samples are counted by bits: measured.
_BITS_FROM = 1 / 8


@dataclass(frozen=True)
class Groups:
    """Sets of samples: group g is ``rows[starts[g]:starts[g + 1]]``."""

    starts: NDArray[Any]
    rows: NDArray[Any]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[NDArray[Any]]:
        for low, high in pairwise(self.starts):
            yield self.rows[low:high]

    @property
    def sizes(self) -> NDArray[Any]:
        """Number of samples of each group."""
        return np.diff(self.starts)

    def block(self, which: slice) -> "Groups":
        """Some neighbouring groups."""
        starts = self.starts[which.start : which.stop + 1]
        return Groups(starts - starts[0], self.rows[starts[0] : starts[-1]])

    @classmethod
    def of_classes(cls, classes: NDArray[Any]) -> "Groups":
        """One group per class 0, 1, ...; samples with a negative class are in none."""
        sizes = np.bincount(classes[classes >= 0])
        order = np.argsort(classes, kind="stable")[len(classes) - sizes.sum() :]
        return cls(np.append(0, np.cumsum(sizes)), order.astype(np.int32))

    @classmethod
    def of_columns(cls, indicator: Any) -> "Groups":
        """One group per column of a 0/1 matrix: the rows where it holds 1."""
        columns = sp.csc_array(indicator)
        return cls(columns.indptr.astype(np.int64), columns.indices.astype(np.int32))


class BinColumns:
    """Features as 0/1 columns, one per bin that occurs but for one bin a feature."""

    n_samples: int
    # Feature f has the columns first_column[f]:first_column[f + 1]; the samples in none
    # of them are in its remaining bin.
    first_column: NDArray[Any]
    totals: NDArray[Any]  # samples in each column

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.first_column) - 1

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Which features have all samples in one bin."""
        full = np.append(0, np.cumsum(self.totals == self.n_samples))
        empty = self.first_column[1:] == self.first_column[:-1]
        return empty | (np.diff(full[self.first_column]) > 0)


class Bins(BinColumns, ABC):
    """The columns with their samples, which can be counted."""

    def only(self, features: NDArray[np.intp]) -> Self:
        """The same of some features, in ascending order."""
        part = copy(self)
        part.first_column, columns = columns_of(features, self.first_column)
        part.totals = self.totals[columns]
        part._take(columns)
        return part

    @abstractmethod
    def _take(self, columns: NDArray[np.intp]) -> None:
        """Forget the samples of all other columns."""

    @abstractmethod
    def count(self, groups: Groups) -> NDArray[Any]:
        """How many samples of each group lie in each column."""

    @abstractmethod
    def members(self, feature: int) -> Groups:
        """One group per column of a feature."""

    @abstractmethod
    def indicator(self) -> Any:
        """The columns as a matrix of 0/1, sparse."""


class OneHotBins(Bins):
    """Few bins, dense codes: one byte per sample and column.

    Small groups are counted by adding rows of bytes, large ones by the bits that they
    share with a column, packed in words. Memory: 9/8 of a byte per sample and column.
    """

    def __init__(self, codes: NDArray[Any]) -> None:
        from labelsift.kernels import counts

        self.n_samples, d = codes.shape
        cells = np.zeros((d, int(codes.max()) + 1), dtype=np.int32)
        counts.count_codes(codes, cells)
        has_column = cells > 0
        has_column[np.arange(d), cells.argmax(axis=1)] = False
        self.first_column = np.append(0, np.cumsum(has_column.sum(axis=1)))
        self.totals = cells[has_column]
        column = np.where(has_column, np.cumsum(has_column).reshape(cells.shape), 0) - 1
        self._one_hot = np.zeros((len(codes), len(self.totals)), dtype=np.uint8)
        counts.fill_one_hot(codes, column, self._one_hot)

    @cached_property
    def _bits(self) -> NDArray[Any]:
        from labelsift.kernels import counts

        bits = np.empty((len(self.totals), -(-self.n_samples // 64)), dtype=np.uint64)
        counts.pack_columns(self._one_hot, bits)
        return bits

    def count(self, groups: Groups) -> NDArray[Any]:
        """How many samples of each group lie in each column."""
        from labelsift.kernels import counts

        out = np.zeros((len(groups), len(self.totals)), dtype=np.int32)
        if len(groups.rows) <= _BITS_FROM * len(groups) * self.n_samples:
            counts.count_one_hot(self._one_hot, groups.starts, groups.rows, out)
        else:
            inside = np.zeros((len(groups), self._bits.shape[1]), dtype=np.uint64)
            counts.pack_groups(groups.starts, groups.rows, inside)
            counts.count_bits(self._bits, inside, out)
        return out

    def _take(self, columns: NDArray[np.intp]) -> None:
        self._one_hot = self._one_hot[:, columns]
        self.__dict__.pop("_bits", None)

    def members(self, feature: int) -> Groups:
        """One group per column of a feature."""
        from labelsift.kernels import counts

        low, high = self.first_column[feature : feature + 2]
        starts = np.append(0, np.cumsum(self.totals[low:high], dtype=np.int64))
        rows = np.empty(starts[-1], dtype=np.int32)
        counts.list_members(self._one_hot, low, rows)
        return Groups(starts, rows)

    def indicator(self) -> Any:
        """The columns as a matrix of 0/1, sparse."""
        return sp.csr_array(self._one_hot, dtype=np.float64)


class IndexedBins(Bins):
    """Sparse codes, or many bins: the column of every entry that has one.

    Entries of code 0 have none. Memory: 8 bytes per entry of another code.
    """

    def __init__(self, codes: Any) -> None:
        self.n_samples, d = codes.shape
        span = int(codes.data.max(initial=0)) + 1
        feature = np.repeat(np.arange(d), np.diff(codes.indptr))
        keys, column, totals = _distinct(feature * span + codes.data, d * span)
        self.first_column = np.searchsorted(keys, span * np.arange(d + 1))
        self.totals = totals.astype(np.int32)
        place = codes.indices.astype(np.int32), column.astype(np.int32)
        entries = (np.ones(codes.nnz, np.uint8), place)
        columns = sp.csc_array(entries, shape=(self.n_samples, len(keys)))
        self._columns, self._rows = Groups.of_columns(columns), columns.tocsr()

    def count(self, groups: Groups) -> NDArray[Any]:
        """How many samples of each group lie in each column."""
        from labelsift.kernels import counts

        out = np.zeros((len(groups), len(self.totals)), dtype=np.int32)
        counts.count_entries(
            self._rows.indptr, self._rows.indices, groups.starts, groups.rows, out
        )
        return out

    def _take(self, columns: NDArray[np.intp]) -> None:
        self._rows = self._rows[:, columns]
        self._columns = Groups.of_columns(self._rows)

    def members(self, feature: int) -> Groups:
        """One group per column of a feature."""
        return self._columns.block(slice(*self.first_column[feature : feature + 2]))

    def indicator(self) -> Any:
        """The columns as a matrix of 0/1, sparse."""
        return self._rows.astype(np.float64)


def columns_of(
    features: NDArray[np.intp], first_column: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Where each of some features begins among its columns, and these columns."""
    sizes, wanted = np.diff(first_column), np.zeros(len(first_column) - 1, dtype=bool)
    wanted[features] = True
    columns = np.flatnonzero(np.repeat(wanted, sizes))
    return np.append(0, np.cumsum(sizes[wanted])), columns


def bin_features(
    X: Any, how: str | None, n_bins: int, weights: NDArray[Any] | None = None
) -> Bins:
    """Bin each feature, as ``discretize`` does; warn when all have a single bin."""
    bins = make_bins(discretize(X, how, n_bins, weights))
    if bins.is_constant.all():
        warn(
            f"discretize={how!r} puts all samples into one bin, for every feature: the "
            "order of the features is meaningless. Choose another way of binning."
        )
    return bins


def make_bins(codes: Any) -> Bins:
    """Convert codes from 0 to columns; those of a csc_array have no stored zeros."""
    if sp.issparse(codes):
        return IndexedBins(codes)
    if codes.max(initial=0) <= _MOST_ONE_HOT:
        return OneHotBins(np.ascontiguousarray(codes, dtype=np.uint8))
    return IndexedBins(sp.csc_array(codes))


def _distinct(
    keys: NDArray[Any], span: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Distinct keys below ``span``, the place of each key among them, their counts."""
    if span > 4 * len(keys):  # a table would be mostly empty
        return np.unique(keys, return_inverse=True, return_counts=True)
    counts = np.bincount(keys, minlength=span)
    place = np.cumsum(counts > 0) - 1
    return np.flatnonzero(counts), place[keys], counts[counts > 0]
