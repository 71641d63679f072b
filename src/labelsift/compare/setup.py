# SPDX-License-Identifier: BSD-3-Clause
"""The setup of a comparison: checked, completed, and expanded into tasks."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from labelsift.compare.answer import Recommendation, recommend
from labelsift.core.data import MultiLabelData
from labelsift.core.text import clean
from labelsift.experiment.catalogue import (
    ALL_FEATURES,
    CATALOGUE,
    RANDOM,
    Chosen,
    built_in,
    code_of,
    draws_of,
    own,
    readout_code,
    with_seed,
)
from labelsift.experiment.inputs import every_row, saved_readout
from labelsift.experiment.models import make
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.task import (
    DataSpec,
    Planned,
    Protocol,
    Task,
    Tuning,
)
from labelsift.metrics import EVERY_MEASURE
from labelsift.metrics.catalogue import BUILT_IN, BUILT_IN_VALUES
from labelsift.model_selection.saved_document import selection_document
from labelsift.model_selection.target_kind import KINDS, TargetKind
from labelsift.model_selection.trust import N_PAIRS, Fitted, Trust, examine
from labelsift.prepare import Doubt
from labelsift.prepare.array_scaling import default_scale, scaled
from labelsift.prepare.doubts.folds import WorstLabel, worst_label
from labelsift.prepare.purchase import Limit, cost_budget
from labelsift.prepare.units import Units
from labelsift.selection.estimates import Size

# What halving the rows for the page may take; beyond, it says how to ask for it.
MOST_SECONDS = 30.0
# Share of a promised time that the page may take for it.
_ON_PAGE = 0.05


@dataclass(frozen=True)
class LeftOut:
    """A method that is not run, and why, in one sentence."""

    method: str
    why: str


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
    units : Units or None
        Which features are bought together, and at which cost; None: each by itself.
    left_out : tuple of LeftOut
        Methods that are not run.
    find_doubts : callable
        Looks for what is doubtful about the data.
    columns_left_out : tuple of (str, str)
        Columns of a table that nothing is made of, and why.
    within : float or None
        Seconds that all may take together; None: all runs, however long.
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
    units: Units | None = None
    left_out: tuple[LeftOut, ...] = ()
    find_doubts: Callable[[], tuple[Doubt, ...]] = tuple
    columns_left_out: tuple[tuple[str, str], ...] = ()
    within: float | None = None

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is doubtful about the data; looked for when it is first asked for."""
        return self.find_doubts()

    @property
    def sizes(self) -> list[float]:
        """The budgets as numbers: of features, or of what they may cost."""
        read = [Limit.read(text, self.data.n_features).budget for text in self.budgets]
        return sorted(set(read))

    @property
    def kind(self) -> TargetKind:
        """What follows from what Y holds."""
        return KINDS[self.data.kind]

    @property
    def costs(self) -> tuple[float, ...]:
        """Of each unit; empty: nothing is said about costs."""
        return () if self.units is None else self.units.costs

    @property
    def readout(self) -> str:
        """The read-out that the answer is about."""
        return next(iter(self.readouts))

    @property
    def cv(self) -> int:
        """How many splits there are."""
        return self.protocol.splits

    @property
    def test_over_train(self) -> float:
        """Test rows over training rows of a split, on average."""
        if not self.splits:
            return 1 / (self.cv - 1)
        return float(np.mean([len(test) / len(train) for train, test in self.splits]))

    def worst_label(self, artifacts: Any, answer: Any) -> WorstLabel | None:
        """The column of Y that the recommended features serve worst."""
        names, kind = self.data.label_names, self.kind
        return worst_label(artifacts, names, answer, kind.one, kind.quality)

    def tasks(self) -> list[Planned]:
        """All fits inside the folds."""
        return list(self._plan())

    def _plan(self) -> Iterator[Planned]:
        """The same one by one; fold by fold, so that early results are fair.

        The cheapest method comes first, then the controls: an answer at once.
        """
        draws = [(RANDOM, draw) for draw in draws_of(RANDOM)]
        first, *rest = [(name, 0) for name in sorted(self.methods, key=self.seconds)]
        for split in range(self.cv):
            for place in [first, (ALL_FEATURES, 0), *draws, *rest]:
                yield self._planned(*place, self.protocol, split)

    def seconds(self, method: str) -> float:
        """Estimate of a fit; infinite where nobody knows."""
        entry = CATALOGUE.get(self.methods[method].spec.name)
        if entry is None or entry.seconds is None:
            return math.inf
        d = self.data.n_features
        largest = d if self.costs else int(self.sizes[-1])
        return entry.seconds(Size.of(self.data, min(d, largest)))

    def answer(self, results: Any, metric: str | None = None) -> Recommendation:
        """The method and the number of features that results recommend."""
        return recommend(
            results.where(readout=self.readout),
            metric or self.metric,
            margin=self.margin,
            test_over_train=self.test_over_train,
        )

    def so_far(self, ledger: Any) -> str:
        """The answer from what is finished, in a sentence; empty: there is none yet."""
        return self._told(ledger.results(self.tasks()))

    def first_answer(self, ledger: Any, engine: Mapping[str, Any], until: float) -> str:
        """Run the first task; the answer from it, or from more that is finished."""
        if ledger.statuses():
            return self.so_far(ledger)
        first = next(self._plan())
        run_tasks([first.task], ledger, **{**engine, "jobs": 1}, until=until)
        return self._told(ledger.results([first]))

    def _told(self, results: Any) -> str:
        done = set(results.values["method"]) & set(self.methods)
        if not done:
            return ""
        answer = self.answer(results)
        return (
            f"So far ({len(done)} of {len(self.methods)} methods, {answer.n_splits} of "
            f"{self.cv} splits), by {answer.method}: {answer.headline}"
        )

    def run(
        self, ledger: Any, engine: Mapping[str, Any], on_done: Any, until: float
    ) -> tuple[Any, bool]:
        """Run what is missing in the ledger: the results, and whether stopped.

        ``engine`` holds options of ``run_tasks``.
        """
        if self.within is not None:
            race = import_module("labelsift.compare.race").race
            results, interrupted = race(self, ledger, engine, on_done, until)
        else:
            tasks, interrupted = [item.task for item in self.tasks()], False
            try:
                run_tasks(tasks, ledger, **engine, on_done=on_done)
            except KeyboardInterrupt:
                interrupted = True
            results = ledger.results(self.tasks())
        return results.where(readout=list(self.readouts)), interrupted

    def artifacts(self, ledger: Any) -> Any:
        """What was stored with the values of the read-out of the answer."""
        return self.of_first_readout(ledger.artifacts(self.tasks()))

    def final_fits(
        self,
        ledger: Any,
        methods: Sequence[str],
        budget: float,
        engine: Mapping[str, Any],
        until: float = math.inf,
    ) -> Any:
        """Fit methods on all rows at a size, the first of them whatever it takes."""
        planned = [self.final_task(method, budget) for method in methods]
        tasks = [item.task for item in planned]
        if until < math.inf:
            run_tasks(tasks[:1], ledger, **engine)
            until = max(until, time.time())
        run_tasks(tasks, ledger, **engine, until=until)
        return self.of_first_readout(ledger.artifacts(planned))

    def final_task(self, method: str, budget: float) -> Planned:
        """The fit of a method on all rows."""
        wanted = ("order", "gain", "weights", "columns")
        planned = self._planned(method, 0, Protocol("all"), 0, wanted)
        text = cost_budget(budget) if self.costs else str(budget)
        return replace(planned, task=replace(planned.task, budgets=(text,)))

    def cost(self, names: Sequence[str]) -> float | None:
        """What some features cost together; None without costs."""
        if self.units is None or not self.units.costs:
            return None
        place = {name: i for i, name in enumerate(self.data.feature_names)}
        return self.units.cost(place[name] for name in names)

    def of_first_readout(self, artifacts: Any) -> Any:
        """What was stored beside the values of the read-out of the answer."""
        return artifacts[artifacts["readout"] == self.readout]

    def saved(self, final: Any, method: str) -> dict[str, Any]:
        """The document of a selection file: what a method chose on all rows."""
        found = final[final["method"] == method].set_index("name")["value"]
        if "order" not in found:
            raise ValueError(
                f"{method} was not fitted on all rows and has no features here: "
                "labelsift select fits it."
            )
        order, costs = found["order"], None
        if self.units is not None and self.units.costs:
            shares = self.units.column_costs()
            costs = [shares[i] for i in order]
        return selection_document(
            method=method,
            parameters=self.methods[method].spec.params,
            n_features_in=self.data.n_features,
            order=order,
            scores=found.get("gain", [0.0] * len(order)),
            feature_names=self.data.feature_names,
            label_names=self.data.label_names,
            labels_form=self.spec.labels,
            costs=costs,
            readout=self._readout_of(order),
            data=self.data.name,
            checksum=self.spec.checksum,
        )

    def _readout_of(self, order: Sequence[int]) -> dict[str, Any]:
        """What predicts from some features, learned on all rows that count."""
        data = self.data
        if data.weights is not None:
            data = data.rows(np.flatnonzero(data.weights > 0))
        chosen = every_row(data, self.spec.preparation), data.Y, np.array(order)
        return saved_readout(data, *chosen, self.kind.saved, data.weights)

    def examined(
        self, method: str, features: Sequence[int], seconds: float
    ) -> Trust | str:
        """How far what a method chose on all rows can be trusted, or why not known.

        ``seconds`` is what one of its fits took.
        """
        chosen = self.methods[method]
        if chosen.spec.grid or not self.kind.complete or self.data.weights is not None:
            return ""
        most = MOST_SECONDS if self.within is None else _ON_PAGE * self.within
        if not N_PAIRS * seconds <= most:
            return (
                f"How often each feature is chosen again was not examined, as {method} "
                f"would be fitted {2 * N_PAIRS} times: labelsift select with --explain "
                "does it."
            )
        part = every_row(self.data, self.spec.preparation)
        X, _ = scaled(part.X, part.X[:0], chosen.spec.scale)
        task = self.final_task(method, len(features)).task
        estimator = make(task, self.data.n_labels, {})
        fitted = Fitted(estimator, X, self.data, part.groups)
        return examine(fitted, features, seed=self.protocol.seed)

    def _planned(
        self,
        name: str,
        draw: int,
        protocol: Protocol,
        split: int,
        artifacts: tuple[str, ...] = ("order", "label_auc"),
    ) -> Planned:
        chosen = self.methods.get(name) or built_in(name, default_scale(self.data))
        spec = chosen.spec
        if chosen.estimator is None:
            spec = replace(spec, code=code_of(spec.name))
        task = Task(
            data=self.spec,
            protocol=protocol,
            split=split,
            method=with_seed(spec, split, draw),
            tuning=Tuning(folds=3),
            budgets=() if name == ALL_FEATURES else self.budgets,
            readouts=tuple(self.readouts),
            thresholds=self.kind.thresholds,
            measures=self.measures,
            artifacts=artifacts,
            groups=() if self.units is None else self.units.owner,
            costs=self.costs,
            target=self.data.kind,
            codes=self._codes,
            own=self._carried(chosen, protocol, split),
        )
        # The name of a file need not be UTF-8; text in a table of results must be.
        return Planned(task, clean(self.data.name), name, draw)

    @cached_property
    def _codes(self) -> dict[str, str]:
        """Version of the code of each read-out, and of each measure that is own."""
        codes = {
            name: readout_code(name, self.data.kind)
            if readout is None
            else own().code_of(readout)
            for name, readout in self.readouts.items()
        }
        return codes | {
            name: own().code_of(EVERY_MEASURE[name].function)
            for name in self.measures
            if name not in (*BUILT_IN, *BUILT_IN_VALUES)
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
            f"measure {name}": EVERY_MEASURE[name]
            for name in self.measures
            if name not in (*BUILT_IN, *BUILT_IN_VALUES)
        }
        if chosen.estimator is not None:
            carried["method"] = chosen.estimator
        if protocol.kind == "rows":
            carried["rows"] = self.splits[split]
        return carried
