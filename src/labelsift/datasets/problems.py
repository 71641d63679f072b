# SPDX-License-Identifier: BSD-3-Clause
"""Everything that is wrong with a table, at once."""

from collections.abc import Sequence


class TableError(ValueError):
    """One sentence for each thing that is wrong; as text, the first of them.

    Parameters
    ----------
    problems : sequence of str
        Sentences.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        more = len(problems) - 1
        tail = f" ({more} more: 'labelsift look' lists them all.)" if more else ""
        super().__init__(problems[0] + tail)

    def __reduce__(self) -> tuple[type, tuple[tuple[str, ...]]]:
        return type(self), (self.problems,)
