# SPDX-License-Identifier: BSD-3-Clause
"""What to measure: data, protocol, method and the task that combines them.

All parts are small and consist of text and numbers: a task can be hashed, sent to
another machine and read again from a ledger; it never holds data.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any


def canonical(value: Any) -> str:
    """One text for one value: sorted names, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True)
class DataSpec:
    """Where data comes from and what is done to it before it is split.

    Parameters
    ----------
    source : str
        A registered name or a file.
    checksum : str
        Of the data as read; replaces the source in the key of a task. Empty: the source
        is part of the key.
    labels, drop : tuple of str
        Patterns of label columns and of columns to leave out, for files.
    prepare : tuple of str
        Steps of ``labelsift.experiment.inputs``: "text", "min-label-rows:40", ...
    data_home : str
        A folder of data sets that is searched first; empty: the usual places.
    test : str
        A second file whose rows are the test part of a published split.
    reading : tuple of (option, value)
        How a table is read: separator, decimal mark, ...
    splits : str
        A file of splits, for a protocol of the kind "file".
    preparation : str
        Parameters of the ``TablePreparation`` that is fitted on the training rows, as
        text; empty: the data are numbers already.
    """

    source: str
    checksum: str = ""
    labels: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    prepare: tuple[str, ...] = ()
    data_home: str = ""
    test: str = ""
    reading: tuple[tuple[str, Any], ...] = ()
    preparation: str = ""
    splits: str = ""


@dataclass(frozen=True)
class Protocol:
    """How rows are split into training and test part.

    Parameters
    ----------
    kind : str
        "folds": plain shuffled folds; "stratified": folds that preserve every label's
        share; "sample": training sets with all labels in both parts; "published": the
        split that comes with the data; "all": all rows to train, none to test; "rows":
        rows that the task carries (``Task.own["rows"]``); "file": those of
        ``DataSpec.splits``; or text that ``make_splits`` reads, as "5x4".
    splits : int
        How many the protocol has; a run may use only the first of them.
    train_size : int
        Training rows of "sample"; with "published", a sample of this many rows of its
        training part (0: all).
    seed : int
        Of the shuffle.
    digest : str
        Of the rows of all splits, for "rows" and "file".
    """

    kind: str
    splits: int = 1
    train_size: int = 0
    seed: int = 0
    digest: str = ""


@dataclass(frozen=True)
class Tuning:
    """How a method chooses from its grid, on the training part alone.

    Parameters
    ----------
    measure : str
        A name in ``labelsift.metrics.MEASURES``.
    folds : int
        Number of stratified folds; 1: a quarter is held out once.
    budgets : tuple of str
        Budgets over which the measure of a selector is averaged.
    """

    measure: str = "macro_auc"
    folds: int = 5
    budgets: tuple[str, ...] = ("10%",)


@dataclass(frozen=True)
class MethodSpec:
    """A method of the catalogue with its parameters.

    Parameters
    ----------
    name : str
        In ``labelsift.experiment.catalogue.CATALOGUE``, or the class of a method that
        the user brings, as "package.module:Class".
    params, grid : mapping
        Fixed parameters, and values of those to tune.
    scale : str
        A scaling in ``labelsift.experiment.inputs``, learned on the training part.
    sweep : bool
        Report every point of the grid instead of choosing one.
    code : str
        Version of its code (``labelsift.core.code_version``).
    fit_scale : str
        A scaling of what is scaled already, for the fit of a selector alone: read-outs
        see the same data whatever the method needs. Empty: none.
    """

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, Any] = field(default_factory=dict)
    scale: str = "none"
    sweep: bool = False
    code: str = ""
    fit_scale: str = ""


@dataclass(frozen=True)
class Task:
    """One method on one split of one data set: the unit of work.

    Parameters
    ----------
    data, protocol, method, tuning
        The parts of the task.
    split : int
        Which split of the protocol.
    budgets : tuple of str
        Counts ("20") and shares ("5%"); none: the method predicts from all features.
    readouts : tuple of str
        Models trained on the chosen features; "self" is the method's own prediction.
    thresholds : tuple of str
        Thresholds of the scores: "zero", "train", "oof", "left-out", "regression".
    measures : tuple of str
        Names in ``labelsift.metrics.MEASURES``.
    artifacts : tuple of str
        What is stored with the values: "order", "label_auc", "weights", "gain", ...
    groups : tuple of int
        The unit that each feature belongs to and is taken with; empty: none.
    costs : tuple of float
        Of each unit; budgets may then be totals ("cost:20").
    target : str
        What Y holds, as in ``MultiLabelData.kind``.
    readout_budgets : mapping of str to tuple of str
        Budgets at which a read-out is trained, some of ``budgets``; others: at all.
    fit_limit : float
        Seconds of processor time that a fit of the method may take; 0: any.
    """

    data: DataSpec
    protocol: Protocol
    split: int
    method: MethodSpec
    tuning: Tuning = field(default_factory=Tuning)
    budgets: tuple[str, ...] = ()
    readouts: tuple[str, ...] = ("self",)
    thresholds: tuple[str, ...] = ("zero",)
    measures: tuple[str, ...] = ("macro_auc",)
    artifacts: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()
    costs: tuple[float, ...] = ()
    target: str = "labels"
    readout_budgets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fit_limit: float = 0.0
    codes: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def content(self) -> str:
        """The whole task as canonical JSON."""
        return canonical(_plain(self))

    @cached_property
    def key(self) -> str:
        """The sha256 of everything that determines the result.

        Names and paths do not count: the same bytes under another name are the same
        data. Nor does a limit, which changes no value.
        """
        decides = _plain(self)
        decides.pop("fit_limit", None)
        if self.data.checksum:
            decides["data"] = [self.data.checksum, self.data.prepare]
            if self.data.preparation:
                decides["data"].append(self.data.preparation)
        return hashlib.sha256(canonical(decides).encode()).hexdigest()

    @cached_property
    def family(self) -> str:
        """The same for tasks that differ in the split only."""
        return replace(self, split=0).key

    @cached_property
    def but_for_seed(self) -> str:
        """The same for tasks that differ in the ``random_state`` of the method only."""
        params = {**self.method.params, "random_state": None}
        return replace(self, method=replace(self.method, params=params)).key


# Fields that tasks did not always have.
_LATER = ("groups", "costs", "readout_budgets", "fit_limit")


def _plain(task: Task) -> dict[str, Any]:
    """A task in plain values; ``dataclasses.asdict`` takes ten times as long."""
    shallow = _fields(task)
    del shallow["own"]
    for name in _LATER:  # a task without them keeps the key it had
        if not shallow[name]:
            del shallow[name]
    if task.target == "labels":
        del shallow["target"]
    parts = ("data", "protocol", "method", "tuning")
    plain = shallow | {name: _fields(shallow[name]) for name in parts}
    if not task.method.fit_scale:
        del plain["method"]["fit_scale"]
    return plain


def _fields(part: Any) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__dataclass_fields__}


@dataclass(frozen=True)
class Planned:
    """A task and the names of its values in the results.

    Parameters
    ----------
    task : Task
        The task to run.
    data, method : str
        Names in the results.
    draw : int
        Index among repetitions with different seeds.
    """

    task: Task
    data: str
    method: str
    draw: int = 0
