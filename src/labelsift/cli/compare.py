# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift compare``: compare methods on a data set; write an HTML page."""

import math
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from labelsift.cli.terminal import (
    TableOptions,
    announce,
    announce_left_out,
    buying,
    errors,
    exit_with,
    log,
    log_failed,
    progress,
    reading,
    show,
    show_doubts,
    show_table,
    weighing,
)
from labelsift.compare import Comparison, LivePage, run_comparison
from labelsift.compare.answer import MARGIN
from labelsift.compare.page.data import cut_by_why
from labelsift.compare.request import make_setup
from labelsift.compare.setup import Setup
from labelsift.datasets.atomic import is_stream
from labelsift.experiment.catalogue import READOUTS
from labelsift.experiment.inputs import opened, with_checksum
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.task import DataSpec
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection.protocol import FORMS


@click.command()
@reading
@weighing
@click.option(
    "--methods", default="fast", show_default=True,
    help="fast, all, or names with commas between (see 'labelsift methods'); a class "
    "of your own is package.module:Class.",
)  # fmt: skip
@click.option(
    "--budgets", help="As 1%:20%, or 5,10,20; default: a range that suits the data."
)
@click.option(
    "--readout", default="ridge", show_default=True,
    help=f"What is trained on the chosen features: {', '.join(READOUTS)}, or a class "
    "such as sklearn.ensemble:ExtraTreesClassifier; several with commas between.",
)  # fmt: skip
@click.option(
    "--cv", default="5", show_default=True, help=f"How rows are split: {FORMS}."
)
@click.option(
    "--repeats", type=click.IntRange(1), default=1, show_default=True,
    help="How often the folds of --cv are repeated with other seeds.",
)  # fmt: skip
@click.option(
    "--margin", type=click.FloatRange(0, min_open=True), default=MARGIN,
    show_default=True, help="A difference of the metric that does not matter.",
)  # fmt: skip
@click.option(
    "--rows-of", metavar="COLUMN",
    help="Rows with the same value of this column stay in one part; no feature.",
)  # fmt: skip
@click.option(
    "--metric",
    help="What the answer is about: macro_auc, of --targets r2, or another of "
    f"{', '.join(EVERY_MEASURE)}, or a Measure of your own as package.module:NAME.",
)  # fmt: skip
@click.option(
    "--measures", metavar="NAMES",
    help="What is measured, with commas between; default: the papers' nine and the "
    "labels served worst, of --targets r2, rmse, mae and spearman.",
)  # fmt: skip
@buying
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the recommended selection as a JSON file for 'labelsift apply'.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path),
    default=Path("report.html"), show_default=True, help="The page.",
)  # fmt: skip
@click.option(
    "--store", type=click.Path(dir_okay=False, path_type=Path),
    help="A ledger of finished work; run again to resume.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--scheduler", metavar="ADDRESS",
    help="Run on a Dask cluster, whose workers see the files of DATA.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Fold seed.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS")
@click.option(
    "--within", metavar="TIME",
    help="Time for all, as 60s or 2m: methods race, and the page says what was cut.",
)  # fmt: skip
def compare(
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    cv: str,
    repeats: int,
    table: TableOptions,
    rows_of: str | None,
    measures: str | None,
    save: Path | None,
    out: Path,
    store: Path | None,
    jobs: int,
    scheduler: str | None,
    timeout: float | None,
    **options: Any,
) -> None:
    """Compare methods on DATA and write a page with the answer."""
    started = time.time()
    _check_place(out, "--out")
    if save is not None:
        _check_place(save, "--save")
    spec = DataSpec(
        source,
        labels=labels,
        drop=drop,
        data_home=str(data_home or ""),
        reading=tuple(table.reading.items()),
    )
    with errors.status("Reading ..."):
        groups = None
        if rows_of is not None:
            groups = read_groups(spec, rows_of)
            spec = replace(spec, drop=(*drop, rows_of))
        data, spec = opened(spec), with_checksum(spec)
    announce(data)
    judged = None if measures is None else [m.strip() for m in measures.split(",")]
    options |= {"cv": _repeated(cv, repeats), "groups": groups, "measures": judged}
    setup = make_setup(spec, data, preparation=table.preparation, **options)
    _announce(setup)
    with ExitStack() as stack:
        if store is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            store = Path(folder) / "runs.sqlite"
        ledger = stack.enter_context(Ledger(store))
        engine = {"jobs": jobs, "timeout": timeout, "scheduler": scheduler}
        until = math.inf if setup.within is None else started + setup.within
        _show_first_answer(setup, ledger, engine, until)
        so_far = partial(setup.so_far, ledger)
        bar = stack.enter_context(progress("fits", so_far))
        command = shlex.join(["labelsift", *sys.argv[1:]])
        on_done = (
            bar if is_stream(out) else _with_page(bar, setup, ledger, out, command)
        )
        result = run_comparison(setup, ledger, engine, on_done, command, until)
    _show(result, out, save)


