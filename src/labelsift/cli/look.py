# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift look``: what a table holds, and what is doubtful; nothing is fitted."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np

from labelsift.cli.terminal import (
    TableOptions,
    announce,
    errors,
    every_problem,
    reading,
    show,
    show_doubts,
    show_json,
    show_table,
    weighing,
)
from labelsift.core.data import MultiLabelData
from labelsift.datasets import open_data
from labelsift.datasets.files import read_unlabelled
from labelsift.datasets.frame import as_numbers
from labelsift.prepare import Doubt, doubts
from labelsift.prepare.survey import Column, survey


@click.command()
@reading
@weighing
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def look(
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
    as_json: bool,
) -> None:
    """Show every column of DATA, and what is doubtful about it; fit nothing.

    Without --labels, a table is looked at without them. All problems of a file are
    listed at once.
    """
    with errors.status("Reading ..."), every_problem():
        data = _open(source, labels, drop, data_home, table)
        columns, found = _examined(data, table)
    announce(data)
    if as_json:
        show_json(_document(data, columns, found))
        return
    if columns:
        _show_columns(data, columns)
    _show_labels(data)
    show_doubts(found)
    if not found:
        show("No doubts.")


def _open(
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
) -> MultiLabelData:
    """Open DATA, a table also without labels; one that is not prepared as numbers."""
    data = None if labels else read_unlabelled(Path(source), drop, **table.reading)
    if data is None:
        data = open_data(
            source, labels=labels, drop=drop, data_home=data_home, **table.reading
        )
    return data if table.preparation is not None else as_numbers(data)


def _examined(
    data: MultiLabelData, table: TableOptions
) -> tuple[list[Column], tuple[Doubt, ...]]:
    """The columns of a table, and the doubts."""
    made = table.preparation
    if data.frame is None or made is None:
        return [], doubts(data)
    made.fit(data.frame)
    return survey(data, made), doubts(data, made)


def _show_columns(data: MultiLabelData, columns: list[Column]) -> None:
    used = [column for column in columns if column.kind != "drop"]
    outputs = sum(column.outputs for column in columns)
    title = (
        f"{data.name}: {data.n_samples:,} rows, {len(columns):,} columns, "
        f"{len(used):,} used as {outputs:,} numbers"
    )
    rows = [
        (
            column.name,
            "left out" if column.kind == "drop" else column.kind,
            column.why,
            f"{column.missing / data.n_samples:.1%}" if column.missing else "",
            column.distinct,
            column.range,
        )
        for column in columns
    ]
    show_table(title, ["column", "kind", "why", "missing", "distinct", "values"], rows)


def _show_targets(data: MultiLabelData) -> None:
    known = np.asarray(data.Y, dtype=float)
    rows = [
        (name, float(np.nanmean(y)), float(np.nanstd(y)), np.nanmin(y), np.nanmax(y))
        for name, y in zip(data.label_names, known.T, strict=True)
    ]
    show_table("Targets", ["target", "mean", "std", "smallest", "largest"], rows)


def _show_labels(data: MultiLabelData) -> None:
    if data.target == "values":
        _show_targets(data)
        return
    told = {"label": list(data.label_names), "rows": _counts(data)}
    known = (~np.isnan(data.Y)).sum(axis=0)
    shares = np.array(told["rows"]) / np.maximum(known, 1)
    told["share"] = [f"{share:.1%}" for share in shares]
    if data.weights is not None:
        parts = data.weights @ (data.Y == 1) / (data.weights @ ~np.isnan(data.Y))
        told["share by weight"] = [f"{part:.1%}" for part in parts]
    if data.kind != data.target:
        told["unknown"] = (data.n_samples - known).tolist()
    if data.n_labels:
        show_table("Labels", told, zip(*told.values(), strict=True))


def _counts(data: MultiLabelData) -> list[int]:
    """How many rows have each label."""
    return [int(count) for count in np.count_nonzero(data.Y == 1, axis=0)]


def _document(
    data: MultiLabelData, columns: list[Column], found: tuple[Doubt, ...]
) -> dict[str, Any]:
    told: dict[str, Any] = {"targets": list(data.label_names)}
    if data.target != "values":
        told = {"labels": dict(zip(data.label_names, _counts(data), strict=True))}
    if data.kind != data.target:
        gaps = np.isnan(data.Y).sum(axis=0).tolist()
        told["unknown"] = dict(zip(data.label_names, gaps, strict=True))
    if data.weights is not None:
        told["sum_of_weights"] = float(data.weights.sum())
    return {
        "data": data.name,
        "checksum": data.checksum,
        "notes": list(data.notes),
        "n_samples": data.n_samples,
        "columns": [asdict(column) for column in columns],
        **told,
        "doubts": [asdict(doubt) for doubt in found],
    }
