# SPDX-License-Identifier: BSD-3-Clause
"""Tables of any size as batches of numbers, prepared as a sample of their rows says."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.datasets.table_files import TableFiles
from labelsift.prepare.groups import Groups
from labelsift.prepare.kinds import WHY
from labelsift.prepare.table_preparation import TablePreparation


class TableBatches:
    """Batches of what a preparation makes of tables, with their labels.

    The preparation (kinds of columns, medians, means, values of categories) is fitted
    on rows that are spread over all files, and applied to every row.

    Parameters
    ----------
    files : TableFiles
        The tables.
    preparation : TablePreparation or None
        Unfitted; None: the columns are numbers already, which are standardised.

    Attributes
    ----------
    preparation : TablePreparation
        Fitted.
    sample : tuple of ndarray
        The sampled rows as numbers, and their labels.
    names : list of str
        The columns of the tables that are used.
    groups : Groups
        Which numbers were made of each of them.
    left_out : list of dict
        The columns that are not used, with the reason.
    rows : int
        Rows read so far.
    """

    def __init__(self, files: TableFiles, preparation: TablePreparation | None) -> None:
        self.files, self.rows = files, 0
        if preparation is None:
            kinds = dict.fromkeys(files.features, "number")
            preparation = TablePreparation(None, kinds=kinds)
        features, labels = files.sample(preparation.missing)
        self.preparation = preparation.fit(features)
        self.names = self.preparation.group_names_
        self.left_out = [c for c in self.preparation.columns_ if c["kind"] == "drop"]
        if not self.names:
            entry = self.left_out[0]
            raise ValueError(
                f"{files.paths[0]} has no column that can be used: all "
                f"{len(self.left_out)} are left out, {entry['name']!r} for one "
                f"({WHY[entry['why']]})."
            )
        outputs = self.preparation.get_feature_names_out().tolist()
        self.groups = Groups(self.preparation.groups_, outputs)
        self.sample = self._numbers(features, labels)

    def __call__(
        self, on_rows: Callable[[int], None] | None = None
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Yield all batches; ``on_rows`` is told how many rows were read."""
        made, self.rows = self.preparation, 0
        numbers = [c["name"] for c in made.columns_ if c["kind"] == "number"]
        for features, labels in self.files.batches(numbers, made.missing):
            yield self._numbers(features, labels)
            self.rows += len(features)
            if on_rows is not None:
                on_rows(self.rows)

    def _numbers(self, features: Any, labels: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        X = self.preparation.transform(features, only=self.names)
        text = [n for n in labels.columns if labels[n].dtype.kind not in "biuf"]
        if text:
            raise ValueError(
                f"Label column {text[0]!r} holds no numbers: write 0/1, or the values."
            )
        return X, np.asarray(labels)
