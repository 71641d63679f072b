# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift data``: list, describe and convert data sets, write an example."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from labelsift.cli.terminal import (
    TableOptions,
    data_home_option,
    errors,
    every_problem,
    open_source,
    reading,
    show,
    show_json,
    show_table,
)
from labelsift.datasets import (
    MultiLabelData,
    Summary,
    describe,
    list_datasets,
    write_example,
)
from labelsift.datasets.files import SUFFIXES, write_file

# How many names are listed of each kind of suspect feature.
_SHOWN_NAMES = 5


@click.group()
def data() -> None:
    """List data sets, describe one, convert between formats, write an example."""


@data.command("list")
@data_home_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(data_home: Path | None, as_json: bool) -> None:
    """List the data sets known by name, local or to be downloaded."""
    infos = list_datasets(data_home)
    if as_json:
        show_json([asdict(info) for info in infos])
        return
    rows = [
        (
            info.name,
            *(
                "?" if size is None else size
                for size in (info.n_samples, info.n_features, info.n_labels)
            ),
            "?" if info.cardinality is None else info.cardinality,
            "here" if info.local else "downloaded on request",
            info.licence,
            info.source,
        )
        for info in infos
    ]
    columns = [
        "name", "samples", "features", "labels", "cardinality", "where", "licence",
        "source",
    ]  # fmt: skip
    show_table("Data sets", columns, rows)


@data.command()
@reading
@click.option(
    "--pairs", default=10, show_default=True, type=click.IntRange(min=0),
    help="How many pairs of labels that occur together are shown.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON.")
def info(
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
    pairs: int,
    as_json: bool,
) -> None:
    """Show size, labels and suspect columns and rows of DATA."""
    with every_problem():
        opened = _opened(source, labels, drop, data_home, table)
    summary = describe(opened)
    if as_json:
        show_json(_document(opened, summary))
        return
    show_table(opened.name, ["what", "value"], _sizes(opened, summary))
    show_table("Labels", ["label", "samples", "share"], _labels(opened, summary))
    title = f"Labels together ({pairs} most frequent pairs)"
    columns = ["label", "and", "samples", "share of either"]
    if summary.co_occurrence is None:
        show(f"Pairs of {summary.n_labels} labels are not counted: they are too many.")
    else:
        together = _pairs(opened, summary, summary.co_occurrence, pairs)
        show_table(title, columns, together)
    show_table("Suspect", ["what", "count", "which"], _suspects(opened, summary))


def _opened(source: str, *how: Any) -> MultiLabelData:
    """Open DATA that holds labels."""
    if how[-1].reading.get("target") == "values":
        raise ValueError("--targets is for compare, select and look: name labels here.")
    data = open_source(source, *how)
    if data.target == "values":
        raise ValueError(f"{data.name} holds values: 'labelsift look' shows them.")
    return data


def _sizes(opened: MultiLabelData, summary: Summary) -> list[tuple[str, Any]]:
    storage = "sparse" if summary.sparse else "dense"
    raw = opened.X is opened.frame
    return [
        ("samples", summary.n_samples),
        ("features", f"{summary.n_features}, {'a table' if raw else storage}"),
        ("cells filled" if raw else "entries not zero", f"{summary.filled:.2%}"),
        ("labels", summary.n_labels),
        ("cardinality", summary.cardinality),
        ("density", summary.density),
        ("combinations of labels", summary.n_label_sets),
    ]


def _labels(opened: MultiLabelData, summary: Summary) -> list[tuple[str, int, str]]:
    return [
        (name, int(count), f"{count / summary.n_samples:.1%}")
        for name, count in zip(opened.label_names, summary.label_counts, strict=True)
    ]


def _pairs(
    opened: MultiLabelData, summary: Summary, counts: NDArray[Any], limit: int
) -> list[tuple[str, str, int, str]]:
    """The pairs of labels that most samples have, most frequent first."""
    rows, columns = np.triu_indices(summary.n_labels, k=1)
    together = counts[rows, columns]
    best = np.argsort(-together, kind="stable")[:limit]
    either = summary.label_counts[rows] + summary.label_counts[columns] - together
    return [
        (
            opened.label_names[rows[i]],
            opened.label_names[columns[i]],
            int(together[i]),
            f"{together[i] / either[i]:.1%}",
        )
        for i in best
        if together[i]
    ]


def _suspects(opened: MultiLabelData, summary: Summary) -> list[tuple[str, int, str]]:
    names = opened.feature_names
    same = [
        f"{names[later]} = {names[first]}"
        for later, first in summary.duplicate_features[:_SHOWN_NAMES]
    ]
    constant = [names[i] for i in summary.constant_features[:_SHOWN_NAMES]]
    empty, unlabelled = summary.empty_rows, summary.unlabelled_rows
    return [
        _suspect("constant features", len(summary.constant_features), constant),
        _suspect("duplicate features", len(summary.duplicate_features), same),
        _suspect(
            "empty rows" if opened.X is opened.frame else "rows of zeros",
            len(empty),
            _first(empty),
        ),
        _suspect("rows without a label", len(unlabelled), _first(unlabelled)),
        _suspect("missing values", summary.n_missing, []),
    ]


def _first(rows: NDArray[Any]) -> list[str]:
    return [str(row) for row in rows[:_SHOWN_NAMES]]


def _suspect(what: str, count: int, which: list[str]) -> tuple[str, int, str]:
    more = ", ..." if count > len(which) > 0 else ""
    return what, count, ", ".join(which) + more


def _document(opened: MultiLabelData, summary: Summary) -> dict[str, Any]:
    """The whole summary in plain types; features and labels by name."""
    names = np.array(opened.feature_names, dtype=object)
    plain = {
        key: value.tolist() if isinstance(value, np.ndarray) else value
        for key, value in asdict(summary).items()
    }
    return plain | {
        "label_names": list(opened.label_names),
        "constant_features": names[summary.constant_features].tolist(),
        "duplicate_features": names[summary.duplicate_features].tolist(),
    }


@data.command(epilog=f"Formats: {', '.join(SUFFIXES)}.")
@reading
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace TARGET where it exists.")
def convert(
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
    target: Path,
    force: bool,
) -> None:
    """Write DATA to the file TARGET in the format of its suffix.

    npz stores everything. ARFF is written as MEKA reads it, labels last. ARFF, CSV and
    Parquet lose the published split, LIBSVM also the names.
    """
    _check_absent(target, force)
    opened = _opened(source, labels, drop, data_home, table)
    with errors.status("Writing ..."):
        write_file(opened, target)
    show(
        f"{target}: {opened.n_samples} samples, {opened.n_features} features, "
        f"{opened.n_labels} labels"
    )


@data.command()
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace TARGET where it exists.")
def example(target: Path, force: bool) -> None:
    """Write a raw table to try things on to the CSV file TARGET.

    2000 invented support tickets with ids, dates, gaps, an error code and a leak.
    """
    _check_absent(target, force)
    write_example(target)
    show(f"{target}: try labelsift look {target} --labels 'tag_*'")


def _check_absent(target: Path, force: bool) -> None:
    if target.exists() and not force:
        raise ValueError(f"{target} exists already: pass --force to replace it.")
