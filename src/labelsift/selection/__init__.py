# SPDX-License-Identifier: BSD-3-Clause
"""Feature selectors for many labels; one file per method."""

from labelsift.core.base import BaseSelector
from labelsift.selection.csfs import CSFS
from labelsift.selection.fisher import FisherScore
from labelsift.selection.mifs import MIFS
from labelsift.selection.ralm import RALMFS
from labelsift.selection.random_ranking import RandomRanking
from labelsift.selection.rfs import RFS
from labelsift.selection.rlefs import RLEFS
from labelsift.selection.sfus import SFUS

__all__ = [
    "CSFS",
    "METHODS",
    "MIFS",
    "RALMFS",
    "RFS",
    "RLEFS",
    "SFUS",
    "FisherScore",
    "RandomRanking",
]

# What a method is called on the command line and in result tables.
METHODS: dict[str, type[BaseSelector]] = {
    "csfs": CSFS,
    "fisher": FisherScore,
    "mifs": MIFS,
    "ralm": RALMFS,
    "random": RandomRanking,
    "rfs": RFS,
    "rlefs": RLEFS,
    "sfus": SFUS,
}
