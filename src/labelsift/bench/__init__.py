# SPDX-License-Identifier: BSD-3-Clause
"""Suites that regenerate papers' tables, and the comparison of methods on one set.

Both are the same mechanism: a plan of tasks, run once each, kept in a ledger.
"""

from labelsift.bench.compare import Comparison, compare
from labelsift.bench.driver import run_suite
from labelsift.bench.suite import list_suites, read_suite

__all__ = ["Comparison", "compare", "list_suites", "read_suite", "run_suite"]
