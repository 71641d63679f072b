# SPDX-License-Identifier: BSD-3-Clause
"""What statistics over rows have in common: those of several add up."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import deepcopy
from typing import Any, Self


class Mergeable(ABC):
    """Statistics with ``add``."""

    @abstractmethod
    def add(self, other: Any) -> Self:
        """Add the statistics over other rows."""

    @classmethod
    def merged(cls, parts: Iterable[Self]) -> Self:
        """Statistics over the rows of several; these are unchanged.

        Parameters
        ----------
        parts : iterable
            At least one, all of this class.

        Returns
        -------
        object of this class
            A new one.
        """
        first, *others = parts
        total = deepcopy(first)
        for other in others:
            total.add(other)
        return total