def _repeated(cv: str, repeats: int) -> str:
    """Folds, repeated with other seeds."""
    if repeats == 1:
        return cv
    if not cv.isdecimal():
        raise ValueError(f"--repeats goes with a number of folds, not --cv {cv}.")
    return f"{cv}x{repeats}"


def _show_first_answer(
    setup: Setup, ledger: Ledger, engine: dict[str, Any], until: float
) -> None:
    """What one fit says, then what is doubtful about the data."""
    with errors.status("First answer ..."):
        first = setup.first_answer(ledger, engine, until)
    if first:
        log(first)
    show_doubts(setup.doubts)


def _with_page(
    bar: Callable[[int, int, Any], None],
    setup: Setup,
    ledger: Ledger,
    out: Path,
    command: str,
) -> Callable[[int, int, Any], None]:
    """The bar, and where it takes long the page of what is done so far."""
    if is_stream(out):
        return bar
    page = LivePage(setup, ledger, out, command)

    def on_done(done: int, total: int, outcome: Any) -> None:
        bar(done, total, outcome)
        page.update(done, total)

    return on_done


def _check_place(out: Path, option: str) -> None:
    """An hour of work must not end at a folder that does not exist."""
    if is_stream(out):
        return
    folder = Path(os.path.realpath(out)).parent
    if not folder.is_dir():
        raise ValueError(
            f"The folder {folder} of {option} does not exist: create it first."
        )
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(
            f"The folder {folder} of {option} cannot be written ({error.strerror}): "
            "choose another."
        ) from error


def read_groups(spec: DataSpec, column: str) -> Any:
    """The values of the column that says which rows belong together."""
    data = opened(spec)
    if column not in data.feature_names:
        raise ValueError(f"--rows-of: {data.name} has no column {column!r}.")
    if data.frame is not None:
        return np.asarray(data.frame[column])
    values = data.X[:, data.feature_names.index(column)]
    return values.toarray().ravel() if hasattr(values, "toarray") else values


def _announce(setup: Setup) -> None:
    data, what = setup.data, "total costs" if setup.costs else "budgets"
    log(
        f"{data.name}: {data.n_samples} rows, {data.n_features} features, "
        f"{data.n_labels} {setup.kind.many}; {len(setup.methods)} methods, {what} "
        f"{setup.sizes[0]:g} to {setup.sizes[-1]:g}, {setup.cv} splits."
    )
    by_why: dict[str, list[str]] = {}
    for item in setup.left_out:
        by_why.setdefault(item.why, []).append(item.method)
    for why, names in by_why.items():
        log(f"Left out: {', '.join(names)}. {why}")
    announce_left_out(setup.columns_left_out)


def _show(result: Comparison, out: Path, save: Path | None) -> None:
    if not result.has_answer and result.interrupted:
        log("No method was measured yet, so that there is no page.")
        raise KeyboardInterrupt
    if not result.has_answer:
        problems = result.results.tasks["error"]
        failed = next((error for error in problems if error), "nothing was run")
        raise ValueError(f"There is nothing to report: {failed}")
    answer = result.recommend()
    if result.interrupted:
        log("Stopped; the page shows what is done.")
    for methods, why in cut_by_why(result.results.tasks):
        log(f"Cut: {', '.join(methods)}. {why}")
    show_doubts(result.doubts[len(result.setup.doubts) :])
    show(answer.sentence)
    if result.worst_label is not None:
        show(result.worst_label.sentence)
    names = result.features()
    if names:
        more = f", the first 20 of {len(names)}" if len(names) > 20 else ""
        cost = result.total_cost()
        paid = "" if cost is None else f", total cost {cost:g}"
        rows = list(enumerate(names[:20], start=1))
        title = f"Features by {answer.method}{paid}{more}"
        show_table(title, ["rank", "feature"], rows)
    result.report(out)
    show(f"Report: {out}")
    if save is not None:
        result.save(save)
        show(f"Selection: {save}")
        if result.setup.readout != "ridge":
            log(f"It predicts by ridge regression, not by {result.setup.readout}.")
    if result.interrupted:
        exit_with(130)
    log_failed(result.results.failed)
