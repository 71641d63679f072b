# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a suite as files: curves of every data set, ranks over them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from labelsift.bench.suite_result import SuiteResult
from labelsift.core.optional import import_extra
from labelsift.core.text import safe_name
from labelsift.datasets.atomic import replacing
from labelsift.metrics import MEASURES
from labelsift.plots import curve_panels, result_ranks
from labelsift.stats.blocks import choosing

FORMATS = ("svg", "pdf", "png")
# Letters stay letters, as publishers ask; the same figure gives the same bytes.
_STYLE = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "labelsift"}
_UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


def write_figures(
    result: SuiteResult, folder: Path, formats: Sequence[str] = ("svg",)
) -> list[Path]:
    """Write the critical-difference diagrams and curves of a suite.

    Parameters
    ----------
    result : SuiteResult
        The suite with its results.
    folder : Path
        Folder of SUITE-MEASURE-READOUT-ranks.svg and -curves.svg; created if missing.
    formats : sequence of {"svg", "pdf", "png"}, default=("svg",)
        Each figure is written in each of them.

    Returns
    -------
    list of Path
        The files; none where nothing can be ranked and no method chooses features.
    """
    suite = safe_name(result.suite.name, "The suite")
    written = []
    matplotlib = import_extra("matplotlib", "A figure")
    with matplotlib.rc_context(_STYLE):
        for name, figure in _figures(result):
            for form in formats:
                path = folder / f"{suite}-{safe_name(name, 'The figure')}.{form}"
                with replacing(path) as part:
                    figure.savefig(part, format=form, metadata=_UNDATED[form])
                written.append(path)
    return written


def _figures(result: SuiteResult) -> Iterator[tuple[str, Any]]:
    """Name and figure of everything that can be drawn."""
    measures, readouts = result.places
    for measure in measures:
        for readout in readouts:
            place = f"{measure}-{readout.replace(':', '.')}"
            ranks = result.rank_test(measure, readout)
            if ranks.test is not None:
                what = f"{MEASURES[measure].title} on {ranks.n_blocks} data sets"
                title = f"{result.suite.name}: {what}"
                yield f"{place}-ranks", result_ranks(ranks, title=title).figure
            part = result.compared.where(measure=measure, readout=[readout, "self"])
            if choosing(part.values):
                yield f"{place}-curves", curve_panels(part, measure)
