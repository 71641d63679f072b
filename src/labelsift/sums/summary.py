# SPDX-License-Identifier: BSD-3-Clause
"""What a method reads of sums over rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.sums.part import Part
from labelsift.sums.targets import Targets

# What is centred at a time, twice: X as it is and as float64.
_WORK_BYTES = 2**26


def sums_bytes(
    n_features: int,
    n_targets: int,
    feature_products: bool = True,
    label_products: bool = True,
) -> int:
    """Memory that ``Sums`` take, with those of one block beside them."""
    d, t = n_features, n_targets
    xx, yy = d * d if feature_products else d, t * t if label_products else t
    return 16 * (xx + d * t + yy) + _WORK_BYTES


class Summary:
    """The sums and what follows from them; ``Sums`` adds rows."""

    _part: Part | None
    _targets: Targets | None

    @property
    def rows(self) -> int:
        """Rows seen."""
        return 0 if self._part is None else self._part.rows

    @property
    def label_names(self) -> NDArray[Any] | None:
        """Names of the labels, where the blocks of Y are frames."""
        return None if self._targets is None else self._targets.names

    @property
    def targets(self) -> Targets:
        """What the columns of Y hold."""
        return self._filled()[1]

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Which features have one value only."""
        return np.asarray(self.x_range[0] == self.x_range[1])

    @property
    def live(self) -> NDArray[np.bool_]:
        """Which targets have more than one value."""
        return np.asarray(self.y_range[0] < self.y_range[1])

    @property
    def spread(self) -> NDArray[np.float64]:
        """Sum of squares of each centred feature; 0 where it is constant."""
        return _diagonal(self.xx)

    @property
    def y_spread(self) -> NDArray[np.float64]:
        """Sum of squares of each centred target."""
        return _diagonal(self.yy)

    def coded(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Means, X'Y and Y'Y (or its diagonal) with labels coded -1/+1."""
        scale = np.where(self.targets.values, 1.0, 2.0)
        across = np.outer(scale, scale) if self.yy.ndim == 2 else scale**2
        return scale * self.y_mean - (scale - 1), self.xy * scale, self.yy * across

    def __getattr__(self, name: str) -> Any:
        """Whatever is summed: n, means, ranges and products."""
        if name.startswith("_") or name not in Part.__dataclass_fields__:
            raise AttributeError(f"Sums has no attribute {name!r}.")
        return getattr(self._filled()[0], name)

    def __repr__(self) -> str:
        if self._part is None:
            return "Sums(no rows)"
        shape = f"{len(self.x_mean)} features, {len(self.y_mean)} labels"
        return f"Sums({self.rows} rows, {shape})"

    def _filled(self) -> tuple[Part, Targets]:
        """The sums and their coding."""
        if self._part is None or self._targets is None:
            raise ValueError("These Sums hold no rows: update them with a block first.")
        return self._part, self._targets


def _diagonal(products: NDArray[Any]) -> NDArray[np.float64]:
    """Sums of squares, which rounding must not make negative."""
    diagonal = np.diagonal(products) if products.ndim == 2 else products
    return np.maximum(diagonal, 0.0)
