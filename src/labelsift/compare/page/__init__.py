# SPDX-License-Identifier: BSD-3-Clause
"""One self-contained HTML page: the answer, the curves, the features, the provenance.

The page loads nothing: plotly.js is embedded, and a content security policy
forbids all requests and foreign scripts.
"""

import base64
import hashlib
import json
import math
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import scipy.sparse as sp

from labelsift.compare.page.data import PageData
from labelsift.compare.page.figures import (
    MOST_FEATURES,
    Figure,
    contribution_figure,
    cooccurrence_figure,
    correlation_figure,
    curve_figure,
    label_figure,
    line_style,
    overlap_figure,
    pixel_figure,
    weights_figure,
)
from labelsift.compare.page.tables import (
    brief,
    costs_table,
    features_table,
    label_losses,
    labels_table,
    measures_table,
    number,
    purchase_table,
    readouts_table,
    stability_table,
    trust_table,
    verdict_table,
)
from labelsift.core.optional import import_extra
from labelsift.core.text import clean
from labelsift.datasets.atomic import write_text
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM, method_title
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection.saved_document import among_selected

# Methods that are visible initially; the others need a click.
_DRAWN = 8
# Labels in the figure of losses.
_MOST_LOSSES = 15
# Bytes of the selections on the page.
_SELECTION_BYTES = 1_000_000

_SVG_DASHES = {"solid": "", "dash": "6 3", "dot": "2 3", "dashdot": "6 3 2 3"}


def write_page(page: PageData, path: str | Path) -> None:
    """Write the page atomically, replacing an existing file."""
    write_text(page_html(page), Path(path))


def page_html(page: PageData) -> str:
    """The page as HTML."""
    jinja2 = import_extra("jinja2", "The page")
    plotly = import_extra("plotly.offline", "The page")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("labelsift.compare.page", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "clean": clean,
        "number": number,
        "brief": brief,
        "embedded": embedded,
    }
    template = environment.get_template("page.html")
    scripts = {"plotly": plotly.get_plotlyjs(), "own": _template("page.js")}
    return str(
        template.render(
            page=page,
            answer=page.answer,
            kind=page.kind,
            sparse=sp.issparse(page.data.X),
            titles={name: EVERY_MEASURE[name].title for name in page.measures},
            style=_template("page.css"),
            scripts=scripts,
            hashes=[_hash(script) for script in scripts.values()],
            **_contents(page),
        )
    )


def _contents(page: PageData) -> dict[str, Any]:
    """Figures, tables and exports, by the names that the template uses."""
    methods = [m for m in page.candidates if page.selections[m].order]
    measured = set(page.curves["measure"])
    return {
        "legend": _legend(page),
        "curves": {
            name: curve_figure(page, name) for name in page.measures if name in measured
        },
        "measures_table": measures_table(page),
        "readouts_table": readouts_table(page),
        "verdict_table": verdict_table(page),
        "purchase_table": purchase_table(page),
        "selections": [_selection(page, method) for method in methods],
        "not_fitted": [m for m in page.candidates if m not in methods],
        "trust": _trust(page),
        "stability_table": stability_table(page),
        "overlap": overlap_figure(page, methods) if len(methods) > 1 else None,
        "losses": _losses(page),
        "labels_table": labels_table(page),
        "n_frequent": len(page.frequent_labels),
        "cooccurrence": _together(page) if page.data.n_labels > 1 else None,
        "costs_table": costs_table(page),
        "exports": _exports(page),
    }


def _together(page: PageData) -> Figure:
    """How labels occur together, or values."""
    values = page.kind.name == "values"
    return (correlation_figure if values else cooccurrence_figure)(page)


def _trust(page: PageData) -> dict[str, Any]:
    """The part about trust; empty where nothing was examined."""
    trust = page.trust
    if isinstance(trust, str):
        return {"note": trust, "table": None} if trust else {}
    return {
        "note": trust.meaning,
        "table": trust_table(page, trust),
        "figure": contribution_figure(page, trust),
    }


