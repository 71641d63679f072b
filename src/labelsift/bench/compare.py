# SPDX-License-Identifier: BSD-3-Clause
"""One data set, many methods: which features, how many, and what is lost."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelsift.bench.collect import tidy_rows
from labelsift.bench.defaults import (
    LeftOut,
    choose_methods,
    counts_of,
    default_scale,
    read_budgets,
    scale_of,
)
from labelsift.bench.methods import ALL_FEATURES, CATALOGUE, READOUTS
from labelsift.bench.plan import Planned
from labelsift.bench.schedule import run_tasks
from labelsift.bench.spec import DataSpec, MethodSpec, Protocol, Task, Tuning, canonical
from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.core.labels import constant_labels, read_label_matrix
from labelsift.core.optional import import_extra
from labelsift.datasets import write_npz
from labelsift.metrics import MEASURES
from labelsift.results import Recommendation, ResultStore, recommend

# The random ranking is drawn so many times; its curve is their mean.
RANDOM_DRAWS = 8
RANDOM = "random-ranking"


@dataclass(frozen=True)
class Setup:
    """What is compared, and how.

    Parameters
    ----------
    spec : DataSpec
        Where the data is.
    data : MultiLabelData
        The data itself.
    methods : tuple of str
        Selectors, the random ranking aside.
    budgets : tuple of str
        Counts and shares.
    readout, metric : str
        What is trained on the chosen features, and what it is judged by.
    cv, seed : int
        Folds and their seed.
    scale : str
        Scaling of methods that do not need one of their own.
    costs : tuple of float
        Of each feature; empty: all the same.
    left_out : tuple of LeftOut
        Methods that are not run.
    """

    spec: DataSpec
    data: MultiLabelData
    methods: tuple[str, ...]
    budgets: tuple[str, ...]
    readout: str
    metric: str
    cv: int
    seed: int
    scale: str
    costs: tuple[float, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def counts(self) -> list[int]:
        """The budgets as numbers of features."""
        return counts_of(self.budgets, self.data.n_features)

    def tasks(self) -> list[Planned]:
        """All fits inside the folds; fold by fold, so that early results are fair."""
        names = [ALL_FEATURES, *(f"random:{k}" for k in range(RANDOM_DRAWS))]
        names += self.methods
        protocol = Protocol("stratified", self.cv, seed=self.seed)
        return [
            self._planned(name, protocol, split, ("order", "label_auc"))
            for split in range(self.cv)
            for name in names
        ]

    def final_task(self, method: str, budget: int) -> Planned:
        """The fit of a method on all rows."""
        keep = ("order", "gain", "weights")
        planned = self._planned(method, Protocol("all"), 0, keep)
        return replace(planned, task=replace(planned.task, budgets=(str(budget),)))

    def _planned(
        self, name: str, protocol: Protocol, split: int, keep: tuple[str, ...]
    ) -> Planned:
        entry, _, draw = name.partition(":")
        params: dict[str, Any] = {"random_state": int(draw) + split} if draw else {}
        if entry == "greedy-rls" and self.costs:
            params["costs"] = list(self.costs)
        method = MethodSpec(
            name=name,
            entry=entry,
            params=canonical(params),
            scale=scale_of(entry, self.scale),
            version=CATALOGUE[entry].version,
        )
        task = Task(
            data=self.spec,
            protocol=protocol,
            split=split,
            method=method,
            tuning=Tuning(folds=3),
            budgets=() if entry == ALL_FEATURES else self.budgets,
            readouts=(self.readout,),
            thresholds=("oof",),
            measures=tuple(MEASURES),
            keep=keep,
        )
        return Planned(task, self.spec.source, RANDOM if draw else name)


@dataclass(frozen=True)
class Comparison:
    """What a comparison found.

    Parameters
    ----------
    setup : Setup
        What was compared.
    rows : list of dict
        Tidy rows: method, budget, measure, split, value and more.
    records : list of Record
        What became of each fit.
    artifacts : dict
        By method and split: the chosen features and the AUC of each label.
    final : dict
        By method: what a fit on all rows chose.
    command : str
        How it was called.
    interrupted : bool
        Whether it was stopped before its end.
    """

    setup: Setup
    rows: list[dict[str, Any]]
    records: list[Any]
    artifacts: dict[tuple[str, int], dict[str, Any]]
    final: dict[str, dict[str, Any]] = field(default_factory=dict)
    command: str = ""
    interrupted: bool = False

    def frame(self) -> Any:
        """All values as a pandas DataFrame, one row each."""
        pandas = import_extra("pandas", "Comparison.frame")
        return pandas.DataFrame(self.rows)

    def recommend(self, metric: str | None = None) -> Recommendation:
        """The answer: a method and a number of features.

        Parameters
        ----------
        metric : str or None, default=None
            A name in ``labelsift.metrics.MEASURES``; None: the one compared by.

        Returns
        -------
        Recommendation
            With ``sentence``.
        """
        name = metric or self.setup.metric
        return recommend(
            self.rows, measure=name, higher_is_better=MEASURES[name].greater_is_better
        )

    def plot(self, metric: str | None = None, ax: Any = None) -> Any:
        """Draw the curves over the budget, with bands of one standard error.

        Parameters
        ----------
        metric : str or None, default=None
            As in ``recommend``.
        ax : matplotlib Axes or None, default=None
            Where to draw; None: a new figure, ``plot().figure``.

        Returns
        -------
        matplotlib Axes
            With one line per method.
        """
        from labelsift.bench.comparison_page import curve_plot

        return curve_plot(self, metric or self.setup.metric, ax)

    def report(self, path: str | Path) -> None:
        """Write the page: one HTML file that needs nothing else.

        Parameters
        ----------
        path : str or Path
            Of the file; it appears whole or not at all.
        """
        from labelsift.bench.comparison_page import page_data
        from labelsift.report.page import write_page

        write_page(page_data(self), path)


def compare(
    X: Any,
    Y: Any = None,
    *,
    methods: str | Sequence[str] = "fast",
    budgets: str | Sequence[str] | None = None,
    readout: str = "ridge",
    cv: int = 5,
    metric: str = "macro_auc",
    costs: Any = None,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    store: str | Path | None = None,
    jobs: int = 1,
    random_state: int = 0,
    timeout: float | None = None,
    on_done: Callable[[int, int, Any], None] | None = None,
) -> Comparison:
    """Compare feature selectors on one data set by cross-validation.

    Features are chosen inside the folds: the rows that judge a selection had no part in
    it. A random ranking and a fit on all features always stand beside. Methods have
    their default parameters; dense columns are standardised and sparse ones divided by
    their largest value (RLEFS, which needs values of at least 0: scaled to 0..1).

    Parameters
    ----------
    X : array-like, sparse, DataFrame or MultiLabelData
        The samples, or samples and labels together.
    Y : array-like, sparse or DataFrame, optional
        Labels as 0/1, bool or -1/+1.
    methods : {"fast", "all"} or sequence of str, default="fast"
        Names of ``labelsift methods``. "fast" leaves out what would take long on this
        data.
    budgets : str, sequence of str or None, default=None
        "1%:20%", "5,10,20" or a list of counts and shares; None: a sensible range.
    readout : {"ridge", "svm", "knn"}, default="ridge"
        What is trained on the chosen features.
    cv : int, default=5
        Folds, stratified over all labels.
    metric : str, default="macro_auc"
        What the recommendation is about.
    costs : array-like of shape (n_features,), optional
        Positive; ``GreedyRLS`` then weighs gain against cost.
    feature_names, label_names : sequence of str, optional
        Names; taken from DataFrames where not given.
    store : str, Path or None, default=None
        A ledger that keeps finished work, so that a second call goes on from there.
    jobs : int, default=1
        Processes.
    random_state : int, default=0
        Seed of the folds.
    timeout : float or None, default=None
        Seconds for the fits of one method in one fold.
    on_done : callable or None, default=None
        Called with (done, total, outcome) after each task.

    Returns
    -------
    Comparison
        With ``recommend()``, ``frame()``, ``plot()`` and ``report(path)``.

    Examples
    --------
    >>> from labelsift.bench import compare
    >>> from labelsift.datasets import load_dataset
    >>> data = load_dataset("traits")
    >>> found = compare(data, methods=["fisher"], budgets="4,16", cv=2)
    >>> found.recommend().method
    'fisher'
    """
    data = as_data(X, Y, feature_names, label_names)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        source = folder / f"{data.checksum[:16]}.npz"
        write_npz(data, source)
        spec = DataSpec(str(source), checksum=data.checksum)
        setup = make_setup(
            spec,
            data,
            methods=methods,
            budgets=budgets,
            readout=readout,
            cv=cv,
            metric=metric,
            costs=costs,
            seed=random_state,
        )
        ledger = stack.enter_context(ResultStore(store or folder / "runs.sqlite"))
        return run_comparison(setup, ledger, jobs, timeout, on_done)


def as_data(
    X: Any,
    Y: Any,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> MultiLabelData:
    """Samples and labels as one thing, with names."""
    if isinstance(X, MultiLabelData):
        return X
    if Y is None:
        raise ValueError("Y is missing: pass X and Y, or a MultiLabelData.")
    labels = read_label_matrix(Y, "Y")
    features = feature_names if feature_names is not None else _columns(X)
    names = label_names if label_names is not None else _columns(Y)
    values = X.to_numpy() if hasattr(X, "to_numpy") else X
    return MultiLabelData(
        X=values,
        Y=labels,
        feature_names=tuple(features or numbered_names("feature", values.shape[1])),
        label_names=tuple(names or numbered_names("label", labels.shape[1])),
        name="data",
    )


def _columns(table: Any) -> list[str] | None:
    columns = getattr(table, "columns", None)
    return None if columns is None else [str(column) for column in columns]


def make_setup(
    spec: DataSpec,
    data: MultiLabelData,
    *,
    methods: str | Sequence[str],
    budgets: str | Sequence[str] | None,
    readout: str,
    cv: int,
    metric: str,
    costs: Any,
    seed: int,
) -> Setup:
    """Check what was asked for and fill in the rest."""
    _check(data, readout, cv, metric)
    asked = budgets if budgets is None or isinstance(budgets, str) else list(budgets)
    chosen = read_budgets(asked, data.n_features)
    wanted = methods if isinstance(methods, str) else list(methods)
    largest = counts_of(chosen, data.n_features)[-1]
    names, left_out = choose_methods(wanted, data, largest)
    return Setup(
        spec=spec,
        data=data,
        methods=tuple(names),
        budgets=chosen,
        readout=readout,
        metric=metric,
        cv=cv,
        seed=seed,
        scale=default_scale(data),
        costs=_costs(costs, data.n_features),
        left_out=tuple(left_out),
    )


def _check(data: MultiLabelData, readout: str, cv: int, metric: str) -> None:
    if readout not in READOUTS:
        raise ValueError(
            f"readout={readout!r} is not known: use {', '.join(READOUTS)}."
        )
    if metric not in MEASURES:
        raise ValueError(f"metric={metric!r} is not known: use {', '.join(MEASURES)}.")
    if cv < 2:
        raise ValueError(f"cv={cv} is too small: use at least 2 folds.")
    if cv > data.n_samples:
        raise ValueError(
            f"cv={cv} folds cannot be made of {data.n_samples} rows: use fewer folds."
        )
    _check_finite(data)
    if constant_labels(data.Y).all():
        raise ValueError(
            "No label has both values: there is nothing to learn; check which columns "
            "are labels."
        )


def _check_finite(data: MultiLabelData) -> None:
    values = data.X.data if sp.issparse(data.X) else data.X
    wrong = ~np.isfinite(values)
    if wrong.any():
        columns = data.X.indices[wrong] if sp.issparse(data.X) else np.where(wrong)[1]
        names = [data.feature_names[i] for i in np.unique(columns)]
        raise ValueError(
            f"{len(names)} features hold NaN or infinite values, {names[0]!r} for one: "
            "fill them in, or leave these columns out (--drop)."
        )


def _costs(costs: Any, n_features: int) -> tuple[float, ...]:
    if costs is None:
        return ()
    values = tuple(float(cost) for cost in costs)
    if len(values) != n_features or not all(cost > 0 for cost in values):
        raise ValueError(
            f"costs must be {n_features} positive numbers, one for each feature, got "
            f"{len(values)} of which the smallest is {min(values, default=0):g}."
        )
    return values


def run_comparison(
    setup: Setup,
    store: ResultStore,
    jobs: int = 1,
    timeout: float | None = None,
    on_done: Callable[[int, int, Any], None] | None = None,
    command: str = "",
) -> Comparison:
    """Run what is missing and collect it; Ctrl-C keeps and shows what is done.

    Parameters
    ----------
    setup : Setup
        What to compare.
    store : ResultStore
        The ledger.
    jobs : int
        Processes.
    timeout : float or None
        Seconds for a task.
    on_done : callable or None
        Called with (done, total, outcome) after each task.
    command : str
        How it was called.

    Returns
    -------
    Comparison
        Of all finished tasks.
    """
    planned = setup.tasks()
    interrupted = False
    try:
        run_tasks(
            [item.task for item in planned],
            store,
            jobs=jobs,
            timeout=timeout,
            on_done=on_done,
        )
    except KeyboardInterrupt:
        interrupted = True
    found = _collected(setup, planned, store, command, interrupted)
    if not found.rows:
        return found
    return _with_final_fits(found, store, jobs, timeout)


def _collected(
    setup: Setup,
    planned: Sequence[Planned],
    store: ResultStore,
    command: str,
    interrupted: bool,
) -> Comparison:
    artifacts: dict[tuple[str, int], dict[str, Any]] = {}
    records = []
    for item in planned:
        records += list(store.records([item.task.key]))
        kept = store.artifacts(item.task.key)
        if kept and (item.method, item.task.split) not in artifacts:
            artifacts[item.method, item.task.split] = kept
    rows = [row for row in tidy_rows(setup.data.name, planned, store) if row["readout"]]
    return Comparison(
        setup, rows, records, artifacts, command=command, interrupted=interrupted
    )


def _with_final_fits(
    found: Comparison, store: ResultStore, jobs: int, timeout: float | None
) -> Comparison:
    """Fit on all rows at the recommended size: every method, or only the answer."""
    methods = [
        m for m in found.setup.methods if any(r["method"] == m for r in found.rows)
    ]
    if not methods:
        return found
    answer = found.recommend()
    if found.interrupted:
        methods = [answer.method]
    planned = [found.setup.final_task(method, answer.budget) for method in methods]
    run_tasks([item.task for item in planned], store, jobs=jobs, timeout=timeout)
    final = {item.method: store.artifacts(item.task.key) for item in planned}
    return replace(found, final={name: kept for name, kept in final.items() if kept})
