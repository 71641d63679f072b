# SPDX-License-Identifier: BSD-3-Clause
"""What may stand in the TOML file of a suite, and of which type it is."""

from typing import Any

from labelsift.core.schema import (
    Check,
    flag,
    listed,
    named,
    scalar,
    table,
    text,
    whole,
)

# A suite with more splits or folds would not end, and its plan would fill the memory.
MOST_SPLITS = 1000
_MOST_ROWS = 10**12
_LARGEST_SEED = 2**32 - 1

_texts, _budgets = listed(text), listed(scalar)
_params, _grid = named(scalar), named(listed(scalar, least=1))
_folds = whole(1, MOST_SPLITS)
_sizes = listed(whole(0, _MOST_ROWS), least=1)

# What an effort may replace.
_VARIED: dict[str, Check] = {
    "budgets": _budgets,
    "folds": _folds,
    "notes": _texts,
    "quick_notes": _texts,
    "readouts": listed(text, least=1),
    "splits": _folds,
    "thresholds": listed(text, least=1),
    "train_sizes": _sizes,
}
_PROTOCOL = table(
    {"kind": text},
    {
        "splits": _folds,
        "train_size": whole(0, _MOST_ROWS),
        "train_sizes": _sizes,
        "seed": whole(0, _LARGEST_SEED),
        "digest": text,
    },
)
_TUNING = table({}, {"measure": text, "folds": _folds, "budgets": _budgets})
_DATA = table(
    {},
    {
        "budgets": _budgets,
        "extra": flag,
        "grids": named(_grid),
        "params": named(_params),
        "prepare": _texts,
        "quick_grids": named(_grid),
        "scale": text,
    },
)
_METHOD = table(
    {},
    {
        "budgets": _budgets,
        "entry": text,
        "grid": _grid,
        "params": _params,
        "quick_grid": _grid,
        "readouts": _texts,
        "scale": text,
        "sweep": flag,
    },
)
_CLAIM = table(
    {"says": text, "better": text, "worse": text, "measure": text},
    {"budget": scalar, "readout": text},
)
_REQUIRED: dict[str, Check] = {
    "title": text,
    "paper": text,
    "protocol": _PROTOCOL,
    "data": named(_DATA, least=1),
    "methods": named(_METHOD, least=1),
    "measures": listed(text, least=1),
}
REQUIRED = tuple(_REQUIRED)
_SUITE = table(
    _REQUIRED,
    {
        **_VARIED,
        "claims": listed(_CLAIM),
        "cut": text,
        "no_controls": _texts,
        "quick": table({}, _VARIED),
        "scale": text,
        "table": text,
        "tuning": _TUNING,
    },
)


def check_entries(suite: str, entries: Any) -> None:
    """Raise for entries of a suite that are missing, not known or of a wrong type."""
    _SUITE(entries, f"Suite {suite}")
