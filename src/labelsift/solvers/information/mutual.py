# SPDX-License-Identifier: BSD-3-Clause
"""Exact mutual information of binned features with labels, classes and each other.

With T(x) = x log x and N the number of samples that have the values in its index,

    n I(f; g)     = T(n) - sum_a T(N_a) - sum_b T(N_b) + sum_ab T(N_ab)
    n I(f; y | s) = sum_c N_c I(f; y), each taken among the samples with s = c.

Counts are integers, and T is read from a table of integers: sums do not depend on
their order, and two features with the same counts have the same score.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import xlogy
from sklearn.utils import gen_batches

from labelsift.core.labels import constant_labels
from labelsift.solvers.information.bins import BinColumns, Bins, Groups

# Information is rounded to this many decimals, so that equal values tie.
DECIMALS = 10
# Counts of groups that are held at a time.
_BLOCK_BYTES = 2**24


# Counts of some rows by columns, how many they are, and both among those of each label.
Split = tuple[NDArray[Any], int, NDArray[Any], NDArray[Any]]


class Information:
    """Information of each feature about labels and other features, in nats.

    Labels with one value are left out. A label is binary, so that it does not matter
    which of its values is called present: the rarer one is, to keep groups small.

    Memory beyond the bins: four matrices of int32 with an entry per label and column at
    most.
    """

    def __init__(self, bins: Bins, Y: NDArray[Any]) -> None:
        Y = Y[:, ~constant_labels(Y)]
        Y = np.where(2 * Y.sum(axis=0, dtype=np.int64) > len(Y), 1 - Y, Y)
        self._bins: BinColumns = bins
        self._samples_of = bins
        self._table, self._unit = log_table(bins.n_samples, Y.shape[1])
        self._samples = sp.csr_array(Y)
        self._labels = Groups.of_columns(self._samples)
        self._label_counts = bins.count(self._labels)
        self._label_sizes = self._labels.sizes
        self._own_cells = self._cells_of_all()

    @property
    def n_labels(self) -> int:
        """Number of labels with both values."""
        return len(self._labels)

    def only(self, features: NDArray[np.intp]) -> "Information":
        """The same of some features, in ascending order."""
        part = copy(self)
        part.__dict__.pop("_about_labels", None)
        part._bins = part._samples_of = bins = self._samples_of.only(features)
        part._label_counts = bins.count(self._labels)
        part._own_cells = self._own_cells[features]
        return part

    def _cells_of_all(self) -> NDArray[np.int64]:
        """Sum of T(N) over the bins of each feature."""
        bins = self._bins
        n = np.array([bins.n_samples])
        return _cells(bins, bins.totals[np.newaxis], n, self._table)

    def entropies(self) -> NDArray[Any]:
        """H(f) of each feature f."""
        own = self._table[self._bins.n_samples] - self._own_cells
        return own * (self._unit / self._bins.n_samples)

    def about_labels(self) -> NDArray[Any]:
        """Sum of I(f; y) over the labels y, for each feature f."""
        return self._about_labels.copy()

    @cached_property
    def _about_labels(self) -> NDArray[Any]:
        return self._given(())

    def about_each_label(self) -> NDArray[Any]:
        """I(f; y) for each feature f and label y, of shape (n_features, n_labels)."""
        from labelsift.kernels import counts as kernel

        out = np.zeros((self.n_labels, self._bins.n_features), dtype=np.int64)
        whole = (self._bins.totals, self._bins.n_samples, self._bins.first_column)
        for label, sums in enumerate(out):
            this = slice(label, label + 1)
            inside, sizes = self._label_counts[this], self._label_sizes[this]
            kernel.add_information(inside, sizes, *whole, self._table, sums)
        return out.T * (self._unit / self._bins.n_samples)

    def about_labels_given_labels(self) -> NDArray[Any]:
        """Sum of I(f; y | z) over the pairs of labels y, z, for each feature f."""
        total = np.zeros(self._bins.n_features)
        for parts in self._split_by_labels():
            total += self._given(parts)
        return total

    def about_labels_given_feature(self, feature: int) -> NDArray[Any]:
        """Sum of I(f; y | s) over the labels y, for each f and s = ``feature``."""
        return self._given(self._split_by_feature(feature))

    def shared_by_labels(self) -> NDArray[Any]:
        """Sum of I(f; y; z) = I(f; y) - I(f; y | z) over the pairs {y, z} of labels."""
        twice = (self.n_labels - 1) * self._about_labels
        return (twice - self.about_labels_given_labels()) / 2

    def shared_with_feature(self, feature: int) -> NDArray[Any]:
        """Sum of I(f; s; y) = I(f; y) - I(f; y | s) over the labels y."""
        return self._about_labels - self.about_labels_given_feature(feature)

    def about_feature(self, feature: int) -> NDArray[Any]:
        """I(f; s) for each f and s = ``feature``."""
        from labelsift.kernels import counts as kernel

        n = self._bins.n_samples
        counts, sizes = self._feature_counts(feature)
        own = self._table[sizes].sum() + self._table[n - sizes.sum()]
        out = self._table[n] - own - self._own_cells
        kernel.add_joint_cells(
            counts,
            sizes,
            self._bins.totals,
            n,
            self._bins.first_column,
            self._table,
            out,
        )
        return out * (self._unit / n)

    def about_each_feature(self) -> NDArray[Any]:
        """I(f; g) of all pairs of features, an array n_features x n_features."""
        return np.array([self.about_feature(f) for f in range(self._bins.n_features)])

    def _feature_counts(self, feature: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Counts of the rows in each column of a feature, and how many they are."""
        members = self._samples_of.members(feature)
        return self._samples_of.count(members), members.sizes

    def _split_by_feature(self, feature: int) -> Iterator[Split]:
        """The rows in each column of a feature."""
        return self._split(self._samples_of.members(feature))

    def _split_by_labels(self) -> Iterator[Iterable[Split]]:
        """For each label the rows that have it."""
        for rows in self._labels:
            yield self._split(Groups(np.array([0, len(rows)]), rows))

    def _split(self, parts: Groups) -> Iterator[Split]:
        """Counts and sizes of parts of the rows, whole and by label."""
        from labelsift.kernels import counts as kernel

        of_row = (self._samples.indptr, self._samples.indices)
        count = self._samples_of.count
        for rows, part in zip(parts, count(parts), strict=True):
            labelled = Groups(*kernel.split_by_label(rows, *of_row, self.n_labels))
            yield part, len(rows), count(labelled), labelled.sizes

    def _given(self, parts: Iterable[Split]) -> NDArray[Any]:
        """Sum of I(f; y | s) over the labels; s separates the parts and the rest."""
        from labelsift.kernels import counts as kernel

        out = np.zeros(self._bins.n_features, dtype=np.int64)
        shared = (self._bins.first_column, self._table, out)
        inside, sizes = self._label_counts, self._label_sizes
        whole, size = self._bins.totals, self._bins.n_samples
        for part, n_rows, counts, labelled in parts:
            kernel.add_information(counts, labelled, part, n_rows, *shared)
            inside, sizes = inside - counts, sizes - labelled
            whole, size = whole - part, size - n_rows
        kernel.add_information(inside, sizes, whole, size, *shared)
        return out * (self._unit / self._bins.n_samples)


