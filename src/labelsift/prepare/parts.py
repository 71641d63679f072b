# SPDX-License-Identifier: BSD-3-Clause
"""The preparation on its way into folds: kinds from all rows, all else from a part."""

import json
from typing import Any, NamedTuple

from numpy.typing import NDArray
from sklearn.base import clone

from labelsift.core.cells import take_rows
from labelsift.core.data import MultiLabelData
from labelsift.datasets.columns import keep_features
from labelsift.prepare.groups import Groups
from labelsift.prepare.kinds import WHY
from labelsift.prepare.table_preparation import TablePreparation


class Part(NamedTuple):
    """Training and test rows as numbers, and which columns belong together."""

    X: NDArray[Any]
    X_test: NDArray[Any]
    groups: Groups | None
    preparation: TablePreparation | None = None


def parameters_text(preparation: TablePreparation) -> str:
    """The parameters of a preparation as text, for the key of a task."""
    params = preparation.get_params()
    params |= {"kinds": dict(params["kinds"] or {}), "missing": list(params["missing"])}
    return json.dumps(params, sort_keys=True, allow_nan=False)


def from_parameters_text(text: str) -> TablePreparation:
    """An unfitted preparation with the parameters that a text tells."""
    return TablePreparation(**json.loads(text))


class Usable(NamedTuple):
    """A table without the columns that are left out.

    ``preparation`` is not fitted and knows the kinds of the columns; ``whole`` is
    fitted on all rows.
    """

    data: MultiLabelData
    preparation: TablePreparation
    whole: TablePreparation


def usable(data: MultiLabelData, preparation: TablePreparation) -> Usable:
    """Data with the columns that are used, and what prepares any part of its rows.

    The preparation is fitted on all rows to find the kinds of the columns: what a
    column holds is no secret of the test rows. Medians, means and values are learned
    again from the training rows.
    """
    whole = preparation.fit(data.frame)
    if not whole.group_names_:
        entry = whole.columns_[0]
        raise ValueError(
            f"{data.name} has no column that can be used: all {len(whole.columns_)} "
            f"are left out, {entry['name']!r} for one ({WHY[entry['why']]})."
        )
    used = set(whole.group_names_)
    places = [i for i, name in enumerate(data.feature_names) if name in used]
    kinds = {c["name"]: c["kind"] for c in whole.columns_ if c["name"] in used}
    told = TablePreparation(**{**preparation.get_params(), "kinds": kinds})
    return Usable(keep_features(data, places), told, whole)


def split_table_rows(
    data: MultiLabelData, preparation: TablePreparation, train: Any, test: Any
) -> Part:
    """Fit on the training rows, by their weights; both parts as numbers."""
    known = take_rows(data.frame, train)
    weights = None if data.weights is None else data.weights[train]
    fitted = clone(preparation).fit(known, sample_weight=weights)
    X_test = fitted.transform(take_rows(data.frame, test))
    groups = Groups(fitted.groups_, fitted.get_feature_names_out().tolist())
    return Part(fitted.transform(known), X_test, groups, fitted)
