# SPDX-License-Identifier: BSD-3-Clause
"""Validation of the input of measures: true and predicted labels, scores, weights."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.labels import as_label_array, code_labels, read_label_matrix
from labelsift.core.validation import check_local, validate_weights
from labelsift.metrics.curves import label_areas


@dataclass(frozen=True)
class Judged:
    """True labels, and what is judged against them: one matrix, or a stack of them.

    Samples of weight 0 or without a known label are left out, and so are labels that
    are known nowhere. Methods work on the last axes, and keep those before.
    """

    truth: NDArray[np.bool_]  # False where unknown
    given: NDArray[Any]  # predicted labels, False where unknown; or scores
    known: NDArray[np.bool_] | None  # None: everything is
    weights: NDArray[np.float64] | None  # None: samples count alike

    def mean(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Mean over the samples."""
        return np.asarray(np.average(values, axis=-1, weights=self.weights))

    def count(self, entries: NDArray[np.bool_]) -> NDArray[Any]:
        """How many samples have each label, by weight."""
        if self.weights is None:
            return np.count_nonzero(entries, axis=-2)
        return np.asarray(self.weights @ entries)

    @cached_property
    def areas(self) -> NDArray[np.float64]:
        """Area under the ROC curve of each label by its scores; NaN for one value."""
        return label_areas(self.truth, self.given, self.known, self.weights)

    def rows_of(self, label: int) -> Any:
        """The samples in which a label is known."""
        return slice(None) if self.known is None else self.known[:, label]


def read_label_pair(Y_true: Any, Y_pred: Any, sample_weight: Any = None) -> Judged:
    """Read true and predicted labels as boolean matrices of one shape."""
    truth, known = read_truth(Y_true)
    predicted = read_label_matrix(Y_pred, "Y_pred").view(np.bool_)
    _check_shapes(truth, "Y_pred", predicted)
    if known is not None:
        predicted = predicted & known
    return _judged(truth, predicted, known, sample_weight)


def read_scored(Y_true: Any, scores: Any, sample_weight: Any = None) -> Judged:
    """Read true labels and their scores; float scores are not copied."""
    truth, known = read_truth(Y_true)
    if sp.issparse(scores):
        raise ValueError(
            "scores must be dense, got a sparse matrix: pass scores.toarray()."
        )
    check_local(scores, "scores")
    scores = np.asarray(scores)
    if scores.dtype.kind not in "biuf":
        raise ValueError(
            f"scores must hold real numbers, got dtype {scores.dtype}: pass one number "
            "per sample and label."
        )
    _check_shapes(truth, "scores", scores)
    if scores.dtype.kind != "f":
        scores = scores.astype(np.float64)
    _check_numbers(scores)
    return _judged(truth, scores, known, sample_weight)


def read_stack(Y_true: Any, stack: NDArray[Any], sample_weight: Any = None) -> Judged:
    """Read true labels, and layers of predicted labels (bool) or of their scores."""
    truth, known = read_truth(Y_true)
    if stack.dtype != np.bool_:
        _check_numbers(stack)
    elif known is not None:
        stack = stack & known
    return _judged(truth, stack, known, sample_weight)


def read_truth(Y_true: Any) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """Read true labels as a boolean matrix, and where they are known if not all are."""
    if isinstance(Y_true, np.ndarray) and Y_true.dtype == np.bool_:
        return read_label_matrix(Y_true, "Y_true").view(np.bool_), None
    Y = as_label_array(Y_true)
    gaps = Y.ndim == 2 and not sp.issparse(Y) and Y.dtype.kind == "f"
    if not gaps or not np.isnan(Y).any():
        return read_label_matrix(Y, "Y_true").view(np.bool_), None
    coded, _ = code_labels(Y, "Y_true", unknown=True)
    return coded == 1, ~np.isnan(coded)


def _judged(
    truth: NDArray[np.bool_],
    given: NDArray[Any],
    known: NDArray[np.bool_] | None,
    sample_weight: Any,
) -> Judged:
    """Leave out what does not count."""
    weights = validate_weights(sample_weight, truth)
    if known is None and weights is None:
        return Judged(truth, given, None, None)
    rows = np.ones(len(truth), dtype=bool) if weights is None else weights > 0
    if known is not None:
        rows &= known.any(axis=1)
        if not rows.any():
            raise ValueError("Y_true has no known label: judge on samples with some.")
        columns = known[rows].any(axis=0)
        truth, known = truth[rows][:, columns], known[rows][:, columns]
        given = given[..., columns]
    else:
        truth = truth[rows]
    given = np.ascontiguousarray(given[..., rows, :])  # layers are summed as one is
    return Judged(truth, given, known, None if weights is None else weights[rows])


def _check_numbers(scores: NDArray[Any]) -> None:
    # The minimum of anything with a NaN is NaN, and needs no second array.
    if np.isnan(scores.min()):
        row, label = np.argwhere(np.isnan(scores))[0][-2:]
        raise ValueError(
            f"scores contains NaN, first at row {row}, label {label}: a label without "
            "a score cannot be ranked; check the model that gave it."
        )


def _check_shapes(truth: NDArray[Any], argument: str, other: NDArray[Any]) -> None:
    if other.shape != truth.shape:
        raise ValueError(
            f"Y_true has shape {truth.shape} and {argument} has shape {other.shape}: "
            "both must be (n_samples, n_labels)."
        )
