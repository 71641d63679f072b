# SPDX-License-Identifier: BSD-3-Clause
"""From rows to pictures and pages; knows nothing of how rows were made."""

from labelsift.report.critical_difference import draw_critical_difference
from labelsift.report.feature_curve import draw_feature_curve
from labelsift.report.label_correlation import draw_label_correlation
from labelsift.report.label_space import draw_label_space
from labelsift.report.page import write_page
from labelsift.report.page_data import PageData
from labelsift.report.page_exports import write_curves, write_figure, write_selection
from labelsift.report.pixels import draw_pixels

__all__ = [
    "PageData",
    "draw_critical_difference",
    "draw_feature_curve",
    "draw_label_correlation",
    "draw_label_space",
    "draw_pixels",
    "write_curves",
    "write_figure",
    "write_page",
    "write_selection",
]
