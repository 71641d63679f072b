# SPDX-License-Identifier: BSD-3-Clause
"""The setup of a comparison: checked, completed, and expanded into tasks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.budget import counts_of
from labelsift.core.data import MultiLabelData
from labelsift.core.text import clean
from labelsift.experiment.catalogue import (
    ALL_FEATURES,
    CATALOGUE,
    RANDOM,
    code_of,
    readout_code,
)
from labelsift.experiment.inputs import default_scale
from labelsift.experiment.task import (
    DataSpec,
    MethodSpec,
    Planned,
    Protocol,
    Task,
    Tuning,
)
from labelsift.metrics import MEASURES
from labelsift.metrics.catalogue import BUILT_IN
from labelsift.prepare import Doubt
from labelsift.stats.resampled_t import corrected_resampled_t

# The random ranking is drawn this many times; its curve is their mean.
RANDOM_DRAWS = 8


@dataclass(frozen=True)
class LeftOut:
    """A method that is not run, and why, in one sentence."""

    method: str
    why: str


@dataclass(frozen=True)
class Chosen:
    """A method of a comparison: its spec, and the estimator that the user brings."""

    spec: MethodSpec
    estimator: Any = None


@dataclass(frozen=True)
class Setup:
    """What is compared, and how.

    Parameters
    ----------
    spec : DataSpec
        The source of the data.
    data : MultiLabelData
        The data itself.
    methods : mapping of str to Chosen
        Selectors by the names they have in the results, the random ranking aside.
    budgets : tuple of str
        Counts and shares.
    readouts : mapping of str to estimator or None
        What is trained on the chosen features; None: a read-out of the catalogue. The
        first one is what the answer is about.
    metric : str
        What the answer is about.
    measures : tuple of str
        What is measured.
    protocol : Protocol
        How rows are split.
    splits : tuple of (train, test)
        The rows, where the protocol does not say them.
    margin : float
        A difference of the metric that does not matter.
    costs : tuple of float
        Of each feature; empty: all the same.
    left_out : tuple of LeftOut
        Methods that are not run.
    doubts : tuple of Doubt
        What is doubtful about the data.
    columns_left_out : tuple of (str, str)
        Columns of a table that nothing is made of, and why.
    """

    spec: DataSpec
    data: MultiLabelData
    methods: Mapping[str, Chosen]
    budgets: tuple[str, ...]
    readouts: Mapping[str, Any]
    metric: str
    measures: tuple[str, ...]
    protocol: Protocol
    splits: tuple[Any, ...] = ()
    margin: float = 0.01
    costs: tuple[float, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    columns_left_out: tuple[tuple[str, str], ...] = ()

    @property
    def counts(self) -> list[int]:
        """The budgets as numbers of features."""
        return counts_of(self.budgets, self.data.n_features)

    @property
    def readout(self) -> str:
        """The read-out that the answer is about."""
        return next(iter(self.readouts))

    @property
    def cv(self) -> int:
        """How many splits there are."""
        return self.protocol.splits

    @property
    def test_over_train(self) -> float | None:
        """Test rows over training rows; None for plain folds."""
        if not self.splits:
            return None
        return float(np.mean([len(test) / len(train) for train, test in self.splits]))

    def p_greater(self, differences: NDArray[np.float64]) -> float:
        """One-sided p value of differences over the splits being above zero."""
        return corrected_resampled_t(differences, self.test_over_train).p_greater

    def tasks(self) -> list[Planned]:
        """All fits inside the folds; fold by fold, so that early results are fair."""
        draws = [(RANDOM, draw) for draw in range(RANDOM_DRAWS)]
        methods = [(name, 0) for name in self.methods]
        return [
            self._planned(name, draw, self.protocol, split, ("order", "label_auc"))
            for split in range(self.cv)
            for name, draw in [(ALL_FEATURES, 0), *draws, *methods]
        ]

    def final_task(self, method: str, budget: int) -> Planned:
        """The fit of a method on all rows."""
        wanted = ("order", "gain", "weights", "columns")
        planned = self._planned(method, 0, Protocol("all"), 0, wanted)
        return replace(planned, task=replace(planned.task, budgets=(str(budget),)))

    def _planned(
        self,
        name: str,
        draw: int,
        protocol: Protocol,
        split: int,
        artifacts: tuple[str, ...],
    ) -> Planned:
        chosen = self.methods.get(name) or built_in(name, self.data)
        params = dict(chosen.spec.params)
        if name == RANDOM:
            params["random_state"] = draw + split
        if name == "greedy-rls" and self.costs:
            params["costs"] = list(self.costs)
        task = Task(
            data=self.spec,
            protocol=protocol,
            split=split,
            method=replace(chosen.spec, params=params),
            tuning=Tuning(folds=3),
            budgets=() if name == ALL_FEATURES else self.budgets,
            readouts=tuple(self.readouts),
            thresholds=("oof",),
            measures=self.measures,
            artifacts=artifacts,
            codes=self._codes,
            own=self._carried(chosen, protocol, split),
        )
        # The name of a file need not be UTF-8; text in a table of results must be.
        return Planned(task, clean(self.data.name), name, draw)

    @cached_property
    def _codes(self) -> dict[str, str]:
        """Version of the code of each read-out, and of each measure that is own."""
        codes = {
            name: readout_code(name) if readout is None else own().code_of(readout)
            for name, readout in self.readouts.items()
        }
        return codes | {
            name: own().code_of(MEASURES[name].function)
            for name in self.measures
            if name not in BUILT_IN
        }

    def _carried(
        self, chosen: Chosen, protocol: Protocol, split: int
    ) -> dict[str, Any]:
        """What the user brings, for the process that runs the task."""
        carried = {
            f"readout {name}": readout
            for name, readout in self.readouts.items()
            if readout is not None
        }
        carried |= {
            f"measure {name}": MEASURES[name]
            for name in self.measures
            if name not in BUILT_IN
        }
        if chosen.estimator is not None:
            carried["method"] = chosen.estimator
        if protocol.kind == "rows":
            carried["rows"] = self.splits[split]
        return carried


def built_in(name: str, data: MultiLabelData) -> Chosen:
    """A method of the catalogue.

    It has the scaling that it needs, else that of the data.
    """
    scale = CATALOGUE[name].scale or default_scale(data)
    return Chosen(MethodSpec(name, scale=scale, code=code_of(name)))


def own() -> Any:
    """The module for what users bring: loaded where somebody brings something."""
    return import_module("labelsift.experiment.own")
