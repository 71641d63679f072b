# SPDX-License-Identifier: BSD-3-Clause
"""Suites from Python: find the data, plan, run what is missing, collect."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from labelsift.bench.collect import failures, tidy_rows
from labelsift.bench.plan import Planned, find_data, plan
from labelsift.bench.schedule import run_tasks
from labelsift.bench.suite import Suite, read_suite
from labelsift.bench.tables import SuiteResult
from labelsift.results.store import ResultStore


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
    """Run what a ledger lacks of a suite, and give all its values.

    Parameters
    ----------
    name : str
        A name in ``list_suites()``, or a path that ends in ``.toml``.
    effort : {"quick", "full"}, default="quick"
        Quick runs are small, and say so; full is the paper's own protocol.
    store : str or Path, default="runs.sqlite"
        The ledger; made where it does not exist.
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
        ``rows`` (tidy), ``cells`` (beside the printed ones), ``claims``, ``absent``
        data and ``failed`` tasks.

    Examples
    --------
    >>> from labelsift.bench import run_suite
    >>> result = run_suite("naula-table2", jobs=2)  # doctest: +SKIP
    >>> result.cells[0].verdict  # doctest: +SKIP
    'within'
    """
    suite = read_suite(name, effort)
    present, absent = find_data(suite, data, str(data_home or ""))
    planned = list(plan(suite, present, methods))
    with ResultStore(store) as ledger:
        run_tasks([item.task for item in planned], ledger, **options)
        return collect(suite, planned, absent, ledger)


def collect(
    suite: Suite, planned: list[Planned], absent: dict[str, str], store: ResultStore
) -> SuiteResult:
    """A suite with the values that a ledger has of it.

    Parameters
    ----------
    suite : Suite
        The suite.
    planned : list of Planned
        Its tasks.
    absent : dict of str to str
        Data sets that are not there, and why.
    store : ResultStore
        The ledger.

    Returns
    -------
    SuiteResult
        With tidy rows and failures.
    """
    rows = list(tidy_rows(suite.name, planned, store))
    failed = [(f.data, f.method, f.error) for f in failures(planned, store)]
    return SuiteResult(suite, rows, absent, failed)
