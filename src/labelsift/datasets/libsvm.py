# SPDX-License-Identifier: BSD-3-Clause
"""LIBSVM files with several labels a line: ``2,3 1:0.5 7:1 # comment``.

Why a reader of our own: scikit-learn's ``load_svmlight_file`` (1.9) rejects a line
whose indices are not sorted, as in nearly every line of the public Reuters files, and
its errors name no line.
"""

import math
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.core.files import check_file
from labelsift.datasets.columns import as_patterns
from labelsift.datasets.memory import COLUMN_BYTES, Size
from labelsift.datasets.textfile import LineReader, bare_stem, shown

# Limits the number of features in relation to the size of the file.
_FREE_FEATURES = 2**18
_BYTES_PER_FEATURE = 4
_LARGEST_LABEL = 2**31 - 1
_LARGEST_INDEX = 2**63 - 1
# What a pair and a label of a line take at the most, on the way to the matrices.
_PAIR_BYTES, _LABEL_BYTES = 48, 48
# Without these characters a line of pairs alternates colons and spaces.
_NUMERIC = b"0123456789.eE+-"


def read_libsvm(
    path: str | Path,
    *,
    labels: str | Iterable[str | int] | None = None,
    n_features: int | None = None,
    zero_based: bool | Literal["auto"] = "auto",
    memory: Size = None,
) -> MultiLabelData:
    """Read a multi-label data set from a LIBSVM file.

    A line holds its labels, comma-separated integers, then
    ``index:value`` pairs in any order, then an optional ``# comment``. A line that
    begins with a pair has no labels. Blank lines are skipped. The file may be gzip.

    Time and memory are linear in the file: at most 48 bytes a pair and a label of a
    line, and 3 bytes an entry of Y.

    Parameters
    ----------
    path : str or Path
        The file.
    labels : str or iterable of str or int, optional
        The labels that become columns, in this order; a label that is not among them
        is an error. None: every label of the file, in increasing order. Pass the
        training file's ``label_names`` to read a matching test file.
    n_features : int, optional
        Number of features; None: as many as the largest index needs.
    zero_based : bool or "auto", default="auto"
        Whether the first feature is 0 or 1; "auto": 0 where the index 0 is used.
    memory : int, str or None, default=None
        What reading may take, in bytes or as "8G"; None: 2G. More is a ValueError.

    Returns
    -------
    MultiLabelData
        The data, X a csr_array in float64; features are called x0, x1, ..., labels by
        their numbers.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from labelsift.datasets import read_libsvm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "small.svm")
    ...     _ = file.write_text("3,7 2:0.5 1:4\\n7 1:1 # no label 3\\n")
    ...     data = read_libsvm(file)
    >>> data.label_names, data.X.toarray().tolist(), data.Y.tolist()
    (('3', '7'), [[4.0, 0.5], [1.0, 0.0]], [[1, 1], [0, 1]])
    """
    if zero_based not in (True, False, "auto"):
        raise ValueError(f"zero_based must be a bool or 'auto', got {zero_based!r}.")
    check_file(Path(path))
    lines = LineReader(path, memory)
    known = None if labels is None else _label_numbers(labels)
    rows = _Rows(lines, n_features, zero_based, None if known is None else set(known))
    for line in lines:
        rows.add(line.partition("#")[0])
        lines.check_memory(rows.held)
    X = rows.features()
    numbers = sorted(set(rows.labels)) if known is None else known
    if not numbers:
        raise ValueError(f"{lines.path} has no label in any line: check the format.")
    lines.check_implied(X.shape[0] * len(numbers), "label matrix")
    lines.bound.check(rows.held + 3 * X.shape[0] * len(numbers), "its label matrix")
    return MultiLabelData(
        X=X,
        Y=rows.label_matrix(numbers),
        feature_names=numbered_names("x", X.shape[1]),
        label_names=tuple(map(str, numbers)),
        name=bare_stem(lines.path),
    )


def _label_numbers(labels: str | Iterable[str | int]) -> list[int]:
    try:
        numbers = [int(label) for label in as_patterns(labels)]
    except ValueError as error:
        raise ValueError(
            f"The labels of a LIBSVM file are integers ({error}): pass integers."
        ) from None
    if len(set(numbers)) < len(numbers):
        raise ValueError("labels= names a label twice: remove one.")
    return numbers


