# SPDX-License-Identifier: BSD-3-Clause
"""A doubt about data: what was seen, in one sentence, and what can be done."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from labelsift.core.text import short

# Chance of a false alarm over all columns, labels or pairs.
ALPHA = 0.01
# Names in one sentence; more are counted.
NAMED = 5
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Doubt:
    """Something that makes an answer doubtful; it changes nothing by itself.

    Parameters
    ----------
    code : str
        "leak", "outliers", "id", "duplicates", "constant", "rare-label", "row-order",
        "gaps" (and, after the folds, "chance-label", "uneven-labels").
    columns, labels : tuple of str
        Which ones.
    number : float
        The evidence: the AUC of a leak, positives of the rarest label, ...
    sentence : str
        What was seen.
    remedy : str
        Options of the command line that help; empty where none does.
    """

    code: str
    columns: tuple[str, ...]
    labels: tuple[str, ...]
    number: float
    sentence: str
    remedy: str = ""


def plain(name: str) -> str:
    """A stranger's name of a label in a sentence."""
    return short(name, _LONGEST_NAME)


def quoted(name: str) -> str:
    """The same of a column, in quotes."""
    return repr(plain(name))


def listed(names: Sequence[str]) -> str:
    """At most five names, then how many more."""
    shown = [quoted(name) for name in names[:NAMED]]
    if len(names) > NAMED:
        return f"{', '.join(shown)} and {len(names) - NAMED:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def drop_option(names: Sequence[str]) -> str:
    """``--drop`` for some columns, as it can be pasted."""
    plain = [name for name in names if "," not in name]
    parts = [",".join(plain)] if plain else []
    parts += [name for name in names if "," in name]
    return " ".join(f"--drop {shlex.quote(part)}" for part in parts)
