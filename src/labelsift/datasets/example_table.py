# SPDX-License-Identifier: BSD-3-Clause
"""A raw table to try things on: support tickets with the faults that tables have."""

import csv
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.datasets.atomic import replacing

_ROWS = 2000
# Word counts of a ticket: name -> mean.
_COUNTS = {
    "says_refund": 0.4, "says_password": 0.3, "says_crash": 0.35, "says_slow": 0.4,
    "says_invoice": 0.3, "links": 0.3, "exclamations": 0.7, "earlier_tickets": 2.0,
}  # fmt: skip
_CHOICES = {
    "country": "DE FR GB IN US",
    "product": "api desktop mobile web",
    "plan": "free free free pro pro team",
    "vip": "yes no no no no no no no no no",
}

_Columns = dict[str, NDArray[Any]]


def write_example(path: str | Path) -> None:
    """Write 2000 invented support tickets as a CSV file, always the same.

    22 columns and 6 tags (``tag_*``). Planted: an id and a date; categories and yes/no;
    gaps, among them some that tell a tag (``minutes_to_reply``); an error code of -9999
    (``words``); a column that is known only after the fact (``closed_as``); two that
    say nearly the same (``mood``, ``rating``); a tag of 12 rows.

    Parameters
    ----------
    path : str or Path
        The file; an existing one is replaced.
    """
    rng = np.random.default_rng(2027)
    columns = _columns(rng)
    tags = _tags(columns, rng)
    _add_faults(columns, tags, rng)
    table = columns | {name: np.where(on, "yes", "no") for name, on in tags.items()}
    with (
        replacing(Path(path)) as part,
        part.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


def _columns(rng: np.random.Generator) -> _Columns:
    """The features as they would be without faults."""
    start = datetime(2025, 1, 1)
    opened = [start + timedelta(minutes=97 * i) for i in range(_ROWS)]
    mood = rng.normal(size=_ROWS)
    return {
        "ticket": np.array([f"T-{100_000 + i}" for i in range(_ROWS)]),
        "opened": np.array([f"{when:%Y-%m-%d %H:%M}" for when in opened]),
        **{name: rng.choice(v.split(), _ROWS) for name, v in _CHOICES.items()},
        "words": rng.lognormal(4, 0.8, _ROWS).round(),
        **{name: rng.poisson(mean, _ROWS) for name, mean in _COUNTS.items()},
        "mood": mood.round(3),
        "rating": (mood + 0.1 * rng.normal(size=_ROWS)).round(3),
        "spend": rng.lognormal(3, 1.2, _ROWS).round(2),
        "account_days": rng.integers(0, 3000, _ROWS),
        "hour": rng.integers(0, 24, _ROWS),
        "minutes_to_reply": rng.exponential(300, _ROWS).round(1),
    }


def _tags(columns: _Columns, rng: np.random.Generator) -> dict[str, NDArray[np.bool_]]:
    """The rows of each tag: those with the largest noisy signal."""
    of = columns
    signals = {
        "tag_refund": (0.2, 1.6 * of["says_refund"] + 1.2 * of["says_invoice"]),
        "tag_login": (0.12, 2 * of["says_password"] + (of["product"] == "mobile")),
        "tag_bug": (0.2, 1.8 * of["says_crash"] + (of["product"] == "desktop")),
        "tag_slow": (0.1, 1.9 * of["says_slow"] + (of["product"] == "web")),
        "tag_escalate": (0.08, 2 * (of["vip"] == "yes") - 1.5 * of["mood"]),
        "tag_privacy": (0.006, 2.0 * np.isin(of["country"], ["DE", "FR"])),
    }
    tags = {}
    for name, (share, signal) in signals.items():
        noisy = signal + rng.logistic(0, 0.5, _ROWS)
        tags[name] = noisy >= np.sort(noisy)[-round(share * _ROWS)]
    return tags


def _add_faults(
    columns: _Columns, tags: dict[str, NDArray[np.bool_]], rng: np.random.Generator
) -> None:
    """What makes a table a raw one, in place."""
    refund = tags["tag_refund"]
    other = rng.choice(["answered", "fixed"], _ROWS)
    columns["closed_as"] = np.where(refund, "money back", other)
    columns["words"] = np.where(rng.random(_ROWS) < 0.02, -9999, columns["words"])
    _blank(columns, "plan", rng.random(_ROWS) < 0.1)
    _blank(columns, "account_days", rng.random(_ROWS) < 0.1)
    late = np.where(tags["tag_escalate"], 0.6, 0.05)
    _blank(columns, "minutes_to_reply", rng.random(_ROWS) < late)


def _blank(columns: _Columns, name: str, rows: NDArray[np.bool_]) -> None:
    columns[name] = np.where(rows, "", columns[name].astype(str))
