# SPDX-License-Identifier: BSD-3-Clause
"""Feature selectors for many labels; one file per method."""

from labelsift.core.base import BaseSelector
from labelsift.selection.fisher import FisherScore
from labelsift.selection.greedy_rls import GreedyRLS
from labelsift.selection.random_ranking import RandomRanking
from labelsift.selection.rlefs import RLEFS

__all__ = ["METHODS", "RLEFS", "FisherScore", "GreedyRLS", "RandomRanking"]

# What a method is called on the command line and in result tables.
METHODS: dict[str, type[BaseSelector]] = {
    "fisher": FisherScore,
    "greedy-rls": GreedyRLS,
    "random": RandomRanking,
    "rlefs": RLEFS,
}
