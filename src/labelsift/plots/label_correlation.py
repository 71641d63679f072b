# SPDX-License-Identifier: BSD-3-Clause
"""Learned against empirical correlation of labels, as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.optional import import_extra
from labelsift.report.label_space import heat_map, similarity_order

# Inches for a label's row.
_ROW = 0.24


def correlation_of(covariance: Any) -> NDArray[np.float64]:
    """Correlations from a covariance matrix; 0 beside a label without variance.

    Parameters
    ----------
    covariance : array of shape (n_labels, n_labels)
        For example ``label_covariance_`` of a fitted ``CLaRankSVM`` or ``CMLFS``.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        With ones on the diagonal.
    """
    matrix = np.asarray(covariance, dtype=np.float64)
    spread = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    scale = np.outer(spread, spread)
    correlation = np.divide(matrix, scale, out=np.zeros_like(matrix), where=scale > 0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def agreement(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Pearson correlation of two matrices over the pairs of different labels.

    Parameters
    ----------
    one, other : ndarray of shape (n_labels, n_labels)
        Symmetric matrices.

    Returns
    -------
    float
        Between -1 and 1; NaN where one of them is the same for all pairs.
    """
    above = np.triu_indices(len(one), 1)
    pairs = np.array([one[above], other[above]])
    if pairs.shape[1] == 0 or np.ptp(pairs, axis=1).min() == 0:
        return float("nan")
    return float(np.corrcoef(pairs)[0, 1])


def draw_label_correlation(
    covariance: Any,
    Y: Any,
    label_names: Sequence[str],
    path: str | Path,
    *,
    title: str = "",
) -> None:
    """Draw how labels occur together beside how a ranking machine ties them.

    The left panel shows the correlation of the columns of Y, the right one that of the
    learned covariance, in one order of labels in which neighbours occur together. The
    learned one compares labels within a sample, so that its rows sum to 0: labels that
    it does not tie at all are a little below 0.

    Parameters
    ----------
    covariance : array of shape (n_labels, n_labels)
        ``label_covariance_`` of a fitted ``CLaRankSVM`` or ``CMLFS``.
    Y : array of shape (n_samples, n_labels)
        Labels as 0/1.
    label_names : sequence of str
        One name per label.
    path : str or Path
        PNG, SVG or PDF file to write.
    title : str, default=""
        Stands above the picture.
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
    names = [str(label_names[i]) for i in order]
    figure, (left, right, scale) = _panels(n_labels, max(map(len, names)))
    image = heat_map(left, empirical[np.ix_(order, order)], names)
    heat_map(right, learned[np.ix_(order, order)], None)
    left.set_title("labels occur together", fontsize=9)
    right.set_title(
        f"learned (agreement {agreement(empirical, learned):.2f})", fontsize=9
    )
    figure.colorbar(image, cax=scale)
    scale.tick_params(labelsize=7)
    figure.suptitle(title, fontsize=11, parse_math=False)
    figure.savefig(path, dpi=130)


def _panels(n_labels: int, longest: int) -> tuple[Any, Any]:
    """Two square panels and a narrow one for the scale."""
    side = max(1.8, _ROW * n_labels)
    figure = import_extra("matplotlib.figure", "A picture").Figure(
        figsize=(2 * side + 0.08 * longest + 1.2, side + 0.9), layout="constrained"
    )
    return figure, figure.subplots(1, 3, width_ratios=[side, side, 0.12])
