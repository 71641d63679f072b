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
    errors,
    log,
    open_source,
    reading,
    show_json,
    show_table,
)
from labelsift.core.base import BaseSelector
from labelsift.core.budget import parse_budget
from labelsift.core.data import MultiLabelData
from labelsift.datasets.atomic import replacing
from labelsift.experiment.all_rows import AllRows
from labelsift.model_selection import save_selection
from labelsift.prepare.groups import Choice
from labelsift.prepare.kinds import WHY
from labelsift.selection import METHODS
from labelsift.selection.familiar import FAMILIAR, about


class Budget(click.ParamType):  # type: ignore[type-arg]
    """A count (20), a percentage (5%) or a share below one (0.05)."""

    name = "count or share"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Convert the text to a value of ``n_features_to_select``."""
        if not isinstance(value, str):
            return value
        try:
            return parse_budget(value)
        except ValueError:
            sentence = f"{value!r} is not a budget: write 20, 5% or 0.05."
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
@click.option(
    "--method",
    type=click.Choice(sorted(METHODS)),
    default="fisher",
    show_default=True,
    help="How features are chosen; see 'labelsift methods'.",
)
@click.option(
    "-k", "budget", type=Budget(), default="20", show_default=True,
    help="How many features: a count, a percentage or a share.",
)  # fmt: skip
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
    budget: int | float,
    parameters: dict[str, Any],
    labels: tuple[str, ...],
    drop: tuple[str, ...],
    data_home: Path | None,
    table: TableOptions,
    as_json: bool,
    picture: Path | None,
    save: Path | None,
) -> None:
    """Choose features of DATA: a registered name or a file."""
    if picture is not None and not picture.parent.is_dir():
        raise ValueError(
            f"The folder {picture.parent} of --picture does not exist: create it first."
        )
    data = open_source(source, labels, drop, data_home, table)
    selector = _make(method, budget, parameters)
    checksum = data.checksum
    ready = AllRows(data, method, table.preparation)
    announce_left_out([(c["name"], WHY[c["why"]]) for c in ready.left_out])
    data = ready.data
    start = time.perf_counter()
    with errors.status(f"Fitting {method} on {data.n_samples} x {data.n_features} ..."):
        selector, chosen = ready.choose(selector, selector.n_features_to_select)
    seconds = time.perf_counter() - start
    rows = _rows(chosen, data)
    if as_json:
        show_json(_document(data, method, selector, chosen, rows))
    else:
        title = (
            f"{len(rows)} of {data.n_features} features of {data.name} "
            f"({data.n_labels} labels) by {method}, {seconds:.2f} s"
        )
        show_table(title, ["rank", "feature", "score"], rows)
    if save is not None:
        save_selection(
            selector,
            save,
            feature_names=data.feature_names,
            label_names=data.label_names,
            method=method,
            data=data.name,
            checksum=checksum,
            preparation=ready.preparation(chosen.columns),
            labels_form=labels,
            chosen=None if ready.groups is None else chosen,
        )
        log(f"Selection: {save}")
    if picture is not None:
        from labelsift.plots import pixels

        panels = pixels(data, chosen.columns)
        with replacing(picture) as part:
            panels[0].figure.savefig(part, format=picture.suffix[1:] or "png")
        log(f"Picture of the chosen pixels: {picture}")


def _make(method: str, budget: int | float, parameters: dict[str, Any]) -> BaseSelector:
    cls = METHODS[method]
    accepted = inspect.signature(cls).parameters
    unknown = [name for name in parameters if name not in accepted]
    if unknown:
        raise ValueError(
            f"{method} has no parameter {unknown[0]!r}: choose from "
            f"{', '.join(accepted)}."
        )
    seed = {"random_state": 0} if "random_state" in accepted else {}
    return cls(**{"n_features_to_select": budget, **seed, **parameters})


def _rows(chosen: Choice, data: MultiLabelData) -> list[tuple[int, str, float]]:
    places = zip(chosen.columns, chosen.scores, strict=True)
    return [
        (rank, data.feature_names[i], float(score))
        for rank, (i, score) in enumerate(places, start=1)
    ]


def _document(
    data: MultiLabelData,
    method: str,
    selector: BaseSelector,
    chosen: Choice,
    rows: list[Any],
) -> dict[str, Any]:
    return {
        "data": data.name,
        "checksum": data.checksum,
        "method": method,
        "parameters": selector.get_params(),
        "n_features_in": data.n_features,
        "selected": [
            {"rank": rank, "index": int(index), "name": name, "score": score}
            for (rank, name, score), index in zip(rows, chosen.columns, strict=True)
        ],
    }


@click.command()
def methods() -> None:
    """List the methods of 'labelsift select' and 'labelsift compare'."""
    rows = [
        (name, cls.__name__, (inspect.getdoc(cls) or "").partition("\n")[0])
        for name, cls in sorted(METHODS.items())
    ]
    show_table("Methods", ["method", "class", "what it does"], rows)
    familiar = [(name, about(name)) for name in FAMILIAR]
    title = "Selectors of others, for 'labelsift compare'"
    show_table(title, ["method", "what it does"], familiar)
    installed = entry_points(group="labelsift.methods")
    if installed:
        rows_of_others = [(point.name, point.value) for point in installed]
        title = "Methods of installed packages, for 'labelsift compare'"
        show_table(title, ["method", "class"], rows_of_others)
