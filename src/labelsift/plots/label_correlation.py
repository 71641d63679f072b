# SPDX-License-Identifier: BSD-3-Clause
"""Correlation of labels: in the data, and as learned by a ranking machine."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.plots.label_space import paired_heat_maps, similarity_order


def label_correlation(
    covariance: Any,
    Y: Any,
    label_names: Sequence[str],
    *,
    figure: Any = None,
    title: str = "",
) -> NDArray[Any]:
    """Plot the correlation of labels next to that learned by a ranking machine.

    The left panel shows the correlation of the columns of Y, the right one that of the
    learned covariance, in one order of labels in which neighbours occur together. The
    learned one compares labels within a sample, so that its rows sum to 0: unrelated
    labels are slightly below 0. Their agreement is the correlation of
    the two over the pairs of labels.

    Parameters
    ----------
    covariance : array of shape (n_labels, n_labels)
        ``label_covariance_`` of a fitted ``CLaRankSVM`` or ``CMLFS``.
    Y : array of shape (n_samples, n_labels)
        Labels as 0/1.
    label_names : sequence of str
        One name per label.
    figure : matplotlib Figure or SubFigure or None, default=None
        Where to draw; None: a new one that fits the labels.
    title : str, default=""
        Title of the figure.

    Returns
    -------
    ndarray of three matplotlib Axes
        The two panels, and the scale of colours; their ``figure`` saves them.

    Examples
    --------
    >>> from labelsift.plots import label_correlation
    >>> Y = [[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1]]
    >>> learned = [[2, 1, -3], [1, 2, -3], [-3, -3, 6]]
    >>> axes = label_correlation(learned, Y, ["sea", "beach", "town"])
    >>> axes[0].figure.savefig("correlation.png")  # doctest: +SKIP
    """
    learned = correlation_of(covariance)
    n_labels = len(learned)
    if len(label_names) != n_labels or np.shape(Y)[1] != n_labels:
        raise ValueError(
            f"covariance has {n_labels} labels, Y has {np.shape(Y)[1]} and label_names "
            f"{len(label_names)}: they must match."
        )
    centred = np.asarray(Y, dtype=np.float64) - np.mean(Y, axis=0)
    empirical = correlation_of(centred.T @ centred)
    order = similarity_order(empirical)
    head = f"learned (agreement {agreement(empirical, learned):.2f})"
    both = {"labels occur together": empirical, head: learned}
    return paired_heat_maps(
        {name: matrix[np.ix_(order, order)] for name, matrix in both.items()},
        [str(label_names[i]) for i in order],
        figure,
        title,
    )


def correlation_of(covariance: Any) -> NDArray[np.float64]:
    """Correlations from a covariance matrix; 0 for a label without variance."""
    matrix = np.asarray(covariance, dtype=np.float64)
    spread = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    scale = np.outer(spread, spread)
    correlation = np.divide(matrix, scale, out=np.zeros_like(matrix), where=scale > 0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def agreement(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Pearson correlation of two matrices over the pairs of different labels.

    NaN where one of them is the same for all pairs.
    """
    above = np.triu_indices(len(one), 1)
    pairs = np.array([one[above], other[above]])
    if pairs.shape[1] == 0 or np.ptp(pairs, axis=1).min() == 0:
        return float("nan")
    return float(np.corrcoef(pairs)[0, 1])
