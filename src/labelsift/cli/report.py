# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift bench report``: results of suites as tables and figures."""

from collections.abc import Sequence
from pathlib import Path

import click

from labelsift.bench.export import provenance_section, read_export
from labelsift.bench.figures import FORMATS, write_figures
from labelsift.bench.published import PAPERS
from labelsift.bench.runs import stored_results
from labelsift.bench.sections import Wanted, report_sections
from labelsift.bench.suite_result import SuiteResult
from labelsift.cli.suites import (
    check_known,
    listed_option,
    read_suites,
    suite_options,
)
from labelsift.cli.terminal import log, show_document
from labelsift.core.budget import expand_budgets
from labelsift.datasets.atomic import write_text
from labelsift.tables.document import RENDER

TITLE = "The papers' tables, regenerated"


@click.command()
@suite_options
@listed_option("--data", help="Only these data sets.")
@listed_option("--methods", help="Only these methods.")
@listed_option("--metric", help="Only these measures.")
@listed_option("--readout", help="Only these read-outs.")
@listed_option("--budgets", help="A table for each of these, as 10%,20% or 50.")
@click.option("--tables", is_flag=True, help="Mean ± std also for papers' suites.")
@click.option("--control", help="Test every other method against this one.")
@click.option("--pairs", is_flag=True, help="Test all pairs of methods.")
@click.option(
    "--format", "form", type=click.Choice(list(RENDER)), default="md", show_default=True
)
@click.option(
    "--from", "folder", type=click.Path(file_okay=False, path_type=Path),
    help="Read a folder written by 'bench export', not a ledger.",
)  # fmt: skip
@click.option(
    "--figures", type=click.Path(file_okay=False, path_type=Path),
    help="A folder for critical-difference diagrams and curves.",
)  # fmt: skip
@listed_option(
    "--figure-format", default=("svg",), show_default=True,
    help=f"Of {', '.join(FORMATS)}.",
)  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path))
def report(
    suites: Sequence[str],
    effort: str,
    store: Path,
    data_home: Path | None,
    tables: bool,
    control: str | None,
    pairs: bool,
    form: str,
    folder: Path | None,
    figures: Path | None,
    figure_format: Sequence[str],
    out: Path | None,
    **part: tuple[str, ...],
) -> None:
    """Show SUITE... as tables, with ranks, tests and the papers' numbers."""
    check_known("figure format", figure_format, FORMATS)
    if folder is None:
        results = list(stored_results(read_suites(suites, effort), store, data_home))
    else:
        results = read_export(folder, suites)
    part["budgets"] = expand_budgets(part["budgets"])
    results = _parts(results, **part)
    wanted = Wanted(tables, part["budgets"], control, pairs)
    sections = [] if folder is None else [provenance_section(folder)]
    sections += report_sections(results, wanted)
    text = RENDER[form](_title(results), sections)
    if figures is not None:
        for result in results:
            write_figures(result, figures, figure_format)
        log(f"Figures: {figures}")
    if out is None:
        show_document(text)
    else:
        write_text(text, out)
        log(f"Report: {out}")


def _title(results: Sequence[SuiteResult]) -> str:
    if any(result.suite.paper in PAPERS for result in results):
        return TITLE
    return "; ".join(result.suite.title for result in results) or "Results"


def _parts(
    results: Sequence[SuiteResult],
    data: Sequence[str],
    methods: Sequence[str],
    metric: Sequence[str],
    readout: Sequence[str],
    budgets: Sequence[str],
) -> list[SuiteResult]:
    """The part of each suite that is asked for; suites without any are left out."""
    known = [
        {
            "data": [part.name for part in result.suite.data],
            "methods": [part.name for part in result.suite.methods],
            "metrics": result.suite.measures,
            "readouts": result.suite.all_readouts,
        }
        for result in results
    ]
    wanted = {"data": data, "methods": methods, "metrics": metric, "readouts": readout}
    for what, names in wanted.items():
        check_known(what, names, {name for own in known for name in own[what]})
    chosen = []
    for result, own in zip(results, known, strict=True):
        part = {what: set(names) & set(own[what]) for what, names in wanted.items()}
        if all(part[what] or not names for what, names in wanted.items()):
            chosen.append(result.only(**part, budgets=budgets))
    return chosen
