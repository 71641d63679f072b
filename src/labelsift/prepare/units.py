# SPDX-License-Identifier: BSD-3-Clause
"""What is bought as a whole, and at which cost: columns, or groups of them, by name."""

import csv
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.files import check_file
from labelsift.core.text import short
from labelsift.datasets.textfile import one_line, shown

Pairs = list[tuple[str, Any]]


@dataclass(frozen=True)
class Units:
    """Columns of the data, some of them joined in groups, and what they cost.

    Parameters
    ----------
    owner : tuple of int
        The unit of each column: 0, 1, ... in the order of their first columns.
    costs : tuple of float
        Of each unit; empty: nothing is said about costs.
    """

    owner: tuple[int, ...]
    costs: tuple[float, ...] = ()

    @cached_property
    def members(self) -> list[NDArray[np.intp]]:
        """The columns of each unit."""
        order = np.argsort(self.owner, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.owner))[:-1])

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """How many columns each unit has."""
        return np.bincount(self.owner)

    def cost(self, columns: Iterable[int]) -> float:
        """What some columns cost: each unit is bought once, and whole."""
        bought = {self.owner[i] for i in columns}
        return math.fsum(self.costs[unit] for unit in bought)

    def column_costs(self) -> list[float]:
        """The cost of each column, a group's shared evenly; for display."""
        return [self.costs[unit] / int(self.sizes[unit]) for unit in self.owner]


def read_units(
    names: Sequence[str],
    costs: Any = None,
    groups: Any = None,
    *,
    unused: Sequence[str] = (),
) -> Units | None:
    """Costs and groups that a user tells by name; None where none are told.

    Parameters
    ----------
    names : sequence of str
        The columns that are used.
    costs : mapping, Series, path or None
        Cost of each feature by its name; a group may have one cost under its own name.
        A path is a CSV file with the columns feature and cost.
    groups : mapping, Series, path or None
        Group of a feature by its name; other features stand alone. A path is a CSV file
        with the columns feature and group.
    unused : sequence of str
        Names and patterns of columns that exist and are not used: passed over.

    Returns
    -------
    Units or None
        In the order of the columns.
    """
    if costs is None and groups is None:
        return None
    told = _named(groups, "groups", "group")
    _check_known(told, names, unused, "groups")
    place = {name: i for i, name in enumerate(names)}
    group_of = {name: str(group) for name, group in told if name in place}
    _check_group_names(group_of, place)
    number: dict[tuple[bool, str], int] = {}
    owner = tuple(
        number.setdefault((name in group_of, group_of.get(name, name)), len(number))
        for name in names
    )
    if costs is None:
        return Units(owner)
    priced = _named(costs, "costs", "cost")
    _check_known(priced, [*names, *group_of.values()], unused, "costs")
    given = {name: _price(name, value) for name, value in priced}
    return Units(owner, tuple(_unit_costs(names, owner, group_of, given)))


def read_pairs(path: Path, value: str) -> Pairs:
    """The rows of a CSV file with the columns feature and ``value``."""
    check_file(path)
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            heads = [head.strip() for head in reader.fieldnames or ()]
            reader.fieldnames = heads
            if {"feature", value} <= set(heads):
                return [(row["feature"] or "", row[value]) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(
            f"{path} cannot be read as CSV in UTF-8 ({one_line(error)}): save it again."
        ) from error
    listed = ", ".join(short(head, 30) for head in heads[:10]) or "none"
    raise ValueError(f"{path} needs the columns feature and {value}; it has {listed}.")


def _named(told: Any, argument: str, value: str) -> Pairs:
    """Pairs of name and value, each name once."""
    if told is None:
        return []
    where = argument
    if isinstance(told, str | Path):
        where, pairs = str(told), read_pairs(Path(told), value)
    elif isinstance(told, Mapping) or _is_series(told):
        pairs = [(str(name), item) for name, item in told.items()]
    else:
        raise TypeError(
            f"{argument} must be a mapping or a pandas Series by the names of the "
            f"features, got {type(told).__name__}: positions are not taken."
        )
    times = Counter(name for name, _ in pairs)
    twice = [name for name in times if times[name] > 1]
    if twice:
        raise ValueError(f"{where} names {shown(twice[0])} twice: keep one of them.")
    return pairs


def _is_series(told: Any) -> bool:
    by_name = hasattr(told, "items") and hasattr(told, "index")
    return by_name and getattr(told, "ndim", 0) == 1


def _check_known(
    pairs: Pairs, names: Sequence[str], unused: Sequence[str], argument: str
) -> None:
    """Every name is a column of the data, perhaps one that is not used."""
    known = {*names, *unused}
    patterns = [pattern for text in unused for pattern in text.split(",")]
    for name, _ in pairs:
        if name in known or any(fnmatchcase(name, p.strip()) for p in patterns):
            continue
        close = get_close_matches(name, list(names)[:10_000], n=1)
        hint = f" (did you mean {shown(close[0])}?)" if close else ""
        raise ValueError(
            f"{argument} names the feature {shown(name)}, which the data do not have"
            f"{hint}: check the spelling."
        )


def _check_group_names(group_of: Mapping[str, str], place: Mapping[str, int]) -> None:
    """A cost under the name of a group must not be that of a feature."""
    sizes = Counter(group_of.values())
    for name, group in group_of.items():
        if group in place and (group != name or sizes[group] > 1):
            raise ValueError(
                f"groups calls a group {shown(group)}, which is the name of a feature: "
                "rename the group."
            )


def _price(name: str, value: Any) -> float:
    try:
        cost = float(value)
    except (TypeError, ValueError):
        cost = math.nan
    if not 0 < cost < math.inf:
        raise ValueError(
            f"costs gives {shown(name)} the cost {short(value, 40)!r}: it must be a "
            "positive number."
        )
    return cost


def _unit_costs(
    names: Sequence[str],
    owner: Sequence[int],
    group_of: Mapping[str, str],
    given: Mapping[str, float],
) -> list[float]:
    """The price of each unit: that of its group, or the sum over its features."""
    prices = [0.0] * (max(owner) + 1)
    missing = []
    for name, unit in zip(names, owner, strict=True):
        group = group_of.get(name, name)
        if group != name and group in given and name in given:
            raise ValueError(
                f"costs prices the group {shown(group)} and its feature "
                f"{shown(name)}: price the group, or each of its features."
            )
        if group in given:
            prices[unit] = given[group]
        elif name in given:
            prices[unit] += given[name]
        else:
            missing.append(name)
    if missing:
        more = f" and {len(missing) - 1} more features" if missing[1:] else ""
        raise ValueError(
            f"costs has no cost for {shown(missing[0])}{more}: add one for every "
            "feature, or leave a column out with --drop."
        )
    return prices
