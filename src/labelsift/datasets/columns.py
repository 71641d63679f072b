# SPDX-License-Identifier: BSD-3-Clause
"""Choosing columns by name or pattern: which are labels, which are left out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from labelsift.core.cells import take_columns
from labelsift.core.data import MultiLabelData
from labelsift.datasets.textfile import shown

Patterns = str | Iterable[str]


def as_patterns(patterns: str | Iterable[object]) -> tuple[str, ...]:
    """One pattern or several, as a tuple."""
    return (patterns,) if isinstance(patterns, str) else tuple(map(str, patterns))


def matching(
    names: Sequence[str], patterns: Patterns, argument: str, where: str
) -> list[int]:
    """Positions of the names that a pattern matches, in the order of the names.

    A pattern that is a name means that name; otherwise ``*``, ``?`` and ``[...]``
    match as in file names, case-sensitive. A pattern that matches
    nothing is an error, whose message says ``where`` the columns are and which
    ``argument`` named it.
    """
    position = {name: i for i, name in enumerate(names)}
    positions: set[int] = set()
    for pattern in as_patterns(patterns):
        if pattern in position:
            positions.add(position[pattern])
            continue
        hits = [i for i, name in enumerate(names) if fnmatchcase(name, pattern)]
        if not hits:
            close = get_close_matches(pattern, names[:10_000], n=1)
            hint = f" (did you mean {shown(close[0])}?)" if close else ""
            raise ValueError(
                f"{where} has no column {shown(pattern)}, which {argument} names"
                f"{hint}: check the spelling."
            )
        positions.update(hits)
    return sorted(positions)


def split_columns(
    names: Sequence[str], labels: Patterns | None, drop: Patterns, where: str
) -> tuple[list[int], list[int]]:
    """Positions of the features and of the labels, both increasing.

    A column that ``labels`` and ``drop`` both name is left out; None: no labels.
    """
    dropped = set(matching(names, drop, "drop=", where))
    named = () if labels is None else matching(names, labels, "labels=", where)
    chosen = [i for i in named if i not in dropped]
    apart = dropped.union(chosen)
    features = [i for i in range(len(names)) if i not in apart]
    if not chosen and labels is not None:
        raise ValueError(f"{where} has no label column left: name one in labels=.")
    if not features:
        raise ValueError(
            f"{where} has no feature left: every column is a label or dropped."
        )
    return features, chosen


def check_unique(names: Sequence[str], where: str) -> None:
    """Raise where two columns have the same name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(
                f"{where} has two columns called {shown(name)}: rename or remove one."
            )
        seen.add(name)


def keep_features(data: MultiLabelData, index: Any) -> MultiLabelData:
    """Select some features, in the order given.

    Parameters
    ----------
    data : MultiLabelData
        The data.
    index : array of int or bool
        Which features.

    Returns
    -------
    MultiLabelData
        The same rows and labels with fewer features.
    """
    positions = np.arange(data.n_features)[np.asarray(index)]
    frame = None if data.frame is None else take_columns(data.frame, positions)
    return replace(
        data,
        X=frame if data.X is data.frame else data.X[:, positions],
        frame=frame,
        feature_names=tuple(data.feature_names[i] for i in positions),
    )
