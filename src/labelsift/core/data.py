# SPDX-License-Identifier: BSD-3-Clause
"""A multi-label data set: samples, labels and their names."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.cells import read_cells, take_rows


@dataclass(frozen=True, eq=False)
class MultiLabelData:
    """Samples with their label matrix, names and, optionally, a split.

    Parameters
    ----------
    X : ndarray, csr_array or DataFrame of shape (n_samples, n_features)
        The samples; indices of a sparse X are stored in 32 bits where they fit,
        because liblinear accepts no others. The frame itself where a table holds
        anything but finite numbers.
    Y : ndarray of shape (n_samples, n_labels)
        0/1; stored as int8, which is small and safe for ``2 * Y - 1``. Values, and
        labels of which some are unknown (NaN), are stored as float64.
    feature_names, label_names : tuple of str
        One name per column. Where a file has no names, a sequence that makes x0, x1,
        ... when asked for stands in for the tuple.
    train_idx, test_idx : ndarray or None
        Rows of the published split.
    name : str
        Name of the data set.
    frame : DataFrame of pandas or polars, or None
        The features as they stand in a table; None for data that is no table.
    notes : tuple of str
        How a file was read, where that had to be found out.
    target : {"labels", "values"}, default="labels"
        What Y holds.
    weights : ndarray of shape (n_samples,) or None
        How often each row counts; None: once.
    """

    X: Any
    Y: NDArray[Any]
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    train_idx: NDArray[np.intp] | None = None
    test_idx: NDArray[np.intp] | None = None
    name: str = "data"
    frame: Any = None
    notes: tuple[str, ...] = ()
    target: str = "labels"
    weights: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        n_samples, n_features = self.X.shape
        _check(self.Y.ndim == 2, f"Y must have two dimensions, got {self.Y.ndim}")
        _check(
            len(self.Y) == n_samples,
            f"X has {n_samples} rows and Y has {len(self.Y)}: they must match",
        )
        object.__setattr__(self, "Y", self._read_targets())
        object.__setattr__(self, "X", with_short_indices(self.X))
        _check_names("feature_names", self.feature_names, n_features)
        _check_names("label_names", self.label_names, self.Y.shape[1])
        if self.weights is not None:
            object.__setattr__(self, "weights", self._read_weights())
        for part in ("train_idx", "test_idx"):
            rows = getattr(self, part)
            _check(
                rows is None
                or not len(rows)
                or (rows.min() >= 0 and rows.max() < n_samples),
                f"{part} points outside the {n_samples} rows",
            )

    def _read_targets(self) -> NDArray[Any]:
        """Y, checked, in the type that it is stored in."""
        gaps = self.Y.dtype.kind == "f" and bool(np.isnan(self.Y).any())
        if self.target == "labels" and gaps:
            known = self.Y[~np.isnan(self.Y)]
            _check(np.isin(known, (0, 1)).all(), "Y must hold only 0, 1 and NaN")
            return np.asarray(self.Y, dtype=np.float64)
        if self.target == "labels":
            # Not np.isin, which takes 20 bytes an entry.
            _check(((self.Y == 0) | (self.Y == 1)).all(), "Y must hold only 0 and 1")
            return np.asarray(self.Y, dtype=np.int8)
        _check(self.target == "values", f"target={self.target!r} is not known")
        Y = np.asarray(self.Y, dtype=np.float64)
        _check(not np.isinf(Y).any(), "Y must hold finite numbers")
        return Y

    def _read_weights(self) -> NDArray[np.float64]:
        """The weights, checked."""
        weights = np.asarray(self.weights, dtype=np.float64)
        _check(
            weights.shape == (self.n_samples,),
            f"weights has the shape {weights.shape} for {self.n_samples} rows: give "
            "one to each",
        )
        wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
        if len(wrong):
            raise ValueError(
                f"weights holds {weights[wrong[0]]:g} in row {wrong[0] + 1}: a weight "
                "is a finite number of at least 0."
            )
        _check(
            np.count_nonzero(weights) >= 2,
            "weights is positive for fewer than two rows: give more rows a weight",
        )
        return weights

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns of X."""
        return int(self.X.shape[1])

    @property
    def n_labels(self) -> int:
        """Number of columns of Y."""
        return int(self.Y.shape[1])

    @cached_property
    def kind(self) -> str:
        """What Y holds; "known labels" and "known values" where entries are NaN."""
        gaps = self.Y.dtype.kind == "f" and bool(np.isnan(self.Y).any())
        return f"known {self.target}" if gaps else self.target

    @property
    def cardinality(self) -> float:
        """Mean number of labels of a row."""
        return float(np.nansum(self.Y, axis=1).mean())

    @property
    def density(self) -> float:
        """Cardinality divided by the number of labels; 0 without labels."""
        return self.cardinality / max(self.n_labels, 1)

    @cached_property
    def checksum(self) -> str:
        """sha256 of X (or of the table), Y and weights: equal data, equal checksum."""
        digest = hashlib.sha256(repr((self.X.shape, self.Y.shape)).encode())
        parts = [*self._features(), str(self.Y.dtype).encode(), _bytes(self.Y)]
        if self.target != "labels":
            parts.append(self.target.encode())
        if self.weights is not None:
            parts += [b"weights", _bytes(self.weights)]
        for part in parts:
            digest.update(part)
        return digest.hexdigest()

    def _features(self) -> Iterator[bytes | memoryview]:
        """What the features are made of; of a table also the names, which count."""
        if self.frame is not None:
            yield repr(self.feature_names).encode("utf-8", "surrogatepass")
            for column in list(self.frame.columns):
                yield from read_cells(self.frame[column]).parts()
            return
        arrays = [self.X]
        if sp.issparse(self.X):
            X = self.X.tocsr(copy=True)
            X.sum_duplicates()
            X.eliminate_zeros()
            arrays = [X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)]
        for array in arrays:
            yield str(array.dtype).encode()
            yield _bytes(array)

    def rows(self, index: Any, name: str | None = None) -> Self:
        """Select some rows; the split is dropped.

        Parameters
        ----------
        index : array of int or bool
            Which rows.
        name : str, optional
            Name of the part.

        Returns
        -------
        MultiLabelData
            The part.
        """
        frame = None if self.frame is None else take_rows(self.frame, index)
        return replace(
            self,
            X=frame if self.X is self.frame else self.X[index],
            Y=self.Y[index],
            weights=None if self.weights is None else self.weights[index],
            frame=frame,
            train_idx=None,
            test_idx=None,
            name=name or self.name,
        )


