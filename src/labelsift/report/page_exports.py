# SPDX-License-Identifier: BSD-3-Clause
"""What can be taken away from a page: curves as CSV, selections as JSON, pictures."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

from labelsift.datasets.atomic import write_text
from labelsift.plots.curves import feature_curves
from labelsift.report.page_curves import chosen_methods, curves
from labelsift.report.page_data import ALL_FEATURES, RANDOM_RANKING, PageData
from labelsift.report.page_text import clean, short

_COLUMNS = ("measure", "method", "budget", "mean", "std_error", "n_splits")


def curves_csv(page: PageData) -> str:
    """The curves of a page as CSV text: one line per measure, method and budget."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for measure, by_method in curves(page).items():
        for method, curve in by_method.items():
            for budget, point in curve.items():
                error = "" if math.isnan(point.std_error) else f"{point.std_error:.9g}"
                values = (f"{point.mean:.9g}", error, point.n_splits)
                writer.writerow([measure, clean(method), budget, *values])
    return text.getvalue()


def selection_document(page: PageData, limit: int | None = None) -> dict[str, Any]:
    """The selections of a page as a JSON document.

    Parameters
    ----------
    page : PageData
        The page.
    limit : int, optional
        How many features of each method are kept; None: all.

    Returns
    -------
    dict
        data, recommended and, per method, the features with rank, index, name, gain
        and weights, and how many there are.
    """
    answer = page.recommendation
    return {
        "data": clean(page.data["name"]),
        "checksum": page.made.get("checksum"),
        "n_features": page.data["n_features"],
        "recommended": None
        if answer is None
        else {"method": clean(answer.method), "n_features": answer.budget},
        "labels": [clean(name) for name in page.data["label_names"]],
        "methods": {
            clean(method): _selection(page.selections[method], limit)
            for method in chosen_methods(page)
            if method in page.selections
        },
    }


def _selection(selection: Any, limit: int | None) -> dict[str, Any]:
    weights = selection.get("weights")
    features = [
        {"rank": i + 1, "index": int(index), "name": clean(selection["names"][i])}
        | {"gain": selection["gain"][i]}
        | ({} if weights is None else {"weights": list(weights[i])})
        for i, index in enumerate(selection["order"][:limit])
    ]
    return {
        "n_selected": len(selection["order"]),
        "weights_of_labels": None if weights is None else selection["weights_labels"],
        "features": features,
    }


def write_curves(page: PageData, path: str | Path) -> None:
    """Write the curves of a page as a CSV file.

    Parameters
    ----------
    page : PageData
        The page.
    path : str or Path
        Where to; an existing file is replaced when all is written.
    """
    write_text(curves_csv(page), Path(path))


def write_selection(page: PageData, path: str | Path) -> None:
    """Write the selections of a page as a JSON file.

    Parameters
    ----------
    page : PageData
        The page.
    path : str or Path
        Where to; an existing file is replaced when all is written.
    """
    text = json.dumps(selection_document(page), indent=1)
    write_text(text + "\n", Path(path))


def write_figure(page: PageData, measure: str, path: str | Path) -> None:
    """Draw the curves of one measure as a picture; needs the extra ``plot``.

    Parameters
    ----------
    page : PageData
        The page.
    measure : str
        Which measure.
    path : str or Path
        PNG, SVG or PDF file to write.
    """
    if measure not in page.measures:
        raise ValueError(
            f"The page has no measure {measure!r}: choose from "
            f"{', '.join(page.measures)}."
        )
    names = [*chosen_methods(page), RANDOM_RANKING, ALL_FEATURES]
    measured = curves(page)[measure]
    lines = {
        short(name, 40): (
            list(measured[name]),
            [p.mean for p in measured[name].values()],
        )
        for name in names
        if name in measured
    }
    ax = feature_curves(
        lines,
        measure=page.measures[measure]["title"],
        title=short(page.title, 60),
        controls=(RANDOM_RANKING, ALL_FEATURES),
    )
    ax.figure.savefig(path)
