# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift apply``: apply a saved selection to other data."""

from collections.abc import Sequence
from pathlib import Path

import click

from labelsift.cli.terminal import (
    TableOptions,
    errors,
    open_source,
    reading,
    show,
)
from labelsift.core.data import MultiLabelData
from labelsift.datasets import keep_features
from labelsift.datasets.files import SUFFIXES, read_unlabelled, write_file
from labelsift.datasets.label_patterns import split_table
from labelsift.model_selection import SavedSelection, load_selection


@click.command(epilog=f"Formats of --out: {', '.join(SUFFIXES)}.")
@click.argument(
    "selector", metavar="SELECTOR", type=click.Path(dir_okay=False, path_type=Path)
)
@reading
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the reduced data to this file, in the format of its suffix.",
)
@click.option("--force", is_flag=True, help="Replace the file of --out.")
def apply(
    selector: Path,
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
    out: Path | None,
    force: bool,
) -> None:
    """Keep the features of DATA that SELECTOR, a file of 'select --save', names.

    Features are matched by name, in any order. A table without --labels may have the
    labels of the selection, or none.
    """
    if out is not None and out.exists() and not force:
        raise ValueError(f"{out} exists already: pass --force to replace it.")
    saved = load_selection(selector)
    data = _open(source, labels, drop, data_home, table, saved)
    reduced = keep_features(data, saved.columns(data.feature_names))
    if out is None:
        for name in reduced.feature_names:
            show(name)
        return
    with errors.status("Writing ..."):
        write_file(reduced, out)
    show(
        f"{out}: {reduced.n_samples} samples, {reduced.n_features} of "
        f"{data.n_features} features, {reduced.n_labels} labels"
    )


def _open(
    source: str,
    labels: Sequence[str],
    drop: Sequence[str],
    data_home: Path | None,
    table: TableOptions,
    saved: SavedSelection,
) -> MultiLabelData:
    """Open DATA; a table may have the labels of the selection, or none."""
    unlabelled = (
        None if labels else read_unlabelled(Path(source), drop, **table.reading)
    )
    if unlabelled is None:
        return open_source(source, labels, drop, data_home, table)
    names = unlabelled.feature_names
    known = [name for name in saved.label_names or () if name in set(names)]
    if not known and saved.labels_form:
        try:
            split_table(names, saved.labels_form, (), source)
        except ValueError:  # new data need not have labels
            return unlabelled
        known = list(saved.labels_form)
    return open_source(source, known, drop, data_home, table) if known else unlabelled
