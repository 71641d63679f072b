# SPDX-License-Identifier: BSD-3-Clause
"""One selection on tables that are larger than memory, from sums over their rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from labelsift.classification import BinaryRidge, MultiTargetRidge
from labelsift.core.memory_size import Size
from labelsift.core.selector import resolve_budget
from labelsift.experiment.all_rows import Selected
from labelsift.experiment.catalogue import CATALOGUE, Chosen, chosen_method
from labelsift.experiment.models import Model
from labelsift.model_selection.threshold import MIN_F1, scut_thresholds
from labelsift.prepare.table_batches import TableBatches
from labelsift.selection.greedy_rls.refit import prefix_gains
from labelsift.sums.fit import SumsSelector
from labelsift.sums.sums import Sums


class AllFiles:
    """Tables as sums: one pass serves every method that needs no more.

    Parameters
    ----------
    name : str
        How the user calls the tables.
    batches : TableBatches
        What reads them.
    target : str
        "labels" or "values".
    memory : int, str or None
        What the sums may take.
    """

    def __init__(
        self, name: str, batches: TableBatches, target: str, memory: Size = None
    ) -> None:
        self.name, self.kind, self._batches = name, target, batches
        self.feature_names = tuple(batches.names)
        self.label_names = tuple(batches.files.labels)
        self._sums = Sums(target=target, memory=memory)

    @property
    def n_features(self) -> int:
        """Columns of the tables that are used."""
        return len(self.feature_names)

    @property
    def total_rows(self) -> int | None:
        """Rows of all files, where they say so."""
        return self._batches.files.n_rows

    @property
    def n_labels(self) -> int:
        """Label columns."""
        return len(self.label_names)

    def method(self, name: str, parameters: dict[str, Any]) -> Chosen:
        """A method that needs only sums, with some parameters set."""
        chosen = chosen_method(name, "standard")
        estimator = chosen.estimator or CATALOGUE[name].make(self.n_labels)
        if not isinstance(estimator, SumsSelector):
            raise ValueError(
                f"{name} needs all rows in memory, and these tables are read in parts: "
                "use fisher, greedy-rls-gcv, greedy-fair, mt-lasso or csfs."
            )
        known = estimator.get_params(deep=False)
        for parameter in parameters:
            if parameter not in known:
                raise ValueError(
                    f"{name} has no parameter {parameter!r}: choose from "
                    f"{', '.join(sorted(known))}."
                )
        estimator = clone(estimator).set_params(**parameters)
        estimator._check_sums_options()
        return Chosen(chosen.spec, estimator)

    def read(self, on_rows: Callable[[int], None] | None = None) -> None:
        """Sum over all rows, in one pass."""
        self._sums.update_batches(self._batches(on_rows))

    @property
    def n_samples(self) -> int:
        """Rows that were read."""
        return self._sums.rows

    def select(self, chosen: Chosen, budget: int | float | None) -> Selected:
        """Fit a method, and rank columns by the first number made of each."""
        groups, estimator = self._batches.groups, chosen.estimator
        count = resolve_budget(budget, self.n_features)
        width = groups.width(count, False)
        fitted = clone(estimator).set_params(n_features_to_select=width)
        order = fitted.fit_sums(self._sums).feature_order_
        features = groups.first_appearance(order)[:count]
        columns = groups.outputs(features)
        steps = prefix_gains(self._sums, columns)
        ends = np.cumsum(groups.sizes[features])
        gains = [float(sum(part)) for part in np.split(steps, ends[:-1])]
        model = Model(count, "ridge", columns, None, BinaryRidge, groups=groups)
        return Selected(features.tolist(), gains, model)

    def readout(self, features: list[int]) -> dict[str, Any]:
        """What a selection file needs to predict: a ridge fit to all rows.

        Thresholds come from the sampled rows, which the fit has seen among all others.
        """
        places = np.sort(np.asarray(features, dtype=np.intp))
        columns = self._batches.groups.outputs(places)
        ridge: Any = MultiTargetRidge() if self.kind == "values" else BinaryRidge()
        ridge.fit_sums(self._sums.restricted(columns))
        names = [self.feature_names[i] for i in places]
        document = {
            "preparation": self._batches.preparation.to_document(only=names),
            "coef": ridge.coef_.tolist(),
            "intercept": ridge.intercept_.tolist(),
        }
        if self.kind == "labels":
            X, Y = self._batches.sample
            scores = X[:, columns] @ ridge.coef_.T + ridge.intercept_
            document["thresholds"] = _thresholds(scores, Y == 1).tolist()
        return document


def _thresholds(scores: NDArray[Any], present: NDArray[Any]) -> NDArray[np.float64]:
    """Where labels that the rows have are cut; others at 0."""
    thresholds, known = np.zeros(scores.shape[1]), present.any(axis=0)
    thresholds[known] = scut_thresholds(
        scores[:, known], present[:, known].astype(np.int8), MIN_F1
    )
    return thresholds
