# SPDX-License-Identifier: BSD-3-Clause
"""Which columns of a table are labels, in which form, and which are left out."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from labelsift.datasets.columns import Patterns, as_patterns, matching
from labelsift.datasets.problems import TableError
from labelsift.datasets.textfile import shown

# What separates the members of a list; what declares a class.
LISTS = ("|", ";", ",", "/")
CLASS = "class"

Labels = Patterns | Mapping[str, str] | None


def split_table(
    names: Sequence[str], labels: Labels, drop: Patterns, where: str
) -> tuple[list[int], dict[int, str]]:
    """Positions of the features, and of the labels with their forms ("": to be found).

    ``name:|`` declares lists and ``name:class`` classes, unless a column bears that
    very name; ``a,b`` in ``drop`` means both, unless a column does. A column that both
    arguments name is left out. Every pattern that matches nothing is told.
    """
    problems: list[str] = []
    dropped = {
        place
        for pattern in _apart(names, drop)
        for place in _matching(names, pattern, "drop=", where, problems)
    }
    forms: dict[int, str] = {}
    for pattern, form in _declared(names, labels):
        for place in _matching(names, pattern, "labels=", where, problems):
            if place not in dropped:
                forms[place] = forms.get(place) or form
    features = [i for i in range(len(names)) if i not in dropped and i not in forms]
    if not problems and labels is not None and not forms:
        problems.append(f"{where} has no label column left: name one in labels=.")
    if not problems and not features:
        problems.append(
            f"{where} has no feature left: every column is a label or dropped."
        )
    if problems:
        raise TableError(problems)
    return features, dict(sorted(forms.items()))


def _matching(
    names: Sequence[str], pattern: str, argument: str, where: str, problems: list[str]
) -> list[int]:
    """Positions that match; a pattern that matches nothing becomes a problem."""
    try:
        return matching(names, [pattern], argument, where)
    except ValueError as error:
        problems.append(str(error))
        return []


def _apart(names: Sequence[str], drop: Patterns) -> list[str]:
    """Patterns; one with commas that matches nothing is a list of them."""
    patterns = []
    for pattern in as_patterns(drop):
        known = any(pattern == name or fnmatchcase(name, pattern) for name in names)
        parts = [pattern] if known or "," not in pattern else pattern.split(",")
        patterns += [part if part in names else part.strip() for part in parts]
    return patterns


def _declared(names: Sequence[str], labels: Labels) -> list[tuple[str, str]]:
    """Patterns of labels with their forms."""
    if labels is None:
        return []
    if not isinstance(labels, Mapping):
        return [_told(names, pattern) for pattern in as_patterns(labels)]
    told = [(str(name), str(form or "")) for name, form in labels.items()]
    for name, form in told:
        if form not in ("", CLASS, *LISTS):
            raise ValueError(
                f"labels= gives {shown(name)} the form {form!r}: use 'class', or what "
                f"separates a list ({' '.join(LISTS)})."
            )
    return told


def _told(names: Sequence[str], pattern: str) -> tuple[str, str]:
    name, _, form = pattern.rpartition(":")
    told = name and form in (CLASS, *LISTS) and pattern not in names
    return (name, form) if told else (pattern, "")
