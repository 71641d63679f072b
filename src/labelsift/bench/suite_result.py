# SPDX-License-Identifier: BSD-3-Clause
"""A suite with its results: its tables, ranks, tests and figures."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import pandas as pd

from labelsift.bench.comparison_with_paper import (
    Claim,
    comparable,
    compare_cells,
    judge_claims,
)
from labelsift.bench.suite import Suite
from labelsift.experiment.catalogue import READOUTS
from labelsift.experiment.results import Results
from labelsift.stats.blocks import (
    MethodRanks,
    at_budget,
    compare_methods,
    rank_methods,
)
from labelsift.stats.wilcoxon import PairedTest
from labelsift.tables.method_tests import rank_frame
from labelsift.tables.result_table import ResultTable, result_table


@dataclass(frozen=True, eq=False)
class SuiteResult:
    """A suite with its results.

    Parameters
    ----------
    suite : Suite
        The suite.
    results : Results
        Its values and tasks.
    absent : mapping of str to str
        Data sets that are not present, and why.
    """

    suite: Suite
    results: Results
    absent: Mapping[str, str]

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Printed cells with our values, as ``compare_cells`` describes them."""
        return compare_cells(self.suite, self.results, self.absent)

    @cached_property
    def claims(self) -> list[Claim]:
        """The paper's claims with our verdicts."""
        return judge_claims(self.suite, self.results)

    @property
    def failed(self) -> pd.DataFrame:
        """Tasks without values."""
        tasks = self.results.tasks
        return tasks[tasks["status"] != "done"]

    @cached_property
    def compared(self) -> Results:
        """The values at the threshold of the suite's tables."""
        return Results(comparable(self.suite, self.results), self.results.tasks)

    @property
    def places(self) -> tuple[list[str], list[str]]:
        """Measures and read-outs that a table prints, or all; none of a sweep."""
        suite, cells = self.suite, self.cells
        if suite.sweeps:
            return [], []
        measures = [name for name in suite.measures if name in set(cells["measure"])]
        readouts = [name for name in READOUTS if name in set(cells["setting"])]
        return measures or [*suite.measures], readouts or [*suite.readouts]

    def table(
        self,
        metric: str | None = None,
        *,
        readout: str | None = None,
        budget: str | int | None = None,
    ) -> ResultTable:
        """The results as the table of a paper: data sets by methods.

        Parameters
        ----------
        metric : str or None, default=None
            A measure; None: the suite's first.
        readout : str or None, default=None
            A read-out; None: the suite's first.
        budget : str, int or None, default=None
            A number ("20") or share ("5%") of the features; None: the mean over all.

        Returns
        -------
        ResultTable
            With ``to_markdown``, ``to_latex``, ``to_csv``, ``to_html`` and ``frame``.
        """
        return result_table(
            self.compared,
            metric or self.suite.measures[0],
            readout=readout or self.suite.readouts[0],
            budget=budget,
        )

    def ranks(
        self,
        metric: str | None = None,
        *,
        readout: str | None = None,
        budgets: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Average ranks of methods over data sets.

        Parameters
        ----------
        metric, readout : str or None, default=None
            One of them; None: every one of the suite.
        budgets : sequence of str or None, default=None
            Numbers and shares of features; None: every one of the suite.

        Returns
        -------
        DataFrame
            As ``labelsift.tables.rank_frame`` describes it.
        """
        suite = self.suite
        return rank_frame(
            self.compared,
            [metric] if metric else suite.measures,
            readouts=[readout] if readout else suite.readouts,
            budgets=suite.all_budgets if budgets is None else budgets,
        )

    def rank_test(
        self, metric: str, readout: str, budget: str | None = None
    ) -> MethodRanks:
        """Average ranks at one place, with Friedman's and Nemenyi's tests."""
        return rank_methods(self.compared, metric, readout=readout, budget=budget)

    def tests(
        self,
        metric: str | None = None,
        *,
        control: str | None = None,
        readout: str | None = None,
        budget: str | None = None,
    ) -> list[PairedTest]:
        """Compare methods in pairs over data sets: signed ranks, corrected by Holm.

        Parameters
        ----------
        metric, readout : str or None, default=None
            None: the suite's first.
        control : str or None, default=None
            Compare every other method with this one; None compares all pairs.
        budget : str or None, default=None
            A number ("20") or share ("5%") of the features; None: the mean over all.

        Returns
        -------
        list of PairedTest
            Differences are gains: positive where the first method is better.
        """
        return compare_methods(
            self.compared,
            metric or self.suite.measures[0],
            readout=readout or self.suite.readouts[0],
            budget=budget,
            control=control,
        )

    def plot(
        self,
        metric: str | None = None,
        *,
        kind: str = "curves",
        readout: str | None = None,
        budget: str | None = None,
    ) -> Any:
        """Draw curves of every data set, or average ranks over them.

        Parameters
        ----------
        metric, readout : str or None, default=None
            None: the suite's first.
        kind : {"curves", "ranks"}, default="curves"
            The measure against the number of features, or the critical-difference
            diagram.
        budget : str or None, default=None
            For ranks: a number or share of the features; None: the mean over all.

        Returns
        -------
        matplotlib Figure
            ``figure.savefig("figure.pdf")`` saves it.
        """
        from labelsift.plots import curve_panels, result_ranks

        metric = metric or self.suite.measures[0]
        readout = readout or self.suite.readouts[0]
        if kind == "curves":
            part = self.compared.where(readout=[readout, "self"])
            return curve_panels(part, metric)
        if kind != "ranks":
            raise ValueError(f"kind={kind!r} is not known: use 'curves' or 'ranks'.")
        return result_ranks(self.rank_test(metric, readout, budget)).figure

    def only(
        self,
        *,
        data: Collection[str] = (),
        methods: Collection[str] = (),
        metrics: Collection[str] = (),
        readouts: Collection[str] = (),
        budgets: Sequence[str] = (),
    ) -> Self:
        """A part of a suite and of its results; what is empty stays whole.

        Parameters
        ----------
        data, methods, metrics, readouts : collection of str, default=()
            Names.
        budgets : sequence of str, default=()
            Numbers ("20") and shares ("5%") of features.

        Returns
        -------
        SuiteResult
            Claims about other methods or measures are left out.
        """
        suite = self.suite.only(data, methods, metrics, readouts, budgets)
        part = self.results.where(
            data=[item.name for item in suite.data],
            method=[item.name for item in suite.methods],
        )
        if readouts:
            part = _with_readouts(part, readouts)
        if budgets:
            values = [at_budget(part, budget).values for budget in budgets]
            part = Results(pd.concat(values).drop_duplicates(), part.tasks)
        names = {item.name for item in suite.data}
        absent = {name: why for name, why in self.absent.items() if name in names}
        return replace(self, suite=suite, results=part, absent=absent)


def _with_readouts(results: Results, readouts: Collection[str]) -> Results:
    """Values with these read-outs; of methods without them what they have."""
    values = results.values
    own = values["readout"].isin(readouts)
    others = ~values["method"].isin(values["method"][own])
    return Results(values[own | others], results.tasks)
