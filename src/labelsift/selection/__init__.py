# SPDX-License-Identifier: BSD-3-Clause
"""Feature selectors for many labels; one file per method."""

from labelsift.core.base import BaseSelector
from labelsift.selection.cmlfs import CMLFS, MLFS
from labelsift.selection.csfs import CSFS
from labelsift.selection.d2f import D2F
from labelsift.selection.fimf import FIMF
from labelsift.selection.fisher import FisherScore
from labelsift.selection.greedy_rls import GreedyRLS
from labelsift.selection.grro import GRRO
from labelsift.selection.hsic import HSICRanking
from labelsift.selection.importance import ImportanceSelector
from labelsift.selection.lrfs import LRFS
from labelsift.selection.mdfs import MDFS
from labelsift.selection.mdmr import MDMR
from labelsift.selection.mifs import MIFS
from labelsift.selection.mrmr import MRMR
from labelsift.selection.mt_lasso import MTLasso
from labelsift.selection.pmu import PMU
from labelsift.selection.ppt import PPT
from labelsift.selection.ralm import RALMFS
from labelsift.selection.random_ranking import RandomRanking
from labelsift.selection.relief_ml import ReliefML
from labelsift.selection.rfs import RFS
from labelsift.selection.rfsfs import RFSFS
from labelsift.selection.rlefs import RLEFS
from labelsift.selection.scls import SCLS
from labelsift.selection.sfus import SFUS

__all__ = [
    "CMLFS",
    "CSFS",
    "D2F",
    "FIMF",
    "GRRO",
    "LRFS",
    "MDFS",
    "MDMR",
    "METHODS",
    "MIFS",
    "MLFS",
    "MRMR",
    "PMU",
    "PPT",
    "RALMFS",
    "RFS",
    "RFSFS",
    "RLEFS",
    "SCLS",
    "SFUS",
    "FisherScore",
    "GreedyRLS",
    "HSICRanking",
    "ImportanceSelector",
    "MTLasso",
    "RandomRanking",
    "ReliefML",
]

# Names of the methods on the command line and in result tables.
METHODS: dict[str, type[BaseSelector]] = {
    "cmlfs": CMLFS,
    "csfs": CSFS,
    "d2f": D2F,
    "fimf": FIMF,
    "fisher": FisherScore,
    "greedy-rls": GreedyRLS,
    "importance": ImportanceSelector,
    "grro": GRRO,
    "hsic": HSICRanking,
    "lrfs": LRFS,
    "mdfs": MDFS,
    "mdmr": MDMR,
    "mifs": MIFS,
    "mlfs": MLFS,
    "mrmr": MRMR,
    "mt-lasso": MTLasso,
    "pmu": PMU,
    "ppt": PPT,
    "ralm": RALMFS,
    "random": RandomRanking,
    "relief-ml": ReliefML,
    "rfs": RFS,
    "rfsfs": RFSFS,
    "rlefs": RLEFS,
    "scls": SCLS,
    "sfus": SFUS,
}
