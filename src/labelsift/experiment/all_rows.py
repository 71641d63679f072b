# SPDX-License-Identifier: BSD-3-Clause
"""All rows as a selector sees them in a comparison: the same numbers, one fit."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone

from labelsift.core.data import MultiLabelData
from labelsift.core.selector import resolve_budget
from labelsift.datasets.frame import as_numbers
from labelsift.experiment.catalogue import CATALOGUE
from labelsift.experiment.inputs import SCALES, default_scale, scaled
from labelsift.prepare import TablePreparation
from labelsift.prepare.groups import Choice, Groups, grouped_choices
from labelsift.prepare.parts import split_table_rows, usable
from labelsift.prepare.scaling import affine_preparation, scaler_numbers


class AllRows:
    """Data prepared and scaled for a method, with what brings other data there.

    Parameters
    ----------
    data : MultiLabelData
        A table, or numbers.
    method : str
        A name in the catalogue, which may need a scaling of its own.
    preparation : TablePreparation or None
        Of a table; None: its columns are numbers already.

    Attributes
    ----------
    data : MultiLabelData
        With the columns that are used.
    left_out : list of dict
        Columns of a table that are not, with the reason.
    X : ndarray or csr_array
        What the method is fitted on.
    groups : Groups or None
        Which columns of X were made of the same column of a table.
    """

    def __init__(
        self, data: MultiLabelData, method: str, preparation: TablePreparation | None
    ) -> None:
        self.left_out: list[dict[str, Any]] = []
        self.groups: Groups | None = None
        self._made: TablePreparation | None = None
        if data.frame is None or preparation is None:
            self.data = as_numbers(data)
            X = self.data.X
        else:
            self.data, self._made, whole = usable(data, preparation)
            self.left_out = [c for c in whole.columns_ if c["kind"] == "drop"]
            rows = np.arange(data.n_samples)
            X, _, self.groups = split_table_rows(self.data, self._made, rows, rows[:0])
        self._scale = CATALOGUE[method].scale or default_scale(self.data)
        self._unscaled = X
        self.X = scaled(X, X[:0], self._scale)[0]

    def choose(self, selector: Any, budget: int | float | None) -> tuple[Any, Choice]:
        """Fit a selector; itself and the columns of the data that it chose."""
        if self.groups is None:
            fitted = selector.set_params(n_features_to_select=budget)
            fitted = fitted.fit(self.X, self.data.Y)
            order = fitted.feature_order_[: fitted.n_features_]
            return fitted, Choice(order, fitted.scores_[order])
        count = resolve_budget(budget, len(self.groups))
        made = clone(selector)
        return selector, next(
            grouped_choices(made, [count], self.X, self.data.Y, self.groups)
        )

    def preparation(self, columns: NDArray[np.intp]) -> TablePreparation | None:
        """What makes the same numbers of other data, for some columns."""
        places = np.sort(columns)
        names = [self.data.feature_names[i] for i in places]
        if self._made is not None:
            return TablePreparation.from_document(self._made.to_document(only=names))
        if self._scale == "none":
            return None
        [scaler] = SCALES[self._scale](sp.issparse(self._unscaled))
        scaler.fit(self._unscaled[:, places])
        return affine_preparation(names, *scaler_numbers(scaler, len(places)))
