# SPDX-License-Identifier: BSD-3-Clause
"""Plots of comparisons, selections and labels; they need the extra ``plot``."""

from typing import TYPE_CHECKING

from labelsift.core.lazy import export_lazily

if TYPE_CHECKING:
    from labelsift.plots.critical_difference import critical_difference
    from labelsift.plots.curves import feature_curves
    from labelsift.plots.label_correlation import label_correlation
    from labelsift.plots.label_space import label_space
    from labelsift.plots.pixels import pixels

__all__ = [
    "critical_difference",
    "feature_curves",
    "label_correlation",
    "label_space",
    "pixels",
]

export_lazily(
    __name__,
    {
        "critical_difference": ("critical_difference",),
        "curves": ("feature_curves",),
        "label_correlation": ("label_correlation",),
        "label_space": ("label_space",),
        "pixels": ("pixels",),
    },
)
