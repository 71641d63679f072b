# SPDX-License-Identifier: BSD-3-Clause
"""From rows to pictures and pages; knows nothing of how rows were made."""

from labelsift.report.page import write_page
from labelsift.report.page_data import PageData
from labelsift.report.page_exports import write_curves, write_figure, write_selection

__all__ = [
    "PageData",
    "write_curves",
    "write_figure",
    "write_page",
    "write_selection",
]
