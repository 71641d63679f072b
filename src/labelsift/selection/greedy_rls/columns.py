# SPDX-License-Identifier: BSD-3-Clause
"""Columns of X'X on demand, many at a time.

A step of ``gcv.py`` asks for one column of X'X, which costs a pass over X. The features
that are best now are likely to be taken soon: their columns come in the same pass.
"""

from collections.abc import Callable
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
    asked for at the most.
    """

    def __init__(
        self,
        compute: Callable[[NDArray[Any]], NDArray[Any]],
        *,
        n_samples: int,
        steps: int,
    ) -> None:
        self._compute, self._known = compute, dict[int, NDArray[Any]]()
        fitting = max(1, _BYTES // (8 * n_samples))
        self._at_once = min(_MOST, fitting, max(1, steps // 2))
        self._errors: NDArray[Any] | None = None
        self.passes = 0

    def expect(self, errors: NDArray[Any]) -> None:
        """Learn which features are likely to be asked for: those of small errors."""
        self._errors = errors

    def __call__(self, feature: int) -> NDArray[Any]:
        """One column, with which others may come."""
        if feature not in self._known:
            wanted = self._likely(feature)
            self._known.update(
                zip(wanted, self._compute(np.array(wanted)), strict=True)
            )
            self.passes += 1
        return self._known[feature]

    def _likely(self, feature: int) -> list[int]:
        if self._errors is None or self._at_once == 1:
            return [feature]
        others = (
            other
            for other in np.argsort(self._errors, kind="stable").tolist()
            if other != feature and other not in self._known
        )
        return [feature, *islice(others, self._at_once - 1)]
