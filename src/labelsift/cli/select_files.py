# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift select`` on tables that are read in parts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from labelsift.cli.terminal import (
    TableOptions,
    announce_left_out,
    errors,
    every_problem,
    log,
    progress,
)
from labelsift.core.memory_size import read_size, size_text
from labelsift.datasets.table_files import TableFiles
from labelsift.experiment.all_files import AllFiles
from labelsift.experiment.all_rows import Selected
from labelsift.experiment.catalogue import Chosen
from labelsift.prepare.kinds import WHY
from labelsift.prepare.table_batches import TableBatches
from labelsift.sums.summary import sums_bytes

# What the usual method becomes where rows are read once.
_DEFAULT, _IN_ONE_PASS = "greedy-rls", "greedy-rls-gcv"


def open_files(
    source: str,
    paths: Sequence[Path],
    labels: Sequence[str],
    drop: Sequence[str],
    table: TableOptions,
) -> AllFiles:
    """Open tables, learn their preparation from a sample, and say so."""
    if table.reading.get("label_missing"):
        raise ValueError(
            "--label-missing is for tables in memory: labels of tables that are read "
            "in parts must be known."
        )
    reading = {k: v for k, v in table.reading.items() if k != "target"}
    memory = reading.pop("memory", None)
    with errors.status("Looking at a sample of rows ..."), every_problem():
        files = TableFiles(paths, labels, drop, memory=memory, **reading)
        batches = TableBatches(files, table.preparation)
    sampled, total = len(batches.sample[0]), files.n_rows
    rows = "" if total is None else f"{total} rows in "
    log(f"{source}: {rows}{len(paths)} files, read in parts: a sample, then all rows.")
    log(
        f"Preparation: learned from {sampled} rows spread over all files, applied to "
        "every row."
    )
    announce_left_out([(c["name"], WHY[c["why"]]) for c in batches.left_out])
    target = str(table.reading.get("target") or "labels")
    outputs = batches.sample[0].shape[1]
    needed = sums_bytes(outputs, len(files.labels)) + 64 * files.batch_rows * (
        outputs + len(files.labels)
    )
    log(
        f"Memory: about {size_text(needed)} for the sums and a batch of "
        f"{files.batch_rows} rows, of {size_text(read_size(memory))} allowed."
    )
    return AllFiles(source, batches, target, memory)


def choose_from_files(
    ready: AllFiles, method: str, parameters: dict[str, Any], budget: Any
) -> tuple[str, Chosen, Selected]:
    """The method in one pass, as it is announced, and what it selects."""
    if budget == "auto":
        raise ValueError("-k auto needs rows in memory: name a number.")
    if method == _DEFAULT:
        method = _IN_ONE_PASS
        log(
            "Method: greedy-rls by generalised cross-validation (greedy-rls-gcv), as "
            "leave-one-out errors need a pass over the rows for every feature."
        )
    chosen = ready.method(method, parameters)
    with progress("rows") as on_done:
        total = ready.total_rows

        def on_rows(done: int) -> None:
            on_done(done, total or done, None)

        ready.read(on_rows)
    return method, chosen, ready.select(chosen, budget)
