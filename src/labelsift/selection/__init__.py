# SPDX-License-Identifier: BSD-3-Clause
"""Feature selectors for many labels; one file per method."""

from labelsift.core.base import BaseSelector
from labelsift.selection.cmlfs import CMLFS, MLFS
from labelsift.selection.fisher import FisherScore
from labelsift.selection.random_ranking import RandomRanking
from labelsift.selection.rlefs import RLEFS

__all__ = ["CMLFS", "METHODS", "MLFS", "RLEFS", "FisherScore", "RandomRanking"]

# What a method is called on the command line and in result tables.
METHODS: dict[str, type[BaseSelector]] = {
    "cmlfs": CMLFS,
    "fisher": FisherScore,
    "mlfs": MLFS,
    "random": RandomRanking,
    "rlefs": RLEFS,
}
