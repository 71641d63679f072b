# SPDX-License-Identifier: BSD-3-Clause
"""A suite with its results: from a run, or from a ledger."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from labelsift.bench.comparison_with_paper import Claim, compare_cells, judge_claims
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import Suite
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.results import Results


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
        return failed_tasks(self.results)


def failed_tasks(results: Results) -> pd.DataFrame:
    """Tasks that failed or ran out of time."""
    return results.tasks[results.tasks["status"] != "done"]


def run_suite(
    name: str,
    *,
    effort: str = "quick",
    store: str | Path = "runs.sqlite",
    data: Collection[str] = (),
    methods: Collection[str] = (),
    data_home: str | Path | None = None,
    **options: Any,
) -> SuiteResult:
    """Run the missing tasks of a suite, and return all its values.

    Parameters
    ----------
    name : str
        A name in ``list_suites()``, or a path that ends in ``.toml``.
    effort : {"quick", "full"}, default="quick"
        Quick runs are reduced; full is the paper's own protocol.
    store : str or Path, default="runs.sqlite"
        The ledger; created if missing.
    data, methods : collection of str, default=()
        Only these; empty: all of the suite.
    data_home : str, Path or None, default=None
        A folder of data sets that is searched first.
    **options
        For the runner: ``jobs``, ``backend``, ``scheduler``, ``timeout``, ``threads``,
        ``retry_failed`` and ``on_done``.

    Returns
    -------
    SuiteResult
        ``results``, ``cells`` (the printed ones with ours), ``claims``, ``absent`` data
        and ``failed`` tasks.

    Examples
    --------
    >>> from labelsift.bench import run_suite
    >>> result = run_suite("naula-table2", jobs=2)  # doctest: +SKIP
    >>> result.cells.groupby("verdict").size()  # doctest: +SKIP
    """
    suite = read_suite(name, effort)
    present, absent = find_data([suite], data, str(data_home or ""))
    planned = plan(suite, present, methods)
    with Ledger(store) as ledger:
        run_tasks([item.task for item in planned], ledger, **options)
        return SuiteResult(suite, ledger.results(planned, suite.name), absent)


def stored_results(
    suites: Iterable[Suite], store: str | Path, data_home: str | Path | None = None
) -> Iterator[SuiteResult]:
    """Suites with their results in a ledger.

    Parameters
    ----------
    suites : iterable of Suite
        The suites.
    store : str or Path
        The ledger.
    data_home : str, Path or None, default=None
        A folder of data sets that is searched first.

    Yields
    ------
    SuiteResult
        In the order given.
    """
    suites = list(suites)
    present, absent = find_data(suites, (), str(data_home or ""))
    with Ledger(store, readonly=True) as ledger:
        for suite in suites:
            results = ledger.results(plan(suite, present), suite.name)
            names = [part.name for part in suite.data if part.name in absent]
            yield SuiteResult(suite, results, {name: absent[name] for name in names})
