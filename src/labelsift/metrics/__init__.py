# SPDX-License-Identifier: BSD-3-Clause
"""Measures of predicted labels, scores and values."""

from labelsift.metrics.areas import lowest_tenth_auc, macro_auc, worst_auc
from labelsift.metrics.catalogue import (
    EVERY_MEASURE,
    MEASURES,
    VALUE_MEASURES,
    Measure,
    evaluate,
)
from labelsift.metrics.label_sets import (
    accuracy,
    example_f1,
    hamming_loss,
    macro_f1,
    micro_f1,
    subset_accuracy,
    zero_one_loss,
)
from labelsift.metrics.nogueira import Stability, stability
from labelsift.metrics.precision import (
    macro_average_precision,
    micro_average_precision,
)
from labelsift.metrics.rankings import coverage, one_error, ranking_loss
from labelsift.metrics.scoring import scorer
from labelsift.metrics.values import mae, r2, rmse, spearman

__all__ = [
    "EVERY_MEASURE",
    "MEASURES",
    "VALUE_MEASURES",
    "Measure",
    "Stability",
    "accuracy",
    "coverage",
    "evaluate",
    "example_f1",
    "hamming_loss",
    "lowest_tenth_auc",
    "macro_auc",
    "macro_average_precision",
    "macro_f1",
    "mae",
    "micro_average_precision",
    "micro_f1",
    "one_error",
    "r2",
    "ranking_loss",
    "rmse",
    "scorer",
    "spearman",
    "stability",
    "subset_accuracy",
    "worst_auc",
    "zero_one_loss",
]
