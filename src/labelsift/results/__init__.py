# SPDX-License-Identifier: BSD-3-Clause
"""What runs gave, what papers printed, and the tests that compare them."""

from labelsift.results.published import PAPERS, PublishedCell, published_cells

__all__ = ["PAPERS", "PublishedCell", "published_cells"]