def _legend(page: PageData) -> list[dict[str, Any]]:
    """The buttons that show and hide methods."""
    metric = EVERY_MEASURE[page.measures[0]]
    sign = -1 if metric.greater_is_better else 1

    def place(method: str) -> float:
        mean = page.mean(metric.name, method)
        return sign * mean if math.isfinite(mean) else math.inf

    drawn = [*sorted(page.candidates, key=place)[:_DRAWN], RANDOM, ALL_FEATURES]
    legend = []
    for method in page.methods:
        colour, dash = line_style(page, method)
        legend.append(
            {
                "method": clean(method),
                "title": method_title(method),
                "colour": colour,
                "dash": _SVG_DASHES[dash],
                "shown": method in drawn,
            }
        )
    return legend


def _selection(page: PageData, method: str) -> dict[str, Any]:
    """The tables and figures of the selection of one method."""
    selection = page.selections[method]
    order = selection.order[: page.most]
    shape = page.image_shape
    n_weights = min(MOST_FEATURES, len(selection.weights))
    if not selection.weight_names:
        n_weights = min(len(order), n_weights)
    return {
        "method": method,
        "table": features_table(page, method),
        "weights": weights_figure(page, selection, n_weights) if n_weights else None,
        "pixels": pixel_figure(order, shape) if shape else None,
    }


def _losses(page: PageData) -> Figure | None:
    """The figure of the labels that lose most, where both values are known."""
    known = [
        (page.data.label_names[label], whole, part)
        for label, whole, part in label_losses(page)
        if math.isfinite(whole) and math.isfinite(part)
    ]
    return label_figure(known[:_MOST_LOSSES], page.kind.quality) if known else None


def _exports(page: PageData) -> dict[str, str]:
    """File name -> JSON: the document itself, or the text of another format."""
    few = 10
    size = len(embedded(methods_document(page, few)).encode())
    limit = max(1, few * _SELECTION_BYTES // size)
    exports = {
        "curves.csv": embedded(curves_csv(page)),
        "methods.json": embedded(methods_document(page, limit)),
    }
    text = "" if page.saved is None else _saved(page.saved)
    if 0 < len(text) <= _SELECTION_BYTES:
        exports["selection.json"] = text
    return exports


def _saved(document: Mapping[str, Any]) -> str:
    """A selection file as JSON; without the names of thousands of other features."""
    text = json.dumps(document, allow_nan=False)
    if len(text) > _SELECTION_BYTES:
        text = json.dumps(among_selected(document), allow_nan=False)
    return escaped(text)


def curves_csv(page: PageData) -> str:
    """The curves as CSV text: one line per measure, method and budget."""
    table = page.curves.sort_values(["measure", "method", "budget"])
    table = table.assign(method=table["method"].map(clean))
    text: str = table.to_csv(index=False, float_format="%.9g", lineterminator="\n")
    return text


def methods_document(page: PageData, limit: int | None = None) -> dict[str, Any]:
    """The selections as a JSON document; at most ``limit`` features of each method."""
    answer, size = page.answer, "max_cost" if page.by_cost else "n_features"
    return {
        "data": clean(page.data.name),
        "checksum": page.data.checksum,
        "n_features": page.data.n_features,
        "recommended": None
        if answer is None
        else {"method": clean(answer.method), size: answer.budget},
        "labels": [clean(name) for name in page.data.label_names],
        "methods": {
            clean(method): _chosen(page, method, limit) for method in page.candidates
        },
    }


def _chosen(page: PageData, method: str, limit: int | None) -> dict[str, Any]:
    selection = page.selections[method]
    features = []
    for i, index in enumerate(selection.order[:limit]):
        name = clean(selection.names[i])
        feature: dict[str, Any] = {"rank": i + 1, "index": int(index), "name": name}
        if selection.gain:
            feature["gain"] = selection.gain[i]
        if selection.weights and not selection.weight_names:
            feature["weights"] = selection.weights[i]
        features.append(feature)
    return {
        "n_selected": len(selection.order),
        "weights_of_labels": page.frequent_labels if selection.weights else None,
        "features": features,
    }


def embedded(value: Any) -> str:
    """JSON of clean text, safe inside a script element; NaN becomes null."""
    text = json.dumps(
        _finite(value), allow_nan=False, ensure_ascii=False, separators=(",", ":")
    )
    return escaped(text)


def escaped(text: str) -> str:
    """JSON that may stand inside a script element."""
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _template(name: str) -> str:
    folder = files("labelsift.compare.page").joinpath("templates", name)
    return folder.read_text("utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
