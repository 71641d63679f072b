# SPDX-License-Identifier: BSD-3-Clause
"""Mutual information with targets of many classes, unknown entries and weights.

The quantities of ``mutual.py``, of targets that are coded 0, 1, ... and -1 where they
are unknown. Rows count by their weights, and each information is taken over the rows
where all targets that it is about are known:

    n I(f; y) = T(n) - sum_a T(N_a) - sum_b T(N_b) + sum_ab T(N_ab),  T(x) = x log x,

with sums N of weights. Counts are no longer small integers, so that none of the tables
of ``mutual.py`` serve: plain labels take the way there.
"""

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import xlogy
from sklearn.utils import gen_batches

from labelsift.solvers.information.bins import Bins
from labelsift.solvers.information.discretize import discretize

# Sums of weights that are held at a time.
_BLOCK_BYTES = 2**25


def target_codes(
    Y: NDArray[Any],
    values: NDArray[np.bool_] | None,
    n_bins: int,
    weights: NDArray[Any] | None,
) -> NDArray[np.intp]:
    """Labels as 0/1, values by bins of about equally many samples, unknown as -1."""
    codes = np.where(np.isnan(Y), -1, Y).astype(np.intp)
    if values is None:
        return codes
    for column in np.flatnonzero(values):
        known = ~np.isnan(Y[:, column])
        own = None if weights is None else weights[known]
        cells = discretize(Y[known][:, [column]], "quantile", n_bins, own)
        codes[known, column] = cells[:, 0]
    return codes


