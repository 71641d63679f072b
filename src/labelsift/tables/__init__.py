# SPDX-License-Identifier: BSD-3-Clause
"""Results as tables of a paper, with ranks and tests; Markdown, LaTeX, CSV and HTML."""

from labelsift.tables.method_tests import pair_table, rank_frame, rank_table
from labelsift.tables.result_table import ResultTable, result_table

__all__ = ["ResultTable", "pair_table", "rank_frame", "rank_table", "result_table"]
