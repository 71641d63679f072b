# SPDX-License-Identifier: BSD-3-Clause
"""Sufficient statistics of rows that are never together in memory."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from labelsift.core.arrays import is_foreign
from labelsift.core.memory_size import Size, read_size, size_text
from labelsift.core.validation import (
    check_sizes,
    column_names,
    column_sizes,
    row_weights,
    weighted_rows,
)
from labelsift.sums.device import DeviceBlock
from labelsift.sums.merging import Mergeable
from labelsift.sums.part import Part, block_parts, checked_block, merge
from labelsift.sums.storage import read, write
from labelsift.sums.summary import Summary, sums_bytes
from labelsift.sums.targets import Targets, agreed_names, read_targets


class Sums(Mergeable, Summary):
    """Sums over rows that add up: all that many methods need of the data.

    Counts, means, ranges and centred products of features and labels. Blocks of rows
    come by ``update``, sums of other blocks by ``add``, in any order and on any
    machine, and ``fit_sums`` of a method does what its ``fit`` would do on all rows
    at once. Everything is summed in float64 and about the means, so that columns with
    a large offset lose no digits. Sparse blocks stay sparse; the sums are dense.

    Memory: 16 d^2 bytes for d features (X'X, and that of a block), plus 16 d t for t
    labels, 16 t^2, and 64 MB; 16 d (t + 2) without ``feature_products``.

    Parameters
    ----------
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values; "values" takes any number as it is.
    classes : array-like or None, default=None
        All classes of a 1-D y; None: those of the first block.
    feature_products : bool or "auto", default=True
        Whether X'X is summed, or its diagonal only, which is enough for FisherScore.
        "auto": X'X where it fits into ``memory``.
    label_products : bool, default=True
        Whether Y'Y is summed, or its diagonal only, which is enough for all but
        RegularizedCCA.
    memory : int, str or None, default=None
        How much memory the sums may take: bytes, or a size as "8G"; None: 2G.

    Attributes
    ----------
    n : float
        The sum of the weights of the rows seen, whose number is ``sums.rows``.
    x_mean, y_mean : ndarray
        Means of the features and of the targets, labels as 0/1.
    x_range, y_range : ndarray of shape (2, n_features) or (2, n_targets)
        Minima and maxima.
    xx : ndarray of shape (n_features, n_features) or (n_features,)
        X'X of centred columns, or its diagonal.
    xy : ndarray of shape (n_features, n_targets)
        X'Y of centred columns.
    yy : ndarray of shape (n_targets, n_targets) or (n_targets,)
        Y'Y of centred columns, or its diagonal.
    feature_names, label_names : ndarray of str or None
        Names of the columns, where the blocks are frames.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.sums import Sums
    >>> traits = load_dataset("traits")
    >>> sums = Sums().update(traits.X[:1000], traits.Y[:1000])
    >>> other = Sums().update(traits.X[1000:], traits.Y[1000:])
    >>> sums.add(other)
    Sums(1797 rows, 64 features, 6 labels)
    """

    def __init__(
        self,
        *,
        target: str = "auto",
        classes: Any = None,
        feature_products: bool | str = True,
        label_products: bool = True,
        memory: Size = None,
    ) -> None:
        if target not in ("auto", "labels", "values"):
            raise ValueError(
                f'target must be "auto", "labels" or "values", got {target!r}.'
            )
        self._target, self._memory = target, read_size(memory)
        self._classes = None if classes is None else np.unique(classes)
        if feature_products not in (True, False, "auto"):
            raise ValueError(
                f'feature_products must be a bool or "auto", got {feature_products!r}.'
            )
        self._full = bool(feature_products), label_products
        self._fitting = feature_products == "auto"
        self._part: Part | None = None
        self._targets: Targets | None = None
        self.feature_names: NDArray[Any] | None = None

    @classmethod
    def from_batches(
        cls,
        batches: Callable[[], Iterable[Any]] | Iterable[Any],
        *,
        target: str = "auto",
        classes: Any = None,
        feature_products: bool | str = True,
        label_products: bool = True,
        memory: Size = None,
    ) -> Self:
        """Sum over batches, one after the other.

        Parameters
        ----------
        batches : callable or iterable
            What yields ``(X, Y)`` or ``(X, Y, sample_weight)``; a callable is called
            without arguments and returns such an iterable.
        target, classes, feature_products, label_products, memory
            As for ``Sums``.

        Returns
        -------
        Sums
            Over all rows.
        """
        sums = cls(
            target=target,
            classes=classes,
            feature_products=feature_products,
            label_products=label_products,
            memory=memory,
        )
        return sums.update_batches(batches)

    @classmethod
    def of(
        cls,
        part: Part,
        targets: Targets,
        feature_names: NDArray[Any] | None = None,
        target: str = "auto",
    ) -> "Sums":
        """Sums that were made elsewhere."""
        full = part.xx.ndim == 2, part.yy.ndim == 2
        sums = cls(target=target, feature_products=full[0], label_products=full[1])
        sums._part, sums._targets = part, targets
        sums.feature_names = feature_names
        return sums

    def update(self, X: Any, Y: Any, sample_weight: Any = None) -> Self:
        """Add a block of rows.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_rows, n_features)
            The rows; no rows change nothing. Arrays of torch, cupy or another library
            that follows the array API are summed on their device.
        Y : array-like, sparse or DataFrame of shape (n_rows, n_labels) or (n_rows,)
            Labels as 0/1, bool or -1/+1, real values, or classes.
        sample_weight : array-like of shape (n_rows,) or None, default=None
            How often each row counts; None: once.

        Returns
        -------
        self
            With the rows added.
        """
        if is_foreign(X):
            given = self._target, self._classes, self._targets
            return self.update_device(DeviceBlock.read(X, Y, sample_weight, *given))
        names = column_names(X)
        X = checked_block(X)
        check_consistent_length(X, Y)
        if not X.shape[0] or (sample_weight is not None and not np.any(sample_weight)):
            return self
        weights = row_weights(sample_weight, X)
        if weights is not None:
            X, Y = (weighted_rows(data, weights) for data in (X, Y))
            weights = weights[weights > 0]
        matrix, targets = read_targets(Y, self._target, self._classes, self._targets)
        self._check(X.shape[1], matrix.shape[1])
        check_sizes(column_sizes(X).astype(np.float64), np.dtype(np.float64))
        if self._targets is not None:
            targets = self._targets.agreed(targets)
        names = agreed_names(self.feature_names, names, "feature")
        for part in block_parts(X, matrix, weights, self._full):
            self._part = part if self._part is None else merge(self._part, part)
        self._targets, self.feature_names = targets, names
        return self

    def update_device(self, block: DeviceBlock) -> Self:
        """Add rows that were read on a device, where they are summed."""
        if not block.X.shape[0]:
            return self
        self._check(block.X.shape[1], block.Y.shape[1])
        targets = block.targets
        if self._targets is not None:
            targets = self._targets.agreed(targets)
        part = block.part(self._full)
        self._part = part if self._part is None else merge(self._part, part)
        self._targets = targets
        return self

    def update_batches(
        self, batches: Callable[[], Iterable[Any]] | Iterable[Any]
    ) -> Self:
        """Add batches, one after the other.

        Parameters
        ----------
        batches : callable or iterable
            As for ``from_batches``.

        Returns
        -------
        self
            With their rows added.
        """
        for number, batch in enumerate(batches() if callable(batches) else batches):
            if not isinstance(batch, tuple) or len(batch) not in (2, 3):
                raise ValueError(
                    f"Batch {number} is no pair (X, Y) or triple (X, Y, sample_weight)"
                    f", but {type(batch).__name__}: yield such tuples."
                )
            try:
                self.update(*batch)
            except ValueError as error:
                raise ValueError(
                    f"Batch {number} (rows from {self.rows} on): {error}"
                ) from error
        return self

    def add(self, other: "Sums") -> Self:
        """Add the sums over other rows, which are unchanged.

        Parameters
        ----------
        other : Sums
            With the same features, labels and products.

        Returns
        -------
        self
            With the rows of both.
        """
        if other._part is None:
            return self
        if self._full != other._full and self._part is not None:
            raise ValueError(
                "One of the two Sums has X'X or Y'Y and the other its diagonal only: "
                "make both with the same feature_products and label_products."
            )
        if self._part is None:
            vars(self).update(vars(deepcopy(other)))
            return self
        self._check(len(other.x_mean), len(other.y_mean))
        targets = self.targets.agreed(other.targets)
        names = agreed_names(self.feature_names, other.feature_names, "feature")
        self._part = merge(self._part, other._part)
        self._targets, self.feature_names = targets, names
        return self

    def restricted(self, features: Any) -> "Sums":
        """Sums of some of the features.

        Parameters
        ----------
        features : array-like of int
            Which, in this order.

        Returns
        -------
        Sums
            A new object.
        """
        part, targets = self._filled()
        places = np.asarray(features, dtype=np.intp)
        full = part.xx.ndim == 2
        kept = replace(
            part,
            x_mean=part.x_mean[places],
            x_range=part.x_range[:, places],
            xx=part.xx[np.ix_(places, places)] if full else part.xx[places],
            xy=part.xy[places],
        )
        names = self.feature_names
        names = None if names is None else names[places]
        return Sums.of(kept, targets, names, self._target)

    def scaled(self, factor: float) -> Self:
        """Let all rows so far count less, or more.

        Parameters
        ----------
        factor : float
            By which their weights are multiplied, above 0.

        Returns
        -------
        self
            With the same means and ranges.
        """
        if not factor > 0:
            raise ValueError(f"factor must be above 0, got {factor!r}.")
        if self._part is not None:
            part = self._part
            xx, xy, yy = (factor * product for product in (part.xx, part.xy, part.yy))
            self._part = replace(part, n=factor * part.n, xx=xx, xy=xy, yy=yy)
        return self

    def save(self, path: str | Path) -> None:
        """Write the sums as an npz file, which ``load`` reads.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        part, targets = self._filled()
        write((part, targets, self.feature_names, self._target), Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "Sums":
        """Read sums that ``save`` wrote; nothing in the file is executed.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        Sums
            As they were.
        """
        return cls.of(*read(Path(path)))

    def _check(self, n_features: int, n_targets: int) -> None:
        """Compare the columns of a block with those before, or count the memory."""
        if self._part is not None:
            if n_features != len(self.x_mean):
                raise ValueError(
                    f"X has {n_features} features after blocks with "
                    f"{len(self.x_mean)}: pass the same columns in every block."
                )
            return
        needed = sums_bytes(n_features, n_targets, *self._full)
        if needed > self._memory and self._fitting:
            self._full = False, self._full[1]
            needed = sums_bytes(n_features, n_targets, *self._full)
        if needed > self._memory:
            remedy = f"allow them by memory={size_text(needed)!r}"
            if self._full[0] and n_features > n_targets:
                remedy += ", or use a method that does without X'X (FisherScore)"
            raise ValueError(
                f"The sums of {n_features} features and {n_targets} labels take about "
                f"{size_text(needed)} of memory, and {size_text(self._memory)} are "
                f"allowed: {remedy}."
            )
