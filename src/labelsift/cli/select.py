# SPDX-License-Identifier: BSD-3-Clause
"""``labelsift select`` and ``labelsift methods``."""

import inspect
import json
import time
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click

from labelsift.cli.terminal import (
    TableOptions,
    announce_left_out,
    buying,
    errors,
    log,
    open_source,
    reading,
    show,
    show_doubts,
    show_json,
    show_table,
    weighing,
)
from labelsift.cli.trust import Asked, trusting
from labelsift.core.budget import parse_budget
from labelsift.core.data import MultiLabelData
from labelsift.datasets.atomic import replacing
from labelsift.datasets.table_files import find_files
from labelsift.model_selection.saved_document import plain, selection_document
from labelsift.model_selection.saved_selection import write_document
from labelsift.prepare.kinds import WHY
from labelsift.prepare.units import Units, read_units
from labelsift.selection import METHODS
from labelsift.selection.familiar import FAMILIAR, about

# How many features are taken where neither their number nor their cost is told.
_COUNT = 20
_GREEDY = {
    "greedy-rls-gcv": "greedy-rls by generalised cross-validation, for large data",
    "greedy-fair": "greedy-rls that leaves no label behind",
}


class Budget(click.ParamType):  # type: ignore[type-arg]
    """A count (20), a percentage (5%), a share below one (0.05) or auto."""

    name = "count or share"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Convert the text to a value of ``n_features_to_select``."""
        if not isinstance(value, str) or value == "auto":
            return value
        try:
            return parse_budget(value)
        except ValueError:
            sentence = f"{value!r} is not a budget: write 20, 5%, 0.05 or auto."
            self.fail(sentence, param, ctx)


def _parameters(ctx: Any, param: Any, settings: tuple[str, ...]) -> dict[str, Any]:
    """Read ``name=value`` pairs; a value is JSON where it can be, text otherwise."""
    parameters = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"{setting!r} is not of the form name=value.")
        try:
            parameters[name] = json.loads(text)
        except json.JSONDecodeError:
            parameters[name] = text
    return parameters


@click.command()
@reading
@weighing
@click.option(
    "--method",
    default="greedy-rls",
    show_default=True,
    help="How features are chosen: a name of 'labelsift methods', or a class of your "
    "own as package.module:Class.",
)
@click.option(
    "-k", "budget", type=Budget(), show_default=f"{_COUNT}, or all under --max-cost",
    help="How many features: a count, a percentage, a share, or auto (as many as give "
    "the lowest leave-one-out error).",
)  # fmt: skip
@buying
@trusting
@click.option(
    "--param", "parameters", multiple=True, metavar="NAME=VALUE",
    callback=_parameters, help="An argument of the method; may be repeated.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the chosen pixels of image data (features pixel_ROW_COLUMN) as PNG.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the selection as a JSON file for 'labelsift apply'.",
)
def select(
    source: str,
    method: str,
    budget: int | float | str | None,
    costs: Path | None,
    feature_groups: Path | None,
    max_cost: float | None,
    asked: Asked,
    parameters: dict[str, Any],
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
    as_json: bool,
    picture: Path | None,
    save: Path | None,
) -> None:
    """Choose features of DATA: a registered name, a file, or files of any size.

    A pattern ('parts/*.parquet', in quotes) or a folder of Parquet files is read in
    parts, in memory that does not grow with them.
    """
    from labelsift.experiment.all_rows import AllRows  # 'methods' needs none of it

    bought = {"--max-cost": max_cost, "--costs": costs, "--groups": feature_groups}
    asked.check({"-k": budget, **bought})
    _check_folder(picture)
    paths = find_files(source)
    if paths is not None:
        unfit = {**bought, "--picture": picture, **asked.given()}
        _refuse(unfit, source)
        _select_from_files(
            source, paths, method, budget, parameters, labels, drop, table, as_json,
            save, asked,
        )  # fmt: skip
        return
    data = open_source(source, labels, drop, data_home, table, unknown=True)
    asked.check_data(data)
    checksum = data.checksum
    ready = AllRows(data, table.preparation)
    unused = [column["name"] for column in ready.left_out]
    announce_left_out([(c["name"], WHY[c["why"]]) for c in ready.left_out])
    show_doubts(ready.doubts, log)
    data = ready.data
    names = data.feature_names
    units = read_units(names, costs, feature_groups, unused=[*drop, *unused])
    if budget is None:
        budget = 1.0 if max_cost is not None else _COUNT
    chosen = ready.method(method, parameters)
    start = time.perf_counter()
    with errors.status(f"Fitting {method} on {data.n_samples} x {data.n_features} ..."):
        if asked.controls:
            selected = asked.select(ready, chosen)
        else:
            selected = ready.select(chosen, budget, max_cost, units)
    if selected is None:
        show(asked.sentence)
        return
    asked.examine(ready, chosen, selected.features)
    answer = _Answer(method, data, checksum, selected, units, chosen.estimator, asked)
    answer.present(as_json, time.perf_counter() - start)
    answer.save(ready, labels, save)
    if picture is not None:
        _draw(data, selected.features, picture)


def _check_folder(picture: Path | None) -> None:
    """Say before the work that a picture could not be written."""
    if picture is not None and not picture.parent.is_dir():
        raise ValueError(
            f"The folder {picture.parent} of --picture does not exist: create it first."
        )


def _refuse(options: dict[str, Any], source: str) -> None:
    """Refuse options that need the rows of tables which are read in parts."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise ValueError(
                f"{name} needs all rows in memory, and {source} names tables that are "
                "read in parts: leave it out, or name one file."
            )


