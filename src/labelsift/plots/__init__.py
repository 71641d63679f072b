# SPDX-License-Identifier: BSD-3-Clause
"""Plots of comparisons, selections and labels; they need the extra ``plot``."""

from labelsift.plots.critical_difference import critical_difference
from labelsift.plots.curves import feature_curves
from labelsift.plots.label_contributions import label_contributions
from labelsift.plots.label_correlation import label_correlation
from labelsift.plots.label_space import label_space
from labelsift.plots.pixels import pixels
from labelsift.plots.result_plots import curve_panels, result_curves, result_ranks

__all__ = [
    "critical_difference",
    "curve_panels",
    "feature_curves",
    "label_contributions",
    "label_correlation",
    "label_space",
    "pixels",
    "result_curves",
    "result_ranks",
]
