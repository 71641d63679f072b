# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift data``: what data sets there are and what they look like."""

import click

from labelsift.cli.show import show_table
from labelsift.datasets import list_datasets, open_data


@click.group()
def data() -> None:
    """List data sets and look at them."""


@data.command("list")
def list_() -> None:
    """List the data sets that are found by name."""
    rows = [
        (
            info.name,
            info.n_samples,
            info.n_features,
            info.n_labels,
            info.cardinality,
            info.source,
        )
        for info in list_datasets()
    ]
    columns = ["name", "samples", "features", "labels", "cardinality", "source"]
    show_table("Data sets", columns, rows)


@data.command()
@click.argument("source", metavar="DATA")
def info(source: str) -> None:
    """Show the size and the labels of DATA."""
    found = open_data(source)
    show_table(
        found.name,
        ["samples", "features", "labels", "cardinality", "density"],
        [
            (
                found.n_samples,
                found.n_features,
                found.n_labels,
                found.cardinality,
                found.density,
            )
        ],
    )
    counts = found.Y.sum(axis=0)
    rows = [(name, int(n)) for name, n in zip(found.label_names, counts, strict=True)]
    show_table("Labels", ["label", "samples"], rows)
