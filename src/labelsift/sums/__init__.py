# SPDX-License-Identifier: BSD-3-Clause
"""What a method needs of the rows, as small objects that add up over blocks."""

from labelsift.sums.counts import Counts
from labelsift.sums.sums import Sums

__all__ = ["Counts", "Sums"]
