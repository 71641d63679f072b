# SPDX-License-Identifier: BSD-3-Clause
"""Suites that regenerate the tables and figures of papers.

A suite is a TOML file (``suite_file`` reads it into a ``suite``), ``plan`` gives its
tasks, ``runs`` has ``labelsift.experiment`` run them. ``comparison_with_paper`` joins
our values to the ``published`` ones, ``tables`` makes sections of a report of them.
"""

from labelsift.bench.published import published_cells
from labelsift.bench.runs import run_suite
from labelsift.bench.suite_file import list_suites, read_suite
from labelsift.bench.suite_result import SuiteResult

__all__ = [
    "SuiteResult",
    "list_suites",
    "published_cells",
    "read_suite",
    "run_suite",
]
