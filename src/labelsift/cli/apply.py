# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift apply``: apply a saved selection to other data."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from labelsift.cli.terminal import (
    TableOptions,
    errors,
    log,
    open_source,
    reading,
    show,
)
from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra
from labelsift.datasets import keep_features
from labelsift.datasets.atomic import replacing
from labelsift.datasets.chunks import TableParts
from labelsift.datasets.files import (
    SUFFIXES,
    is_table,
    read_unlabelled,
    write_file,
)
from labelsift.datasets.label_patterns import split_table
from labelsift.datasets.textfile import shown
from labelsift.model_selection import SavedSelection, load_selection

# Tables that are written a part at a time.
_STREAMED = (".csv", ".tsv", ".parquet")


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
@click.option(
    "--carry", multiple=True, metavar="NAME",
    help="A column of a table that comes along as it is, such as an id; may be "
    "repeated.",
)  # fmt: skip
@click.option(
    "--predict",
    "what",
    flag_value="predict",
    help="Write the predicted labels, 0/1, or the predicted values.",
)
@click.option(
    "--scores", "what", flag_value="scores", help="Write the score of every label."
)
@click.option(
    "--prepared", "what", flag_value="prepared",
    help="Write the numbers that the selection's model sees.",
)  # fmt: skip
def apply(
    selector: Path,
    source: str,
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
    out: Path | None,
    force: bool,
    carry: tuple[str, ...],
    what: str | None,
) -> None:
    """Keep the features of DATA that SELECTOR names, or predict from them.

    SELECTOR is a file of 'select --save', 'compare --save' or of a page's download.
    Features are matched by name, in any order; no other column is needed. Tables are
    read and written in parts, whatever their size.
    """
    if out is not None and out.exists() and not force:
        raise ValueError(f"{out} exists already: pass --force to replace it.")
    saved = load_selection(selector)
    _check(saved, what, out)
    streamed = out is not None and out.suffix.lower() in _STREAMED
    if is_table(Path(source)) and (streamed or what or carry):
        # What Y holds is the selection's to say: its columns are copied.
        asked = {k: v for k, v in table.reading.items() if k != "target"}
        parts = TableParts(Path(source), **asked)
        for note in parts.notes:
            log(note)
        _stream(_Reduction(saved, parts.names, labels, drop, carry, what), parts, out)
        return
    if carry:
        raise ValueError(f"--carry names columns of a table, and {source} is none.")
    data = _open(source, labels, drop, data_home, table, saved)
    if what is None:
        _write_reduced(data, saved, out)
        return
    places = saved.columns(data.feature_names)
    frame = _outputs(saved, what, data.X[:, places])
    _write([frame], out)
    show(f"{out}: {data.n_samples} samples, {_about(saved, what)}")


def _check(saved: SavedSelection, what: str | None, out: Path | None) -> None:
    """Refuse what this selection or this place cannot give, before anything is read."""
    if what is None:
        return
    if out is None or out.suffix.lower() not in _STREAMED:
        raise ValueError(
            f"--{what} writes a table: name one with --out, ending in "
            f"{', '.join(_STREAMED)}."
        )
    if what == "prepared" and saved.preparation is None:
        raise ValueError("The selection has no preparation: leave --prepared out.")
    if what != "prepared" and saved.coef is None:
        raise ValueError(
            f"The selection by {saved.method} has no weights, so that it cannot "
            f"predict: save it again with 'labelsift select ... --save'."
        )
    if what == "scores" and saved.value_columns is not None:
        raise ValueError("The selection predicts values: use --predict.")


def _about(saved: SavedSelection, what: str | None, n_labels: int = 0) -> str:
    """What was written, in words."""
    cost = saved.total_cost
    paid = "" if cost is None else f", total cost {cost:g}"
    used = f"{len(saved.order)} of {saved.n_features_in} features"
    labels = saved.value_columns is None
    if what is None:
        return f"{used}, {n_labels} {'labels' if labels else 'targets'}{paid}"
    count = 0 if saved.coef is None else len(saved.coef)
    predicted = "predicted labels" if labels else "predicted values"
    noun = {"predict": predicted, "scores": "scores"}.get(what)
    return f"{f'{count} {noun}' if noun else 'numbers'} from {used}{paid}"


def _write_reduced(
    data: MultiLabelData, saved: SavedSelection, out: Path | None
) -> None:
    """Write the selected features with the labels, or show their names."""
    reduced = keep_features(data, saved.columns(data.feature_names))
    if out is None:
        for name in reduced.feature_names:
            show(name)
        if saved.total_cost is not None:
            log(f"Total cost {saved.total_cost:g}.")
        return
    with errors.status("Writing ..."):
        write_file(reduced, out)
    about = _about(saved, None, reduced.n_labels)
    show(f"{out}: {reduced.n_samples} samples, {about}")


