# SPDX-License-Identifier: BSD-3-Clause
"""What follows from the kind of Y, labels or values: the one place that says it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from labelsift.core.data import MultiLabelData
from labelsift.core.labels import signed_labels, standardised
from labelsift.metrics import r2
from labelsift.metrics.catalogue import BUILT_IN, BUILT_IN_VALUES
from labelsift.metrics.curves import label_areas
from labelsift.model_selection.saved_readout import ridge_readout, ridge_values
from labelsift.model_selection.split import IterativeStratifiedKFold

Y = NDArray[Any]


@dataclass(frozen=True)
class TargetKind:
    """Measures, folds and words for one kind of Y.

    Parameters
    ----------
    name : {"labels", "values"}
        As in ``MultiLabelData.target``.
    one, many : str
        What a column of Y is called.
    measures : tuple of str
        Measured where nobody asks for others.
    metric : str
        What an answer is about where nobody asks for another.
    quality, chance : str, float
        What is told of each column of Y, and its value where nothing is known.
    of_each : callable
        ``of_each(Y_true, scores, weights)``: the quality of each column, NaN where
        undefined; scores of shape (..., n_samples, n_columns).
    thresholds : tuple of str
        Where labels are cut from scores.
    protocol : str
        The kind of protocol that a number of folds means.
    folds : callable
        ``folds(count, seed)`` makes a splitter.
    codes : callable
        ``codes(Y, weights)``: Y as a ridge regression takes it.
    saved : callable
        ``saved(X, Y, weights)``: the model that goes into a selection file.
    nothing_to_learn : str
        Where every column of Y is constant.
    complete : bool
        Whether every entry of Y is known.
    """

    name: str
    one: str
    many: str
    measures: tuple[str, ...]
    metric: str
    quality: str
    chance: float
    of_each: Callable[[Y, Y, Any], NDArray[np.float64]]
    thresholds: tuple[str, ...]
    protocol: str
    folds: Callable[[int, int], Any]
    codes: Callable[[Y, Any], NDArray[np.float64]]
    saved: Callable[[Any, Y, Any], dict[str, Any]]
    nothing_to_learn: str
    complete: bool = True


def _stratified(count: int, seed: int) -> Any:
    return IterativeStratifiedKFold(count, random_state=seed)


def _plain(count: int, seed: int) -> Any:
    return KFold(count, shuffle=True, random_state=seed)


def _areas(truth: Y, scores: Y, weights: Any) -> NDArray[np.float64]:
    return label_areas(truth != 0, scores, weights=weights)


def _known_areas(truth: Y, scores: Y, weights: Any) -> NDArray[np.float64]:
    return label_areas(truth == 1, scores, ~np.isnan(truth), weights)


def _shares(truth: Y, predicted: Y, weights: Any) -> NDArray[np.float64]:
    layers = predicted.reshape(-1, *truth.shape)
    each = [r2(truth, one, sample_weight=weights, per_target=True) for one in layers]
    return np.reshape(each, (*predicted.shape[:-2], -1))


LABELS = TargetKind(
    "labels",
    one="label",
    many="labels",
    measures=BUILT_IN[: BUILT_IN.index("lowest_tenth_auc") + 1],
    metric="macro_auc",
    quality="AUC",
    chance=0.5,
    of_each=_areas,
    thresholds=("left-out",),
    protocol="stratified",
    folds=_stratified,
    codes=lambda Y, weights: signed_labels(Y),
    saved=ridge_readout,
    nothing_to_learn="No label has both values, so that nothing can be learned: check "
    "which columns are labels.",
)
VALUES = TargetKind(
    "values",
    one="target",
    many="targets",
    measures=BUILT_IN_VALUES,
    metric="r2",
    quality="R²",
    chance=0.0,
    of_each=_shares,
    thresholds=(),
    protocol="folds",
    folds=_plain,
    codes=standardised,
    saved=ridge_values,
    nothing_to_learn="Every target holds one value, so that nothing can be learned: "
    "check which columns are targets.",
)
# Where entries are NaN: thresholds would be learned from complete labels.
KNOWN_LABELS = replace(
    LABELS,
    of_each=_known_areas,
    thresholds=("zero",),
    complete=False,
)
KNOWN_VALUES = replace(VALUES, complete=False)
# By ``MultiLabelData.kind``.
KINDS = {
    "labels": LABELS,
    "values": VALUES,
    "known labels": KNOWN_LABELS,
    "known values": KNOWN_VALUES,
}


def strata(data: MultiLabelData) -> NDArray[Any]:
    """Labels by which folds are stratified: one that is unknown counts as absent."""
    return data.Y if KINDS[data.kind].complete else data.Y == 1


def check_measures(measures: Sequence[Any], kind: TargetKind) -> None:
    """Refuse measures of the other kind, in one sentence."""
    for measure in measures:
        if measure.judges != kind.name:
            raise ValueError(
                f"measure {measure.name!r} judges {measure.judges}, but Y holds "
                f"{kind.name}: choose from {', '.join(kind.measures)}."
            )
