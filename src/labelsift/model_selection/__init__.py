# SPDX-License-Identifier: BSD-3-Clause
"""Splits, thresholds and grid search with shared work."""

from labelsift.model_selection.explain import explain
from labelsift.model_selection.explanation import Explanation
from labelsift.model_selection.knockoff_selector import KnockoffSelector
from labelsift.model_selection.path import PathSearchCV
from labelsift.model_selection.protocol import make_splits
from labelsift.model_selection.saved_selection import (
    SavedSelection,
    load_selection,
    save_selection,
)
from labelsift.model_selection.split import (
    IterativeStratifiedKFold,
    LabelCoverageSplit,
)
from labelsift.model_selection.split_file import read_splits, write_splits
from labelsift.model_selection.stability_selection import StabilitySelection
from labelsift.model_selection.threshold import ThresholdedClassifier

__all__ = [
    "Explanation",
    "IterativeStratifiedKFold",
    "KnockoffSelector",
    "LabelCoverageSplit",
    "PathSearchCV",
    "SavedSelection",
    "StabilitySelection",
    "ThresholdedClassifier",
    "explain",
    "load_selection",
    "make_splits",
    "read_splits",
    "save_selection",
    "write_splits",
]
