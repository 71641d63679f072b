# SPDX-License-Identifier: BSD-3-Clause
"""Validation of the input of measures: true and predicted labels, scores."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.labels import read_label_matrix


def read_label_pair(
    Y_true: Any, Y_pred: Any
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Read true and predicted labels as boolean matrices of one shape."""
    truth, predicted = read_truth(Y_true), read_label_matrix(Y_pred, "Y_pred")
    _check_shapes(truth, "Y_pred", predicted)
    return truth, predicted.view(np.bool_)


def read_scored(Y_true: Any, scores: Any) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Read true labels and their scores; float scores are not copied."""
    truth = read_truth(Y_true)
    if sp.issparse(scores):
        raise ValueError(
            "scores must be dense, got a sparse matrix: pass scores.toarray()."
        )
    scores = np.asarray(scores)
    if scores.dtype.kind not in "biuf":
        raise ValueError(
            f"scores must hold real numbers, got dtype {scores.dtype}: pass one number "
            "per sample and label."
        )
    _check_shapes(truth, "scores", scores)
    if scores.dtype.kind != "f":
        scores = scores.astype(np.float64)
    # The minimum of anything with a NaN is NaN, and needs no second array.
    if np.isnan(scores.min()):
        row, label = np.argwhere(np.isnan(scores))[0]
        raise ValueError(
            f"scores contains NaN, first at row {row}, label {label}: a label without "
            "a score cannot be ranked; check the model that gave it."
        )
    return truth, scores


def read_truth(Y_true: Any) -> NDArray[np.bool_]:
    """Read true labels as a boolean matrix."""
    return read_label_matrix(Y_true, "Y_true").view(np.bool_)


def _check_shapes(truth: NDArray[Any], argument: str, other: NDArray[Any]) -> None:
    if other.shape != truth.shape:
        raise ValueError(
            f"Y_true has shape {truth.shape} and {argument} has shape {other.shape}: "
            "both must be (n_samples, n_labels)."
        )
