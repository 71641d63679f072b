# SPDX-License-Identifier: BSD-3-Clause
"""Suites run, and read from a ledger."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import Suite
from labelsift.bench.suite_file import read_suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.results import Results


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
        ``results``, ``table()``, ``ranks()``, ``tests()`` and ``plot()``; ``cells``
        (the printed ones with ours), ``claims``, ``absent`` data and ``failed`` tasks.

    Examples
    --------
    >>> from labelsift.bench import run_suite
    >>> result = run_suite("naula-table2", jobs=2)  # doctest: +SKIP
    >>> print(result.table("macro_auc", budget="10%"))  # doctest: +SKIP
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
