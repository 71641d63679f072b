# SPDX-License-Identifier: BSD-3-Clause
"""One data set, many methods: which features, how many, and what is lost."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from labelsift.bench.collect import tidy_rows
from labelsift.bench.comparison_setup import Setup, as_data, make_setup
from labelsift.bench.plan import Planned
from labelsift.bench.schedule import run_tasks
from labelsift.bench.spec import DataSpec
from labelsift.core.optional import import_extra
from labelsift.datasets import write_npz
from labelsift.metrics import MEASURES
from labelsift.results import Recommendation, ResultStore, recommend


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
