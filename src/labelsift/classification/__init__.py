# SPDX-License-Identifier: BSD-3-Clause
"""Multi-label classifiers that score labels: the read-outs of every comparison."""

from labelsift.classification.binary_relevance import BinarySVM
from labelsift.classification.label_scorer import LabelScorer
from labelsift.classification.larank_svm import CLaRankSVM, LaRankSVM
from labelsift.classification.mlknn import MLkNN
from labelsift.classification.ridge import BinaryRidge, MultiTargetRidge

__all__ = [
    "BinaryRidge",
    "BinarySVM",
    "CLaRankSVM",
    "LaRankSVM",
    "LabelScorer",
    "MLkNN",
    "MultiTargetRidge",
]
