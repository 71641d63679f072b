# SPDX-License-Identifier: BSD-3-Clause
"""From the ledger to tidy rows: one value each, with all that is known about it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from labelsift.bench.plan import Planned
from labelsift.results.store import ResultStore

COLUMNS = (
    "suite",
    "data",
    "method",
    "readout",
    "threshold",
    "budget",
    "share",
    "params",
    "n_train",
    "split",
    "measure",
    "value",
)


@dataclass(frozen=True)
class Failure:
    """A task without values.

    Parameters
    ----------
    data, method : str
        Names in the suite.
    split : int
        Which split.
    error : str
        One line.
    """

    data: str
    method: str
    split: int
    error: str


def tidy_rows(
    suite: str, planned: Iterable[Planned], store: ResultStore
) -> Iterator[dict[str, Any]]:
    """Values of a suite.

    Parameters
    ----------
    suite : str
        Name for the first column.
    planned : iterable of Planned
        The tasks of the suite.
    store : ResultStore
        Where finished tasks are.

    Yields
    ------
    dict
        With the names in COLUMNS.
    """
    for item in planned:
        rows = list(store.rows([item.task.key]))
        sizes = {row["measure"]: row["value"] for row in rows if not row["readout"]}
        for row in rows:
            if row["measure"] in ("n_train", "n_features"):
                continue
            yield {
                "suite": suite,
                "data": item.data,
                "method": item.method,
                "readout": row["readout"],
                "threshold": row["threshold"],
                "budget": row["budget"],
                "share": round(row["budget"] / sizes["n_features"], 6),
                "params": row["params"],
                "n_train": int(sizes["n_train"]),
                "split": item.task.split,
                "measure": row["measure"],
                "value": row["value"],
            }


def failures(planned: Iterable[Planned], store: ResultStore) -> list[Failure]:
    """Tasks that failed or ran out of time."""
    return [
        Failure(item.data, item.method, item.task.split, record.error)
        for item in planned
        for record in store.records([item.task.key])
        if record.status != "done"
    ]


def counts(planned: Iterable[Planned], store: ResultStore) -> Counter[str]:
    """How many tasks are done, failed, timed out and missing."""
    statuses = store.statuses()
    return Counter(statuses.get(item.task.key, "missing") for item in planned)
