# SPDX-License-Identifier: BSD-3-Clause
"""Columns of X'X on demand, many at a time.

A step of ``gcv.py`` asks for one column of X'X, which costs a pass over X. The features
that are best now are likely to be taken soon: their columns come in the same pass.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Columns of one pass, and the bytes that they take on the side of the rows.
_MOST = 32
_BYTES = 2**27


class Columns:
    """Columns of a Gram matrix that is never whole.

    ``compute`` leads from features to their columns, as rows; ``steps`` columns are
    asked for at the most, each once. Without ``n_samples`` rows come in batches, and
    passes are all that counts. No more than twice the columns of a pass are held.
    """

    def __init__(
        self,
        compute: Callable[[NDArray[Any]], NDArray[Any]],
        *,
        steps: int,
        n_samples: int | None = None,
    ) -> None:
        self._compute, self._held = compute, dict[int, NDArray[Any]]()
        self._asked = set[int]()
        self._at_once = _MOST
        if n_samples is not None:
            fitting = max(1, _BYTES // (8 * n_samples))
            self._at_once = min(_MOST, fitting, max(1, steps // 2))
        self._errors: NDArray[Any] | None = None
        self.passes = 0

    def expect(self, errors: NDArray[Any]) -> None:
        """Learn which features are likely to be asked for: those of small errors."""
        self._errors = errors

    def __call__(self, feature: int) -> NDArray[Any]:
        """One column, with which others may come."""
        if feature not in self._held:
            self._read(feature)
        self._asked.add(feature)
        return self._held.pop(feature)

    def _read(self, feature: int) -> None:
        """Read a column and those that are likely next; the likeliest held stay."""
        others, errors = self._at_once - 1, self._errors
        wanted, held = [feature], list[int]()
        if errors is not None:
            held = sorted(self._held, key=errors.__getitem__)[:others]
            wanted += islice(self._unread(feature, errors), others)
        # Copies, as a row would hold all columns of its pass.
        self._held = {other: self._held[other].copy() for other in held}
        columns = self._compute(np.array(wanted))
        self._held.update(zip(wanted, columns, strict=True))
        self.passes += 1

    def _unread(self, feature: int, errors: NDArray[Any]) -> Iterator[int]:
        """Other features that may still be asked for, those of small errors first."""
        for other in np.argsort(errors, kind="stable"):
            if other != feature and not (other in self._held or other in self._asked):
                yield int(other)
