# SPDX-License-Identifier: BSD-3-Clause
"""From a raw table to numbers, and what is doubtful about it."""

from labelsift.prepare.doubts import Doubt, doubts
from labelsift.prepare.table_preparation import TablePreparation

__all__ = ["Doubt", "TablePreparation", "doubts"]
