# SPDX-License-Identifier: BSD-3-Clause
"""Which chosen feature serves which label, as a heat map."""

from typing import Any

import numpy as np

from labelsift.model_selection import Explanation
from labelsift.plots.curves import new_figure


def label_contributions(
    explanation: Explanation,
    *,
    ax: Any = None,
    title: str = "",
) -> Any:
    """Plot how much the error of each label rises without each chosen feature.

    A cell shows the contribution as a share of the label's error, and is blank where
    it is not above two standard errors.

    Parameters
    ----------
    explanation : Explanation
        What ``explain`` returns.
    ax : matplotlib Axes or None, default=None
        Where to draw; None: a new figure, as large as the features and labels need it.
    title : str, default=""
        Title of the plot.

    Returns
    -------
    matplotlib Axes
        Its ``figure`` saves it.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.model_selection import explain
    >>> from labelsift.plots import label_contributions
    >>> from labelsift.selection import GreedyRLS
    >>> traits = load_dataset("traits")
    >>> selector = GreedyRLS(8).fit(traits.X, traits.Y)
    >>> ax = label_contributions(explain(selector, traits.X, traits.Y))
    >>> ax.figure.savefig("contributions.png")  # doctest: +SKIP
    """
    rows = [explanation.feature_names[i] for i in explanation.features]
    labels = list(explanation.label_names)
    shares = np.full(explanation.contribution.shape, np.nan)
    serves = explanation.serves
    by_label = np.broadcast_to(explanation.label_error, shares.shape)
    shares[serves] = explanation.contribution[serves] / by_label[serves]
    if ax is None:
        ax = new_figure(2.8 + 0.4 * len(labels), 1.4 + 0.24 * len(rows)).subplots()
    image = ax.imshow(shares, cmap="YlOrRd", vmin=0, aspect="auto")
    for text in ax.set_yticks(range(len(rows)), rows, fontsize=7):
        text.label1.set_parse_math(False)
    for text in ax.set_xticks(range(len(labels)), labels, fontsize=7, rotation=90):
        text.label1.set_parse_math(False)
    bar = ax.figure.colorbar(image, ax=ax)
    bar.set_label("rise of the label's error without the feature", fontsize=7)
    bar.ax.tick_params(labelsize=7)
    ax.set_title(title, fontsize=10, parse_math=False)
    return ax
