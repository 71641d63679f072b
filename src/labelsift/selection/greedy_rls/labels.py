# SPDX-License-Identifier: BSD-3-Clause
"""Labels as greedy selection sees them: coded -1/+1, centred and weighted."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.selection.greedy_rls.options import read_vector

# Which power of its standard deviation divides a centred label.
_POWERS = {"sqrt": 0.5, "balanced": 1.0}


@dataclass(frozen=True)
class LabelScaling:
    """Selection sees (label - centre) * scale of the labels that are live.

    A label is live that has both values.
    """

    n: int  # rows
    mean: NDArray[Any]  # of every -1/+1 label: -1 or +1 where it is not live
    live: NDArray[Any]
    centre: NDArray[Any]  # of live labels
    scale: NDArray[Any]

    @classmethod
    def read(cls, options: Any, n: int, mean: NDArray[Any]) -> "LabelScaling":
        """Weights of the labels for a GreedyRLS; the fair objective has its own."""
        live, label_weight = np.abs(mean) < 1, options.label_weight
        inner = mean[live]
        if options.objective == "fair":
            label_weight = "balanced"
        elif isinstance(label_weight, str) and label_weight == "auto":
            label_weight = "sqrt"
        if label_weight is None or isinstance(label_weight, str):
            power = _POWERS.get(label_weight or "none", 0.0)
            centre = inner if power else np.zeros_like(inner)
            return cls(n, mean, live, centre, (1 - inner**2) ** (-power / 2))
        weights = read_vector(label_weight, "label_weight", len(live))
        if (weights < 0).any() or not weights[live].any():
            raise ValueError(
                "label_weight must be at least 0 for every label and positive for one "
                f"that has both values, got {label_weight!r}."
            )
        return cls(n, mean, live, np.zeros_like(inner), weights[live])

    @property
    def squares(self) -> NDArray[Any]:
        """Sum of squares of each live -1/+1 label, centred."""
        return self.n * (1 + self.centre * (self.centre - 2 * self.mean[self.live]))

    def seen(self, codes: NDArray[Any]) -> NDArray[Any]:
        """What selection sees of live -1/+1 labels, which stay as they are."""
        if not self.centre.any() and (self.scale == 1).all():
            return codes
        return (codes - self.centre) * self.scale

    def spread_out(self, values: NDArray[Any], others: Any) -> NDArray[Any]:
        """Values of live labels along the last axis among those of the others."""
        full = np.empty((*values.shape[:-1], len(self.live)))
        full[...] = others
        full[..., self.live] = values
        return full
