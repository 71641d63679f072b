# SPDX-License-Identifier: BSD-3-Clause
"""Folds, and out-of-fold scores of a ranker."""

import reprlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import assert_all_finite

from labelsift.classification import BinaryRidge
from labelsift.core.labels import constant_labels
from labelsift.core.path import Fold
from labelsift.model_selection.split import IterativeStratifiedKFold


def ranker_given(estimator: Any) -> Any:
    """The estimator, or BinaryRidge where it is None."""
    return BinaryRidge() if estimator is None else estimator


def check_ranker(estimator: Any) -> None:
    """Raise where an estimator cannot score labels."""
    if not hasattr(estimator, "decision_function"):
        raise ValueError(
            f"estimator={estimator!r} has no decision_function: pass a multi-label "
            "classifier that scores labels."
        )


def make_folds(cv: Any, X: Any, Y: NDArray[Any], random_state: Any) -> list[Fold]:
    """Create folds whose training parts all have a label with both values.

    Parameters
    ----------
    cv : int, splitter or iterable
        A number of IterativeStratifiedKFold, a splitter or splits.
    X : ndarray, csr_array or csc_array
        The samples.
    Y : ndarray of shape (n_samples, n_labels)
        Their labels as 0/1.
    random_state : int, RandomState instance or None
        Seed of the folds, where cv is a number.

    Returns
    -------
    list of (train, test)
        Row indices.
    """
    if isinstance(cv, Integral):
        splitter = IterativeStratifiedKFold(int(cv), random_state=random_state)
    else:
        splitter = check_cv(cv)
    folds = list(splitter.split(X, Y))
    if any(constant_labels(Y[train]).all() for train, _ in folds):
        raise ValueError(
            f"cv={cv!r} has a fold in whose training part no label has both values: "
            "use fewer folds."
        )
    return folds


def check_partition(folds: list[Fold], n_samples: int, cv: Any) -> None:
    """Raise where folds do not test every sample exactly once."""
    tested = np.sort(np.concatenate([test for _, test in folds]))
    if not np.array_equal(tested, np.arange(n_samples)):
        given = reprlib.repr(cv)  # splits can be long
        raise ValueError(
            f"cv={given} must put each of the {n_samples} samples into exactly one "
            "test part: pass a partition such as KFold."
        )


@contextmanager
def labels_read_before() -> Iterator[None]:
    """Suppress the warning about constant labels, given when Y was first read."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*hold one value only", UserWarning)
        yield


def fitted(estimator: Any, X: Any, Y: NDArray[Any]) -> Any:
    """Fit a clone."""
    with labels_read_before():
        return clone(estimator).fit(X, Y)


def fold_scores(
    estimator: Any, X: Any, Y: NDArray[Any], train: NDArray[Any], test: NDArray[Any]
) -> NDArray[Any]:
    """Scores of the test part by a ranker fitted on the training part."""
    return label_scores(fitted(estimator, X[train], Y[train]), X[test], Y.shape[1])


def label_scores(estimator: Any, X: Any, n_labels: int) -> NDArray[Any]:
    """Scores by a fitted ranker, one column per label."""
    scores = np.asarray(estimator.decision_function(X))
    if scores.size != X.shape[0] * n_labels:
        raise ValueError(
            f"estimator gave scores of shape {scores.shape} for {X.shape[0]} samples "
            f"and {n_labels} labels: it must score every label."
        )
    assert_all_finite(scores, input_name="the scores of estimator")
    return scores.reshape(X.shape[0], n_labels)
