# SPDX-License-Identifier: BSD-3-Clause
"""What may stand in the TOML file of a suite: a misspelt entry is an error."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from labelsift.bench.spec import Protocol, Tuning

REQUIRED = ("title", "paper", "protocol", "data", "methods", "measures")
# What an effort may set in place of the suite's own.
VARIED = (
    "budgets", "folds", "notes", "quick_notes", "readouts", "splits", "thresholds",
    "train_sizes",
)  # fmt: skip
SUITE = (
    *REQUIRED, *VARIED, "claims", "cut", "no_controls", "quick", "scale", "suite",
    "table", "tuning",
)  # fmt: skip
DATA = ("budgets", "extra", "grids", "params", "prepare", "quick_grids", "scale")
METHOD = (
    "budgets", "entry", "grid", "params", "quick_grid", "readouts", "scale", "sweep",
)  # fmt: skip
CLAIM = ("better", "budget", "measure", "readout", "says", "worse")


def check_entries(suite: str, table: Mapping[str, Any]) -> None:
    """Raise for entries that are missing or not known.

    Parameters
    ----------
    suite : str
        Its name, for the error.
    table : mapping
        As read from TOML.
    """
    where = f"Suite {suite}"
    for name in REQUIRED:
        if name not in table:
            raise ValueError(f"{where} has no entry {name!r}: add it.")
    _known(where, table, SUITE)
    _known(f"{where}, quick", table.get("quick", {}), VARIED)
    protocol = [*_names(Protocol), "train_sizes"]
    _known(f"{where}, protocol", table["protocol"], protocol)
    _known(f"{where}, tuning", table.get("tuning", {}), _names(Tuning))
    for name, part in table["data"].items():
        _known(f"{where}, data {name}", part, DATA)
    for name, part in table["methods"].items():
        _known(f"{where}, method {name}", part, METHOD)
    for claim in table.get("claims", []):
        _known(f"{where}, claims", claim, CLAIM)


def _names(part: Any) -> list[str]:
    return [field.name for field in fields(part)]


def _known(where: str, given: Mapping[str, Any], allowed: Collection[str]) -> None:
    for name in given:
        if name not in allowed:
            raise ValueError(
                f"{where} has an unknown entry {name!r}: choose from "
                f"{', '.join(allowed)}."
            )
