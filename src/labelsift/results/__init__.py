# SPDX-License-Identifier: BSD-3-Clause
"""What runs gave, what papers printed, and what may be said about it.

``store`` is the ledger of runs; ``published`` holds the numbers of the papers' tables;
``stats`` and ``resampled_t`` say which differences between methods are more than
chance, ``bootstrap`` how sure a difference is, and ``recommend`` turns values into an
answer.
"""

from labelsift.results.bootstrap import MeanDifference, bootstrap_difference
from labelsift.results.published import PAPERS, PublishedCell, published_cells
from labelsift.results.recommend import recommend
from labelsift.results.recommendation import FewerFeatures, LevelMethod, Recommendation
from labelsift.results.resampled_t import ResampledTest, corrected_resampled_t
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
    "FewerFeatures",
    "LevelMethod",
    "MeanDifference",
    "PairedTest",
    "PublishedCell",
    "RankTest",
    "Recommendation",
    "Record",
    "ResampledTest",
    "ResultStore",
    "StoreError",
    "bootstrap_difference",
    "corrected_resampled_t",
    "friedman_nemenyi",
    "holm",
    "published_cells",
    "recommend",
    "statlog_ranks",
    "wilcoxon_holm",
]
