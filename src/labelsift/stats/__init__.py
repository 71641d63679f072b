# SPDX-License-Identifier: BSD-3-Clause
"""Which differences between methods are more than chance."""

from labelsift.stats.effect_size import Shift, hodges_lehmann, rank_biserial
from labelsift.stats.friedman_nemenyi import RankTest, friedman_nemenyi, statlog_ranks
from labelsift.stats.resampled_t import ResampledTest, corrected_resampled_t
from labelsift.stats.wilcoxon_holm import PairedTest, holm, wilcoxon_holm

__all__ = [
    "PairedTest",
    "RankTest",
    "ResampledTest",
    "Shift",
    "corrected_resampled_t",
    "friedman_nemenyi",
    "hodges_lehmann",
    "holm",
    "rank_biserial",
    "statlog_ranks",
    "wilcoxon_holm",
]