def class_information(bins: Bins, classes: Groups) -> NDArray[Any]:
    """I(f; c) in nats for each feature f, among the samples that have a class c."""
    return counted_class_information(bins, classes.sizes, count_blocks(bins, classes))


def counted_class_information(
    bins: BinColumns,
    class_sizes: NDArray[Any],
    blocks: Iterable[tuple[NDArray[Any], NDArray[Any]]],
) -> NDArray[Any]:
    """The same from counts and sizes of some classes at a time."""
    n = int(class_sizes.sum())
    table, unit = log_table(n)
    joint = np.zeros(bins.n_features, dtype=np.int64)
    totals = np.zeros(len(bins.totals), dtype=np.int64)
    for counts, sizes in blocks:
        joint += _cells(bins, counts, sizes, table)
        totals += counts.sum(axis=0, dtype=np.int64)
    own = _cells(bins, totals[np.newaxis], np.array([n]), table)
    return (joint - own + table[n] - table[class_sizes].sum()) * (unit / n)


def count_blocks(
    bins: Bins, groups: Groups
) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Counts and sizes of some groups at a time, so that memory stays bounded."""
    size = max(1, _BLOCK_BYTES // (4 * max(1, len(bins.totals))))
    for block in gen_batches(len(groups), size):
        part = groups.block(block)
        yield bins.count(part), part.sizes


def log_table(n: int, n_sums: int = 1) -> tuple[NDArray[np.int64], float]:
    """x log x for x = 0, ..., n as integers, and the value of 1 in nats.

    The scale uses 62 bits for the largest number that occurs: four entries at once, or
    n times the sum of ``n_sums`` informations about binary labels.
    """
    values = xlogy(np.arange(n + 1.0), np.arange(n + 1.0))
    unit = (4 * values[-1] + n * n_sums) / 2.0**62
    return np.rint(values / unit).astype(np.int64), unit


def _cells(
    bins: BinColumns,
    counts: NDArray[Any],
    sizes: NDArray[Any],
    table: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Sum of T(N) over the bins of each feature and the groups, in table units."""
    from labelsift.kernels import counts as kernel

    out = np.zeros(bins.n_features, dtype=np.int64)
    kernel.add_cells(counts, sizes, bins.first_column, table, out)
    return out
