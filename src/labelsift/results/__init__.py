# SPDX-License-Identifier: BSD-3-Clause
"""What runs gave, what papers printed, and the tests that compare them.

``store`` is the ledger of runs; ``published`` holds the numbers of the papers' tables;
``stats`` says which differences between methods are more than chance, and ``bootstrap``
how sure a difference is.
"""

from labelsift.results.bootstrap import MeanDifference, bootstrap_difference
from labelsift.results.published import PAPERS, PublishedCell, published_cells
from labelsift.results.schema import Record, StoreError
from labelsift.results.stats import (
    PairedTest,
    RankTest,
    friedman_nemenyi,
    holm,
    statlog_ranks,
    wilcoxon_holm,
)
from labelsift.results.store import ResultStore

__all__ = [
    "PAPERS",
    "MeanDifference",
    "PairedTest",
    "PublishedCell",
    "RankTest",
    "Record",
    "ResultStore",
    "StoreError",
    "bootstrap_difference",
    "friedman_nemenyi",
    "holm",
    "published_cells",
    "statlog_ranks",
    "wilcoxon_holm",
]
