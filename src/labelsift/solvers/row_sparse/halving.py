# SPDX-License-Identifier: BSD-3-Clause
"""Bisection for a budget, by the number of features at places in a row.

The number of features rises from the first place to the last, but for a few that leave
again. A bisection looks at the middle of what is left, seven times for 128 places. If
many features enter on the way, most middles are far from the budget: their side can be
told from their neighbours, and only those close to the budget are looked at.
"""

# How far a number of features may be from what its neighbours let expect: a share of
# the difference between these, and so many more.
_SHARE, _MORE = 0.15, 2.0


def halve(counts: dict[int, int], budget: int, *, guess: bool) -> tuple[list[int], int]:
    """Known places that a bisection goes through, and the one where it ends.

    ``counts`` are those at the places that are known, both ends among them. It ends at
    a place that is not known, to be looked at next, or at the last within the budget.
    ``guess``: the side of a place is taken from its neighbours, where that is safe.
    """
    low, high = min(counts), max(counts)
    through: list[int] = []
    while high - low > 1:
        middle = (low + high) // 2
        if middle in counts:
            through.append(middle)
            within: bool | None = counts[middle] <= budget
        else:
            within = _expected(counts, middle, budget) if guess else None
        if within is None:
            return through, middle
        low, high = (middle, high) if within else (low, middle)
    return through, low if high in counts else high


def neighbours(counts: dict[int, int], place: int) -> tuple[int, int]:
    """The nearest known places before and after a place."""
    before = max(other for other in counts if other < place)
    return before, min(other for other in counts if other > place)


def _expected(counts: dict[int, int], place: int, budget: int) -> bool | None:
    """Whether a place is within the budget, from its neighbours; None: in doubt."""
    before, after = neighbours(counts, place)
    few, many = max(counts[before], 1), max(counts[after], 1)
    count = few * (many / few) ** ((place - before) / (after - before))
    doubt = _SHARE * abs(many - few) + _MORE
    return None if abs(count - budget) <= doubt else count < budget
