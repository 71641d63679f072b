# SPDX-License-Identifier: BSD-3-Clause
"""Statistical tests of differences between methods."""

from labelsift.stats.friedman_nemenyi import RankTest, friedman_nemenyi, statlog_ranks
from labelsift.stats.resampled_t import ResampledTest, corrected_resampled_t
from labelsift.stats.wilcoxon_holm import PairedTest, holm, wilcoxon_holm

__all__ = [
    "PairedTest",
    "RankTest",
    "ResampledTest",
    "corrected_resampled_t",
    "friedman_nemenyi",
    "holm",
    "statlog_ranks",
    "wilcoxon_holm",
]
