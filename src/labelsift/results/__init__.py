# SPDX-License-Identifier: BSD-3-Clause
"""What runs gave."""

from labelsift.results.schema import Record, StoreError
from labelsift.results.store import ResultStore

__all__ = ["Record", "ResultStore", "StoreError"]
