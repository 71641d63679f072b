# SPDX-License-Identifier: BSD-3-Clause
"""Label sets as classes: the label powerset, and pruning its rare classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def label_powerset(Y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Every distinct label set is a class.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels)
        0/1 labels.

    Returns
    -------
    sets : ndarray of shape (n_sets, n_labels)
        The distinct rows of Y.
    classes : ndarray of shape (n_samples,)
        Which of them each sample has.
    """
    packed = np.ascontiguousarray(np.packbits(Y, axis=1))
    keys = packed.view(f"V{packed.shape[1]}").ravel()
    _, first, classes = np.unique(keys, return_index=True, return_inverse=True)
    return Y[first], classes


def pruned_powerset(
    Y: NDArray[Any], min_count: int, *, reassign: bool = False
) -> NDArray[np.intp]:
    """Classes of the samples whose label set is frequent enough.

    With ``reassign`` a sample with a rare label set joins the class of the largest
    frequent set, not empty, that is contained in its own; of several as large, the most
    frequent. Needs O(rare sets x frequent sets) memory then.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels)
        0/1 labels.
    min_count : int
        How many samples a label set needs to be frequent.
    reassign : bool
        Whether samples with rare sets are kept where they can be.

    Returns
    -------
    ndarray of shape (n_samples,)
        Classes from 0, and -1 for the samples that are left out.
    """
    sets, classes = label_powerset(Y)
    counts = np.bincount(classes)
    frequent = counts >= min_count
    renamed = np.where(frequent, np.cumsum(frequent) - 1, -1)
    if reassign and frequent.any():
        subset = _largest_subset(sets[~frequent], sets[frequent], counts[frequent])
        renamed[~frequent] = subset
    return renamed[classes]


def _largest_subset(
    rare: NDArray[Any], frequent: NDArray[Any], counts: NDArray[Any]
) -> NDArray[np.intp]:
    """Largest non-empty frequent set within each rare set, or -1."""
    size = frequent.sum(axis=1, dtype=np.int64)
    shared = rare.astype(np.float32) @ frequent.T.astype(np.float32)
    merit = size * (counts.max() + 1) + counts
    merit = np.where((shared == size) & (size > 0), merit, 0)
    best = merit.argmax(axis=1)
    return np.where(merit.max(axis=1) > 0, best, -1)