class TargetInformation:
    """Information of each feature about coded targets and other features, in nats.

    Targets with one known class are left out. Memory beyond the bins: a number for each
    bin of a feature and class of some targets, 32 MiB at a time.
    """

    def __init__(
        self, bins: Bins, codes: NDArray[np.intp], weights: NDArray[Any] | None
    ) -> None:
        self._bins = bins
        self._weights = np.ones(len(codes)) if weights is None else weights
        varied = [len(np.unique(column[column >= 0])) > 1 for column in codes.T]
        self._codes = codes[:, varied]

    def only(self, features: NDArray[np.intp]) -> "TargetInformation":
        """The same of some features, in ascending order."""
        part = copy(self)
        part.__dict__.pop("_about_labels", None)
        part._bins = self._bins.only(features)
        return part

    @property
    def n_labels(self) -> int:
        """Number of targets with more than one class."""
        return self._codes.shape[1]

    def entropies(self) -> NDArray[Any]:
        """H(f) of each feature f."""
        n = self._weights.sum()
        whole = self._sums(sp.csc_array(self._weights[:, np.newaxis]))
        return (_t(n) - _cells(self._bins, whole, np.array([n]))[:, 0]) / n

    def about_labels(self) -> NDArray[Any]:
        """Sum of I(f; y) over the targets y, for each feature f."""
        return self._about_labels.copy()

    @cached_property
    def _about_labels(self) -> NDArray[Any]:
        return self._given([slice(None)])

    def about_labels_given_labels(self) -> NDArray[Any]:
        """Sum of I(f; y | z) over the pairs of targets y, z, for each feature f."""
        total = np.zeros(self._bins.n_features)
        for column in self._codes.T:
            total += self._given(list(_classes(column)))
        return total

    def about_labels_given_feature(self, feature: int) -> NDArray[Any]:
        """Sum of I(f; y | s) over the targets y, for each f and s = ``feature``."""
        return self._given(list(_classes(self._feature(feature))))

    def shared_by_labels(self) -> NDArray[Any]:
        """Sum of I(f; y; z) = I(f; y) - I(f; y | z) over the pairs {y, z}."""
        twice = (self.n_labels - 1) * self._about_labels
        return (twice - self.about_labels_given_labels()) / 2

    def shared_with_feature(self, feature: int) -> NDArray[Any]:
        """Sum of I(f; s; y) = I(f; y) - I(f; y | s) over the targets y."""
        return self._about_labels - self.about_labels_given_feature(feature)

    def about_feature(self, feature: int) -> NDArray[Any]:
        """I(f; s) for each f and s = ``feature``."""
        codes = self._feature(feature)[:, np.newaxis]
        scaled, n = self._scaled_information(codes, slice(None))
        return scaled[:, 0] / n[0]

    def _given(self, parts: list[Any]) -> NDArray[Any]:
        """Sum of I(f; y | s) over the targets; s separates the parts, sets of rows."""
        total = np.zeros(self._bins.n_features)
        widest = int(self._codes.max(initial=0)) + 1
        columns = max(1, len(self._bins.totals))
        size = max(1, _BLOCK_BYTES // (8 * columns * widest))
        for block in gen_batches(self.n_labels, size):
            scaled, n = np.zeros(1), np.zeros(1)
            for rows in parts:
                inside, weight = self._scaled_information(self._codes[:, block], rows)
                scaled, n = scaled + inside, n + weight
            known = np.maximum(n, np.finfo(np.float64).tiny)
            total += (scaled / known).sum(axis=1)
        return total

    def _scaled_information(
        self, codes: NDArray[np.intp], rows: Any
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """n I(f; y) of each feature and target among some rows, and n of the target."""
        indicator, first = self._indicator(codes, rows)
        sizes = np.ravel(indicator.sum(axis=0))
        cells = _cells(self._bins, self._sums(indicator), sizes)
        merge = sp.csr_array(
            (np.ones(len(sizes)), np.arange(len(sizes)), first),
            shape=(codes.shape[1], len(sizes)),
        )
        known = merge @ sizes
        whole = _cells(self._bins, self._sums(indicator @ merge.T), known)
        return _t(known) - merge @ _t(sizes) - whole + cells @ merge.T, known

    def _indicator(
        self, codes: NDArray[np.intp], rows: Any
    ) -> tuple[Any, NDArray[np.intp]]:
        """Weights of the rows by target and class, and where each target begins."""
        inside = np.zeros(len(codes), dtype=bool)
        inside[rows] = True
        first = np.append(0, np.cumsum(codes.max(axis=0, initial=0) + 1))
        row, target = np.nonzero((codes >= 0) & inside[:, np.newaxis])
        place = first[target] + codes[row, target]
        shape = (len(codes), int(first[-1]))
        return sp.csc_array((self._weights[row], (row, place)), shape=shape), first

    def _sums(self, indicator: Any) -> NDArray[Any]:
        """Sum of weights in each column of the bins and of the indicator."""
        product = self._bins.indicator().T @ indicator
        return product.toarray() if sp.issparse(product) else np.asarray(product)

    def _feature(self, feature: int) -> NDArray[np.intp]:
        """The bin of each row; 0 is the one without a column."""
        codes = np.zeros(self._bins.n_samples, dtype=np.intp)
        for place, rows in enumerate(self._bins.members(feature)):
            codes[rows] = place + 1
        return codes


def _classes(codes: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Rows of each class; those of an unknown one are in none."""
    for code in range(int(codes.max(initial=-1)) + 1):
        yield np.flatnonzero(codes == code)


def _cells(bins: Bins, sums: NDArray[Any], sizes: NDArray[Any]) -> NDArray[Any]:
    """Sum of T(N) over the bins of each feature, for each group."""
    n_columns = len(bins.totals)
    feature = np.repeat(np.arange(bins.n_features), np.diff(bins.first_column))
    merge = sp.csr_array(
        (np.ones(n_columns), (feature, np.arange(n_columns))),
        shape=(bins.n_features, n_columns),
    )
    # Rounding must not make the last bin of a feature negative.
    rest = np.maximum(sizes - merge @ sums, 0)
    rest[rest < 1e-12 * max(sizes.max(initial=0.0), 1e-300)] = 0
    return np.asarray(merge @ _t(sums) + _t(rest))


def _t(x: Any) -> Any:
    return xlogy(x, x)
