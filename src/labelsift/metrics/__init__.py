# SPDX-License-Identifier: BSD-3-Clause
"""Multi-label measures."""

from labelsift.metrics.catalogue import MEASURES, Measure, evaluate
from labelsift.metrics.label_sets import (
    accuracy,
    hamming_loss,
    macro_f1,
    micro_f1,
    zero_one_loss,
)
from labelsift.metrics.nogueira import Stability, stability
from labelsift.metrics.rankings import coverage, macro_auc, one_error, ranking_loss
from labelsift.metrics.scoring import scorer

__all__ = [
    "MEASURES",
    "Measure",
    "Stability",
    "accuracy",
    "coverage",
    "evaluate",
    "hamming_loss",
    "macro_auc",
    "macro_f1",
    "micro_f1",
    "one_error",
    "ranking_loss",
    "scorer",
    "stability",
    "zero_one_loss",
]
