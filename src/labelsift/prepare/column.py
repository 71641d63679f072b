# SPDX-License-Identifier: BSD-3-Clause
"""One column: what is learned from its training rows, and what becomes of its cells.

With the median and the quantiles of the filled training rows,

    fill = median,   s = (q75 - q25) / 1.349, or (q97.5 - q2.5) / 3.92 where that is 0,
    low, high = fill -+ clip s            (none where s = 0 or with two values or fewer)
    x -> (clip(x or fill, low, high) - mean) / scale

where mean and scale are those of the training rows after filling and clipping. Of a
category, or of the gaps of a number, hit -> (hit - mean) / scale, hit being 0 or 1.
Where rows have weights, all of these are what rows repeated so often would give.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.cells import Cells, cell_text
from labelsift.datasets.textfile import shown
from labelsift.prepare.kinds import gaps, gaps_matter, is_number

Entry = dict[str, Any]

# No value is further out than so many standard deviations, also without a clip.
_FARTHEST = 1e9
# Within these sizes squares neither overflow nor vanish.
_SMALL, _LARGE = 1e-100, 1e100


class CellError(ValueError):
    """A cell that is not of the kind of its column: its row, and what it holds."""

    def __init__(self, row: int, text: str) -> None:
        super().__init__(f"holds {shown(text)} in row {row + 1}")
        self.row, self.text = row, text


def as_numbers(cells: Cells, kind: str = "number") -> NDArray[np.float64]:
    """Settled cells as numbers, or as seconds since 1970; NaN where they are missing.

    CellError names the first cell that is neither.
    """
    values = cells.numbers
    if values is not None and cells.is_date == (kind == "date"):
        if kind == "number":
            return values.astype(np.float64)
        seconds = values.astype(np.int64) / 1e6
        return np.where(np.isnat(values), np.nan, seconds)
    text = as_text(cells)
    assert text.codes is not None
    table = np.array([*(_read(value, kind) for value in text.values), np.nan])
    wrong = np.isnan(table[:-1])
    if wrong.any():
        row = int(np.flatnonzero(np.append(wrong, False)[text.codes])[0])
        raise CellError(row, text.values[text.codes[row]])
    return table[text.codes]


def _read(text: str, kind: str) -> float:
    """A text as a number or as seconds since 1970; NaN where it is neither."""
    if kind == "number":
        return float(text) if is_number(text) else np.nan
    try:
        moment = np.datetime64(text.removesuffix("Z"), "us")
    except ValueError:
        return np.nan
    return np.nan if np.isnat(moment) else float(moment.astype(np.int64)) / 1e6


def as_text(cells: Cells) -> Cells:
    """Settled cells as coded text: numbers and dates as they are written."""
    if cells.codes is not None:
        return cells
    assert cells.numbers is not None
    distinct, codes = np.unique(cells.numbers, return_inverse=True)
    missing = gaps(Cells(numbers=distinct))
    texts = [str(v) if cells.is_date else cell_text(v) for v in distinct[~missing]]
    return Cells(
        codes=np.where(missing[codes], -1, codes).astype(np.int32),
        values=tuple(texts),
    )


Weights = NDArray[np.float64] | None


def fit_number(
    values: NDArray[np.float64], clip: float | None, weights: Weights = None
) -> Entry:
    """Fill, bounds, mean and scale of a number; mean and scale of its gaps."""
    missing = np.isnan(values)
    ordered = np.sort(values[~missing])
    if not len(ordered):  # in the training part; its gaps tell nothing either
        return _constant(0.0)
    counted = None
    if weights is not None:
        counted = weights[~missing][np.argsort(values[~missing], kind="stable")]
    fill = _quantile(ordered, 0.5, counted)
    low, high = _bounds(ordered, fill, clip, counted)
    entry = _constant(fill)
    clipped = np.where(missing, fill, values)
    if low is not None:
        clipped = np.clip(clipped, low, high)
    mean, scale = _moments(clipped, weights)
    if scale > 0:
        entry = {"fill": fill, "low": low, "high": high, "mean": mean, "scale": scale}
    if gaps_matter(int(missing.sum()), len(values)):
        share = float(np.average(missing, weights=weights))
        entry |= {"gap_mean": share, "gap_scale": _spread_of(share)}
    return entry


def _constant(value: float) -> Entry:
    """One value: whatever comes later, the output is 0."""
    return {"fill": value, "low": value, "high": value, "mean": value, "scale": 1.0}


def _quantile(
    ordered: NDArray[np.float64], share: float, weights: Weights = None
) -> float:
    """A quantile of sorted values, between neighbours by their weighted mean."""
    if weights is not None:
        # A value stands at the places of its copies; of less than one copy at its own.
        step, ends = min(1.0, weights.min()), np.cumsum(weights)
        places = np.column_stack([ends - weights, ends - step]).ravel()
        return float(np.interp(share * (ends[-1] - step), places, ordered.repeat(2)))
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    part = place - below
    return float(ordered[below] * (1 - part) + ordered[above] * part)


def robust_scale(ordered: NDArray[np.float64], weights: Weights = None) -> float:
    """The standard deviation of a normal sample with the same quantiles; 0 for none."""
    halves = [value / 2 for value in ordered[[0, -1]]]  # their difference is finite
    if not halves[1] - halves[0] > 0:
        return 0.0
    for low, high, width in ((0.25, 0.75, 1.349), (0.025, 0.975, 3.92)):
        ends = [_quantile(ordered, share, weights) / width for share in (low, high)]
        half = ends[1] - ends[0]
        if half > 0:
            return float(half)
    return 0.0


def _bounds(
    ordered: NDArray[np.float64],
    fill: float,
    clip: float | None,
    weights: Weights = None,
) -> tuple[float | None, float | None]:
    few = np.count_nonzero(ordered[1:] != ordered[:-1]) < 2
    scale = 0.0 if few or clip is None else robust_scale(ordered, weights)
    low, high = fill - (clip or 0.0) * scale, fill + (clip or 0.0) * scale
    if scale == 0 or not np.isfinite([low, high]).all():
        return None, None
    return low, high


def _moments(
    values: NDArray[np.float64], weights: Weights = None
) -> tuple[float, float]:
    """Mean and standard deviation of numbers of any size.

    0 where all are alike, or nearly so: nothing can be divided by it.
    """
    size = float(np.abs(values).max())
    if (values == values[0]).all():
        return float(values[0]), 0.0
    unit = 1.0 if _SMALL < size < _LARGE else size
    mean, scale = unit * (values / unit).mean(), unit * (values / unit).std()
    if weights is not None:
        mean = unit * np.average(values / unit, weights=weights)
        spread = np.average(((values - mean) / unit) ** 2, weights=weights)
        scale = unit * np.sqrt(spread)
    return float(mean), float(scale) if scale >= np.finfo(float).tiny else 0.0


def _spread_of(share: float) -> float:
    """Standard deviation of 0/1 with so many ones; 1 where all are alike."""
    return float(np.sqrt(share * (1 - share))) or 1.0


def fit_category(
    cells: Cells, max_categories: int, min_frequency: int, weights: Weights = None
) -> Entry:
    """The values that get a column, most frequent first, with means and scales."""
    assert cells.codes is not None
    filled = cells.codes[cells.codes >= 0]
    counts = np.bincount(filled, minlength=len(cells.values))
    present = [(-int(n), v) for n, v in zip(counts, cells.values, strict=True) if n]
    kept = [(-n, v) for n, v in sorted(present) if -n >= min_frequency]
    if len(present) == len(kept) == 2 and len(filled) == len(cells.codes):
        kept = kept[1:]  # the other value says the same
    kept = kept[:max_categories]
    shares = [count / len(cells.codes) for count, _ in kept]
    if weights is not None:
        sums = np.bincount(cells.codes + 1, weights, len(cells.values) + 1)[1:]
        parts = dict(zip(cells.values, sums / weights.sum(), strict=True))
        shares = [float(parts[value]) for _, value in kept]
    return {
        "values": [value for _, value in kept],
        "mean": shares,
        "scale": [_spread_of(share) for share in shares],
    }


def n_outputs(entry: Entry) -> int:
    """How many columns are made of a column: one at least of any that is used."""
    if entry["kind"] == "drop":
        return 0
    if entry["kind"] == "category":
        return max(1, len(entry["values"]))
    return 1 + ("gap_mean" in entry)


def output_names(entry: Entry) -> list[str]:
    """Names of the columns that are made of a column, for display."""
    name = entry["name"]
    if entry["kind"] == "category" and entry["values"]:
        return [f"{name} = {value}" for value in entry["values"]]
    return [name, f"{name} is missing"][: n_outputs(entry)]


def write_column(entry: Entry, cells: Cells, out: NDArray[np.float64]) -> None:
    """Write what becomes of settled cells into the columns of ``out``."""
    if entry["kind"] == "category":
        _write_category(entry, as_text(cells), out)
        return
    values = as_numbers(cells, entry["kind"])
    missing = np.isnan(values)
    values[missing] = entry["fill"]
    if entry["low"] is not None:
        np.clip(values, entry["low"], entry["high"], out=values)
    with np.errstate(over="ignore"):
        values -= entry["mean"]
        values /= entry["scale"]
    np.clip(values, -_FARTHEST, _FARTHEST, out=out[:, 0])
    if "gap_mean" in entry:
        out[:, 1] = (missing - entry["gap_mean"]) / entry["gap_scale"]


def _plain_number(text: str) -> str:
    """A number as it is written where all of a column are numbers: 01 as 1."""
    return cell_text(float(text)) if is_number(text) else text


def _write_category(entry: Entry, cells: Cells, out: NDArray[np.float64]) -> None:
    assert cells.codes is not None
    if not entry["values"]:
        out[:] = 0.0
        return
    place = {value: i for i, value in enumerate(entry["values"])}
    hits = np.zeros((len(cells.values) + 1, len(place)))
    for row, value in enumerate(cells.values):
        column = place.get(value, place.get(_plain_number(value)))
        if column is not None:
            hits[row, column] = 1.0
    table = (hits - np.array(entry["mean"])) / np.array(entry["scale"])
    out[:] = table[cells.codes]
