# SPDX-License-Identifier: BSD-3-Clause
"""One self-contained HTML page: the answer, the curves, the features, how it was made.

The page loads nothing: plotly.js stands in it once, and a content security policy
forbids any request and any script but its own.
"""

import base64
import hashlib
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from labelsift.core.optional import import_extra
from labelsift.datasets.atomic import write_text
from labelsift.report.page_curves import (
    chosen_methods,
    curves,
    drawn_first,
    shown_budget,
)
from labelsift.report.page_data import (
    ALL_FEATURES,
    RANDOM_RANKING,
    PageData,
    method_title,
)
from labelsift.report.page_exports import curves_csv, selection_document
from labelsift.report.page_figures import curve_figure, label_figure, line_style
from labelsift.report.page_heat_maps import (
    MOST_FEATURES,
    cooccurrence_figure,
    overlap_figure,
    pixel_figure,
    weights_figure,
)
from labelsift.report.page_tables import (
    costs_table,
    features_table,
    label_losses,
    labels_table,
    level_table,
    measures_table,
    stability_table,
)
from labelsift.report.page_text import brief, clean, embedded, number

# Labels in the figure of losses.
_MOST_LOSSES = 15
# Bytes of the selections on the page; what is left out stands in write_selection.
_SELECTION_BYTES = 1_000_000

_SVG_DASHES = {"solid": "", "dash": "6 3", "dot": "2 3", "dashdot": "6 3 2 3"}


def write_page(page: PageData, path: str | Path) -> None:
    """Write the page of a comparison: one HTML file that needs nothing else.

    Needs the extra ``report``.

    Parameters
    ----------
    page : PageData
        What it shows.
    path : str or Path
        Where to; an existing file is replaced when all is written.
    """
    write_text(page_html(page), Path(path))


def page_html(page: PageData) -> str:
    """The page of a comparison as text.

    Parameters
    ----------
    page : PageData
        What it shows.

    Returns
    -------
    str
        HTML.
    """
    jinja2 = import_extra("jinja2", "The page")
    plotly = import_extra("plotly.offline", "The page")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("labelsift.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"clean": clean, "number": number, "brief": brief}
    template = environment.get_template("page.html")
    scripts = {"plotly": plotly.get_plotlyjs(), "own": _template("page.js")}
    return str(
        template.render(
            page=page,
            answer=page.recommendation,
            style=_template("page.css"),
            scripts=scripts,
            hashes=[_hash(script) for script in scripts.values()],
            finished=_is_finished(page.made.get("finished", "")),
            **_contents(page),
        )
    )


def _contents(page: PageData) -> dict[str, Any]:
    """Figures (as JSON), tables and exports, by the names that the template uses."""
    means = curves(page)
    methods = [m for m in chosen_methods(page) if m in page.selections]
    return {
        "budget": shown_budget(page),
        "legend": _legend(page, means),
        "curves": {
            name: embedded(curve_figure(page, name, by_method))
            for name, by_method in means.items()
            if by_method
        },
        "measures_table": measures_table(page, means),
        "level_table": level_table(page),
        "selections": [_selection(page, method) for method in methods],
        "stability_table": stability_table(page),
        "overlap": embedded(overlap_figure(page, methods)) if len(methods) > 1 else "",
        "losses": _losses(page),
        "labels_table": labels_table(page),
        "cooccurrence": _cooccurrence(page),
        "costs_table": costs_table(page),
        "exports": _exports(page),
    }


def _legend(page: PageData, means: Any) -> list[dict[str, Any]]:
    """The buttons that show and hide methods."""
    first = drawn_first(page, means)
    measured = {method for by_method in means.values() for method in by_method}
    legend = []
    for method in [*chosen_methods(page), RANDOM_RANKING, ALL_FEATURES]:
        if method in measured:
            colour, dash = line_style(page, method)
            legend.append(
                {
                    "method": clean(method),
                    "title": method_title(method),
                    "colour": colour,
                    "dash": _SVG_DASHES[dash],
                    "shown": method in (*first, RANDOM_RANKING, ALL_FEATURES),
                }
            )
    return legend


def _selection(page: PageData, method: str) -> dict[str, Any]:
    """What is shown of the choice of one method."""
    selection = page.selections[method]
    order = list(selection["order"])[: shown_budget(page)]
    shape = page.data.get("image_shape")
    n_weights = min(len(order), MOST_FEATURES) if selection.get("weights") else 0
    return {
        "method": method,
        "table": features_table(page, method),
        "weights": embedded(weights_figure(page, selection, n_weights))
        if n_weights
        else "",
        "n_weights": n_weights,
        "pixels": embedded(pixel_figure(order, shape)) if shape else "",
    }


def _losses(page: PageData) -> str:
    """The figure of the labels that lose most, where both values are known."""
    names = page.data["label_names"]
    known = [
        (names[label], whole, part)
        for label, whole, part in label_losses(page)
        if whole is not None and part is not None
    ]
    return embedded(label_figure(known[:_MOST_LOSSES])) if known else ""


def _cooccurrence(page: PageData) -> str:
    if len(page.data["cooccurrence"]) < 2:
        return ""
    return embedded(cooccurrence_figure(page.data))


def _exports(page: PageData) -> dict[str, str]:
    """File name -> JSON: the document itself, or the text of another format."""
    few = 10
    size = len(embedded(selection_document(page, few)).encode())
    limit = max(1, few * _SELECTION_BYTES // size)
    return {
        "curves.csv": embedded(curves_csv(page)),
        "selection.json": embedded(selection_document(page, limit)),
    }


def _is_finished(words: str) -> bool:
    """Whether "120 of 130 tasks" says that all are done."""
    found = re.match(r"(\d+) of (\d+)", words)
    return found is None or found[1] == found[2]


def _template(name: str) -> str:
    return files("labelsift.report").joinpath("templates", name).read_text("utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
