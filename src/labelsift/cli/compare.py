# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift compare``: from a file to a page that answers."""

import csv
import shlex
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from labelsift.bench.compare import Comparison, run_comparison
from labelsift.bench.comparison_setup import Setup, make_setup
from labelsift.bench.methods import READOUTS
from labelsift.bench.spec import DataSpec
from labelsift.cli.bench import progress
from labelsift.cli.reading import open_source, reading
from labelsift.cli.show import errors, output, show_table
from labelsift.core.data import MultiLabelData
from labelsift.metrics import MEASURES
from labelsift.results import ResultStore


@click.command()
@reading
@click.option(
    "--methods", default="fast", show_default=True,
    help="fast, all, or names with commas between; see 'labelsift methods'.",
)  # fmt: skip
@click.option(
    "--budgets", help="As 1%:20%, or 5,10,20; default: a range that suits the data."
)
@click.option(
    "--readout", type=click.Choice(list(READOUTS)), default="ridge", show_default=True,
    help="What is trained on the chosen features.",
)  # fmt: skip
@click.option("--cv", type=int, default=5, show_default=True, help="Folds.")
@click.option(
    "--metric", type=click.Choice(list(MEASURES)), default="macro_auc",
    show_default=True, help="What the answer is about.",
)  # fmt: skip
@click.option(
    "--costs", type=click.Path(dir_okay=False, path_type=Path),
    help="CSV file with the columns feature and cost.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path),
    default=Path("report.html"), show_default=True, help="The page.",
)  # fmt: skip
@click.option(
    "--store", type=click.Path(dir_okay=False, path_type=Path),
    help="A ledger that keeps finished work; run again to go on.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the folds.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS")
def compare(
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    costs: Path | None,
    out: Path,
    store: Path | None,
    jobs: int,
    timeout: float | None,
    **asked: Any,
) -> None:
    """Compare methods on DATA and write a page with the answer."""
    _check_place(out)
    data = open_source(source, labels, drop, data_home)
    spec = DataSpec(source, data.checksum, labels, drop, data_home=str(data_home or ""))
    given = None if costs is None else read_costs(costs, data)
    setup = make_setup(spec, data, costs=given, **asked)
    _announce(setup)
    with ExitStack() as stack:
        if store is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            store = Path(folder) / "runs.sqlite"
        ledger = stack.enter_context(ResultStore(store))
        on_done = stack.enter_context(progress("fits"))
        command = shlex.join(["labelsift", *sys.argv[1:]])
        found = run_comparison(setup, ledger, jobs, timeout, on_done, command)
    _show(found, out)


def _check_place(out: Path) -> None:
    """An hour of work must not end at a folder that does not exist."""
    folder = out.parent
    if not folder.is_dir():
        raise ValueError(f"The folder {folder} of --out does not exist: make it first.")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(
            f"The folder {folder} of --out cannot be written ({error.strerror}): "
            "choose another."
        ) from error


def read_costs(path: Path, data: MultiLabelData) -> list[float]:
    """Cost of each feature, from a CSV file with the columns feature and cost."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        if not {"feature", "cost"} <= set(reader.fieldnames or ()):
            raise ValueError(
                f"{path} needs the columns feature and cost; it has "
                f"{', '.join(reader.fieldnames or ['none'])}."
            )
        texts = {row["feature"]: row["cost"] for row in reader}
    missing = [name for name in data.feature_names if name not in texts]
    if missing:
        raise ValueError(
            f"{path} has no cost of {len(missing)} features, such as {missing[0]!r}: "
            "give every feature one."
        )
    try:
        return [float(texts[name]) for name in data.feature_names]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} has a cost that is no number: {error}.") from error


def _announce(setup: Setup) -> None:
    data = setup.data
    errors.print(
        f"{data.name}: {data.n_samples} rows, {data.n_features} features, "
        f"{data.n_labels} labels; {len(setup.methods)} methods, budgets "
        f"{setup.counts[0]} to {setup.counts[-1]}, {setup.cv} folds.",
        markup=False,
        soft_wrap=True,
    )
    for item in setup.left_out:
        errors.print(
            f"Left out: {item.method}. {item.why}", markup=False, soft_wrap=True
        )


def _show(found: Comparison, out: Path) -> None:
    measured = {row["method"] for row in found.rows}
    if not measured & set(found.setup.methods):
        failed = next((r.error for r in found.records if r.error), "nothing was run")
        raise ValueError(f"There is nothing to report: {failed}")
    answer = found.recommend()
    if found.interrupted:
        errors.print("Stopped; the page shows what is done.")
    output.print(answer.sentence, markup=False, soft_wrap=True)
    chosen = found.final.get(answer.method, {}).get("order", {})
    order: list[int] = next(iter(chosen.values()), [])
    names = found.setup.data.feature_names
    rows = [(rank, names[i]) for rank, i in enumerate(order[:20], start=1)]
    if rows:
        more = f", the first 20 of {len(order)}" if len(order) > 20 else ""
        show_table(f"Features by {answer.method}{more}", ["rank", "feature"], rows)
    found.report(out)
    output.print(f"Report: {out}", markup=False, soft_wrap=True)
