# SPDX-License-Identifier: BSD-3-Clause
"""What runs have found, and what may be said about it."""

from labelsift.results.recommend import LevelMethod, Recommendation, recommend
from labelsift.results.resampled_t import PairedTest, corrected_resampled_t

__all__ = [
    "LevelMethod",
    "PairedTest",
    "Recommendation",
    "corrected_resampled_t",
    "recommend",
]
