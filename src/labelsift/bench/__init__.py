# SPDX-License-Identifier: BSD-3-Clause
"""Suites that regenerate the tables and figures of papers.

A suite is a TOML file (``suite_file`` reads it into a ``suite``), ``plan`` gives its
tasks, ``labelsift.experiment`` runs them. ``comparison_with_paper`` joins our values to
the ``published`` ones, ``tables`` and ``document`` write the report.
"""

from labelsift.bench.published import published_cells
from labelsift.bench.suite_file import list_suites, read_suite
from labelsift.bench.suite_result import SuiteResult, run_suite

__all__ = [
    "SuiteResult",
    "list_suites",
    "published_cells",
    "read_suite",
    "run_suite",
]
