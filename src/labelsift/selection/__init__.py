# SPDX-License-Identifier: BSD-3-Clause
"""Feature selectors for many labels; one file per method."""

from labelsift.core.base import BaseSelector
from labelsift.selection.fisher import FisherScore
from labelsift.selection.lrfs import LRFS
from labelsift.selection.mdmr import MDMR
from labelsift.selection.mrmr import MRMR
from labelsift.selection.mt_lasso import MTLasso
from labelsift.selection.ppt import PPT
from labelsift.selection.random_ranking import RandomRanking
from labelsift.selection.rlefs import RLEFS

__all__ = [
    "METHODS",
    "FisherScore",
    "LRFS",
    "MDMR",
    "MRMR",
    "MTLasso",
    "PPT",
    "RLEFS",
    "RandomRanking",
]

# What a method is called on the command line and in result tables.
METHODS: dict[str, type[BaseSelector]] = {
    "fisher": FisherScore,
    "lrfs": LRFS,
    "mdmr": MDMR,
    "mrmr": MRMR,
    "mt-lasso": MTLasso,
    "ppt": PPT,
    "random": RandomRanking,
    "rlefs": RLEFS,
}
