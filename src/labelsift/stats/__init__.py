# SPDX-License-Identifier: BSD-3-Clause
"""Statistical tests of differences between methods."""

from labelsift.stats.effect_size import Shift, hodges_lehmann, rank_biserial
from labelsift.stats.friedman_nemenyi import (
    RankTest,
    average_ranks,
    friedman_nemenyi,
    statlog_ranks,
)
from labelsift.stats.method_blocks import (
    MethodBlocks,
    MethodRanks,
    compare_methods,
    method_blocks,
    rank_methods,
)
from labelsift.stats.resampled_t import ResampledTest, corrected_resampled_t
from labelsift.stats.wilcoxon_holm import PairedTest, holm, wilcoxon_holm

__all__ = [
    "MethodBlocks",
    "MethodRanks",
    "PairedTest",
    "RankTest",
    "ResampledTest",
    "Shift",
    "average_ranks",
    "compare_methods",
    "corrected_resampled_t",
    "friedman_nemenyi",
    "hodges_lehmann",
    "holm",
    "method_blocks",
    "rank_biserial",
    "rank_methods",
    "statlog_ranks",
    "wilcoxon_holm",
]
