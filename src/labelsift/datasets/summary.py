# SPDX-License-Identifier: BSD-3-Clause
"""Descriptive statistics of a data set."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.cells import missing_cells, read_cells
from labelsift.core.data import MultiLabelData
from labelsift.core.validation import constant_columns

# Columns of dense X that are transposed at a time: bounds the copy.
_BLOCK_BYTES = 2**24
# Pairs of more labels are not counted: they would take gigabytes.
MOST_PAIRED = 4000


@dataclass(frozen=True, eq=False)
class Summary:
    """A data set in numbers.

    Parameters
    ----------
    name, checksum : str
        Identity of the data.
    n_samples, n_features, n_labels : int
        Size.
    cardinality, density : float
        Mean number of labels of a row, and that divided by the number of labels.
    sparse : bool
        Whether X is stored sparse.
    filled : float
        Share of the entries of X that are not zero; of a table with text, dates or
        gaps: that are not missing.
    n_missing : int
        Entries of X that are NaN.
    n_label_sets : int
        Different combinations of labels.
    label_counts : ndarray of shape (n_labels,)
        Rows that have each label.
    co_occurrence : ndarray of shape (n_labels, n_labels) or None
        Rows that have both labels; the diagonal holds ``label_counts``. None where
        there are more than 4000 labels.
    constant_features : ndarray
        Indices of the constant features.
    duplicate_features : ndarray of shape (n, 2)
        Each feature that equals an earlier one, and the first such; constant features
        are not listed again.
    empty_rows : ndarray
        Indices of the rows of X that are all zero.
    unlabelled_rows : ndarray
        Indices of the rows without a label.
    """

    name: str
    checksum: str
    n_samples: int
    n_features: int
    n_labels: int
    cardinality: float
    density: float
    sparse: bool
    filled: float
    n_missing: int
    n_label_sets: int
    label_counts: NDArray[np.int64]
    co_occurrence: NDArray[np.int64] | None
    constant_features: NDArray[np.intp]
    duplicate_features: NDArray[np.intp]
    empty_rows: NDArray[np.intp]
    unlabelled_rows: NDArray[np.intp]


def describe(data: MultiLabelData) -> Summary:
    """Summarise a data set.

    Cost: one pass over X, which is never densified, and O(nnz(Y) n_labels); memory
    O(n_labels^2) for the co-occurrence of up to 4000 labels.

    Parameters
    ----------
    data : MultiLabelData
        The data.

    Returns
    -------
    Summary
        Its sizes, labels and suspect columns and rows.

    Examples
    --------
    >>> from labelsift.datasets import describe, load_dataset
    >>> summary = describe(load_dataset("traits"))
    >>> summary.n_label_sets, len(summary.constant_features)
    (10, 3)
    """
    if data.X is data.frame:
        return _describe_table(data)
    X = data.X.tocsr() if sp.issparse(data.X) else data.X
    constant = constant_columns(X)
    counts = np.diff(_without_zeros(X).indptr) if sp.issparse(X) else _row_counts(X)
    return _summary(
        data,
        sparse=bool(sp.issparse(X)),
        filled=float(counts.sum()) / max(1, data.n_samples * data.n_features),
        n_missing=int(np.isnan(X.data if sp.issparse(X) else X).sum()),
        constant_features=np.flatnonzero(constant),
        duplicate_features=_duplicates(X, constant),
        empty_rows=np.flatnonzero(counts == 0),
    )


def _summary(data: MultiLabelData, **features: Any) -> Summary:
    """A summary of the labels and of what is known about the features."""
    co_occurrence = _co_occurrence(data.Y)
    return Summary(
        name=data.name,
        checksum=data.checksum,
        n_samples=data.n_samples,
        n_features=data.n_features,
        n_labels=data.n_labels,
        cardinality=data.cardinality,
        density=data.density,
        n_label_sets=len(np.unique(np.packbits(data.Y > 0, axis=1), axis=0)),
        label_counts=data.Y.sum(axis=0, dtype=np.int64),
        co_occurrence=co_occurrence,
        unlabelled_rows=np.flatnonzero(~data.Y.any(axis=1)),
        **features,
    )


def _describe_table(data: MultiLabelData) -> Summary:
    """The same of a table that holds more than numbers: a gap counts as empty."""
    n_filled = np.zeros(data.n_samples, dtype=np.int64)
    constant: list[int] = []
    first: dict[bytes, int] = {}
    pairs: list[tuple[int, int]] = []
    for j, column in enumerate(list(data.frame.columns)):
        cells = read_cells(data.frame[column])
        filled = ~missing_cells(cells)
        n_filled += filled
        values = cells.numbers if cells.codes is None else cells.codes
        assert values is not None
        if len(np.unique(values[filled])) <= 1:
            constant.append(j)
            continue
        digest = hashlib.blake2b(b"".join(map(bytes, cells.parts()))).digest()
        if first.setdefault(digest, j) != j:
            pairs.append((j, first[digest]))
    n_cells = data.n_samples * data.n_features
    return _summary(
        data,
        sparse=False,
        filled=float(n_filled.sum()) / max(1, n_cells),
        n_missing=int(n_cells - n_filled.sum()),
        constant_features=np.array(constant, dtype=np.intp),
        duplicate_features=np.array(pairs, dtype=np.intp).reshape(-1, 2),
        empty_rows=np.flatnonzero(n_filled == 0),
    )


def _co_occurrence(Y: NDArray[Any]) -> NDArray[np.int64] | None:
    if Y.shape[1] > MOST_PAIRED:
        return None
    Y = sp.csr_array(Y, dtype=np.int64)
    return (Y.T @ Y).toarray()


def _row_counts(X: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.count_nonzero(X, axis=1))


def _without_zeros(X: Any) -> Any:
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    return X


def _duplicates(X: Any, constant: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Pairs (feature, first equal one), by the hashes of the columns."""
    first: dict[bytes, int] = {}
    pairs = []
    digests = _sparse_digests(X) if sp.issparse(X) else _dense_digests(X)
    for j, digest in enumerate(digests):
        if not constant[j] and first.setdefault(digest, j) != j:
            pairs.append((j, first[digest]))
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _digest(*arrays: NDArray[Any]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in arrays:
        digest.update(part.data)
    return digest.digest()


def _dense_digests(X: NDArray[Any]) -> Any:
    width = max(1, _BLOCK_BYTES // max(1, 8 * len(X)))
    for start in range(0, X.shape[1], width):
        block = X[:, start : start + width].T
        # Adding zero copies, and gives -0.0 and 0.0 the same bytes.
        yield from map(_digest, np.ascontiguousarray(block + 0.0))


def _sparse_digests(X: Any) -> Any:
    X = _without_zeros(X).tocsc()
    for j in range(X.shape[1]):
        entries = slice(X.indptr[j], X.indptr[j + 1])
        yield _digest(X.indices[entries], X.data[entries])