class _Rows:
    """The rows read so far, as flat arrays; only ``known`` labels may occur."""

    def __init__(
        self,
        lines: LineReader,
        n_features: int | None,
        zero_based: bool | Literal["auto"],
        known: set[int] | None,
    ) -> None:
        self._lines = lines
        self._n_features = n_features
        self._zero_based = zero_based
        self._known = known
        self._index, self._value, self._start = array("q"), array("d"), array("q", [0])
        self.labels, self._label_start = array("q"), array("q", [0])
        # Line of the largest index, which is checked at the end of the file.
        self._largest, self._largest_line = -1, 0

    @property
    def held(self) -> int:
        """What the rows so far will take at the most."""
        return _PAIR_BYTES * len(self._index) + _LABEL_BYTES * len(self.labels)

    def add(self, text: str) -> None:
        """Read one line without its comment."""
        words = text.split(None, 1)
        if not words:
            return
        if "_" in text:  # int and float would read Python's 1_000
            raise self._lines.error("a number has an underscore")
        if ":" not in words[0]:
            self._add_labels(words.pop(0))
        self._label_start.append(len(self.labels))
        if words:
            pairs = text if len(words) == 2 else words[0]
            index, value = self._quick_pairs(pairs) or self._careful_pairs(pairs)
            self._check(index, value)
            self._index.extend(index)
            self._value.extend(value)
        self._start.append(len(self._index))

    def _add_labels(self, text: str) -> None:
        for word in text.split(","):
            try:
                label = int(word)
            except ValueError:
                raise self._lines.error(
                    f"{shown(word)} is not a label: labels are comma-separated integers"
                ) from None
            if abs(label) > _LARGEST_LABEL:
                raise self._lines.error(f"label {word[:20]} does not fit in 32 bits")
            if self._known is not None and label not in self._known:
                raise self._lines.error(f"label {label} is not among labels=")
            self.labels.append(label)

    def _quick_pairs(self, text: str) -> tuple[list[int], list[float]] | None:
        """Pairs that are ordinary numbers with single spaces between them."""
        skeleton = text.rstrip().encode().translate(None, delete=_NUMERIC)
        words = text.replace(":", " ").split()
        if skeleton != b": " * (len(skeleton) // 2) + b":":
            return None
        if len(words) != len(skeleton) + 1:  # a number is missing next to a colon
            return None
        try:
            return list(map(int, words[::2])), list(map(float, words[1::2]))
        except ValueError:
            return None

    def _careful_pairs(self, text: str) -> tuple[list[int], list[float]]:
        index, value = [], []
        for word in text.split():
            try:
                left, right = word.split(":")
                index.append(int(left))
                value.append(float(right))
            except ValueError:
                raise self._lines.error(
                    f"{shown(word)} is not a pair index:value of numbers"
                ) from None
        return index, value

    def _check(self, index: list[int], value: list[float]) -> None:
        low, high = min(index), max(index)
        if low < 0 or (low == 0 and self._zero_based is False):
            raise self._lines.error(f"feature {low} is below the first feature")
        if high > _LARGEST_INDEX:
            raise self._lines.error(f"feature {str(high)[:20]} does not fit in 64 bits")
        if len(set(index)) < len(index):
            raise self._lines.error("the row has a feature twice")
        if not math.isfinite(sum(value)) and not all(map(math.isfinite, value)):
            raise self._lines.error(
                "a value is not finite: LIBSVM has no missing values"
            )
        if high > self._largest:
            self._largest, self._largest_line = high, self._lines.number

    def features(self) -> Any:
        """X as a csr_array in canonical form."""
        if len(self._start) == 1:
            raise ValueError(f"{self._lines.path} has no rows: it is empty.")
        index = np.asarray(self._index)
        zero_based = self._zero_based
        if zero_based == "auto":
            zero_based = bool(len(index)) and index.min() == 0
        shape = (len(self._start) - 1, self._width(0 if zero_based else 1))
        self._lines.bound.check(self.held + COLUMN_BYTES * shape[1], "its columns")
        if not zero_based:
            index = index - 1
        X = sp.csr_array(
            (np.asarray(self._value), index, np.asarray(self._start)), shape=shape
        )
        X.eliminate_zeros()
        X.sort_indices()
        return X

    def _width(self, first: int) -> int:
        """Number of features, where the first has this index."""
        needed = self._largest - first + 1
        if self._n_features is not None:
            if needed > self._n_features:
                raise self._lines.error(
                    f"feature {self._largest} is beyond n_features={self._n_features}",
                    self._largest_line,
                )
            return self._n_features
        if needed > max(_FREE_FEATURES, self._lines.size // _BYTES_PER_FEATURE):
            raise self._lines.error(
                f"feature {self._largest} is implausible in a file of this size: "
                "pass n_features= if it is right",
                self._largest_line,
            )
        if needed < 1:
            raise ValueError(f"{self._lines.path} has no feature: check the format.")
        return needed

    def label_matrix(self, numbers: list[int]) -> NDArray[np.int8]:
        """Y, one column per label of the list."""
        order = np.argsort(numbers)
        place = np.searchsorted(numbers, np.asarray(self.labels), sorter=order)
        rows = np.repeat(np.arange(len(self._start) - 1), np.diff(self._label_start))
        Y = np.zeros((len(self._start) - 1, len(numbers)), dtype=np.int8)
        Y[rows, order[place]] = 1
        return Y