class _Reduction:
    """What is read of a table, and what is made of every part of it."""

    def __init__(
        self,
        saved: SavedSelection,
        names: Sequence[str],
        labels: Sequence[str],
        drop: Sequence[str],
        carry: Sequence[str],
        what: str | None,
    ) -> None:
        self.saved, self.what = saved, what
        self.features = [names[i] for i in saved.columns(names)]
        self.carry = _carried(carry, names)
        found = _label_columns(saved, names, labels, drop)
        self.labels = [] if what else [name for name in found if name not in self.carry]
        if what in ("predict", "scores"):
            both = set(self.carry).intersection(_label_names(saved))
            if both:
                raise ValueError(
                    f"--carry names {shown(min(both))}, which is a label that is "
                    "predicted: leave it out."
                )

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        return list(dict.fromkeys([*self.carry, *self.features, *self.labels]))

    def numbers(self, out: Path) -> list[str]:
        """Those that are read as numbers; a text file gets cells as they stand."""
        if self.what is None and out.suffix.lower() != ".parquet":
            return []
        made = self.saved.preparation
        if made is None:
            return self.features
        return [c["name"] for c in made.columns_ if c["kind"] == "number"]

    def __call__(self, part: Any) -> Any:
        """The rows that are written."""
        if self.what is None:
            return part[self.columns]
        pandas = import_extra("pandas", "Writing tables")
        made = _outputs(self.saved, self.what, part[self.features])
        made.index = part.index
        return pandas.concat([part[self.carry], made], axis=1)


def _carried(carry: Sequence[str], names: Sequence[str]) -> list[str]:
    """The columns that come along; commas separate names that no column bears."""
    known = set(names)
    wanted = [
        part.strip()
        for text in carry
        for part in ([text] if text in known else text.split(","))
    ]
    for name in wanted:
        if name not in known:
            raise ValueError(f"--carry: the table has no column {shown(name)}.")
    return list(dict.fromkeys(wanted))


def _label_columns(
    saved: SavedSelection,
    names: Sequence[str],
    labels: Sequence[str],
    drop: Sequence[str],
) -> list[str]:
    """The label columns of a table, which need not have any."""
    if labels:
        return [names[i] for i in split_table(names, labels, drop, "The table")[1]]
    known = set(names)
    found = [name for name in saved.label_names or () if name in known]
    if found or not saved.labels_form:
        return found
    try:
        forms = split_table(names, saved.labels_form, (), "The table")[1]
    except ValueError:  # new data need not have labels
        return []
    return [names[i] for i in forms]


def _label_names(saved: SavedSelection) -> list[str]:
    assert saved.coef is not None
    return list(saved.label_names or (f"label{i}" for i in range(len(saved.coef))))


def _outputs(saved: SavedSelection, what: str, chosen: Any) -> Any:
    """Predictions, scores or prepared numbers of the selected columns."""
    pandas = import_extra("pandas", "Writing tables")
    if what == "prepared":
        assert saved.preparation is not None
        names = saved.preparation.get_feature_names_out()
        return pandas.DataFrame(saved.prepared(chosen), columns=names)
    made = saved.scores_of(chosen)
    if what == "predict":
        made = saved.cut(made)
    return pandas.DataFrame(made, columns=_label_names(saved))


def _stream(reduce: _Reduction, parts: TableParts, out: Path | None) -> None:
    assert out is not None
    made = reduce.saved.preparation
    missing = () if made is None else made.missing
    rows = parts.rows(reduce.columns, reduce.numbers(out), missing)
    # Cells that stand as they did need the separator that they had: "1,5;2,5".
    separator = parts.separator if reduce.what is None else ","
    with errors.status("Writing ..."):
        count = _write((reduce(part) for part in rows), out, separator)
    n_labels = len(reduce.labels)
    show(f"{out}: {count} samples, {_about(reduce.saved, reduce.what, n_labels)}")


def _write(frames: Iterable[Any], out: Path | None, separator: str = ",") -> int:
    """Write tables one below the other; the number of their rows."""
    assert out is not None
    count = 0
    suffix = out.suffix.lower()
    if suffix == ".parquet":
        return _write_parquet(frames, out)
    with replacing(out) as part, part.open("w", encoding="utf-8", newline="") as file:
        between = "\t" if suffix == ".tsv" else separator
        for i, frame in enumerate(frames):
            frame.to_csv(file, sep=between, header=i == 0, index=False)
            count += len(frame)
    return count


def _write_parquet(frames: Iterable[Any], out: Path) -> int:
    pyarrow = import_extra("pyarrow", "Writing Parquet")
    parquet = import_extra("pyarrow.parquet", "Writing Parquet")
    tables: Iterator[Any] = (
        pyarrow.Table.from_pandas(frame, preserve_index=False) for frame in frames
    )
    first, count = next(tables), 0
    with (
        replacing(out) as part,
        parquet.ParquetWriter(part, first.schema) as writer,
    ):
        for table in chain([first], tables):
            writer.write_table(table.cast(first.schema))
            count += len(table)
    return count


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
    known = _label_columns(saved, unlabelled.feature_names, (), drop)
    if not known:
        return unlabelled
    form = saved.labels_form or known
    if saved.value_columns is not None and saved.value_columns.all():
        table = replace(table, reading={**table.reading, "target": "values"})
    return open_source(source, form, drop, data_home, table)
