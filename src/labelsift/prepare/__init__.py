# SPDX-License-Identifier: BSD-3-Clause
"""From a raw table to numbers."""

from labelsift.prepare.table_preparation import TablePreparation

__all__ = ["TablePreparation"]
