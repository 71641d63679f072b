# SPDX-License-Identifier: BSD-3-Clause
"""How well each label is served: the AUC behind the mean over labels."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from labelsift.compare.setup import Setup
from labelsift.core.text import short
from labelsift.experiment.catalogue import ALL_FEATURES
from labelsift.prepare import Doubt
from labelsift.prepare.doubts.folds import fold_doubts
from labelsift.stats.resampled_t import corrected_resampled_t

_LONGEST_NAME = 60


class WorstLabel(NamedTuple):
    """The label with the lowest AUC, with the chosen and with all features.

    ``with_all`` is NaN where all features were not measured.
    """

    name: str
    auc: float
    with_all: float

    @property
    def sentence(self) -> str:
        """For the line behind the answer."""
        known = self.with_all == self.with_all
        whole = f" ({self.with_all:.3f} with all features)" if known else ""
        name = short(self.name, _LONGEST_NAME)
        return f"The label that is served worst is {name}: AUC {self.auc:.3f}{whole}."


def mean_label_auc(artifacts: pd.DataFrame) -> pd.DataFrame:
    """AUC of every label (columns) by method and budget; the mean over the splits.

    NaN where no split knows it.
    """
    rows = artifacts[artifacts["name"] == "label_auc"]
    index = pd.MultiIndex.from_frame(rows[["method", "budget"]])
    table = pd.DataFrame(rows["value"].tolist(), index=index, dtype=float)
    return table.groupby(level=["method", "budget"]).mean()


def worst_label(
    label_auc: pd.DataFrame, names: Sequence[str], answer: Any
) -> WorstLabel | None:
    """The label that the recommended features serve worst; None where none is known."""
    chosen = None if answer is None else (answer.method, answer.budget)
    if chosen not in label_auc.index or label_auc.loc[chosen].isna().all():
        return None
    label = int(label_auc.loc[chosen].idxmin())
    whole = float("nan")
    if ALL_FEATURES in label_auc.index:
        whole = float(label_auc.loc[ALL_FEATURES].iloc[0][label])
    return WorstLabel(names[label], float(label_auc.loc[chosen][label]), whole)


def label_doubts(
    setup: Setup, artifacts: pd.DataFrame, answer: Any
) -> tuple[Doubt, ...]:
    """Labels that nothing predicts, and those that the answer leaves behind."""

    def p_value(differences: Any) -> float:
        return corrected_resampled_t(differences, setup.test_over_train).p_greater

    names, chosen = setup.data.label_names, (answer.method, answer.budget)
    return fold_doubts(artifacts, names, *chosen, p_value)