def _bytes(array: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(array).data


def with_short_indices(X: Any) -> Any:
    """Sparse X as a csr_array with 32-bit indices where its size allows; no copy."""
    if not sp.issparse(X):
        return X
    X = sp.csr_array(X)
    short = max(*X.shape, X.nnz) <= np.iinfo(np.int32).max
    dtype = np.int32 if short else np.int64
    if X.indices.dtype != dtype or X.indptr.dtype != dtype:
        parts = (X.data, X.indices.astype(dtype), X.indptr.astype(dtype))
        X = sp.csr_array(parts, shape=X.shape)
    return X


class _NumberedNames(Sequence[str]):
    """prefix0, prefix1, ...: made when asked for, as there may be millions."""

    def __init__(self, prefix: str, count: int) -> None:
        self._prefix = prefix
        self._numbers = range(count)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: Any) -> Any:
        chosen = self._numbers[index]
        if isinstance(chosen, range):
            return tuple(f"{self._prefix}{i}" for i in chosen)
        return f"{self._prefix}{chosen}"

    def __contains__(self, name: object) -> bool:
        digits = str(name).removeprefix(self._prefix)
        known = digits.isdecimal() and len(digits) < 20 and int(digits) in self._numbers
        return known and name == f"{self._prefix}{int(digits)}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _NumberedNames):
            return (self._prefix, self._numbers) == (other._prefix, other._numbers)
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def numbered_names(prefix: str, count: int) -> tuple[str, ...]:
    """Names for columns that have none: prefix0, prefix1, ..."""
    return cast(tuple[str, ...], _NumberedNames(prefix, count))


def _check(condition: Any, sentence: str) -> None:
    if not condition:
        raise ValueError(f"{sentence}.")


def _check_names(argument: str, names: Sequence[str], count: int) -> None:
    _check(
        len(names) == count, f"{argument} has {len(names)} names for {count} columns"
    )
    _check(
        isinstance(names, _NumberedNames) or len(set(names)) == count,
        f"{argument} has a duplicate name: make names unique",
    )