def _select_from_files(
    source: str,
    paths: list[Path],
    method: str,
    budget: Any,
    parameters: dict[str, Any],
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    table: TableOptions,
    as_json: bool,
    save: Path | None,
    asked: Asked,
) -> None:
    """The same from one pass over tables of any size."""
    from labelsift.cli.select_files import choose_from_files, open_files

    start = time.perf_counter()
    ready = open_files(source, paths, labels, drop, table)
    budget = _COUNT if budget is None else budget
    method, chosen, selected = choose_from_files(ready, method, parameters, budget)
    answer = _Answer(method, ready, "", selected, None, chosen.estimator, asked)
    answer.present(as_json, time.perf_counter() - start)
    answer.save(ready, labels, save)


def _draw(data: MultiLabelData, features: Any, picture: Path) -> None:
    from labelsift.plots import pixels

    panels = pixels(data, features)
    with replacing(picture) as part:
        panels[0].figure.savefig(part, format=picture.suffix[1:] or "png")
    log(f"Picture of the chosen pixels: {picture}")


class _Answer:
    """A selection in the forms in which it is shown and saved."""

    def __init__(
        self,
        method: str,
        data: Any,  # MultiLabelData or AllFiles
        checksum: str,
        selected: Any,
        units: Units | None,
        estimator: Any,
        asked: Asked,
    ) -> None:
        self.asked, method = asked, asked.method(method)
        self.method, self.data, self.checksum = method, data, checksum
        self.selected, self.parameters = selected, estimator.get_params()
        self.costs: list[float] | None = None
        self.total = self.whole = 0.0
        if units is not None and units.costs:
            shares = units.column_costs()
            self.costs = [shares[i] for i in selected.features]
            self.total = units.cost(selected.features)
            self.whole = units.cost(range(data.n_features))

    def columns(self) -> dict[str, list[Any]]:
        """What is told about each feature."""
        features = self.selected.features
        columns: dict[str, list[Any]] = {
            "rank": list(range(1, len(features) + 1)),
            "feature": [self.data.feature_names[i] for i in features],
            "gain": list(self.selected.gains),
        }
        columns |= self.asked.columns
        return columns if self.costs is None else columns | {"cost": self.costs}

    def present(self, as_json: bool, seconds: float) -> None:
        """Print it as JSON or as a table."""
        if as_json:
            show_json(self.document())
        else:
            self.show(seconds)

    def save(self, ready: Any, labels: tuple[str, ...], path: Path | None) -> None:
        """Write it as a selection file, where one was asked for."""
        if path is not None:
            saved = self.saved(ready.readout(self.selected.features), labels)
            write_document(saved, path)
            log(f"Selection: {path}")

    def show(self, seconds: float) -> None:
        """Print the features as a table."""
        from labelsift.model_selection.target_kind import KINDS  # for this alone

        data, columns = self.data, self.columns()
        paid = ""
        if self.costs is not None:
            paid = f", total cost {self.total:g} of {self.whole:g}"
        targets = f"{data.n_labels} {KINDS[data.kind].many}"
        title = (
            f"{len(self.selected.features)} of {data.n_features} features of "
            f"{data.name} ({targets}) by {self.method}{paid}, {seconds:.2f} s"
        )
        show_table(title, columns, zip(*columns.values(), strict=True))
        self.asked.show()

    def document(self) -> dict[str, Any]:
        """The answer for a program."""
        columns = self.columns()
        columns = {"name" if key == "feature" else key: v for key, v in columns.items()}
        columns["index"] = self.selected.features
        rows = zip(*columns.values(), strict=True)
        total = {} if self.costs is None else {"total_cost": self.total}
        return {
            "data": self.data.name,
            "checksum": self.checksum,
            "method": self.method,
            "parameters": plain(self.parameters),
            "n_features_in": self.data.n_features,
            **total,
            **self.asked.document(),
            "selected": [dict(zip(columns, row, strict=True)) for row in rows],
        }

    def saved(self, readout: dict[str, Any], labels: tuple[str, ...]) -> dict[str, Any]:
        """The content of a selection file."""
        return selection_document(
            method=self.method,
            parameters=self.parameters,
            n_features_in=self.data.n_features,
            order=self.selected.features,
            scores=self.selected.gains,
            feature_names=self.data.feature_names,
            label_names=self.data.label_names,
            labels_form=labels,
            costs=self.costs,
            readout=readout,
            data=self.data.name,
            checksum=self.checksum,
        )


@click.command()
def methods() -> None:
    """List the methods of 'labelsift select' and 'labelsift compare'."""
    rows = [
        (name, cls.__name__, (inspect.getdoc(cls) or "").partition("\n")[0])
        for name, cls in sorted(METHODS.items())
    ]
    show_table("Methods", ["method", "class", "what it does"], rows)
    show_table("Forms of greedy-rls", ["method", "what it does"], _GREEDY.items())
    familiar = [(name, about(name)) for name in FAMILIAR]
    show_table("Selectors of others", ["method", "what it does"], familiar)
    installed = entry_points(group="labelsift.methods")
    if installed:
        rows_of_others = [(point.name, point.value) for point in installed]
        title = "Methods of installed packages"
        show_table(title, ["method", "class"], rows_of_others)
