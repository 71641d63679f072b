# SPDX-License-Identifier: BSD-3-Clause
"""Plots of results: curves against the number of features, ranks over data sets."""

from collections.abc import Collection
from typing import Any

import numpy as np

from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM, method_title
from labelsift.experiment.results import Results
from labelsift.metrics import EVERY_MEASURE
from labelsift.plots.critical_difference import critical_difference
from labelsift.plots.curves import feature_curves, new_figure
from labelsift.stats.blocks import MethodRanks, choosing

# Panels in a row of a figure of several data sets.
_ACROSS = 3
_WIDTH, _HEIGHT = 4.2, 3.1


def result_curves(
    results: Results,
    measure: str,
    *,
    ax: Any = None,
    title: str = "",
    controls: Collection[str] = (RANDOM, ALL_FEATURES),
) -> Any:
    """Plot the curves of one data set, with bands of one standard error.

    Methods that predict from all features have no curve; a control is a line across.

    Parameters
    ----------
    results : Results
        Of one data set, one read-out and one threshold.
    measure : str
        Which measure.
    ax : matplotlib Axes or None, default=None
        Where to draw; None: a new figure, the ``figure`` of what is returned.
    title : str, default=""
        Title of the plot.
    controls : collection of str, default=("random", "all-features")
        Methods drawn in grey.

    Returns
    -------
    matplotlib Axes
        With one line per method.
    """
    part = results.where(measure=measure)
    chosen = choosing(part.values)
    if not chosen:
        raise ValueError(
            f"No method chooses features by {measure!r}: there are no curves to draw."
        )
    means = part.mean_over_splits()
    curves = {
        method_title(method): (own["budget"], own["mean"], own["std_error"])
        for method, own in means.groupby("method", sort=False)
        if method in chosen or method in controls
    }
    known = EVERY_MEASURE.get(measure)
    shown = measure if known is None else known.title
    grey = [method_title(name) for name in controls]
    return feature_curves(curves, ax=ax, measure=shown, title=title, controls=grey)


def curve_panels(
    results: Results,
    measure: str,
    *,
    controls: Collection[str] = (RANDOM, ALL_FEATURES),
) -> Any:
    """Plot the curves of every data set in a panel of its own.

    Parameters
    ----------
    results : Results
        Of one read-out and one threshold.
    measure : str
        Which measure.
    controls : collection of str, default=("random", "all-features")
        Methods drawn in grey.

    Returns
    -------
    matplotlib Figure
        One legend for all panels.
    """
    names = results.where(measure=measure).values["data"].unique()
    if not len(names):
        raise ValueError(f"There are no values of {measure!r}: choose another measure.")
    across = min(_ACROSS, len(names))
    down = -(-len(names) // across)
    figure = new_figure(_WIDTH * across, _HEIGHT * down + 0.5)
    axes = np.atleast_1d(figure.subplots(down, across, squeeze=False)).ravel()
    handles: dict[str, Any] = {}
    for name, ax in zip(names, axes, strict=False):
        part = results.where(data=name)
        result_curves(part, measure, ax=ax, title=str(name), controls=controls)
        ax.get_legend().remove()
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    for ax in axes[len(names) :]:
        ax.set_axis_off()
    legend = figure.legend(
        list(handles.values()), list(handles), loc="outside lower center",
        ncols=min(6, len(handles)), fontsize=8, frameon=False,
    )  # fmt: skip
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure


def result_ranks(ranks: MethodRanks, *, ax: Any = None, title: str = "") -> Any:
    """Plot average ranks over data sets, and which methods do not differ.

    Parameters
    ----------
    ranks : MethodRanks
        From ``labelsift.stats.rank_methods``.
    ax : matplotlib Axes or None, default=None
        Where to draw; None: a new figure.
    title : str, default=""
        Title of the plot.

    Returns
    -------
    matplotlib Axes
        The critical-difference diagram.
    """
    test = ranks.test
    if test is None:
        raise ValueError(
            f"{len(ranks.ranks)} methods on {ranks.n_blocks} data sets cannot be "
            "tested: a diagram needs three methods that differ and two data sets."
        )
    names = {method_title(name): rank for name, rank in test.ranks.items()}
    return critical_difference(names, test.critical_difference, ax=ax, title=title)
