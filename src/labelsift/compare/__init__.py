# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of methods on one data set: which features, and how many."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from labelsift.compare.answer import Recommendation, recommend
from labelsift.compare.request import known_metric
from labelsift.compare.setup import Setup
from labelsift.compare.words import duration
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import Results
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection.saved_selection import write_document
from labelsift.prepare import Doubt
from labelsift.prepare.doubts.folds import WorstLabel, fold_doubts
from labelsift.stats.resampled_t import corrected_resampled_t

if TYPE_CHECKING:
    from labelsift.compare.call import compare

# Of pages while a comparison runs: their share of it, seconds between them, and those
# that the first one is expected to take.
_SHARE, _PAUSE, _FIRST = 0.05, 5.0, 0.7
# Seconds in a split up to which a method is fitted on all rows, were it not as good.
_QUICK = 0.5

__all__ = ["Comparison", "Recommendation", "compare", "recommend"]


@dataclass(frozen=True)
class Comparison:
    """Results of a comparison.

    Parameters
    ----------
    setup : Setup
        What is compared, and how.
    results : Results
        Every value, and every task with its status.
    artifacts : DataFrame
        By method, split and budget: the chosen features and the AUC of each label.
    final : DataFrame
        By method: the selection on all rows, its gains and its weights. Of the
        recommended method, of those as good, and of those that are quick to fit.
    command : str
        The command or call.
    interrupted : bool
        Whether it was stopped early.
    """

    setup: Setup
    results: Results
    artifacts: pd.DataFrame
    final: pd.DataFrame
    command: str = ""
    interrupted: bool = False
    _answers: dict[str, Recommendation] = field(default_factory=dict, repr=False)

    @property
    def measured(self) -> list[str]:
        """The methods that have values, in the order of the setup; controls last."""
        present = set(self.results.values["method"])
        names = (*self.setup.methods, RANDOM, ALL_FEATURES)
        return [name for name in names if name in present]

    @property
    def has_answer(self) -> bool:
        """Whether any method was measured."""
        return bool(set(self.measured) & set(self.setup.methods))

    @property
    def cut(self) -> pd.DataFrame:
        """The tasks that a promised time had no room for, each with its reason."""
        tasks = self.results.tasks
        return tasks[tasks["status"] == "cut"]

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is doubtful: about the data, and about labels after the folds."""
        if not self.has_answer:
            return self.setup.doubts
        setup, kind = self.setup, self.setup.kind
        after = fold_doubts(
            self.artifacts,
            setup.data.label_names,
            self.recommend(),
            lambda it: corrected_resampled_t(it, setup.test_over_train).p_greater,
            one=kind.one,
            chance=kind.chance,
        )
        return (*setup.doubts, *after)

    @property
    def worst_label(self) -> WorstLabel | None:
        """The label that the recommended features serve worst, with its mean AUC."""
        return self.setup.worst_label(self.artifacts, self.recommend())

    def frame(self) -> pd.DataFrame:
        """All values as a pandas DataFrame, one row each."""
        return self.results.values

    def recommend(self, metric: str | None = None) -> Recommendation:
        """The answer: a method and a number of features.

        Parameters
        ----------
        metric : str or None, default=None
            A name in ``labelsift.metrics.EVERY_MEASURE``; None: that of the comparison.

        Returns
        -------
        Recommendation
            With ``sentence``.
        """
        name = known_metric(metric or self.setup.metric)
        if name not in self._answers:
            self._answers[name] = self.setup.answer(self.results, name)
        return self._answers[name]

    def features(self, method: str | None = None) -> list[str]:
        """Names of the features that a method chose on all rows, best first.

        Parameters
        ----------
        method : str or None, default=None
            A method of the comparison; None: the recommended one.

        Returns
        -------
        list of str
            At the recommended budget; empty where the method was not fitted on all
            rows: it takes long, and is not as good as the recommended one.
        """
        name = method or self.recommend().method
        final, names = self.final, self.setup.data.feature_names
        rows = final[(final["method"] == name) & (final["name"] == "order")]
        return [names[i] for order in rows["value"] for i in order]

    def total_cost(self, method: str | None = None) -> float | None:
        """What ``features(method)`` cost together; None without costs."""
        return self.setup.cost(self.features(method))

    def table(
        self,
        metric: str | None = None,
        *,
        readout: str | None = None,
        budget: str | int | None = None,
    ) -> Any:
        """The means as the table of a paper: the data set by methods.

        Parameters
        ----------
        metric, readout : str or None, default=None
            None: those that the answer is about.
        budget : str, int or None, default=None
            A number ("20") or share ("5%") of the features; None: the mean over all.

        Returns
        -------
        ResultTable
            With ``to_markdown``, ``to_latex``, ``to_csv``, ``to_html`` and ``frame``.
        """
        from labelsift.tables import result_table

        return result_table(
            self.results,
            known_metric(metric or self.setup.metric),
            readout=readout or self.setup.readout,
            budget=budget,
        )

    def ranks(self, metric: str | None = None) -> pd.Series:
        """Average rank of every method over the splits; 1 is the best.

        No test goes with them: splits share rows. See ``recommend().verdicts``.

        Parameters
        ----------
        metric : str or None, default=None
            As in ``recommend``.

        Returns
        -------
        Series
            By method, the best first.
        """
        name = known_metric(metric or self.setup.metric)
        results = self.results.where(readout=self.setup.readout)
        blocks = results.by_block(name, block="split")
        ranks = blocks.rank(axis=1, ascending=not EVERY_MEASURE[name].greater_is_better)
        return ranks.mean().sort_values()

    def plot(self, metric: str | None = None, ax: Any = None) -> Any:
        """Draw the curves over the budget, with bands of one standard error.

        Parameters
        ----------
        metric : str or None, default=None
            As in ``recommend``.
        ax : matplotlib Axes or None, default=None
            Where to draw; None: a new figure.

        Returns
        -------
        matplotlib Axes
            With one line per method; ``plot().figure`` is the figure.
        """
        from labelsift.plots import result_curves

        name = known_metric(metric or self.setup.metric)
        results = self.results.where(readout=self.setup.readout)
        axes = result_curves(results, name, ax=ax)
        if self.setup.costs:
            axes.set_xlabel("total cost")
        return axes

    def save(self, path: str | Path, method: str | None = None) -> None:
        """Write what a method chose on all rows as a file for ``labelsift apply``.

        It predicts by ridge regression, whatever the read-out of the comparison.

        Parameters
        ----------
        path : str or Path
            The file; ``load_selection`` reads it.
        method : str or None, default=None
            A method of the comparison; None: the recommended one.
        """
        name = method or self.recommend().method
        write_document(self.setup.saved(self.final, name), path)

    def report(self, path: str | Path, *, running: str = "") -> None:
        """Write the report: one self-contained HTML file.

        Parameters
        ----------
        path : str or Path
            The file; written atomically.
        running : str, default=""
            What is still running, to be said at the top.
        """
        from labelsift.compare.page import write_page
        from labelsift.compare.page.data import page_data

        answer = self.recommend() if self.has_answer else None
        parts = (self.setup, self.results, self.artifacts, self.final, answer)
        page = page_data(
            *parts, command=self.command, doubts=self.doubts, running=running
        )
        write_page(page, path)


def run_comparison(
    setup: Setup,
    ledger: Ledger,
    engine: Mapping[str, Any] | None = None,
    on_done: Callable[[int, int, Any], None] | None = None,
    command: str = "",
    until: float | None = None,
) -> Comparison:
    """Run what is missing in the ledger and collect all; Ctrl-C returns a part.

    ``engine`` holds options of ``run_tasks``: jobs, timeout, scheduler.
    ``until`` is when a promised time ends (``time.time``); None: from now on.
    """
    if until is None:
        until = time.time() + (math.inf if setup.within is None else setup.within)
    results, stopped = setup.run(ledger, engine or {}, on_done, until)
    nothing = ledger.artifacts([])
    artifacts = setup.artifacts(ledger)
    result = Comparison(setup, results, artifacts, nothing, command, stopped)
    if not result.has_answer:
        return result
    answer = result.recommend()
    methods = [answer.method, *([] if stopped else _worth_all_rows(result, answer))]
    try:
        final = setup.final_fits(ledger, methods, answer.budget, engine or {}, until)
    except KeyboardInterrupt:
        final, stopped = nothing, True
    return replace(result, final=final, interrupted=stopped)


def _worth_all_rows(result: Comparison, answer: Recommendation) -> list[str]:
    """Methods besides the recommended one that are as good as it, or quick to fit."""
    values, cut = result.results.values, set(result.cut["method"])
    fits = values[values["measure"] == "fit_seconds"]
    each = fits.groupby(["method", "split"])["value"].sum()
    seconds = each.groupby("method").min()  # the first split may have compiled
    good = {other.method for other in answer.verdicts if other.word == "as good"}
    return [
        name
        for name in result.measured
        if name in result.setup.methods
        and name not in {answer.method, *cut}
        and (name in good or seconds[name] <= _QUICK)
    ]


class LivePage:
    """Writes the page of what is done, now and then.

    The first as soon as there is an answer, where the run is long enough for it.

    Parameters
    ----------
    setup : Setup
        What is compared.
    ledger : Ledger
        What is done.
    path : Path
        The page; replaced as a whole.
    command : str
        The command.
    """

    def __init__(self, setup: Setup, ledger: Any, path: Path, command: str) -> None:
        self.setup, self.ledger, self.path, self.command = setup, ledger, path, command
        self.start, self.written = time.monotonic(), -_PAUSE
        self.spent, self.cost, self.pages = 0.0, _FIRST, 0

    def update(self, done: int, total: int) -> None:
        """Write the page where it is time for it."""
        now = time.monotonic() - self.start
        # The first page is for the whole of the run, further ones for what has passed.
        length = now if self.pages else now * total / max(done, 1)
        late = now - self.written < _PAUSE
        if late or done == total or self.spent + self.cost > _SHARE * length:
            return
        results = self.ledger.results(self.setup.tasks())
        if not set(results.values["method"]) & set(self.setup.methods):
            return
        results = results.where(readout=list(self.setup.readouts))
        parts = self.setup.artifacts(self.ledger), self.ledger.artifacts([])
        part = Comparison(self.setup, results, *parts, self.command)
        running = (
            f"{done} of about {total} fits were done after {duration(now)}. This page "
            "is replaced as the answer improves: load it again."
        )
        part.report(self.path, running=running)
        self.written = time.monotonic() - self.start
        self.cost = self.written - now
        self.spent += self.cost
        self.pages += 1


def __getattr__(name: str) -> Any:
    if name == "compare":  # the command line does without it
        return import_module("labelsift.compare.call").compare
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
